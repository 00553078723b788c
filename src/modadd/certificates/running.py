"""What float32 arithmetic can take off a lead, whatever the order of its sums: the bound of Rounding.v and Running.v."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np
from jaxtyping import Float

from modadd.certificates.rounding import peaks

_ROUNDING = 2.0**-24  # the unit u of binary32: one rounding moves a number by a share of it at most

_Parameters = Mapping[str, Float[np.ndarray, "..."]]


def rounding_of(architecture: str, parameters: _Parameters) -> float:
    """Twice the error of a computed logit, in logit units, at any input: layer by layer, as `*_bound` in Running.v."""
    return 2 * _LOGITS[architecture]({name: value.astype(np.float64) for name, value in parameters.items()}).off.max()


@dataclass(frozen=True)
class _Layer:
    """Numbers of a layer: how large the exact ones can be at any input, and how far from them the computed ones."""

    size: Float[np.ndarray, "k"]
    off: Float[np.ndarray, "k"]

    def __add__(self, other: "_Layer") -> "_Layer":
        """The terms of both, for one sum."""
        return _Layer(self.size + other.size, self.off + other.off)

    def through(self, weights: Float[np.ndarray, "k m"]) -> "_Layer":
        """The products with a column of weights, for one sum."""
        return _Layer(self.size @ np.abs(weights), self.off @ np.abs(weights))

    def summed(self, terms: int) -> "_Layer":
        """The sums of so many terms each: they are off by as much as the terms, and by k u/(1 − k u) of these for k roundings."""
        share = terms * _ROUNDING / (1 - terms * _ROUNDING)
        return replace(self, off=self.off + share * (self.size + self.off))

    def of_size(self, size: Float[np.ndarray, "k"]) -> "_Layer":
        """The same where the exact numbers are known to be smaller than their terms."""
        return replace(self, size=size)


def _stored(size: Float[np.ndarray, "k"]) -> _Layer:
    """Parameters, which are exact."""
    return _Layer(np.abs(size), np.zeros_like(size))


def _two_layer(p: _Parameters) -> _Layer:
    d, h = p["W_in"].shape
    embedded = _stored(2 * peaks(p["W_E"])).summed(2)
    hidden = embedded.through(p["W_in"]).summed(d).of_size(2 * peaks(p["W_E"] @ p["W_in"]))
    return hidden.through(p["W_U"]).summed(h)


def _embedding(p: _Parameters) -> _Layer:
    (both, h), (of_a, of_b) = p["W_in"].shape, np.split(p["W_in"], 2)
    embedded = _stored(np.concatenate([peaks(p["E_a"]), peaks(p["E_b"])]))
    hidden = (_stored(p["b_in"]) + embedded.through(p["W_in"])).summed(both + 1)
    hidden = hidden.of_size(peaks(p["E_a"] @ of_a) + peaks(p["E_b"] @ of_b + p["b_in"]))
    return (_stored(p["b_out"]) + hidden.through(p["W_out"])).summed(h + 1)


def _pizza(p: _Parameters) -> _Layer:
    d, h = p["W_in"].shape
    values = np.moveaxis(p["W_V"], 0, 1).reshape(d, -1)  # the heads side by side
    outputs = p["W_O"].reshape(-1, d)
    embedded = [p["W_E"] + position for position in p["W_pos"]]
    of_heads = [table @ values for table in embedded]
    from_a, from_b = of_heads[0] @ outputs / 2, embedded[1] + of_heads[1] @ outputs / 2

    at_a, at_b = ((_stored(peaks(p["W_E"])) + _stored(position)).summed(2) for position in p["W_pos"])
    value_a, value_b = (
        at.through(values).summed(d).of_size(peaks(exact)) for at, exact in zip((at_a, at_b), of_heads, strict=True)
    )
    both = value_a + value_b
    mixed = _Layer(both.size / 2, both.off / 2).summed(2)
    residual = (at_b + mixed.through(outputs)).summed(len(outputs) + 1).of_size(peaks(from_a) + peaks(from_b))
    hidden = (_stored(p["b_in"]) + residual.through(p["W_in"])).summed(d + 1)
    hidden = hidden.of_size(peaks(from_a @ p["W_in"]) + peaks(from_b @ p["W_in"] + p["b_in"]))
    out = (residual + _stored(p["b_out"]) + hidden.through(p["W_out"])).summed(h + 2)
    return out.through(p["W_U"]).summed(d)


_LOGITS = {"pizza_transformer": _pizza, "two_layer_mlp": _two_layer, "embedding_mlp": _embedding}
