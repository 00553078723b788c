"""Which frequencies the clusters of many networks have, by class and at random, and how far they separate ([C] §5.4).

Frequencies stand for ±f: 1 … ⌊n/2⌋, in columns f − 1. x → ux with a unit u of Z_n only renames the residues, and the
recipe of [C] draws every row of its embeddings and every pair alike: the frequencies f of one *class*, of equal
gcd(f, n), are equally likely.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence

import numpy as np
import pandas as pd
from jaxtyping import Bool, Float, Int

from modadd.core.fourier import signed_frequency
from modadd.crt.random_sets import draw, separations
from modadd.crt.theory import published_bound, separation

DIGITS = 9  # to which two separations count as equal: sets that a unit maps to each other differ by rounding
Members = Bool[np.ndarray, "networks frequencies"]


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


def in_common(first: Members, second: Members) -> tuple[float, float]:
    """Mean number of frequencies that both have, of rows of equal place, and of unequal places: that is by chance."""
    networks = len(first)
    same = float((first & second).sum())
    others = float(first.sum(axis=0) @ second.sum(axis=0)) - same
    return same / max(networks, 1), others / max(networks * (networks - 1), 1)


def at_random(
    members: Members,
    of_class: Int[np.ndarray, "frequencies"],
    rng: np.random.Generator,
    blocks: Int[np.ndarray, "networks"] | None = None,
) -> Members:
    """Random distinct frequencies: for every network as many of each class as it has.

    Networks of one block, by default every network is its own, keep what they have in common: their frequencies are
    renamed alike.
    """
    alone = np.arange(len(members)) if blocks is None else blocks
    known, which = np.unique(alone, return_inverse=True)
    drawn = members.copy()
    for g in np.unique(of_class):
        own = np.flatnonzero(of_class == g)
        renaming = rng.permuted(np.tile(own, (len(known), 1)), axis=1)
        drawn[:, own] = np.take_along_axis(members, renaming[which], axis=1)
    return drawn


def rank_among_random_sets(
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
    from scipy.stats import percentileofscore

    own = round(separation(frequencies, n), DIGITS)
    return m, own / m, percentileofscore(random[:, m - 1], own, kind="mean") / 100


def _weighted(frequencies: Sequence[int], weights: Sequence[float], n: int) -> float:
    total = sum(weights)
    return separation(np.array(frequencies), n, np.array(weights, dtype=float)) / total if total else np.nan


def among_random(
    networks: Mapping[str, pd.DataFrame], trials: int, generator: Callable[[int], np.random.Generator]
) -> pd.DataFrame:
    """`rank_among_random_sets` of the clusters of networks, with columns population (the names given) and n (their modulus)."""
    every = pd.concat([rows.assign(population=name) for name, rows in networks.items()], ignore_index=True)
    return pd.concat(
        rank_among_random_sets(
            rows.cluster_frequencies.tolist(), n, trials, generator(n), rows.cluster_weights.tolist()
        ).assign(population=name, n=n)
        for (name, n), rows in every.groupby(["population", "modulus"], sort=False)
    )


def separation_by_population(
    found: pd.DataFrame, simulated: Callable[[int], pd.DataFrame], delta: float, rho: float
) -> pd.DataFrame:
    """`among_random` in short, one row per population; `simulated` draws distinct frequencies of a modulus.

    rank z: distance of the mean rank from ½ in standard errors. asked by bound: the number of frequencies for which the
    published bound promises the median separation with probability ρ.
    """
    likely_of = {n: simulated(n) for n in found.n.unique().tolist()}
    likely = [
        np.interp(m, [0, *likely_of[n].m], [0, *likely_of[n].probability])
        for m, n in zip(found.m, found.n, strict=True)
    ]
    groups = found.assign(separated=found.share > delta, random=likely).groupby("population", sort=False)
    table = groups.agg(
        n=("n", "first"),
        networks=("m", "size"),
        clusters=("m", "mean"),
        separated=("separated", "mean"),
        at_random=("random", "mean"),
        least=("share", "min"),
        median=("share", "median"),
        own_weights=("weighted", "median"),
        rank=("rank", "mean"),
    )
    table["rank z"] = (table["rank"] - 1 / 2) * np.sqrt(12 * table.networks)  # uniform ranks have variance 1/12
    table["asked by bound"] = [
        published_bound(n, share, rho) for n, share in zip(table.n, table["median"], strict=True)
    ]
    return table


def least_of_populations(summary: pd.DataFrame) -> dict[str, float]:
    """The least of the lines of `separation_by_population`: of the separations over m, of the mean ranks, and of how many
    more clusters the bound asks for than networks have on average.
    """
    return {
        "trained_least": summary.least.min(),
        "trained_rank": summary["rank"].min(),
        "trained_asked_less_clusters": (summary["asked by bound"] - summary.clusters).min(),
    }
