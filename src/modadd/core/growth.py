"""Laws of growth fitted to counts, the evidence for each, and the exponent of a power law."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from jaxtyping import Float, Int, Shaped
from numpy.typing import ArrayLike

from modadd.core.statistics import CONFIDENCE, ROUNDING, Estimate

DRAWS = 200  # of networks, with each modulus left out in turn, for the interval of a weight or of R²
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


def exponent(sizes: ArrayLike, values: ArrayLike) -> float:
    """The power of size with which values grow: the slope of a straight line through the logarithms of both.

    As many values as sizes, all of them positive; the exponent has no unit.
    """
    return float(np.polyfit(np.log(sizes), np.log(values), 1)[0])


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
    from scipy.special import fdtrc  # scipy.stats.f, which wraps it, takes ten times as long to import

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
        beyond = max(every.squares - within, 0.0)  # of the means from the law; rounding may take it below 0
        F = beyond / more / (within / spare) if within > 0 else float("nan")
        (a, b), (a_error, b_error) = ((*part, 0.0)[:2] for part in (fit.at, fit.errors))
        laws[name] = Law(a, b, a_error, b_error, *map(float, weight), float(fdtrc(more, spare, F)))
    return laws


def r_squared_of(name: str, modulus: Int[np.ndarray, "data"], value: Float[np.ndarray, "data"]) -> float:
    """Share of the variance of the values that one of LAWS explains, as a share of 1; NaN for fewer than three values, and for equal ones."""
    around = _beyond_rounding(float(((value - value.mean()) ** 2).sum()), value) if len(value) >= 3 else 0.0
    if around == 0:
        return float("nan")
    return 1 - _fit(LAWS[name], modulus, value).squares / around


def best_without_one(modulus: Int[np.ndarray, "networks"], count: Float[np.ndarray, "networks"]) -> dict[str, int]:
    """How often each law has the greatest weight when each modulus in turn is left out."""
    found = dict.fromkeys(LAWS, 0)
    for left_out in np.unique(modulus):
        laws = fit_laws(modulus[modulus != left_out], count[modulus != left_out])
        if laws and np.isfinite(laws["a"].weight):
            found[max(laws, key=lambda name: laws[name].weight)] += 1
    return found


def weights_resampled(
    modulus: Int[np.ndarray, "networks"], count: Float[np.ndarray, "networks"], rng: np.random.Generator
) -> dict[str, Estimate]:
    """The weight of evidence of each of LAWS, with an interval over networks and moduli drawn again.

    `value` is that of `fit_laws`. The moduli are the data of a law, and one of them may decide. So the interval is the middle
    CONFIDENCE of draws in which each modulus in turn, or none, is left out, and networks are drawn again within the others.
    NaN, without an interval, where `fit_laws` has no weight.
    """
    laws = fit_laws(modulus, count)
    if laws is None or not np.isfinite(laws["a"].weight):
        return {name: Estimate.without_interval() for name in LAWS}
    drawn = []
    for moduli, means in _drawn_again(modulus, count, rng):
        criteria = [
            [aicc(left, len(moduli), 2 if term is None else 3) for left in _squares_left(term, moduli, means)]
            for term in LAWS.values()
        ]
        drawn += [weights_of_evidence(one) for one in np.transpose(criteria)]
    weights = np.array(drawn)
    return {name: _estimate(laws[name].weight, weights[:, place], len(count)) for place, name in enumerate(LAWS)}


def r_squared_resampled(
    name: str,
    modulus: Int[np.ndarray, "networks"],
    count: Float[np.ndarray, "networks"],
    rng: np.random.Generator,
) -> Estimate:
    """`r_squared_of` one of LAWS, fitted to the means of the moduli, with an interval as of `weights_resampled`."""
    moduli, place = np.unique(modulus, return_inverse=True)
    value = float("nan")
    if len(moduli) >= 3:
        value = r_squared_of(name, moduli, np.bincount(place, count) / np.bincount(place))
    if not np.isfinite(value):
        return Estimate.without_interval(value)
    drawn = []
    for left, means in _drawn_again(modulus, count, rng):
        around = ((means - means.mean(axis=1, keepdims=True)) ** 2).sum(axis=1)
        with np.errstate(invalid="ignore", divide="ignore"):  # of means that are all equal
            drawn.append(1 - _squares_left(LAWS[name], left, means) / around)
    return _estimate(value, np.concatenate(drawn), len(count))


def _drawn_again(
    modulus: Int[np.ndarray, "networks"], count: Float[np.ndarray, "networks"], rng: np.random.Generator
) -> Iterator[tuple[Int[np.ndarray, "moduli"], Float[np.ndarray, "draws moduli"]]]:
    """The moduli, and their mean counts in each of DRAWS draws of as many networks; then so without each modulus in turn."""
    moduli = np.unique(modulus)
    for left_out in (None, *moduli):
        there = moduli[moduli != left_out]
        means = []
        for n in there:
            counts = count[modulus == n]
            means.append(rng.choice(counts, (DRAWS, len(counts))).mean(axis=1))
        yield there, np.stack(means, axis=1)


def _squares_left(
    term: Callable | None, moduli: Int[np.ndarray, "moduli"], means: Float[np.ndarray, "draws moduli"]
) -> Float[np.ndarray, "draws"]:
    """The sum of squares that a law leaves over when it is fitted to each draw."""
    return np.array([_fit(term, moduli, each).squares for each in means])


def _estimate(value: float, drawn: Float[np.ndarray, "draws"], of: int) -> Estimate:
    """A number of so many networks with the middle CONFIDENCE of what draws give; the number itself lies in it."""
    finite = drawn[np.isfinite(drawn)]
    if not finite.size:
        return Estimate.without_interval(value, of)
    outside = (1 - CONFIDENCE) / 2
    low, high = np.quantile(finite, [outside, 1 - outside])
    return Estimate(value, float(min(low, value)), float(max(high, value)), of)


def _beyond_rounding(squares: float, y: Float[np.ndarray, "data"]) -> float:
    """A sum of squares of what is left of some values; 0 if it is no more than what their rounding leaves."""
    return squares if squares > (ROUNDING * np.abs(y).max()) ** 2 * len(y) else 0.0


class _Fit(NamedTuple):
    at: list[float]
    errors: list[float]
    squares: float


def _fit(term: Callable | None, n: Shaped[np.ndarray, "data"], y: Float[np.ndarray, "data"]) -> _Fit:
    columns = np.stack([np.ones(len(n))] + ([term(n.astype(float))] if term else []), axis=1)
    at = np.linalg.lstsq(columns, y, rcond=None)[0]
    squares = _beyond_rounding(float(((y - columns @ at) ** 2).sum()), y)
    variance = squares / (len(y) - len(at)) * np.diag(np.linalg.inv(columns.T @ columns))
    return _Fit(at.tolist(), np.sqrt(variance).tolist(), squares)
