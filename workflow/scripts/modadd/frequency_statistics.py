"""Which frequencies the clusters of many networks have: are they uniform, and do some avoid or seek each other ([C] §4.1).

Frequencies stand for ±f: 1 … ⌊n/2⌋, in columns f − 1. x → ux with a unit u of Z_n only renames the residues, and the
recipe of [C] draws every row of its embeddings and every pair alike: the frequencies f of one *class*, of equal
gcd(f, n), are equally likely, and a relation of f' to f is that of uf' to uf. So counts are pooled over all units.
"""

from collections.abc import Callable, Iterable
from typing import NamedTuple

import numpy as np
import pandas as pd
from jaxtyping import Bool, Float, Int, Shaped
from scipy.stats import chi2, chisquare, false_discovery_control, poisson

from modadd.fourier import signed_frequency
from modadd.populations import CONFIDENCE

Members = Bool[np.ndarray, "networks frequencies"]
Pairs = Shaped[np.ndarray, "frequencies frequencies"]


def fold(k: Int[np.ndarray, "*k"] | int, n: int) -> Int[np.ndarray, "*k"] | int:
    """The frequency 0 … ⌊n/2⌋ that a real function takes k for: k or −k mod n."""
    return abs(signed_frequency(k, n))


def membership(sets: Iterable[Iterable], n: int) -> Members:
    """Which frequencies each network has, one row per network."""
    sets = [np.asarray(frequencies, dtype=int) for frequencies in sets]
    members = np.zeros((len(sets), n // 2), dtype=bool)
    for row, frequencies in zip(members, sets, strict=True):
        row[frequencies - 1] = True
    return members


def classes(n: int) -> Int[np.ndarray, "frequencies"]:
    """gcd(f, n) of every frequency."""
    return np.gcd(np.arange(1, n // 2 + 1), n)


def units(n: int) -> Int[np.ndarray, "units"]:
    """The frequencies coprime to n: the units of Z_n up to sign."""
    f = np.arange(1, n // 2 + 1)
    return f[np.gcd(f, n) == 1]


def at_random(members: Members, of_class: Int[np.ndarray, "frequencies"], rng: np.random.Generator) -> Members:
    """Random distinct frequencies: for every network as many of each class as it has."""
    drawn = members.copy()
    for g in np.unique(of_class):
        drawn[:, of_class == g] = rng.permuted(members[:, of_class == g], axis=1)
    return drawn


class Uniformity(NamedTuple):
    """A test of equally likely frequencies: Cochran's Q and its p-value, from χ² and simulated; the plain χ² test beside.

    The frequencies of one network are distinct, which spreads them more evenly than independent draws: Q divides by the
    smaller variance, plain χ² does not and sees too little.
    """

    Q: float
    p: float
    p_simulated: float
    plain: float
    p_plain: float


def uniformity(members: Members, draws: int, rng: np.random.Generator) -> Uniformity:
    """Test whether all frequencies (columns) are equally likely, given how many each network has.

    The simulated p-value is over `draws` random sets of distinct frequencies. NaN where no network has a choice.
    """
    Q = cochran(members)
    if not np.isfinite(Q):
        return Uniformity(*[float("nan")] * 5)
    everything = np.ones(members.shape[1], dtype=int)
    drawn = [cochran(at_random(members, everything, rng)) for _ in range(draws)]
    plain = chisquare(members.sum(axis=0))
    reached = np.sum(np.array(drawn) >= Q * (1 - 1e-12))
    p = float(chi2.sf(Q, members.shape[1] - 1))
    return Uniformity(Q, p, float((1 + reached) / (1 + draws)), float(plain.statistic), float(plain.pvalue))


def cochran(members: Members) -> float:
    """Cochran's Q: variance of the counts of the columns over what distinct choices give; NaN if none had a choice."""
    N, of_network = members.shape[1], members.sum(axis=1)
    free = (of_network * (1 - of_network / max(N, 1))).sum()
    return float((N - 1) * N * members.sum(axis=0).var() / free) if free > 0 else float("nan")


def together(members: Members) -> Pairs:
    """Number of networks that have both frequencies; zero on the diagonal."""
    as_float = members.astype(float)
    found = np.rint(as_float.T @ as_float).astype(int)
    np.fill_diagonal(found, 0)
    return found


def expected_together(members: Members, of_class: Int[np.ndarray, "frequencies"]) -> Pairs:
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


def beside(pairs: Pairs, given: int, n: int) -> Float[np.ndarray, "frequencies"]:
    """The pairs that have `given` in them, by the other frequency, after renaming the residues ([C] Fig. 4b).

    Every pair {f, f'} with f in the class of `given` counts once for each such f: at f'·given/f. Where several units
    take f to `given` (it shares a factor with n), it counts at the mean of the places they lead to.
    """
    renamed = fold(np.outer(units(n), np.arange(1, n // 2 + 1)), n) - 1
    fixing = (renamed[:, given - 1] == given - 1).sum()
    return pairs[renamed[:, given - 1][:, None], renamed].sum(axis=0) / fixing


def related(pairs: Pairs, m: int, n: int, of: Bool[np.ndarray, "frequencies"] | None = None) -> float:
    """Number of pairs {f, mf}, each once, for a unit m of Z_n; only those with f and mf among the frequencies `of`."""
    f = np.arange(1, n // 2 + 1)
    image = fold(m * f, n)
    edges = np.unique(np.sort(np.stack([f, image], axis=1)[image != f], axis=1), axis=0) - 1
    if of is not None:
        edges = edges[of[edges].all(axis=1)]
    return float(pairs[edges[:, 0], edges[:, 1]].sum())


def multipliers(n: int) -> list[int]:
    """One of each m and 1/m, the smaller: {f, mf} and {f, f/m} are the same pairs. The units of Z_n up to sign but 1."""
    return [m for m in units(n)[1:].tolist() if m <= fold(pow(m, -1, n), n)]


class Effect(NamedTuple):
    """A count against its expectation: the ratio with its interval (Poisson, at CONFIDENCE) and a two-sided p-value.

    Distinct frequencies make counts of pairs a little less variable than Poisson's law has it: the p-value errs towards 1.
    """

    count: float
    expected: float
    ratio: float
    low: float
    high: float
    p: float


def effect(count: int | float, expected: int | float) -> Effect:
    """Compare; all but the counts NaN where nothing is expected."""
    count, expected = float(count), float(expected)
    if expected <= 0:
        return Effect(count, expected, *[float("nan")] * 4)
    tail = (1 - CONFIDENCE) / 2
    low = chi2.ppf(tail, 2 * count) / 2 if count else 0.0
    high = chi2.ppf(1 - tail, 2 * count + 2) / 2
    p = min(1.0, 2 * min(poisson.cdf(count, expected), poisson.sf(count - 1, expected)))
    return Effect(count, expected, count / expected, float(low / expected), float(high / expected), float(p))


def effects(counts: Shaped[np.ndarray, "m"], expected: Float[np.ndarray, "m"]) -> pd.DataFrame:
    """One row per count: the columns of `Effect`, and `q`, its p-value after Benjamini and Hochberg."""
    table = pd.DataFrame(
        [effect(*pair) for pair in zip(counts.tolist(), expected.tolist(), strict=True)], columns=Effect._fields
    )
    known = table.p.notna()
    table["q"] = np.nan
    if known.any():
        table.loc[known, "q"] = false_discovery_control(table.p[known])
    return table


def simulated_p(
    members: Members,
    of_class: Int[np.ndarray, "frequencies"],
    count: Callable[[Pairs], float],
    draws: int,
    rng: np.random.Generator,
) -> float:
    """Two-sided p-value of a count of pairs, over `draws` sets drawn by `at_random`."""
    own = count(together(members))
    drawn = np.array([count(together(at_random(members, of_class, rng))) for _ in range(draws)])
    return float(min(1.0, 2 * min(1 + (drawn <= own).sum(), 1 + (drawn >= own).sum()) / (1 + draws)))


def smallest_multiple(f: int, line: int, n: int) -> int:
    """The least m ≥ 1 with mf ≡ ±line (mod n); 0 if there is none."""
    reached = np.flatnonzero(fold(np.arange(1, n) * f, n) == line)
    return int(reached[0]) + 1 if len(reached) else 0
