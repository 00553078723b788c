"""Networks for the tests of the certificates, drawn by Hypothesis, their exact margins, and every certificate of them."""

from dataclasses import replace
from fractions import Fraction

import numpy as np
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from support import perfect_network

from modadd.certificates.certify import by_brute_force, by_direct_sums, by_factors
from modadd.certificates.channels import by_short_channels
from modadd.certificates.coarse import by_coarse_channels
from modadd.certificates.explained import explain
from modadd.certificates.ladder import by_flips
from modadd.core.separable import Separable
from modadd.networks.store import Network

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


def exactly(table):
    """Floats as fractions."""
    return np.vectorize(Fraction, otypes=[object])(table)


def exact_margins(A, B, W, C, D):
    """Margins of tables of fractions, in exact arithmetic."""
    n = len(A)
    found = np.empty((n, n), object)
    for a, b in np.ndindex(n, n):
        logits = [Fraction(x) for x in np.maximum(A[a] + B[b], 0) @ W + C[a] + D[b]]
        right = logits.pop((a + b) % n)
        found[a, b] = right - max(logits)
    return found


def factored(recipe):
    """A network of an architecture that adds: the tables of the perfect network, factored."""
    network, one = perfect_network(n=13, frequencies=(1, 2, 5), m=12), np.eye(13)
    parameters = {
        "two_layer_mlp": {"W_E": one, "W_in": network.A, "W_U": network.W},
        "group_mlp": {"U": network.A, "V": network.B, "W_out": network.W},
        "embedding_mlp": {"E_a": one, "E_b": one, "W_in": np.vstack([network.A, network.B]), "b_in": np.zeros(36)}
        | {"W_out": network.W, "b_out": np.zeros(13)},
    }[recipe.architecture]
    sizes = {"d_mlp": 36, "modulus": 13} | ({"d_model": 13} if "W_in" in parameters else {})
    parameters = {name: value.astype(np.float32) for name, value in parameters.items()}
    return Network(replace(recipe, **sizes), 0, parameters, {})


@st.composite
def wild_networks(draw):
    """Networks of few neurons whose entries differ by up to 18 orders of magnitude, so that float sums cancel badly."""
    n, h = draw(st.integers(2, 4)), draw(st.integers(1, 3))
    size = st.integers(-9, 9).flatmap(lambda e: st.floats(-1, 1).map(lambda x: x * 10.0**e))
    return Separable(*(draw(arrays(float, shape, elements=size)) for shape in ((n, h), (n, h), (h, n), (n, n), (n, n))))


@st.composite
def networks_of_any_size(draw):
    """Networks whose tables, and whose entries, lie anywhere between the smallest and the largest floats."""
    n, h = draw(st.integers(2, 4)), draw(st.integers(1, 3))
    tables = []
    for shape in ((n, h), (n, h), (h, n), (n, n), (n, n)):
        exponent, spread = draw(st.integers(-1000, 1000)), draw(st.sampled_from([0, 3, 60]))
        entry = st.tuples(st.floats(-1, 1), st.integers(-spread, 0))
        tables.append(draw(arrays(object, shape, elements=entry.map(lambda x, e=exponent: np.ldexp(x[0], e + x[1])))))
    return Separable(*(table.astype(float) for table in tables))


def every_certificate(network):
    """Every certificate of this project that speaks of the network."""
    families = [explain(network, multiples, bypass) for multiples in (1, 2, 3) for bypass in (False, True)]
    return [
        *map(by_factors, families),
        *map(by_direct_sums, families),
        *(by_direct_sums(family, exact=True) for family in families),
        *(of(network) for of in (by_short_channels, by_coarse_channels, by_flips, by_brute_force)),
    ]
