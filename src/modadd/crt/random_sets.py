"""The random-frequency model of [C] §5.4: how often m random frequencies separate the right answer by more than δm.

Simulated, and enumerated where that is feasible.
"""

from collections.abc import Callable, Iterator, Sequence
from itertools import combinations, combinations_with_replacement
from math import comb, factorial
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from jaxtyping import Float, Int

from modadd.core.statistics import share
from modadd.crt.theory import (
    proven_probabilities,
    published_probability,
    separation,
    shortfall,
    taylor_shortfall,
    volume_probability,
)

WAYS = {"independent": False, "without repetition": True}  # to draw: are the frequencies of a set distinct?
MOST_SETS = 10**7  # that an enumeration visits: seconds


def generator(seed: int, *labels: int) -> np.random.Generator:
    """The random numbers of one part of a simulation: labels are the modulus, and numbers of the part.

    Raises ValueError if the last one is 0, as NumPy fills short seeds up with zeros: such a part would repeat another's numbers.
    """
    if labels and labels[-1] == 0:
        raise ValueError("labels: expected the last one to be at least 1, got 0")
    return np.random.default_rng([seed, *labels])


def draw(n: int, m: int, trials: int, rng: np.random.Generator, distinct: bool = False) -> Int[np.ndarray, "trials m"]:
    """Random frequencies, one trial per row, each f standing for ±f in 1 … ⌊n/2⌋.

    Uniform on 1 … n − 1 and independent, as [C] §5.4 says; or `distinct` ones of 1 … ⌊n/2⌋, as the clusters of a
    network are. Raises ValueError if there are fewer than m distinct ones.
    """
    if not distinct:
        f = rng.integers(1, n, size=(trials, m))
        return np.minimum(f, n - f)
    if m > n // 2:
        raise ValueError(f"m: expected at most the {n // 2} frequencies there are mod {n}, got {m}")
    return rng.permuted(np.tile(np.arange(1, n // 2 + 1), (trials, 1)), axis=1)[:, :m]


def separations(frequencies: Int[np.ndarray, "trials m"], n: int) -> Float[np.ndarray, "trials m"]:
    """Separation of the first l = 1 … m frequencies of every row."""
    found = np.empty(frequencies.shape)
    for number, total in enumerate(_totals(frequencies, n, shortfall)):
        found[:, number] = total.min(axis=1)
    return found


def confusable(
    frequencies: Int[np.ndarray, "trials m"], n: int, delta: float, short: Callable = shortfall
) -> Int[np.ndarray, "trials"]:
    """Number of wrong answers (a pair ±d counted once) that come within δm of the right one.

    `short` may be `taylor_shortfall`.
    """
    *_, total = _totals(frequencies, n, short)
    return (total <= delta * frequencies.shape[1]).sum(axis=1)


def _totals(frequencies: Int[np.ndarray, "trials m"], n: int, short: Callable) -> Iterator[np.ndarray]:
    """m − h(d) of the first 1 … m frequencies in turn (trials × d), summed up in place."""
    table = short(n, np.arange(n // 2 + 1))
    total = np.zeros((len(frequencies), n // 2))
    for column in frequencies.T:
        total += table[column]
        yield total


def simulate(
    n: int, most: int, trials: int, delta: float, rng: np.random.Generator, distinct: bool = False
) -> pd.DataFrame:
    """Share of trials that separate by more than δm, for m = 1 … `most`: columns n, m, probability, low, high.

    The interval is binomial (`core.statistics.share`). Row m takes the first m frequencies of every trial, so one trial
    serves all m.
    """
    found = separations(draw(n, most, trials, rng, distinct), n)
    rows = [(m, share(found[:, m - 1] > delta * m)) for m in range(1, most + 1)]
    return pd.DataFrame({"n": n, "m": m, "probability": of.share, "low": of.low, "high": of.high} for m, of in rows)


def beside_exact(simulated: pd.DataFrame, trials: int, delta: float) -> pd.DataFrame:
    """Rows of `simulate` (`frequencies` says which of WAYS), each with the probability over all draws.

    z: how many standard errors it is off.
    """
    ways = simulated.frequencies.map(WAYS)
    asked = zip(simulated.n.tolist(), simulated.m.tolist(), ways.tolist(), strict=True)
    exact = np.array([exact_probability(n, m, delta, distinct) for n, m, distinct in asked])
    error = np.sqrt(np.maximum(exact * (1 - exact), 1 / trials) / trials)
    table = simulated.assign(exact=exact, z=(simulated.probability - exact) / error)
    return table[["frequencies", "m", "exact", "probability", "low", "high", "z"]]


def exact_probability(n: int, m: int, delta: float, distinct: bool = False) -> float:
    """The probability that m frequencies mod n separate by more than δm, over all draws."""
    return expected(n, m, lambda sets: (separations(sets, n)[:, -1] > delta * m) * 1.0, distinct)


def steps(
    n: int, numbers: Sequence[int], trials: int, delta: float, rng: np.random.Generator, most: int
) -> pd.DataFrame:
    """For each number m of frequencies, the steps from the published probability back to the simulated one.

    The sums over d are 1 − the mean number of wrong answers that come too close, a pair ±d counted once. Each trial
    draws `most` frequencies and serves all m.
    """
    frequencies = draw(n, most, trials, rng)
    rows = []
    for m in numbers:
        close = confusable(frequencies[:, :m], n, delta)
        by_taylor = confusable(frequencies[:, :m], n, delta, taylor_shortfall)
        rows.append(
            {
                "m": m,
                "published": published_probability(n, m, delta),
                "before Stirling": volume_probability(n, m, delta),
                "sum over d, x²/2": 1 - by_taylor.mean(),
                "sum over d, cosine": 1 - close.mean(),
                "simulated": (close == 0).mean(),
                "proven": proven_probabilities(n, m, delta)[-1],
            }
        )
    return pd.DataFrame(rows)


def expected(n: int, m: int, of: Callable, distinct: bool = False) -> float:
    """Exact mean, over all draws of m frequencies, of a number that does not change when all are multiplied by a unit.

    `of` takes frequencies (sets × m) to one number per set. Raises ValueError as `every_set` does.
    """
    return sum(float(weights @ of(frequencies)) for frequencies, weights in every_set(n, m, distinct))


def every_set(
    n: int, m: int, distinct: bool = False
) -> Iterator[tuple[Int[np.ndarray, "sets m"], Float[np.ndarray, "sets"]]]:
    """All outcomes of `draw` up to a unit of Z_n and the order of all but the first, with their probabilities.

    k → uk permutes the wrong answers, so the first frequency may be taken to be its greatest common divisor with n; one
    batch for each divisor. Raises ValueError above MOST_SETS sets, or with fewer than m distinct frequencies.
    """
    f = np.arange(1, n // 2 + 1)
    divisors = np.gcd(f, n)
    free = len(f) - 1 if distinct else len(f) + m - 2
    sets = len(set(divisors.tolist())) * comb(free, m - 1)
    if not 0 < sets <= MOST_SETS:
        raise ValueError(f"m: {m} frequencies mod {n} make {sets} sets to enumerate; expected 1 to {MOST_SETS}")
    likely = np.full(len(f), 1 / len(f)) if distinct else np.where(2 * f == n, 1, 2) / (n - 1)
    for g in np.unique(divisors):
        choices = combinations(f[f != g], m - 1) if distinct else combinations_with_replacement(f, m - 1)
        rest = np.array(list(choices), dtype=int).reshape(-1, m - 1) if m > 1 else np.empty((1, 0), dtype=int)
        weights = np.full(len(rest), 1 / len(rest)) if distinct else _orders(rest) * likely[rest - 1].prod(axis=1)
        frequencies = np.column_stack([np.full(len(rest), g), rest])
        yield frequencies, likely[divisors == g].sum() * weights


def _orders(rows: Int[np.ndarray, "sets m"]) -> Float[np.ndarray, "sets"]:
    """Number of orders of each sorted row: m! over the factorials of how often each of its members occurs."""
    orders, run = np.full(len(rows), float(factorial(rows.shape[1]))), np.ones(len(rows))
    for left, right in zip(rows.T, rows.T[1:], strict=False):
        run = np.where(left == right, run + 1, 1)
        orders /= run
    return orders


def best_set(n: int, m: int) -> Int[np.ndarray, "m"]:
    """m distinct frequencies of the greatest separation there is, in order. Raises ValueError as `every_set` does."""
    candidates = [frequencies for frequencies, _ in every_set(n, m, distinct=True)]
    everything = np.concatenate(candidates)
    return np.sort(everything[np.argmax(separations(everything, n)[:, -1])])


def range_of_shares(n: int, most: int, trials: int, rng: np.random.Generator) -> pd.DataFrame:
    """Separation over m of random sets of m = 1 … `most` frequencies: low, median, high (5, 50, 95 %), and m."""
    m = np.arange(1, most + 1)
    found = separations(draw(n, most, trials, rng, distinct=True), n)
    table = pd.DataFrame(np.quantile(found, [0.05, 0.5, 0.95], axis=0).T, columns=["low", "median", "high"])
    return table.div(m, axis=0).assign(m=m)


def with_best(ranges: pd.DataFrame, n: int) -> pd.DataFrame:
    """Rows of `range_of_shares`, with the best set there is: its separation over m (`best`) and its frequencies."""
    sets = [best_set(n, m) for m in ranges.m]
    return ranges.assign(
        best=[separation(frequencies, n) / len(frequencies) for frequencies in sets],
        frequencies=[", ".join(map(str, frequencies)) for frequencies in sets],
    )


class Growth(NamedTuple):
    """Least-squares lines of the smallest number of frequencies: against ln n, and against n (results of `linregress`)."""

    in_ln_n: Any
    in_n: Any


def growth_of_smallest(smallest: pd.DataFrame) -> Growth:
    """How the smallest number of frequencies grows over the odd moduli; a line of `smallest_numbers` for each modulus.

    Mod an even n half of all frequencies are even, which takes more of them.
    """
    from scipy.stats import linregress  # here: it takes a second to import

    odd = smallest[smallest.n % 2 == 1]
    return Growth(linregress(odd["ln n"], odd["smallest m"]), linregress(odd.n, odd["smallest m"]))


def published_less_smallest(smallest: pd.DataFrame) -> float:
    """The least, over all moduli, of the published number of frequencies less the smallest that is enough ([C] §5.4)."""
    return (smallest.published - smallest["smallest m"]).min()
