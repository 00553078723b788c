"""Networks for the tests of the certificates, drawn by Hypothesis, and every certificate of a network."""

import numpy as np
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from support import perfect_network

from modadd.certificates.certify import by_brute_force, by_direct_sums, by_factors
from modadd.certificates.channels import by_channels, by_short_channels
from modadd.certificates.explained import explain
from modadd.certificates.ladder import by_flips
from modadd.core.separable import Separable

entries = st.floats(-2, 2, width=32)


@st.composite
def networks(draw, most_neurons=6):
    """Any network: biases, dead neurons and none at all, even and odd n, answers that bypass the ReLU."""
    n, h = draw(st.integers(2, 9)), draw(st.integers(0, most_neurons))
    tables = [draw(arrays(float, shape, elements=entries)) for shape in ((n, h), (n, h), (h, n), (n, n), (n, n))]
    return Separable(*tables)


@st.composite
def learned_networks(draw):
    """The perfect network with noise small enough that some of its inputs are certified and others may not be."""
    network, size = perfect_network(n=draw(st.sampled_from([5, 7, 8])), frequencies=(1, 2)), draw(st.floats(0, 0.15))
    rng = np.random.default_rng(draw(st.integers(0, 10**6)))
    return Separable(*(table + size * rng.normal(size=table.shape) for table in vars(network).values()))


def every_certificate(network):
    """Every certificate of this project that speaks of the network."""
    families = [explain(network, multiples, bypass) for multiples in (1, 2, 3) for bypass in (False, True)]
    return [
        *map(by_factors, families),
        *map(by_direct_sums, families),
        *(by_direct_sums(family, exact=True) for family in families),
        *(of(network, harmonics) for of in (by_channels, by_short_channels) for harmonics in ((), (0,), (0, 1, 2))),
        by_flips(network),
        by_brute_force(network),
    ]
