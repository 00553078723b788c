"""Where the neurons of a scheme change sign, and the sine wave that their weighted sum is between two such kinks.

With v = θ/2 and b = π/2 − φ mod π, |cos(v+φ)| = |sin(v−b)|. That is sin(v−b) for the kinks passed, b < v, and −sin(v−b)
for those ahead. So Σ w |sin(v−b)| e^{iψ} = S cos v − C sin v, where S sums w sin b e^{iψ} over the kinks ahead less those
passed, and C likewise w cos b e^{iψ}.
"""

from math import isqrt

import numpy as np
from jaxtyping import Complex, Float, Int

from modadd.quadrature.scheme import Scheme


def kinks(scheme: Scheme) -> tuple[Float[np.ndarray, "m"], Complex[np.ndarray, "m"]]:
    """The kink b in [0, π] of each neuron, and its w e^{iψ}."""
    return np.mod(np.pi / 2 - scheme.phi, np.pi), scheme.weight * np.exp(1j * scheme.psi)


def binned(x: Complex[np.ndarray, "m"], place: Int[np.ndarray, "m"], bins: int) -> Complex[np.ndarray, "bins"]:
    """The sum of x in each bin."""
    return np.bincount(place, x.real, bins) + 1j * np.bincount(place, x.imag, bins)


def signed_sums(x: Complex[np.ndarray, "m"]) -> Complex[np.ndarray, "m+1"]:
    """Σ_{i≥j} x_i − Σ_{i<j} x_i for j = 0 … m, in √m blocks of √m: rounding errors grow with √m instead of m."""
    m = len(x)
    size = isqrt(m) + 1
    sums = np.zeros((size, size), complex)
    sums.ravel()[0], sums.ravel()[1 : m + 1] = x.sum(), -2 * x
    sums.cumsum(axis=1, out=sums)
    sums[1:] += sums[:-1, -1].cumsum()[:, None]
    return sums.ravel()[: m + 1]
