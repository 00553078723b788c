"""Formats of networks that others trained: their tensors, and what is read of them. docs/formats.md describes each."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from jaxtyping import Float

from modadd.core.separable import Separable
from modadd.networks import transformers
from modadd.networks.architectures import Embedded, embedded_of, separable_of, tables_of
from modadd.networks.checkpoints import Checkpoint
from modadd.networks.transformers import CAUSAL, ONES, SOFTMAX, Layout, Parameters, Shapes

# Tensors that tell a network of a kind that no format reads, by how their names end, and what that kind is.
UNREAD = {
    r"^embed\.weight$": "a linear model of Zhong et al.",
    r"(^|\.)(ln|ln1|ln2|ln_final|norm\d?|layer_?norm\d?)\.(w|b|weight|bias)$": "a network with LayerNorm",
    r"\.W_gate$": "a network whose neurons have gates",
    r"\.rotary_(sin|cos)$": "a transformer whose positions are rotations",
}

WITHOUT_FORM = "its logits, its embeddings and what its neurons read"


@dataclass(frozen=True)
class Format:
    """A kind of network in a file: its tensors given the shapes found, and how it is read.

    `embedded` and `preactivations` (of the last layer, where the answer is read, for every input) are given the
    activation. `separable` is of ReLUs, and gives None for a network that is not a sum of two tables before its only
    ReLU; of such a network WITHOUT_FORM is analysed.
    `laid_out` puts the tensors found under the names and into the shapes of the layout, where others save the same
    network otherwise. `alike` names formats with the same tensors; `refusal` gives what in the settings beside the file excludes
    the format.
    """

    layout: Callable[[Shapes], Layout]
    embedded: Callable[[Parameters, str], Embedded]
    separable: Callable[[Parameters], Separable | None]
    preactivations: Callable[[Parameters, str], Float[np.ndarray, "n n h"]]
    laid_out: Callable[[Checkpoint], Checkpoint] = lambda checkpoint: checkpoint
    alike: tuple[str, ...] = ()
    refusal: Callable[[Mapping[str, Any], str], tuple[str, str] | None] = lambda settings, activation: None


def _perceptron(
    architecture: str,
    layout: Callable[[Shapes], Layout],
    native: Callable[[Parameters], Parameters] = lambda parameters: parameters,
    **others: Any,
) -> Format:
    """A network that is one of our ARCHITECTURES, given the parameters that this one has."""
    return Format(
        layout,
        lambda parameters, activation: embedded_of(architecture, native(parameters), activation),
        lambda parameters: separable_of(architecture, native(parameters)),
        lambda parameters, activation: tables_of(architecture, native(parameters)).preactivations(),
        **others,
    )


def _transformer(attention: str, **others: Any) -> Format:
    read = (transformers.layout, transformers.embedded, transformers.separable, transformers.preactivations)
    return Format(*(partial(function, attention) for function in read), **others)


def _of_zhong(attention: str, alike: str) -> Format:
    return _transformer(attention, alike=(alike,), refusal=partial(transformers.refusal, attention))


_TWO_LAYERS = {"W_E": "n d_model", "W_in": "d_model d_mlp", "W_U": "d_mlp n"}
_EMBEDDINGS = {
    "E_a": "n d_model",
    "E_b": "n d_model",
    "W_in": "2*d_model d_mlp",
    "b_in": "d_mlp",
    "W_out": "d_mlp n",
    "b_out": "n",
}
_CHUGHTAI = {"W_x": "n d_model", "W_y": "n d_model", "W": "2*d_model d_mlp", "W_U": "d_mlp n"}
# Of Y-Agent; the first where an embedding is learned.
_SHARED = {"W_E": "embed.W_E", "W_in": "mlp.W_in", "W_U": "mlp.W_out"}
_LINEAR = {"first.weight": "d_mlp 2*n", "first.bias": "d_mlp", "second.weight": "n d_mlp", "second.bias": "n"}


def _shared_laid_out(checkpoint: Checkpoint) -> Checkpoint:
    """Y-Agent's matrices act from the left; without a learned embedding, a number's column of the first embeds it."""
    tensors = checkpoint.tensors
    if not {"mlp.W_in", "mlp.W_out"} <= tensors.keys() <= {*_SHARED.values()}:
        return checkpoint
    if any(value.ndim != 2 for value in tensors.values()):
        return checkpoint
    ours = {name: tensors[theirs].T for name, theirs in _SHARED.items() if theirs in tensors}
    if "W_E" not in ours:
        width = np.eye(len(tensors["mlp.W_in"]), dtype=np.float32)
        ours = {"W_E": ours["W_in"], "W_in": width, "W_U": ours["W_U"]}
    ours = {name: np.ascontiguousarray(value) for name, value in ours.items()}
    return Checkpoint(ours, (*checkpoint.steps, "laid out as Y-Agent saves it; matrices turned"))


def chughtai_native(p: Parameters) -> Parameters:
    """As an embedding MLP whose biases are zero."""
    zeros = {"b_in": np.zeros(p["W"].shape[1]), "b_out": np.zeros(p["W_U"].shape[1])}
    return {"E_a": p["W_x"], "E_b": p["W_y"], "W_in": p["W"], "W_out": p["W_U"]} | zeros


def _linear_layout(shapes: Shapes) -> Layout:
    """A bias is a tensor of the layout where it is found; both are, before anything was."""
    return {name: of for name, of in _LINEAR.items() if not shapes or name in shapes or name.endswith("weight")}


def _linear_laid_out(checkpoint: Checkpoint) -> Checkpoint:
    """The first layer is the one that reads twice as many numbers as the other has answers; its name may be any."""
    tensors = checkpoint.tensors
    weights = [name for name, value in tensors.items() if value.ndim == 2 and name.endswith("weight")]
    for first, second in (weights, weights[::-1]) if len(weights) == 2 else ():
        (width, inputs), (answers, read) = tensors[first].shape, tensors[second].shape
        if inputs == 2 * answers and width == read:
            layers = {"first.": first.removesuffix("weight"), "second.": second.removesuffix("weight")}
            known = {f"{old}{part}": f"{new}{part}" for new, old in layers.items() for part in ("weight", "bias")}
            names = {name: known.get(name, name) for name in tensors}
            moved = ", ".join(f"{old} is {new}" for old, new in names.items() if old != new)
            return checkpoint.renamed(names, f"read by shape: {moved}") if moved else checkpoint
    return checkpoint


def linear_native(p: Parameters) -> Parameters:
    """As an embedding MLP: the columns of the first layer embed the two numbers, and are added up."""
    a, b = np.split(p["first.weight"].T, 2)
    h, n = a.shape[1], len(a)
    both = np.vstack([np.eye(h), np.eye(h)])
    b_in, b_out = p.get("first.bias", np.zeros(h)), p.get("second.bias", np.zeros(n))
    return {"E_a": a, "E_b": b, "W_in": both, "b_in": b_in, "W_out": p["second.weight"].T, "b_out": b_out}


# A file says neither which attention it was trained with nor what its neurons compute: the config does.
FORMATS = {
    "two_layer_mlp": _perceptron("two_layer_mlp", lambda shapes: _TWO_LAYERS, laid_out=_shared_laid_out),
    "embedding_mlp": _perceptron("embedding_mlp", lambda shapes: _EMBEDDINGS),
    "chughtai_mlp": _perceptron("embedding_mlp", lambda shapes: _CHUGHTAI, chughtai_native),
    "linear_mlp": _perceptron("embedding_mlp", _linear_layout, linear_native, laid_out=_linear_laid_out),
    "nanda_transformer": _transformer(CAUSAL, laid_out=transformers.from_lens),
    "zhong_ones": _of_zhong(ONES, "zhong_softmax"),
    "zhong_softmax": _of_zhong(SOFTMAX, "zhong_ones"),
}
