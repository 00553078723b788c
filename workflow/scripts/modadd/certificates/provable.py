"""Networks of others in the form in which Coq can be given them: their own float32 parameters, none of them rounded."""

from collections.abc import Mapping
from dataclasses import replace

import numpy as np
from jaxtyping import Float

from modadd.core.groups import ADDITION
from modadd.core.separable import margins
from modadd.core.wording import unknown
from modadd.networks.architectures import RELU
from modadd.networks.formats import chughtai_native, linear_native
from modadd.networks.importers import External
from modadd.networks.recipes import RECIPES
from modadd.networks.store import Network

_Parameters = Mapping[str, Float[np.ndarray, "..."]]


def _unchanged(p: _Parameters) -> _Parameters:
    return p


def _pizza_of_zhong(p: _Parameters) -> _Parameters:
    """As a pizza transformer. Attention is 1 to either position there, ½ here, so W_O is doubled, which is exact."""
    heads, d_head, d_model = p["blocks.0.attn.W_V"].shape
    by_head = p["blocks.0.attn.W_O"].reshape(d_model, heads, d_head)
    return {
        "W_E": p["embed.W_E"].T,
        "W_pos": p["pos_embed.W_pos"],
        "W_V": p["blocks.0.attn.W_V"].transpose(0, 2, 1),
        "W_O": 2 * by_head.transpose(1, 2, 0),
        "W_in": p["blocks.0.mlp.W_in"].T,
        "b_in": p["blocks.0.mlp.b_in"],
        "W_out": p["blocks.0.mlp.W_out"].T,
        "b_out": p["blocks.0.mlp.b_out"],
        "W_U": p["unembed.W_U"],
    }


# By format: the architecture that the theorem is about, and its parameters from those of the file.
PROVABLE = {
    "two_layer_mlp": ("two_layer_mlp", _unchanged),
    "embedding_mlp": ("embedding_mlp", _unchanged),
    "chughtai_mlp": ("embedding_mlp", chughtai_native),
    "linear_mlp": ("embedding_mlp", linear_native),
    "zhong_ones": ("pizza_transformer", _pizza_of_zhong),
}


def provable(external: External) -> Network:
    """A network of others as one that `theorem_of` takes.

    Raises ValueError, one line, with the reason why no theorem can be about it: an architecture that has none, several
    layers, other neurons, another operation, or parameters that float32 does not hold exactly.
    """
    if external.format not in PROVABLE:
        raise ValueError(unknown("proof", "format", external.format, PROVABLE))
    if external.neurons != RELU or external.operation != ADDITION:
        raise ValueError(f"proof: expected ReLUs that add mod n, got {external.neurons} and {external.operation}")
    separable = external.separable()
    if separable is None:
        raise ValueError("proof: expected one layer, got several")
    architecture, native = PROVABLE[external.format]
    exact = native(external.parameters)
    parameters = {name: np.ascontiguousarray(value, np.float32) for name, value in exact.items()}
    for name, value in exact.items():
        if (rounded := np.count_nonzero(parameters[name] != value)) > 0:
            raise ValueError(
                f"proof: {rounded} of {value.size} numbers of '{name}' are in {value.dtype} and not in float32; a theorem about "
                "rounded ones would be about another network"
            )
    n, h = separable.modulus, separable.width
    d_model = parameters["W_E" if "W_E" in parameters else "E_a"].shape[1]
    sizes = {"modulus": n, "d_model": d_model, "d_mlp": h, "train_pairs": n * n, "batch_size": 0}
    sizes |= {"n_heads": int("W_V" in parameters)}  # as one: the theorem takes all heads side by side, however wide
    smallest = margins(separable.logits())
    network = Network(
        replace(RECIPES[architecture], **sizes), 0, parameters, {"accuracy": float((smallest > 0).mean())}
    )
    if not np.allclose(margins(network.separable().logits()), smallest, atol=1e-6 * np.abs(smallest).max()):
        raise ValueError(f"proof: '{external.format}' read as a {architecture} has other logits")
    return network


def wrong_answer(network: Network) -> str | None:
    """An input that a network gets wrong, with the two logits, in words; None if it gets none wrong."""
    logits = network.separable().logits()
    smallest = margins(logits)
    if (smallest > 0).all():
        return None
    a, b = np.unravel_index(smallest.argmin(), smallest.shape)
    t = (a + b) % network.recipe.modulus
    others = np.where(np.arange(network.recipe.modulus) == t, -np.inf, logits[a, b])
    c = others.argmax()
    return f"at ({a}, {b}) the right answer {t} has the logit {logits[a, b, t]:.6g}, and {c} has {logits[a, b, c]:.6g}"
