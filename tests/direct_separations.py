"""Separations of frequencies and their probability written out term by term, for the tests of the approximate CRT."""

from itertools import combinations, product
from math import pi

import numpy as np
from hypothesis import strategies as st

PUBLISHED_DELTA = pi / np.e**3


def direct_separation(frequencies, n, weights=None):
    """Σ w − max_{d≠0} Σ w cos(2πfd/n), term by term."""
    weights = [1.0] * len(frequencies) if weights is None else weights
    h = [sum(w * np.cos(2 * pi * f * d / n) for f, w in zip(frequencies, weights, strict=True)) for d in range(1, n)]
    return sum(weights) - max(h)


def direct_probability(n, m, delta, distinct=False):
    """Share of all draws that separate, one by one: all (n − 1)^m tuples, or all sets of 1 … ⌊n/2⌋."""
    draws = list(combinations(range(1, n // 2 + 1), m) if distinct else product(range(1, n), repeat=m))
    return np.mean([direct_separation(draw, n) > delta * m for draw in draws])


def sets_of_frequencies(n, most=6):
    return st.lists(st.integers(1, n - 1), min_size=1, max_size=most).map(np.array)
