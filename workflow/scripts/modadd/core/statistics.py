"""Shares with intervals, comparisons of two groups, and laws of growth fitted to points."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from jaxtyping import Bool, Float, Int

CONFIDENCE = 0.95  # of every interval for a share


@dataclass(frozen=True)
class Share:
    """A share of networks, with the interval (Wilson, at CONFIDENCE) for the share of all networks of the recipe."""

    holds: int
    of: int
    low: float
    high: float

    @property
    def share(self) -> float:
        """holds/of; NaN of none."""
        return self.holds / self.of if self.of else float("nan")


def share(holds: Sequence[bool] | Bool[np.ndarray, "networks"]) -> Share:
    """The share of networks for which something holds."""
    count, of = int(np.sum(holds)), len(holds)
    if of == 0:
        return Share(0, 0, 0.0, 1.0)
    from scipy.stats import binomtest

    interval = binomtest(count, of).proportion_ci(CONFIDENCE, method="wilson")
    return Share(count, of, float(interval.low), float(interval.high))


@dataclass(frozen=True)
class Comparison:
    """Whether two groups of networks may come from one distribution: largest distance of their shares, and its p-value."""

    distance: float
    p: float


def compare(one: Float[np.ndarray, "m"], other: Float[np.ndarray, "k"]) -> Comparison:
    """The two-sample Kolmogorov–Smirnov test of what could be measured; NaN if a group is empty."""
    one, other = one[np.isfinite(one)], other[np.isfinite(other)]
    if not len(one) or not len(other):
        return Comparison(np.nan, np.nan)
    from scipy.stats import ks_2samp

    found = ks_2samp(one, other)
    return Comparison(float(found.statistic), float(found.pvalue))


LAWS = {"ln n": np.log, "n": np.asarray}


@dataclass(frozen=True)
class Law:
    """count = a + b g(n), by least squares: a and b, their standard errors, and Akaike's criterion with correction."""

    a: float
    b: float
    a_error: float
    b_error: float
    aicc: float


@dataclass(frozen=True)
class Laws:
    """Both LAWS, and the criterion of a mean of its own for every modulus, which no law in n can beat but by its economy."""

    logarithmic: Law
    linear: Law
    means_aicc: float

    @property
    def evidence(self) -> float:
        """AICc of a + b n less that of a + b ln n: positive for the logarithm; above 10 the other has next to no support."""
        return self.linear.aicc - self.logarithmic.aicc


def aicc(squares: float, of: int, parameters: int) -> float:
    """Akaike's criterion, corrected for few data, of a normal law with `squares` left over `of` data.

    `parameters` counts the variance too. NaN where data are too few for the correction, or nothing is left over.
    """
    spare = of - parameters - 1
    if spare <= 0 or squares <= 0:
        return float("nan")
    return float(of * np.log(squares / of) + 2 * parameters + 2 * parameters * (parameters + 1) / spare)


def fit_laws(modulus: Int[np.ndarray, "networks"], count: Float[np.ndarray, "networks"]) -> Laws | None:
    """Both laws fitted to one count per network; None for fewer than three moduli, which any law can join.

    Counts of clusters spread about as much at every n and far less than Poisson counts of their size, so the squares
    weigh all networks alike.
    """
    moduli, place = np.unique(modulus, return_inverse=True)
    if len(moduli) < 3:
        return None
    means = np.bincount(place, count) / np.bincount(place)
    left = float(((count - means[place]) ** 2).sum())
    logarithmic, linear = (_fit(g(modulus), count) for g in LAWS.values())
    return Laws(logarithmic, linear, aicc(left, len(count), len(moduli) + 1))


def _fit(x: Float[np.ndarray, "networks"] | Int[np.ndarray, "networks"], y: Float[np.ndarray, "networks"]) -> Law:
    from scipy.stats import linregress

    line = linregress(x, y)
    squares = float(((y - line.intercept - line.slope * x) ** 2).sum())
    errors = float(line.intercept_stderr), float(line.stderr)
    return Law(float(line.intercept), float(line.slope), *errors, aicc(squares, len(y), 3))
