"""Estimates and shares with intervals, comparisons of two groups, and laws of growth fitted to counts."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import NormalDist
from typing import NamedTuple

import numpy as np
from jaxtyping import Bool, Float, Int, Real, Shaped

CONFIDENCE = 0.95  # of every interval
# Normal quantiles: an effect of SURE + POWER standard errors is seen, outside its interval, in four of five repetitions.
SURE, POWER = (NormalDist().inv_cdf(probability) for probability in ((1 + CONFIDENCE) / 2, 0.8))


@dataclass(frozen=True)
class Estimate:
    """A number of all networks of a recipe, estimated from `of` of them, with its interval at CONFIDENCE."""

    value: float
    low: float
    high: float
    of: int


def mean_of(values: Sequence[float] | Real[np.ndarray, "networks"]) -> Estimate:
    """The mean of one value per network, with its t-interval, as of `ratio_of`."""
    return ratio_of(values, np.ones(len(values)))


def ratio_of(
    numerators: Sequence[float] | Real[np.ndarray, "networks"],
    denominators: Sequence[float] | Real[np.ndarray, "networks"],
) -> Estimate:
    """Sum of the numerators over that of the denominators, one of each per network, with its t-interval.

    The interval is linearised: networks are independent, what is counted in one network need not be. Where no numerator
    is negative, it ends at 0; where all are 0, its upper end is that of Poisson's law for a count of 0. NaN if the
    denominators sum to 0, and no interval of one network.
    """
    above, below = np.asarray(numerators, float), np.asarray(denominators, float)
    of, total = len(below), below.sum()
    if total <= 0:
        return Estimate(float("nan"), float("nan"), float("nan"), of)
    value = float(above.sum() / total)
    if not above.any():
        return Estimate(0.0, 0.0, float(-np.log((1 - CONFIDENCE) / 2) / total), of)
    if of < 2:
        return Estimate(value, float("nan"), float("nan"), of)
    from scipy.stats import t

    error = np.sqrt(of / (of - 1) * ((above - value * below) ** 2).sum()) / total
    half = float(t.ppf((1 + CONFIDENCE) / 2, of - 1) * error)
    low = max(value - half, 0.0) if (above >= 0).all() else value - half
    return Estimate(value, low, value + half, of)


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
    """Whether two groups may come from one distribution: the largest distance of their shares, its p-value."""

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


# Laws of growth over n, by name; a constant has no term beside a.
LAWS = {"a": None, "a + b ln n": np.log, "a + b √n": np.sqrt, "a − b/n": lambda n: -1 / n, "a + b n": np.asarray}


@dataclass(frozen=True)
class Law:
    """One of LAWS, fitted by least squares to the mean count of every modulus, one datum each.

    a_error, b_error: standard errors; since the means are the data, they include the lack of fit. b is 0 for the
    constant. weight: Akaike's weight of evidence among all LAWS. weight_of_networks: the same of a fit to every
    network, which takes the deviations of the networks of one modulus for independent. lack_of_fit: p-value of the F
    test of that fit against a separate mean for every modulus.
    """

    a: float
    b: float
    a_error: float
    b_error: float
    weight: float
    weight_of_networks: float
    lack_of_fit: float


def aicc(squares: float, of: int, parameters: int) -> float:
    """Akaike's criterion, corrected for few data, of a normal law with `squares` left over `of` data.

    `parameters` counts the variance too. NaN where data are too few for the correction, or nothing is left over.
    """
    spare = of - parameters - 1
    if spare <= 0 or squares <= 0:
        return float("nan")
    return float(of * np.log(squares / of) + 2 * parameters + 2 * parameters * (parameters + 1) / spare)


def weights_of_evidence(criteria: Sequence[float] | Float[np.ndarray, "laws"]) -> Float[np.ndarray, "laws"]:
    """Akaike's weights, which sum to 1: exp(−Δ/2) with Δ the distance from the least criterion; NaN if one is NaN."""
    likelihood = np.exp(-(np.asarray(criteria, float) - np.min(criteria)) / 2)
    return likelihood / likelihood.sum()


def fit_laws(modulus: Int[np.ndarray, "networks"], count: Float[np.ndarray, "networks"]) -> dict[str, Law] | None:
    """All LAWS fitted to one count per network, by name; None for fewer than three moduli, which any law can join.

    Networks of one modulus share its deviation from any law. So the means of the moduli are the data, and all weigh
    alike. Weights of evidence need five moduli at least, and are NaN of fewer.
    """
    from scipy.stats import f

    moduli, place = np.unique(modulus, return_inverse=True)
    if len(moduli) < 3:
        return None
    means = np.bincount(place, count) / np.bincount(place)
    of_means = [_fit(term, moduli, means) for term in LAWS.values()]
    of_networks = [_fit(term, modulus, count) for term in LAWS.values()]
    weights = [
        weights_of_evidence([aicc(fit.squares, of, len(fit.at) + 1) for fit in fits])
        for fits, of in ((of_means, len(moduli)), (of_networks, len(count)))
    ]
    within, spare = float(((count - means[place]) ** 2).sum()), len(count) - len(moduli)
    laws = {}
    for name, fit, every, *weight in zip(LAWS, of_means, of_networks, *weights, strict=True):
        more = len(moduli) - len(fit.at)
        F = (every.squares - within) / more / (within / spare) if within > 0 else float("nan")
        (a, b), (a_error, b_error) = ((*part, 0.0)[:2] for part in (fit.at, fit.errors))
        laws[name] = Law(a, b, a_error, b_error, *map(float, weight), float(f.sf(F, more, spare)))
    return laws


def best_without_one(modulus: Int[np.ndarray, "networks"], count: Float[np.ndarray, "networks"]) -> dict[str, int]:
    """How often each law has the greatest weight when each modulus in turn is left out."""
    found = dict.fromkeys(LAWS, 0)
    for left_out in np.unique(modulus):
        laws = fit_laws(modulus[modulus != left_out], count[modulus != left_out])
        if laws and np.isfinite(laws["a"].weight):
            found[max(laws, key=lambda name: laws[name].weight)] += 1
    return found


class _Fit(NamedTuple):
    at: list[float]
    errors: list[float]
    squares: float


def _fit(term: Callable | None, n: Shaped[np.ndarray, "data"], y: Float[np.ndarray, "data"]) -> _Fit:
    columns = np.stack([np.ones(len(n))] + ([term(n.astype(float))] if term else []), axis=1)
    at = np.linalg.lstsq(columns, y, rcond=None)[0]
    squares = float(((y - columns @ at) ** 2).sum())
    variance = squares / (len(y) - len(at)) * np.diag(np.linalg.inv(columns.T @ columns))
    return _Fit(at.tolist(), np.sqrt(variance).tolist(), squares)
