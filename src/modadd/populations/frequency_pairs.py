"""Pairs of frequencies in one network: do clusters avoid or seek each other's multiples ([C] Figs. 4b, 28)?

Frequencies f stand in rows and columns f − 1. A relation of f' to f is that of uf' to uf for every unit u of Z_n
(modadd.populations.frequencies), so counts are pooled over all units.
"""

from collections.abc import Callable
from functools import cache
from typing import NamedTuple

import numpy as np
import pandas as pd
from jaxtyping import Float, Int, Shaped

from modadd.core.statistics import CONFIDENCE, POWER, SURE
from modadd.populations.frequencies import Members, at_random, fold, units

MOST_BLOCKS = 500  # of which a dispersion is estimated

_Pairs = Shaped[np.ndarray, "frequencies frequencies"]


def together(members: Members) -> _Pairs:
    """Number of networks that have both frequencies; zero on the diagonal."""
    as_float = members.astype(float)
    found = np.rint(as_float.T @ as_float).astype(int)
    np.fill_diagonal(found, 0)
    return found


def expected_together(members: Members, of_class: Int[np.ndarray, "frequencies"]) -> _Pairs:
    """What `together` is on average over sets drawn by `at_random`."""
    expected = np.zeros((len(of_class), len(of_class)))
    for g in np.unique(of_class):
        own = members[:, of_class == g].sum(axis=1)
        for other in np.unique(of_class):
            same, size = int(g == other), (of_class == other).sum()
            choices = (of_class == g).sum() * (size - same)
            mean = (own * (members[:, of_class == other].sum(axis=1) - same)).sum() / max(choices, 1)
            expected[np.ix_(of_class == g, of_class == other)] = mean
    np.fill_diagonal(expected, 0)
    return expected


def pairs_of(members: Members, of_class: Int[np.ndarray, "frequencies"]) -> tuple[_Pairs, _Pairs]:
    """`together` and `expected_together`: what is counted, and what random sets give."""
    return together(members), expected_together(members, of_class)


def beside(pairs: _Pairs, given: int, n: int) -> Float[np.ndarray, "frequencies"]:
    """The pairs that have `given` in them, by the other frequency, after renaming the residues ([C] Fig. 4b).

    Every pair {f, f'} with f in the class of `given` counts once for each such f: at f'·given/f. Where several units
    take f to `given` (it shares a factor with n), it counts at the mean of the places they lead to.
    """
    renamed = fold(np.outer(units(n), np.arange(1, n // 2 + 1)), n) - 1
    fixing = (renamed[:, given - 1] == given - 1).sum()
    return pairs[renamed[:, given - 1][:, None], renamed].sum(axis=0) / fixing


@cache  # as it is asked for in every draw
def _edges(m: int, n: int) -> Int[np.ndarray, "edges 2"]:
    """The rows and columns of the pairs {f, mf}, each once, for a unit m of Z_n."""
    f = np.arange(1, n // 2 + 1)
    image = fold(m * f, n)
    return np.unique(np.sort(np.stack([f, image], axis=1)[image != f], axis=1), axis=0) - 1


def related(pairs: _Pairs, m: int, n: int) -> float:
    """Number of pairs {f, mf}, each once, for a unit m of Z_n."""
    return float(pairs[*_edges(m, n).T].sum())


def multipliers(n: int) -> list[int]:
    """One of each m and 1/m, the smaller, as {f, mf} and {f, f/m} are the same; units of Z_n up to sign but 1."""
    return [m for m in units(n)[1:].tolist() if m <= fold(pow(m, -1, n), n)]


def multiples(n: int) -> Callable[[_Pairs], Float[np.ndarray, "m"]]:
    """A count for `against_random`: the pairs {f, mf} of each m of `multipliers`, in their order."""
    return lambda pairs, own=multipliers(n): np.array([related(pairs, m, n) for m in own])


def dispersion(
    members: Members,
    of_class: Int[np.ndarray, "frequencies"],
    count: Callable[[_Pairs], Float[np.ndarray, "m"]],
    draws: int,
    rng: np.random.Generator,
    blocks: Int[np.ndarray, "networks"] | None = None,
) -> Float[np.ndarray, "m"]:
    """Variance over mean of counts of pairs in sets of `at_random`; 1 is Poisson's, and stands where none occur.

    Blocks are independent, so MOST_BLOCKS of them tell enough.
    """
    blocks = np.arange(len(members)) if blocks is None else blocks
    some = np.isin(blocks, np.unique(blocks)[:MOST_BLOCKS])
    drawn = [count(together(at_random(members[some], of_class, rng, blocks[some]))) for _ in range(draws)]
    mean, variance = np.mean(drawn, axis=0), np.var(drawn, axis=0)
    return np.divide(variance, mean, where=variance > 0, out=np.ones_like(mean))


class Effect(NamedTuple):
    """A count against its expectation: the ratio with its interval at CONFIDENCE, and a two-sided p-value."""

    count: float
    expected: float
    ratio: float
    low: float
    high: float
    p: float

    @property
    def count_for_80_percent_power(self) -> float:
        """The expectation at which this ratio shows at p < 0.05, two-sided, in 4 of 5 times; NaN unless below 1.

        By the normal law: a count has the variance `expected` where there is no effect, ratio · `expected` with it.
        """
        if not 0 < self.ratio < 1:
            return float("nan")
        return float(((SURE + POWER * np.sqrt(self.ratio)) / (1 - self.ratio)) ** 2)


def detectable_ratio(expected: float) -> float:
    """The largest ratio below 1 that shows at this expectation, as `Effect.count_for_80_percent_power`; NaN where even 0 does not."""
    root = np.sqrt(expected)
    if root <= SURE:
        return float("nan")
    return float(((-POWER + np.sqrt(POWER**2 + 4 * root * (root - SURE))) / (2 * root)) ** 2)


def effect(count: int | float, expected: int | float, spread: int | float = 1.0) -> Effect:
    """Compare by Poisson's law for the count over its dispersion `spread`; all but the counts NaN where nothing is expected."""
    count, expected = float(count), float(expected)
    if expected <= 0:
        return Effect(count, expected, *[float("nan")] * 4)
    from scipy.special import chdtr, chdtrc, gammaincinv  # scipy.stats.chi2, which wraps them, takes ten times as long

    tail, k, mean = (1 - CONFIDENCE) / 2, count / spread, expected / spread
    low = gammaincinv(k, tail) if k else 0.0
    high = gammaincinv(k + 1, 1 - tail)
    at_most, at_least = chdtrc(2 * k + 2, 2 * mean), chdtr(2 * k, 2 * mean) if k else 1.0
    p = min(1.0, 2 * float(min(at_most, at_least)))
    return Effect(count, expected, count / expected, float(low / mean), float(high / mean), p)


def effects(
    counts: Shaped[np.ndarray, "m"], expected: Shaped[np.ndarray, "m"], spread: Float[np.ndarray, "m"] | None = None
) -> pd.DataFrame:
    """One row per count and its dispersion `spread`, or 1: the columns of `Effect`, and `q`, its p-value after Benjamini and Hochberg."""
    spread = np.ones(len(counts)) if spread is None else spread
    compared = [effect(*of) for of in zip(counts.tolist(), expected.tolist(), spread.tolist(), strict=True)]
    table = pd.DataFrame(compared, columns=Effect._fields).astype(float)
    return table.assign(q=adjusted(table.p))


def adjusted(p: pd.Series) -> pd.Series:
    """p-values after Benjamini and Hochberg, over all of them at once; NaN stays NaN."""
    from scipy.stats import false_discovery_control

    q = p.astype(float)
    known = q.notna()
    q[known] = false_discovery_control(q[known]) if known.any() else np.nan
    return q


def against_random(
    members: Members,
    of_class: Int[np.ndarray, "frequencies"],
    count: Callable[[_Pairs], Float[np.ndarray, "m"]],
    draws: int,
    rng: np.random.Generator,
    blocks: Int[np.ndarray, "networks"] | None = None,
) -> pd.DataFrame:
    """`effects` of counts of pairs against sets of `at_random`, and the `dispersion` they are corrected for."""
    spread = dispersion(members, of_class, count, draws, rng, blocks)
    return effects(*map(count, pairs_of(members, of_class)), spread).assign(dispersion=spread)


def summed(table: pd.DataFrame) -> Effect:
    """The rows of `against_random` as one count, with the mean of their dispersions, each by its expectation."""
    expected = table.expected.sum()
    return effect(table["count"].sum(), expected, (table.dispersion * table.expected).sum() / max(expected, 1e-9))


def set_aside(table: pd.DataFrame, chosen: int, aside: int) -> Effect:
    """The pairs {f, mf} of the multiple `chosen` against what those of the multiple `aside` leave to all others.

    A network of k frequencies has k(k − 1)/2 pairs: where one multiple is rarer, others are likelier. `table` has the
    rows of `against_random` with a column `multiple`.
    """
    others, row = table[table.multiple != aside], table.set_index("multiple").loc[chosen]
    left = others["count"].sum() / max(others.expected.sum(), 1e-9)
    return effect(row["count"], left * row.expected, row.dispersion)


def smallest_multiple(f: int, line: int, n: int) -> int:
    """The least m ≥ 1 with mf ≡ ±line (mod n); 0 if there is none."""
    reached = np.flatnonzero(fold(np.arange(1, n) * f, n) == line)
    return int(reached[0]) + 1 if len(reached) else 0
