"""Where the neurons of a scheme change sign, and the sine wave that their weighted sum is between two such kinks.

With v = θ/2 and b = π/2 − φ mod π, |cos(v+φ)| = |sin(v−b)|. It is sin(v−b) when v has passed the kink b, and −sin(v−b)
before. So Σ w |sin(v−b)| e^{iψ} needs two sums over the kinks passed: of w e^{iψ} cos b and of w e^{iψ} sin b.
"""

from math import isqrt

import numpy as np
from jaxtyping import Complex, Float, Int

from modadd.quadrature.scheme import Scheme


def kinks(scheme: Scheme) -> tuple[Float[np.ndarray, "m"], Complex[np.ndarray, "m"]]:
    """The kink b in [0, π] of each neuron, and its w e^{iψ}."""
    return np.mod(np.pi / 2 - scheme.phi, np.pi), scheme.weight * np.exp(1j * scheme.psi)


def waves(
    cosines: Complex[np.ndarray, "m"], sines: Complex[np.ndarray, "m"]
) -> tuple[Complex[np.ndarray, "m+1"], Complex[np.ndarray, "m+1"]]:
    """The factors of cos v and sin v in Σ w |sin(v−b)| e^{iψ}, when the first 0 … m of the kinks or bins are passed.

    cosines, sines: w e^{iψ} cos b and w e^{iψ} sin b of each kink, in order of b, or their sums over bins of kinks.
    """
    cosine, sine = running_sums(cosines), running_sums(sines)
    return sine[-1] - 2 * sine, 2 * cosine - cosine[-1]


def binned(x: Complex[np.ndarray, "m"], place: Int[np.ndarray, "m"], bins: int) -> Complex[np.ndarray, "bins"]:
    """The sum of x in each bin."""
    return np.bincount(place, x.real, bins) + 1j * np.bincount(place, x.imag, bins)


def running_sums(x: Complex[np.ndarray, "m"]) -> Complex[np.ndarray, "m+1"]:
    """Σ_{i<j} x_i for j = 0 … m, summed in √m blocks of √m: rounding errors grow with √m instead of m."""
    m = len(x)
    size = max(1, isqrt(m))
    blocks = np.zeros((-(-m // size), size), complex)
    blocks.ravel()[:m] = x
    within = blocks.cumsum(axis=1)
    before = np.concatenate([[0], within[:-1, -1].cumsum()])
    return np.concatenate([[0], (before[:, None] + within).ravel()[:m]])
