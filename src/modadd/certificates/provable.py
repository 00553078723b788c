"""Networks of others in the form in which Coq can be given them: their own float32 parameters, none of them rounded."""

from collections.abc import Mapping
from dataclasses import replace

import numpy as np
from jaxtyping import Float

from modadd.core.groups import ADDITION
from modadd.core.separable import margins
from modadd.core.wording import unknown
from modadd.networks.architectures import RELU
from modadd.networks.foreign import External
from modadd.networks.recipes import RECIPES
from modadd.networks.store import Network

# Formats that are read as an architecture that a theorem is about.
PROVABLE = ("two_layer_mlp", "embedding_mlp", "chughtai_mlp", "linear_mlp", "zhong_ones")

SMALLEST_NORMAL = np.finfo(np.float32).smallest_normal  # 2⁻¹²⁶; smaller numbers are subnormal


def provable(external: External) -> Network:
    """A network of others as one that `theorem_of` takes.

    Raises ValueError, one line, with the reason why no theorem can be about it: an architecture that has none, several
    layers, other neurons, another operation, or parameters that float32 does not hold exactly or that are subnormal.
    """
    if external.format not in PROVABLE:
        raise ValueError(unknown("proof", "format", external.format, PROVABLE))
    if external.neurons != RELU or external.operation != ADDITION:
        raise ValueError(f"proof: expected ReLUs that add mod n, got {external.neurons} and {external.operation}")
    separable = external.separable()
    native = external.native()
    if separable is None or native is None:
        raise ValueError("proof: expected one layer, got several")
    architecture, exact = native
    parameters = {name: np.ascontiguousarray(value, np.float32) for name, value in exact.items()}
    for name, value in exact.items():
        if (rounded := np.count_nonzero(parameters[name] != value)) > 0:
            raise ValueError(
                f"proof: {rounded} of {value.size} numbers of '{name}' are in {value.dtype} and not in float32; a theorem about "
                "rounded ones would be about another network"
            )
    _require_normal(parameters)
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


def _require_normal(parameters: Mapping[str, Float[np.ndarray, "..."]]) -> None:
    """Raise ValueError, one line, for a parameter below the smallest normal float32: some machines read it as 0, and run another network."""
    for name, value in parameters.items():
        subnormal = np.argwhere((value != 0) & (np.abs(value) < SMALLEST_NORMAL))
        if len(subnormal):
            entry = ", ".join(map(str, subnormal[0]))
            raise ValueError(
                f"proof: {name}[{entry}] is {value[tuple(subnormal[0])]:.3g}, which some machines read as 0: expected 0, or a size of at "
                f"least {SMALLEST_NORMAL:.3g} ({len(subnormal)} such in '{name}'; with 0 there it is a network that can be proven)"
            )


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
