"""Are all frequencies equally likely ([C] §4.1, Fig. 25)? A test, how uneven they are, and counts of chosen ones.

The frequencies of one network are distinct, which spreads them more evenly than independent draws; networks of one seed
have frequencies in common, which spreads them less. All three count with the variance that follows.
"""

from typing import NamedTuple

import numpy as np
from jaxtyping import Int

from modadd.core.statistics import CONFIDENCE
from modadd.populations.frequencies import Members
from modadd.populations.frequency_pairs import Effect, effect


class Uniformity(NamedTuple):
    """A test of equally likely frequencies: Cochran's Q, its p-value from χ², and how uneven they are beyond chance.

    unevenness: coefficient of variation of the likelihoods, by moments; 0 where Q is below its mean by chance.
    low, high: its interval at CONFIDENCE, from the noncentral χ² law. A Q below its mean by chance has the upper end of
    that mean, so that luck makes no limit better than the number of networks allows.
    """

    Q: float
    p: float
    unevenness: float
    low: float
    high: float


def uniformity(
    members: Members,
    of_class: Int[np.ndarray, "frequencies"] | None = None,
    blocks: Int[np.ndarray, "networks"] | None = None,
) -> Uniformity:
    """Test whether all frequencies, or all classes of them, are equally likely, given how many each network has.

    A class is likely in proportion to its size. Networks of one block keep what they have in common, as in `at_random`.
    NaN where no network has a choice, or there is one class only.
    """
    from scipy.optimize import brentq
    from scipy.stats import chi2, ncx2

    Q = cochran(members, of_class, blocks)
    freedom = (members.shape[1] if of_class is None else len(np.unique(of_class))) - 1
    if not np.isfinite(Q) or not freedom:
        return Uniformity(*[float("nan")] * 5)
    scale = chance_variance(members, blocks) / members.sum() ** 2  # squared unevenness of noncentrality 1
    limit = lambda Q, tail: brentq(lambda beyond: ncx2.cdf(Q, freedom, beyond) - tail, 0, 10 * Q + 100)
    tail = (1 - CONFIDENCE) / 2
    low = limit(Q, 1 - tail) if chi2.cdf(Q, freedom) > 1 - tail else 0.0
    squares = np.array([max(Q - freedom, 0.0), low, limit(max(Q, freedom), tail)]) * scale
    return Uniformity(Q, float(chi2.sf(Q, freedom)), *np.sqrt(squares).tolist())


def cochran(
    members: Members,
    of_class: Int[np.ndarray, "frequencies"] | None = None,
    blocks: Int[np.ndarray, "networks"] | None = None,
) -> float:
    """Cochran's Q: squared deviations of the counts of frequencies, or classes, over what distinct choices give.

    NaN if no network had a choice.
    """
    N, counts = members.shape[1], members.sum(axis=0)
    variance = chance_variance(members, blocks)
    own = np.arange(N) if of_class is None else np.unique(of_class, return_inverse=True)[1]
    off = np.bincount(own, counts - counts.mean())
    return float(N * (off**2 / np.bincount(own)).sum() / variance) if variance > 0 else float("nan")


def chance_variance(members: Members, blocks: Int[np.ndarray, "networks"] | None = None) -> float:
    """V: the number of clusters in frequencies that are a share s of all has the variance s(1 − s)V by chance."""
    N = members.shape[1]
    which = np.arange(len(members)) if blocks is None else np.unique(blocks, return_inverse=True)[1]
    together = np.zeros((which.max(initial=-1) + 1, N))
    np.add.at(together, which, members)
    return float(N / max(N - 1, 1) * ((together**2).sum() - (together.sum(axis=1) ** 2).sum() / max(N, 1)))


def occurrences(
    members: Members, frequencies: Int[np.ndarray, "m"], blocks: Int[np.ndarray, "networks"] | None = None
) -> Effect:
    """How often any of the given frequencies occur, against equal likelihood of all; blocks as in `uniformity`."""
    part = len(frequencies) / max(members.shape[1], 1)
    expected = part * members.sum()
    variance = part * (1 - part) * chance_variance(members, blocks)
    return effect(int(members[:, frequencies - 1].sum()), expected, variance / expected if variance > 0 else 1.0)
