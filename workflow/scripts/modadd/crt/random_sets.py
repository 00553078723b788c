"""The random-frequency model of [C] §5.4: how often m random frequencies separate the right answer by more than δm.

Simulated, and enumerated where that is feasible.
"""

from collections.abc import Callable, Iterator, Sequence
from itertools import combinations, combinations_with_replacement
from math import comb, factorial

import numpy as np
import pandas as pd
from jaxtyping import Float, Int
from scipy.stats import percentileofscore

from modadd.core.statistics import share
from modadd.crt.theory import separation, shortfall

MOST_SETS = 10**7  # that an enumeration visits: seconds
DIGITS = 9  # to which two separations count as equal: sets that a unit maps to each other differ by rounding


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


def separations(
    frequencies: Int[np.ndarray, "trials m"], n: int, short: Callable = shortfall
) -> Float[np.ndarray, "trials m"]:
    """Separation of the first l = 1 … m frequencies of every row; `short` may be `taylor_shortfall`."""
    found = np.empty(frequencies.shape)
    for number, total in enumerate(_totals(frequencies, n, short)):
        found[:, number] = total.min(axis=1)
    return found


def confusable(
    frequencies: Int[np.ndarray, "trials m"], n: int, delta: float, short: Callable = shortfall
) -> Int[np.ndarray, "trials"]:
    """Number of wrong answers (a pair ±d counted once) that come within δm of the right one."""
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

    The interval is binomial (`populations.share`). Row m takes the first m frequencies of every trial, so one trial
    serves all m.
    """
    found = separations(draw(n, most, trials, rng, distinct), n)
    rows = [(m, share(found[:, m - 1] > delta * m)) for m in range(1, most + 1)]
    return pd.DataFrame({"n": n, "m": m, "probability": of.share, "low": of.low, "high": of.high} for m, of in rows)


def crossing(probability: Float[np.ndarray, "m"], rho: float) -> float:
    """Number of frequencies at which the probability first reaches ρ, between whole numbers by a straight line.

    `probability[m − 1]` belongs to m, and 0 to m = 0. NaN if it never does.
    """
    if (probability < rho).all():
        return float("nan")
    m = int(np.argmax(probability >= rho))
    below = probability[m - 1] if m else 0.0
    return m + (rho - below) / (probability[m] - below)


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


def standing(
    sets: Sequence[Sequence[int]],
    n: int,
    trials: int,
    rng: np.random.Generator,
    weights: Sequence[Sequence[float]] | None = None,
) -> pd.DataFrame:
    """Where given sets of distinct frequencies mod n stand among random ones, one row per set: columns m, share, rank.

    share: separation over m. rank: share of random sets of m distinct frequencies that separate less, those that
    separate as much counted half. With weights, a column weighted: separation of the weighted set over the sum of its
    weights. NaN for an empty set.
    """
    sizes = [len(frequencies) for frequencies in sets]
    found = separations(draw(n, max(sizes, default=0), trials, rng, distinct=True), n).round(DIGITS)
    rows = [_among(np.array(frequencies, dtype=int), n, found) for frequencies in sets]
    table = pd.DataFrame(rows, columns=["m", "share", "rank"])
    if weights is not None:
        table["weighted"] = [_weighted(*of, n) for of in zip(sets, weights, strict=True)]
    return table


def _among(
    frequencies: Int[np.ndarray, "m"], n: int, random: Float[np.ndarray, "trials most"]
) -> tuple[int, float, float]:
    m = len(frequencies)
    if m == 0:
        return 0, np.nan, np.nan
    own = round(separation(frequencies, n), DIGITS)
    return m, own / m, percentileofscore(random[:, m - 1], own, kind="mean") / 100


def _weighted(frequencies: Sequence[int], weights: Sequence[float], n: int) -> float:
    total = sum(weights)
    return separation(np.array(frequencies), n, np.array(weights, dtype=float)) / total if total else np.nan
