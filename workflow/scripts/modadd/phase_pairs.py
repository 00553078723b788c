"""How the phases of a cluster's neurons lie: each on its circle, the pairs (of A, of B) on the torus ([C] App. B.3)."""

import numpy as np
from jaxtyping import Float
from scipy.stats import chi2

from modadd.fourier import wrap


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
