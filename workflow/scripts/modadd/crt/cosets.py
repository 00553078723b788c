"""Cosets: level sets of a cluster, the remap that sorts its inputs, and how the phases of its neurons lie."""

import math

import numpy as np
from jaxtyping import Float, Int
from scipy.stats import chi2

from modadd.core.fourier import angular_frequency, variance_by_frequency, wrap

LEVEL = 0.9  # of a cosine's maximum: from here on a residue belongs to its level set; [C] states none


def coset_order(f: int, n: int) -> int:
    """g = gcd(f, n), the size of the exact cosets of frequency f; 1 where there are only approximate ones.

    Raises ValueError unless f is a frequency that a non-constant function can have.
    """
    if f % n == 0:
        raise ValueError(f"frequency {f}: expected one that {n} does not divide")
    return math.gcd(f, n)


def step(f: int, n: int) -> int:
    """d = (f/g)⁻¹ mod n/g: a cosine of frequency f changes least from a residue to the one d further ([C] §5.2)."""
    g = coset_order(f, n)
    return pow(f // g, -1, n // g)


def level_set(f: int, s: float | int, n: int, level: float = LEVEL) -> Int[np.ndarray, "m"]:
    """Residues a with cos(2πf(a−s)/n) ≥ level, in order: a coset or an approximate coset around s ([C] §3)."""
    turn = np.abs((f * np.arange(n) % n - f * s + n / 2) % n - n / 2)  # equal on a coset and on both sides of s
    return np.flatnonzero(np.cos(angular_frequency(1, n) * turn) >= level)


def relabelling(f: int, n: int) -> int:
    """The least u coprime to n with f ≡ g·u (mod n): x ↦ u·x renames the residues so that frequency f becomes g.

    u ≡ f/g (mod n/g). [C] §4.1 takes f/g itself, which is the same where it is coprime to n.
    """
    g = coset_order(f, n)
    period = n // g
    return next(u for u in range(f // g % period, n, period) if math.gcd(u, n) == 1)


def remapped(values: Float[np.ndarray, "n *rest"], f: int) -> Float[np.ndarray, "n *rest"]:
    """The same values with residue x (first axis) moved to u·x: a function of frequency f has frequency gcd(f, n)."""
    n = values.shape[0]
    moved = np.empty_like(values)
    moved[relabelling(f, n) * np.arange(n) % n] = values
    return moved


def share_on_cosets(values: Float[np.ndarray, "n *rest"], g: int) -> Float[np.ndarray, "*rest"]:
    """Share of the variance along the first axis that is constant on cosets of order g; 0 for a constant.

    That is the share at frequencies that are multiples of g, for a divisor g of n.
    """
    variance = variance_by_frequency(values)
    total = variance.sum(axis=0)
    return variance[::g].sum(axis=0) / np.where(total > 0, total, 1)


def uniformity(phase: Float[np.ndarray, "m"]) -> float:
    """p-value of Rayleigh's test that angles are drawn uniformly from the circle; small where they crowd on one side.

    With R the length of their mean vector, 2mR² is about χ² of two degrees of freedom. 1 for no angles.
    """
    return float(chi2.sf(2 * np.abs(np.exp(1j * phase).sum()) ** 2 / max(len(phase), 1), 2))


def nearest(first: Float[np.ndarray, "m"], second: Float[np.ndarray, "m"]) -> Float[np.ndarray, "m"]:
    """Distance of each point of the torus (angles, in radians) from the nearest other one; infinite if none."""
    distance = np.hypot(*(wrap(angle[:, None] - angle) for angle in (first, second)))
    np.fill_diagonal(distance, np.inf)
    return distance.min(axis=1, initial=np.inf)


def spread(first: Float[np.ndarray, "m"], second: Float[np.ndarray, "m"]) -> float:
    """Mean distance to the nearest point over that of independent uniform points, π/√m (Clark and Evans' index).

    Below 1 for points in clumps, 1 for random ones, 2 on a square grid; NaN for fewer than two points.
    """
    m = len(first)
    return float(nearest(first, second).mean() * np.sqrt(m) / np.pi) if m > 1 else float("nan")
