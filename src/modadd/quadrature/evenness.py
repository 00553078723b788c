"""How evenly the angles of one frequency lie around the circle, beside independent random angles ([Q2] Fig. 3)."""

import numpy as np
from jaxtyping import Float

SETS = 2000  # of random angles: shares to about 0.01


def interval_ratio(phi: Float[np.ndarray, "m"]) -> float:
    """Standard deviation over mean of the intervals between neighbouring angles φ (radians), around the circle.

    0 for evenly spaced angles, about 1 for many random ones.
    """
    phi = np.sort(np.mod(phi, 2 * np.pi))
    intervals = np.diff(phi, append=phi[0] + 2 * np.pi)
    return float(intervals.std() / intervals.mean())


def arc_excess(phi: Float[np.ndarray, "m"]) -> float:
    """The most by which the share of the angles in an arc differs from the arc's share of the circle: Kuiper's statistic.

    1/m for m evenly spaced angles, 1 if all are one.
    """
    m = len(phi)
    ahead = np.arange(1, m + 1) / m - np.sort(np.mod(phi, 2 * np.pi)) / (2 * np.pi)
    return float(ahead.max() - ahead.min() + 1 / m)


def kuiper_p(excess: float, m: int) -> float:
    """How often m independent uniform angles have an `arc_excess` of at least this, by the asymptotic series of Kuiper's test.

    The series is that of Stephens (1965), with his correction of √m for few angles.
    """
    size = (np.sqrt(m) + 0.155 + 0.24 / np.sqrt(m)) * excess
    square = np.square(size * np.arange(1, 101))
    return float(np.clip(2 * ((4 * square - 1) * np.exp(-2 * square)).sum(), 0, 1)) if size > 0.4 else 1.0


def share_less_even(phi: Float[np.ndarray, "m"], seed: int = 0) -> float:
    """Share of SETS sets of as many independent uniform angles whose `interval_ratio` is larger.

    Random angles have 0.5 in the median; a share above 0.95 says that the angles lie more evenly than random ones.
    """
    random = np.random.default_rng(seed).uniform(0, 2 * np.pi, (SETS, len(phi)))
    own = interval_ratio(phi)
    return float(np.mean([interval_ratio(angles) > own for angles in random]))
