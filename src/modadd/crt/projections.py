"""Rotation matrices and their projections: what an embedding, and the neurons of a cluster, hold of them ([C] §5.3)."""

import numpy as np
from jaxtyping import Float, Int

from modadd.core.fourier import angular_frequency


def projected(f: Int[np.ndarray, "h"], s: Float[np.ndarray, "h"], n: int, sign: int = 1) -> Float[np.ndarray, "n h"]:
    """ρ(k)(1, 0) · (cos w_f s, sign · sin w_f s), k = 0 … n − 1, ρ(k) the rotation by w_f k ([C] §5.3).

    That is cos w_f(k − s) for sign 1. [C] prints sign −1, which gives cos w_f(k + s).
    """
    w, k = angular_frequency(f, n), np.arange(n)[:, None]
    return np.cos(w * k) * np.cos(w * s) + sign * np.sin(w * k) * np.sin(w * s)


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
    # Column by column, which takes n·m numbers at once; by covariances a circle would be off by the root of rounding.
    found = [((column[:, None] + squared) / 2).std(axis=0) for column in squared.T]
    return np.array(found).reshape(squared.shape[1], squared.shape[1])  # of no column, too
