"""Architectures: parameters → the separable form, and the network as a function of its embeddings."""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from operator import matmul
from typing import Any, TypeVar

import numpy as np
from jaxtyping import Float, Int

from modadd.core.groups import ADDITION, as_addition
from modadd.core.separable import Separable, TwoTables

Shapes = dict[str, tuple[int, ...]]
Effective = tuple[Any, Any, Any, Any, Any]
Slopes = dict[str, Any]  # of the loss, in every parameter
Product = Callable[[Any, Any], Any]


def relu(u: Any) -> Any:
    """ReLU of an array of NumPy or a tensor of torch."""
    return u.relu() if hasattr(u, "relu") else np.maximum(u, 0)


def square(u: Any) -> Any:
    """u²."""
    return u * u


# Written in functions that torch computes alike wherever in an array a number stands, unlike its own softplus, sigmoid and
# GeLU: so no bit of a network depends on those that are trained beside it.
def softplus(u: Any) -> Any:
    """log(1 + e^u)."""
    small = (-abs(u)).exp().log1p() if hasattr(u, "relu") else np.log1p(np.exp(-abs(u)))
    return relu(u) + small


def gelu(u: Any) -> Any:
    """u Φ(u), with Φ the normal distribution, and no approximation of it."""
    return u * normal_distribution(u)


def normal_distribution(u: Any) -> Any:
    """Φ(u) = (1 + erf(u/√2))/2."""
    if hasattr(u, "erf"):
        return (1 + (u / math.sqrt(2)).erf()) / 2
    from scipy.special import erf  # here: it takes longer to import than all the rest

    return (1 + erf(u / math.sqrt(2))) / 2


RELU = "relu"  # the only one with which a network is `Separable`
ACTIVATIONS = {RELU: relu, "abs": abs, "square": square, "softplus": softplus, "gelu": gelu}


@dataclass(frozen=True)
class Architecture:
    """A parameterisation: its parameters' `shapes(n, sizes)`; `effective(parameters, times)`, its (A, B, W, C, D).

    `backward(parameters, slopes, times)` carries the slopes of a loss in (A, B, W, C, D), tensors of torch, back to the
    parameters. `times` is the matrix product to use, by default `@`. `embeddings` names the parameters whose rows embed a and b.
    `readout` names the parameter whose columns are the answers. `activation` is what the neurons compute of A[a] + B[b]
    where the recipe names no other of the ACTIVATIONS.
    """

    shapes: Callable[[int, Mapping[str, int]], Shapes]
    effective: Callable[..., Effective]
    backward: Callable[..., Slopes]
    embeddings: tuple[str, str] = ("W_E", "W_E")
    readout: str = "W_U"
    activation: str = RELU


def _pizza_shapes(n: int, sizes: Mapping[str, int]) -> Shapes:
    d_model, n_heads, d_mlp = sizes["d_model"], sizes["n_heads"], sizes["d_mlp"]
    d_head = d_model // n_heads
    return {
        "W_E": (n, d_model),
        "W_pos": (2, d_model),
        "W_V": (n_heads, d_model, d_head),
        "W_O": (n_heads, d_head, d_model),
        "W_in": (d_model, d_mlp),
        "b_in": (d_mlp,),
        "W_out": (d_mlp, d_model),
        "b_out": (d_model,),
        "W_U": (d_model, n),
    }


def _pizza_stream(p: Mapping[str, Any], times: Product) -> Effective:
    """OV of all heads; what enters the attention at a and at b; what reaches the MLP at b from a, and from b itself."""
    OV = times(p["W_V"], p["W_O"]).sum(-3)
    at_a, at_b = p["W_E"] + p["W_pos"][..., :1, :], p["W_E"] + p["W_pos"][..., 1:, :]
    return OV, at_a, at_b, times(at_a, OV) / 2, at_b + times(at_b, OV) / 2


def _pizza_effective(p: Mapping[str, Any], times: Product = matmul) -> Effective:
    """One-layer transformer without LayerNorm whose attention is ½, ½; logits at the position of b ([Q] §2, [Z])."""
    _, _, _, from_a, from_b = _pizza_stream(p, times)
    return (
        times(from_a, p["W_in"]),
        times(from_b, p["W_in"]) + p["b_in"][..., None, :],
        times(p["W_out"], p["W_U"]),
        times(from_a, p["W_U"]),
        times(from_b + p["b_out"][..., None, :], p["W_U"]),
    )


def _pizza_backward(p: Mapping[str, Any], slopes: Effective, times: Product = matmul) -> Slopes:
    dA, dB, dW, dC, dD = slopes
    OV, at_a, at_b, from_a, from_b = _pizza_stream(p, times)
    d_biased = times(dD, p["W_U"].mT)
    d_from_a = times(dA, p["W_in"].mT) + times(dC, p["W_U"].mT)
    d_from_b = times(dB, p["W_in"].mT) + d_biased
    d_at_a = times(d_from_a / 2, OV.mT)
    d_at_b = d_from_b + times(d_from_b / 2, OV.mT)
    d_OV = times(at_a.mT, d_from_a / 2) + times(at_b.mT, d_from_b / 2)
    of_heads = d_OV.unsqueeze(-3).expand(*p["W_V"].shape[:-1], -1)
    biased = from_b + p["b_out"][..., None, :]
    return {
        "W_E": d_at_a + d_at_b,
        "W_pos": _below(d_at_a.sum(-2, keepdim=True), d_at_b.sum(-2, keepdim=True)),
        "W_V": times(of_heads, p["W_O"].mT),
        "W_O": times(p["W_V"].mT, of_heads),
        "W_in": times(from_a.mT, dA) + times(from_b.mT, dB),
        "b_in": dB.sum(-2),
        "W_out": times(dW, p["W_U"].mT),
        "b_out": d_biased.sum(-2),
        "W_U": times(biased.mT, dD) + times(from_a.mT, dC) + times(p["W_out"].mT, dW),
    }


def _two_layer_shapes(n: int, sizes: Mapping[str, int]) -> Shapes:
    d_model, d_mlp = sizes["d_model"], sizes["d_mlp"]
    return {"W_E": (n, d_model), "W_in": (d_model, d_mlp), "W_U": (d_mlp, n)}


def _two_layer_effective(p: Mapping[str, Any], times: Product = matmul) -> Effective:
    """Both numbers by the same embedding, summed before the ReLU; no biases ([M])."""
    W_neur = times(p["W_E"], p["W_in"])
    return W_neur, W_neur, p["W_U"], None, None


def _two_layer_backward(p: Mapping[str, Any], slopes: Effective, times: Product = matmul) -> Slopes:
    dA, dB, dW, _, _ = slopes
    d_neur = dA + dB
    return {"W_E": times(d_neur, p["W_in"].mT), "W_in": times(p["W_E"].mT, d_neur), "W_U": dW}


def _embedding_shapes(n: int, sizes: Mapping[str, int]) -> Shapes:
    d_model, d_mlp = sizes["d_model"], sizes["d_mlp"]
    return {
        "E_a": (n, d_model),
        "E_b": (n, d_model),
        "W_in": (2 * d_model, d_mlp),
        "b_in": (d_mlp,),
        "W_out": (d_mlp, n),
        "b_out": (n,),
    }


def _halves(W: Any) -> Sequence[Any]:
    """The upper and the lower half of the rows."""
    if hasattr(W, "chunk"):
        return W.chunk(2, -2)
    half = W.shape[-2] // 2
    return W[..., :half, :], W[..., half:, :]


def _below(upper: Any, lower: Any) -> Any:
    """Two matrices, one below the other: tensors of torch, or places of `training.program`."""
    if hasattr(upper, "above"):
        return upper.above(lower)
    import torch  # here: it takes longer to import than most notebooks take to compute

    return torch.cat([upper, lower], -2)


def _embedding_effective(p: Mapping[str, Any], times: Product = matmul) -> Effective:
    """An embedding for each number, concatenated before a hidden ReLU layer with biases ([C] §4)."""
    W_a, W_b = _halves(p["W_in"])
    return (
        times(p["E_a"], W_a),
        times(p["E_b"], W_b) + p["b_in"][..., None, :],
        p["W_out"],
        None,
        p["b_out"][..., None, :],
    )


def _embedding_backward(p: Mapping[str, Any], slopes: Effective, times: Product = matmul) -> Slopes:
    dA, dB, dW, _, dD = slopes
    W_a, W_b = _halves(p["W_in"])
    return {
        "E_a": times(dA, W_a.mT),
        "E_b": times(dB, W_b.mT),
        "W_in": _below(times(p["E_a"].mT, dA), times(p["E_b"].mT, dB)),
        "b_in": dB.sum(-2),
        "W_out": dW,
        "b_out": dD.sum(-2),
    }


def _group_shapes(n: int, sizes: Mapping[str, int]) -> Shapes:
    h = sizes["d_mlp"]
    return {"U": (n, h), "V": (n, h), "W_out": (h, n)}


def _group_effective(p: Mapping[str, Any], times: Product = matmul) -> Effective:
    """One hidden layer on a group: a vector of neurons for each number, without embeddings or biases ([T])."""
    return p["U"], p["V"], p["W_out"], None, None


def _group_backward(p: Mapping[str, Any], slopes: Effective, times: Product = matmul) -> Slopes:
    dA, dB, dW, _, _ = slopes
    return {"U": dA, "V": dB, "W_out": dW}


def _factored_shapes(n: int, sizes: Mapping[str, int]) -> Shapes:
    d_model, h = sizes["d_model"], sizes["d_mlp"]
    return {"E_a": (n, d_model), "E_b": (n, d_model), "W_a": (d_model, h), "W_b": (d_model, h), "W_out": (h, n)}


def _factored_effective(p: Mapping[str, Any], times: Product = matmul) -> Effective:
    """`group_mlp` with U and V as products of two matrices: an embedding for each number, then the hidden layer (ours)."""
    return times(p["E_a"], p["W_a"]), times(p["E_b"], p["W_b"]), p["W_out"], None, None


def _factored_backward(p: Mapping[str, Any], slopes: Effective, times: Product = matmul) -> Slopes:
    dA, dB, dW, _, _ = slopes
    embeddings = {"E_a": times(dA, p["W_a"].mT), "E_b": times(dB, p["W_b"].mT)}
    return embeddings | {"W_a": times(p["E_a"].mT, dA), "W_b": times(p["E_b"].mT, dB), "W_out": dW}


def _twice_factored_shapes(n: int, sizes: Mapping[str, int]) -> Shapes:
    square = (sizes["d_model"], sizes["d_model"])
    return _factored_shapes(n, sizes) | {"W_mid_a": square, "W_mid_b": square}


def _embedded_twice(p: Mapping[str, Any], times: Product) -> dict[str, Any]:
    """The parameters with each embedding behind its square layer, as those of `factored_mlp`."""
    return {**p, "E_a": times(p["E_a"], p["W_mid_a"]), "E_b": times(p["E_b"], p["W_mid_b"])}


def _twice_factored_effective(p: Mapping[str, Any], times: Product = matmul) -> Effective:
    """`group_mlp` with U and V as products of three matrices: a square linear layer behind each embedding (ours)."""
    return _factored_effective(_embedded_twice(p, times), times)


def _twice_factored_backward(p: Mapping[str, Any], slopes: Effective, times: Product = matmul) -> Slopes:
    behind = _factored_backward(_embedded_twice(p, times), slopes, times)
    d_a, d_b = behind["E_a"], behind["E_b"]
    return behind | {
        "E_a": times(d_a, p["W_mid_a"].mT),
        "E_b": times(d_b, p["W_mid_b"].mT),
        "W_mid_a": times(p["E_a"].mT, d_a),
        "W_mid_b": times(p["E_b"].mT, d_b),
    }


def _biased(plain: Architecture) -> Architecture:
    """An architecture whose D is None, with a bias of every neuron, which joins B, and one of every answer, which is D."""

    def shapes(n: int, sizes: Mapping[str, int]) -> Shapes:
        return plain.shapes(n, sizes) | {"b_in": (sizes["d_mlp"],), "b_out": (n,)}

    def effective(p: Mapping[str, Any], times: Product = matmul) -> Effective:
        A, B, W, C, _ = plain.effective(p, times)
        return A, B + p["b_in"][..., None, :], W, C, p["b_out"][..., None, :]

    def backward(p: Mapping[str, Any], slopes: Effective, times: Product = matmul) -> Slopes:
        dA, dB, dW, dC, dD = slopes
        own = plain.backward(p, (dA, dB, dW, dC, None), times)
        return own | {"b_in": dB.sum(-2), "b_out": dD.sum(-2)}

    return replace(plain, shapes=shapes, effective=effective, backward=backward)


def _sharing(double: Architecture) -> Architecture:
    """An architecture of embeddings E_a and E_b, with one embedding W_E in the place of both."""

    def shapes(n: int, sizes: Mapping[str, int]) -> Shapes:
        E_a, _, *others = double.shapes(n, sizes).items()
        return {"W_E": E_a[1]} | dict(others)

    def both(p: Mapping[str, Any]) -> dict[str, Any]:
        return {**p, "E_a": p["W_E"], "E_b": p["W_E"]}

    def effective(p: Mapping[str, Any], times: Product = matmul) -> Effective:
        return double.effective(both(p), times)

    def backward(p: Mapping[str, Any], slopes: Effective, times: Product = matmul) -> Slopes:
        own = double.backward(both(p), slopes, times)
        shared = own.pop("E_a") + own.pop("E_b")
        return {"W_E": shared} | own

    return replace(double, shapes=shapes, effective=effective, backward=backward, embeddings=("W_E", "W_E"))


_GROUP = Architecture(_group_shapes, _group_effective, _group_backward, ("U", "V"), "W_out")
_EMBEDDED = {"embeddings": ("E_a", "E_b"), "readout": "W_out"}
_EMBEDDING = Architecture(_embedding_shapes, _embedding_effective, _embedding_backward, **_EMBEDDED)
ARCHITECTURES = {
    "pizza_transformer": Architecture(_pizza_shapes, _pizza_effective, _pizza_backward),
    "two_layer_mlp": Architecture(_two_layer_shapes, _two_layer_effective, _two_layer_backward),
    "embedding_mlp": _EMBEDDING,
    "group_mlp": _GROUP,
    "square_mlp": replace(_GROUP, activation="square"),
    "factored_mlp": Architecture(_factored_shapes, _factored_effective, _factored_backward, **_EMBEDDED),
    "twice_factored_mlp": Architecture(
        _twice_factored_shapes, _twice_factored_effective, _twice_factored_backward, **_EMBEDDED
    ),
    # These begin as a program in flax draws them.
    "flax_one_hot_mlp": _biased(_GROUP),
    "flax_one_embedding_mlp": _sharing(_EMBEDDING),
    "flax_two_embedding_mlp": _EMBEDDING,
}


def require_relu(architecture: str, activation: str) -> None:
    """Raise ValueError where neurons compute another activation than ReLU: analyses that need ReLU would misread them."""
    if activation != RELU:
        raise ValueError(f"{architecture}: the separable form needs ReLU neurons; these compute '{activation}'")


def separable_of(architecture: str, parameters: Mapping[str, Float[np.ndarray, "..."]]) -> Separable:
    """A network of one of the ARCHITECTURES in the separable form, in float64; tables that it lacks are zero.

    Raises ValueError for an architecture whose neurons are not ReLUs.
    """
    require_relu(architecture, ARCHITECTURES[architecture].activation)
    return Separable(*vars(tables_of(architecture, parameters)).values())


def tables_of(architecture: str, parameters: Mapping[str, Float[np.ndarray, "..."]]) -> TwoTables:
    """The tables of a network of one of the ARCHITECTURES, whatever its activation, in float64; zero if it lacks one."""
    double = {name: value.astype(np.float64) for name, value in parameters.items()}
    A, B, W, *bypass = ARCHITECTURES[architecture].effective(double)
    n = A.shape[0]
    C, D = (np.zeros((n, n)) if table is None else np.broadcast_to(table, (n, n)) for table in bypass)
    return TwoTables(A, B, W, C, D)


@dataclass(frozen=True)
class Embedded:
    """A network as a function of the embeddings of its two tokens, before any position is added; all in float64.

    Rows of E_a and E_b: the tokens as first and as second number, equal where one embedding serves both.
    forward: rows embedding the two numbers of m inputs, to the logits of these inputs; all are tensors of torch, which
    can differentiate it.
    """

    E_a: Float[np.ndarray, "n d"]
    E_b: Float[np.ndarray, "n d"]
    forward: Callable[[Float[Any, "m d"], Float[Any, "m d"]], Float[Any, "m n"]]

    @property
    def modulus(self) -> int:
        """n."""
        return self.E_a.shape[0]

    def reordered(
        self, first: Int[np.ndarray, "n"], second: Int[np.ndarray, "n"], answers: Int[np.ndarray, "n"]
    ) -> "Embedded":
        """The same network with its first numbers, second numbers and answers in these orders."""
        return Embedded(self.E_a[first], self.E_b[second], lambda a, b: self.forward(a, b)[:, answers])

    def concatenated(self) -> Float[np.ndarray, "n two_d"]:
        """E_a and E_b side by side, as [C] takes its principal components; twice the same where one serves both."""
        return np.hstack([self.E_a, self.E_b])

    def logits(self) -> Float[np.ndarray, "n n n"]:
        """Logits of every input, indices (a, b, c), not centred."""
        import torch  # here: it takes longer to import than most notebooks take to compute

        E_a, E_b = torch.from_numpy(self.E_a), torch.from_numpy(self.E_b)
        with torch.no_grad():  # one a at a time, so that memory stays small
            return torch.stack([self.forward(row.expand_as(E_b), E_b) for row in E_a]).numpy()


def embedded_of(
    architecture: str, parameters: Mapping[str, Float[np.ndarray, "..."]], activation: str | None = None
) -> Embedded:
    """A network of one of the ARCHITECTURES as a function of its embeddings: A, C are read at a's rows, B, D at b's.

    Its neurons compute the architecture's own activation unless one is given.
    """
    import torch

    double = {name: torch.from_numpy(value.astype(np.float64)) for name, value in parameters.items()}
    effective, (first, second) = ARCHITECTURES[architecture].effective, ARCHITECTURES[architecture].embeddings
    activate = ACTIVATIONS[activation or ARCHITECTURES[architecture].activation]

    def forward(a: Float[torch.Tensor, "m d"], b: Float[torch.Tensor, "m d"]) -> Float[torch.Tensor, "m n"]:
        A, _, W, C, _ = effective(double | {first: a})
        _, B, _, _, D = effective(double | {second: b})
        return activate(A + B) @ W + sum(table for table in (C, D) if table is not None)

    return Embedded(double[first].numpy(), double[second].numpy(), forward)


Kind = TypeVar("Kind", TwoTables, Separable, Embedded)


def as_adding(network: Kind, operation: str) -> Kind:
    """The network with its elements in the order in which the operation is addition mod n.

    Raises ValueError, with the reason, where no order does that.
    """
    return network if operation == ADDITION else network.reordered(*as_addition(operation, network.modulus))
