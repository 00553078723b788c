"""Which frequencies the clusters of many networks have, and whether they are uniform ([C] §4.1).

Frequencies stand for ±f: 1 … ⌊n/2⌋, in columns f − 1. x → ux with a unit u of Z_n only renames the residues, and the
recipe of [C] draws every row of its embeddings and every pair alike: the frequencies f of one *class*, of equal
gcd(f, n), are equally likely.
"""

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np
from jaxtyping import Bool, Int
from scipy.stats import chi2, chisquare

from modadd.core.fourier import signed_frequency

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
