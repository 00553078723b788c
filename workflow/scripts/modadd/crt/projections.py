"""Rotation matrices and their projections: what an embedding, and the neurons of a cluster, hold of them ([C] §5.3)."""

import numpy as np
from jaxtyping import Float, Int

from modadd.core.fourier import angular_frequency, primary_frequency, share_of_variance, spectrum

PURE = 0.9  # share of a column's variance at its frequency from which it is compared; ours, set before looking
ALIKE = (
    0.1  # largest difference of a column from its partner turned by a quarter, over its amplitude; set before looking
)


def projected(f: Int[np.ndarray, "h"], s: Float[np.ndarray, "h"], n: int, sign: int = 1) -> Float[np.ndarray, "n h"]:
    """ρ(k)(1, 0) · (cos w_f s, sign · sin w_f s), k = 0 … n − 1, ρ(k) the rotation by w_f k ([C] §5.3).

    That is cos w_f(k − s) for sign 1. [C] prints sign −1, which gives cos w_f(k + s).
    """
    w, k = angular_frequency(f, n), np.arange(n)[:, None]
    return np.cos(w * k) * np.cos(w * s) + sign * np.sin(w * k) * np.sin(w * s)


def share_in_rotations(embedding: Float[np.ndarray, "n d"]) -> float:
    """Share of an embedding's varying columns that belong to rotation matrices, with a partner among the others.

    Such a column is A cos(w_f x + φ), for at least PURE of its variance, and its partner A cos(w_f x + φ ± π/2), give
    or take ALIKE of A: rotations by w_f x, scaled and turned as they may be ([C] §4.1, §5.3). NaN if no column varies.
    """
    columns = embedding[:, embedding.std(axis=0) > 0]
    if not columns.size:
        return float("nan")
    f = primary_frequency(columns)
    pure = share_of_variance(columns, f) >= PURE
    line = spectrum(columns)[f, np.arange(columns.shape[1])]
    turned = np.minimum(*(np.abs(line[:, None] - quarter * line) for quarter in (1j, -1j)))
    partner = (f[:, None] == f) & pure[:, None] & pure & (turned <= ALIKE * np.abs(line)[:, None])
    return float(partner.any(axis=1).mean())


def fourfold(phase: Float[np.ndarray, "m"], weight: Float[np.ndarray, "m"]) -> float:
    """|Σ w e^{4iφ}|/Σ w: 1 where all phases are quarter turns apart, as of rotations; about 1/√m at random.

    NaN if the weights sum to 0.
    """
    return float(np.abs(weight @ np.exp(4j * phase)) / weight.sum()) if weight.sum() > 0 else float("nan")


def roundness(columns: Float[np.ndarray, "n m"]) -> Float[np.ndarray, "m m"]:
    """Standard deviation of ρ² = (x² + y²)/2 over the residues, for every pair x, y of columns.

    The columns are centred and scaled to variance 1; constant ones become 0. It is 0 where two draw a circle and, for
    odd n, ½ for cosines of two different frequencies, which draw a Lissajous curve ([C] §5.5).
    """
    squared = np.square((columns - columns.mean(axis=0)) / np.maximum(columns.std(axis=0), np.finfo(float).tiny))
    return ((squared[:, :, None] + squared[:, None]) / 2).std(axis=0)
