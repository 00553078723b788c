"""Networks as the sets of their frequencies, for the tests of which frequencies occur and which occur together."""

import numpy as np
from hypothesis import strategies as st

from modadd.populations.frequencies import membership

moduli = st.sampled_from([5, 9, 12, 13, 15, 21, 35])


@st.composite
def populations(draw):
    """A modulus and the frequencies of networks."""
    n = draw(moduli)
    f = st.integers(1, n // 2)
    return n, draw(st.lists(st.lists(f, unique=True), min_size=1, max_size=8))


def drawn(n, sizes, seed):
    """Networks of uniform distinct frequencies."""
    rng = np.random.default_rng(seed)
    return membership([rng.choice(n // 2, size, replace=False) + 1 for size in sizes], n)
