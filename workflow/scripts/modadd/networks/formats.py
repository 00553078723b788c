"""Formats of networks that others trained: their tensors, and what is read of them."""

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

EVERYTHING = "everything: the network has the separable form"
WITHOUT_FORM = "its logits, its embeddings and what its neurons read"


@dataclass(frozen=True)
class Format:
    """A kind of network in a file: in words, its tensors given the shapes found, and how it is read.

    `analysed` says what of it is analysed if its neurons are ReLUs; of others it is WITHOUT_FORM. `embedded` and
    `preactivations` (of the last layer, where the answer is read, for every input) are given the activation.
    `separable` is of ReLUs, and gives None for a network that is not a sum of two tables before its only ReLU.
    `laid_out` puts the tensors found under the names and into the shapes of the layout, where others save the same
    network otherwise. `alike` names formats with the same tensors; `otherwise` gives what else no key of the config says
    that these may be, by the difference; `refusal` why settings beside the file exclude the format.
    """

    says: str
    analysed: str
    layout: Callable[[Shapes], Layout]
    embedded: Callable[[Parameters, str], Embedded]
    separable: Callable[[Parameters], Separable | None]
    preactivations: Callable[[Parameters, str], Float[np.ndarray, "n n h"]]
    laid_out: Callable[[Checkpoint], Checkpoint] = lambda checkpoint: checkpoint
    alike: tuple[str, ...] = ()
    otherwise: Callable[[Parameters, str], dict[str, Embedded]] = lambda parameters, activation: {}
    refusal: Callable[[Mapping[str, Any], str], str | None] = lambda settings, activation: None


def _perceptron(
    says: str,
    architecture: str,
    layout: Callable[[Shapes], Layout],
    native: Callable[[Parameters], Parameters] = lambda parameters: parameters,
    **others: Any,
) -> Format:
    """A network that is one of our ARCHITECTURES, given the parameters that this one has."""
    return Format(
        says,
        EVERYTHING,
        layout,
        lambda parameters, activation: embedded_of(architecture, native(parameters), activation),
        lambda parameters: separable_of(architecture, native(parameters)),
        lambda parameters, activation: tables_of(architecture, native(parameters)).preactivations(),
        **others,
    )


def _transformer(says: str, analysed: str, attention: str, **others: Any) -> Format:
    read = (transformers.layout, transformers.embedded, transformers.separable, transformers.preactivations)
    return Format(says, analysed, *(partial(function, attention) for function in read), **others)


def _of_zhong(says: str, analysed: str, attention: str, alike: str) -> Format:
    otherwise, refusal = partial(transformers.two_vocabularies, attention), partial(transformers.refusal, attention)
    return _transformer(says, analysed, attention, alike=(alike,), otherwise=otherwise, refusal=refusal)


_TWO_LAYERS = {"W_E": "n d_model", "W_in": "d_model d_mlp", "W_U": "d_mlp n"}
_EMBEDDINGS = {
    "E_a": "n d_model",
    "E_b": "n d_model",
    "W_in": "2*d_model d_mlp",
    "b_in": "d_mlp",
    "W_out": "d_mlp n",
    "b_out": "n",
}
_CHUGHTAI = {"W_E_a": "n d_model", "W_E_b": "n d_model", "W": "2*d_model d_mlp", "W_U": "d_mlp n"}
_LINEAR = {"first.weight": "d_mlp 2*n", "first.bias": "d_mlp", "second.weight": "n d_mlp", "second.bias": "n"}


def chughtai_native(p: Parameters) -> Parameters:
    """As an embedding MLP whose biases are zero."""
    zeros = {"b_in": np.zeros(p["W"].shape[1]), "b_out": np.zeros(p["W_U"].shape[1])}
    return {"E_a": p["W_E_a"], "E_b": p["W_E_b"], "W_in": p["W"], "W_out": p["W_U"]} | zeros


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
    "two_layer_mlp": _perceptron(
        "One embedding for both numbers, added up before a hidden layer without biases: f((E[a] + E[b]) W_in) W_U. "
        "The architecture of Study M, as C. Kissane's notebook saves it.",
        "two_layer_mlp",
        lambda shapes: _TWO_LAYERS,
    ),
    "embedding_mlp": _perceptron(
        "An embedding for each number, side by side before a hidden layer with biases: "
        "f([E_a[a], E_b[b]] W_in + b_in) W_out + b_out. The architecture of Study C.",
        "embedding_mlp",
        lambda shapes: _EMBEDDINGS,
    ),
    "chughtai_mlp": _perceptron(
        "The same without biases, as Chughtai et al., arXiv 2302.03025, save it: f([W_E_a[a], W_E_b[b]] W) W_U.",
        "embedding_mlp",
        lambda shapes: _CHUGHTAI,
        chughtai_native,
    ),
    "linear_mlp": _perceptron(
        "Two layers as `torch.nn.Linear` saves them, which read a and b one-hot, side by side: "
        "second(f(first([onehot(a), onehot(b)]))), as in arXiv 2602.16849. The layers may have any names, such as `0` and "
        "`2`, and each a bias or none. What embeds a number are its columns of the first layer, which are added up; so "
        "gradient symmetricity is 1 whatever such a network learned.",
        "embedding_mlp",
        _linear_layout,
        linear_native,
        laid_out=_linear_laid_out,
    ),
    "nanda_transformer": _transformer(
        "A transformer on three positions, a, b and '=', as Nanda et al., arXiv 2301.05217, save it: causal softmax "
        "attention, no LayerNorm, no biases in the attention. The last token is '=', and the answers 0 … n − 1 are read "
        "there. `unembed.W_U` has n or n + 1 columns. One layer or several (`blocks.0`, `blocks.1`, …). A file of "
        "TransformerLens is told by `W_O`, which has the heads as an axis of its own there, and is read, too; with it the "
        "biases of attention and unembedding. Its causal mask must be in use, its `normalization_type` None.",
        WITHOUT_FORM,
        CAUSAL,
        laid_out=transformers.from_lens,
        otherwise=transformers.normalised,
    ),
    "zhong_ones": _of_zhong(
        "A transformer on two positions, as Zhong et al., arXiv 2306.17844, save it, whose attention is 1 everywhere; no "
        "LayerNorm, answers at the position of b. One layer or several (`blocks.0`, `blocks.1`, …).",
        f"{EVERYTHING}; of several layers {WITHOUT_FORM}",
        ONES,
        "zhong_softmax",
    ),
    "zhong_softmax": _of_zhong(
        "The same with softmax attention, of both positions to both.",
        WITHOUT_FORM,
        SOFTMAX,
        "zhong_ones",
    ),
}
