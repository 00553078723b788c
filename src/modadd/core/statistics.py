"""Estimates and shares with intervals, and comparisons of two groups."""

import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from math import isnan, nan, sqrt
from statistics import NormalDist

import numpy as np
from jaxtyping import Bool, Float, Real

# Of each network, what a ratio counts above its line and below.
Ratio = tuple[Sequence[float] | Real[np.ndarray, "networks"], Sequence[float] | Real[np.ndarray, "networks"]]

CONFIDENCE = 0.95  # of every interval
ROUNDING = 1e-12  # relative: numbers that differ by less are equal but for their rounding
# Normal quantiles: an effect of SURE + POWER standard errors is seen, outside its interval, in four of five repetitions.
SURE, POWER = (NormalDist().inv_cdf(probability) for probability in ((1 + CONFIDENCE) / 2, 0.8))


@dataclass(frozen=True)
class Estimate:
    """A number of all networks of a recipe, estimated from `of` of them, with its interval at CONFIDENCE."""

    value: float
    low: float
    high: float
    of: int

    @classmethod
    def without_interval(cls, value: float = nan, of: int = 0) -> "Estimate":
        """Such a number of which too few networks tell an interval; NaN where they do not even tell the number."""
        return cls(value, nan, nan, of)


@dataclass(frozen=True)
class AsItStands:
    """A number of `of` networks without an interval, which is compared as it stands; NaN where too few tell."""

    value: float
    of: int


def as_it_stands(value: float, of: int, fewest: int) -> AsItStands:
    """A number that is compared as it stands; none, so that nothing is judged, if `of` < `fewest`."""
    if of < fewest or isnan(value):
        return AsItStands(nan, 0)
    return AsItStands(value, of)


def prediction_interval(
    others: Float[np.ndarray, "networks m"], coverage: float = CONFIDENCE
) -> Float[np.ndarray, "m 2"]:
    """Prediction interval of one more network, all m numbers at once within it with this probability (Bonferroni).

    Student's t for a normal distribution: mean ± t s √(1 + 1/N). More networks narrow it towards their own spread.
    """
    from scipy.special import stdtrit

    of, m = others.shape
    outside = (1 - coverage) / (2 * m)
    t = stdtrit(of - 1, 1 - outside)
    mean = others.mean(axis=0)
    s = others.std(axis=0, ddof=1)
    half = t * s * np.sqrt(1 + 1 / of)
    return np.stack([mean - half, mean + half], axis=1)


def mean_of(values: Sequence[float] | Real[np.ndarray, "networks"], signed: bool = False) -> Estimate:
    """The mean of one value per network, with its t-interval, as of `ratio_of`."""
    return ratio_of(values, np.ones(len(values)), signed)


def difference_of_means(
    one: Sequence[float] | Real[np.ndarray, "m"], other: Sequence[float] | Real[np.ndarray, "k"]
) -> Estimate:
    """The mean over one group of networks less that over another, with Welch's interval.

    There is no interval if a group has fewer than two networks, or if the numbers of both vary by their rounding alone.
    """
    of = min(len(one), len(other))
    if not of:
        return Estimate.without_interval(of=of)
    value = float(np.mean(one) - np.mean(other))
    rounding = ROUNDING * max(np.abs(one).max(), np.abs(other).max())
    if of < 2 or max(np.ptp(one), np.ptp(other)) <= rounding:
        return Estimate.without_interval(value, of)
    from scipy.stats import ttest_ind

    with warnings.catch_warnings():
        warnings.filterwarnings(
            "ignore", "Precision loss", RuntimeWarning
        )  # of one group that does not vary: 0 is exact
        interval = ttest_ind(one, other, equal_var=False).confidence_interval(CONFIDENCE)
    return Estimate(value, float(interval.low), float(interval.high), of)


def ratio_of(
    numerators: Sequence[float] | Real[np.ndarray, "networks"],
    denominators: Sequence[float] | Real[np.ndarray, "networks"],
    signed: bool = False,
) -> Estimate:
    """Sum of the numerators over that of the denominators, one of each per network, with its t-interval.

    The interval is linearised: networks are independent, what is counted in one network need not be. Where no numerator
    is negative, `low` is ≥ 0; where all are 0, its upper end is that of Poisson's law for a count of 0. If the numerators
    are `signed`, as differences are, `low` may be negative all the same, and is as far from 0 as that end. NaN if
    the denominators sum to 0, and no interval of one network.
    """
    above, below = np.asarray(numerators, float), np.asarray(denominators, float)
    of, total = len(below), below.sum()
    if total <= 0:
        return Estimate.without_interval(of=of)
    value = float(above.sum() / total)
    if not above.any():
        most = float(-np.log((1 - CONFIDENCE) / 2) / total)
        return Estimate(0.0, -most if signed else 0.0, most, of)
    if of < 2:
        return Estimate.without_interval(value, of)
    from scipy.special import stdtrit  # Student's quantile; scipy.stats, which wraps it, takes a second to import

    error = np.sqrt(of / (of - 1) * ((above - value * below) ** 2).sum()) / total
    half = float(stdtrit(of - 1, (1 + CONFIDENCE) / 2) * error)
    low = value - half if signed or (above < 0).any() else max(value - half, 0.0)
    return Estimate(value, low, value + half, of)


def difference_of_ratios(one: Ratio, other: Ratio) -> Estimate:
    """A ratio less another, each of sums over the same networks, with its t-interval, linearised as of `ratio_of`.

    What is counted in one network need not be independent, on either side. `of` is the number of networks that the rarer of
    both denominators counts. NaN if a denominator sums to 0; no interval of one network, or if the numbers vary by their
    rounding alone.
    """
    pairs = [(np.asarray(above, float), np.asarray(below, float)) for above, below in (one, other)]
    of = min(int((below > 0).sum()) for _, below in pairs)
    if not of:
        return Estimate.without_interval(of=of)
    ratios = [above.sum() / below.sum() for above, below in pairs]
    value = float(ratios[0] - ratios[1])
    moved = [(above - ratio * below) / below.sum() for ratio, (above, below) in zip(ratios, pairs, strict=True)]
    error = np.sqrt(np.square(moved[0] - moved[1]).sum())
    if of < 2 or error <= ROUNDING * max(np.abs(ratios)):
        return Estimate.without_interval(value, of)
    from scipy.special import stdtrit

    half = float(stdtrit(of - 1, (1 + CONFIDENCE) / 2) * np.sqrt(of / (of - 1)) * error)
    return Estimate(value, value - half, value + half, of)


def distance_from_zero(of: Estimate) -> Estimate:
    """How far a number is from 0, whatever its sign; an interval around 0 begins there."""
    near, far = sorted((abs(of.low), abs(of.high)))
    return Estimate(abs(of.value), 0.0 if of.low <= 0 <= of.high else near, far, of.of)


def smaller_over_larger(
    one: Sequence[float] | Real[np.ndarray, "networks"], other: Sequence[float] | Real[np.ndarray, "networks"]
) -> Estimate:
    """The smaller of two means over the larger, as of `ratio_of`: at most 1, whichever is the larger.

    Both have one value per network, of the same networks or of pairs. An interval of the ratio around 1 ends there, and
    begins where the ratio or its inverse does. NaN if both means are 0.
    """
    smaller, larger = sorted((np.asarray(one, float), np.asarray(other, float)), key=np.sum)
    found = ratio_of(smaller, larger)
    if not found.high > 1:
        return found
    return Estimate(found.value, min(found.low, 1 / found.high), 1.0, found.of)


@dataclass(frozen=True)
class Share:
    """A share of networks, with the interval (Wilson 1927, at CONFIDENCE) for the share of all networks of the recipe."""

    holds: int
    of: int
    low: float
    high: float

    @property
    def share(self) -> float:
        """holds/of; NaN if `of` is 0."""
        return self.holds / self.of if self.of else float("nan")


def share(holds: Sequence[bool] | Bool[np.ndarray, "networks"]) -> Share:
    """The share of networks for which something holds."""
    count, of = int(np.sum(holds)), len(holds)
    if of == 0:
        return Share(0, 0, 0.0, 1.0)
    p, z2 = count / of, SURE**2 / of
    centre = (p + z2 / 2) / (1 + z2)
    half = sqrt(p * (1 - p) * z2 + z2**2 / 4) / (1 + z2)
    return Share(count, of, centre - half if count else 0.0, centre + half if count < of else 1.0)


@dataclass(frozen=True)
class Comparison:
    """Whether two groups may come from one distribution: the largest distance of their shares, its p-value."""

    distance: float
    p: float


def kolmogorov_smirnov(one: Float[np.ndarray, "m"], other: Float[np.ndarray, "k"]) -> Comparison:
    """The two-sample Kolmogorov–Smirnov test of the finite values; NaN if a group is empty."""
    one, other = one[np.isfinite(one)], other[np.isfinite(other)]
    if not len(one) or not len(other):
        return Comparison(np.nan, np.nan)
    from scipy.stats import ks_2samp

    found = ks_2samp(one, other)
    return Comparison(float(found.statistic), float(found.pvalue))
