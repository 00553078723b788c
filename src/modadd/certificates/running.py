"""What float32 arithmetic can take off a lead, whatever the order of its sums: the bound of Rounding.v and Running.v."""

from collections.abc import Mapping

import numpy as np
from jaxtyping import Float

_ROUNDING = 2.0**-24  # the unit u of binary32: one rounding moves a number by a share of it at most

_Parameters = Mapping[str, Float[np.ndarray, "..."]]


def rounding_of(architecture: str, parameters: _Parameters) -> float:
    """Twice the error of a computed logit, in logit units: (k u / (1 − k u)) · S for k roundings and a sum of moduli S.

    S is the largest that any input and answer can have, with the largest modulus of each column of the embeddings.
    """
    sizes = {name: np.abs(value.astype(np.float64)) for name, value in parameters.items()}
    roundings, largest = _BOUNDS[architecture](sizes)
    return 2 * largest * roundings * _ROUNDING / (1 - roundings * _ROUNDING)


def _two_layer(p: _Parameters) -> tuple[int, float]:
    (d, h), embedded = p["W_in"].shape, 2 * p["W_E"].max(axis=0)
    return d + h + 1, (embedded @ p["W_in"] @ p["W_U"]).max()


def _embedding(p: _Parameters) -> tuple[int, float]:
    both = np.concatenate([p["E_a"].max(axis=0), p["E_b"].max(axis=0)])
    hidden = both @ p["W_in"] + p["b_in"]
    return len(both) + len(hidden) + 2, (hidden @ p["W_out"] + p["b_out"]).max()


def _pizza(p: _Parameters) -> tuple[int, float]:
    (heads, d, d_head), h = p["W_V"].shape, p["W_in"].shape[1]
    at_a, at_b = p["W_E"].max(axis=0) + p["W_pos"]
    mixed = (at_a + at_b) / 2 @ p["W_V"]
    residual = at_b + np.einsum("hv,hvd->d", mixed, p["W_O"])
    hidden = residual @ p["W_in"] + p["b_in"]
    out = residual + hidden @ p["W_out"] + p["b_out"]
    return 3 * d + heads * d_head + h + 8, (out @ p["W_U"]).max()


_BOUNDS = {"pizza_transformer": _pizza, "two_layer_mlp": _two_layer, "embedding_mlp": _embedding}
