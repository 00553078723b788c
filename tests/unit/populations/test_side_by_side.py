"""Numbers that set networks side by side, on networks that are exactly the diagonal or nearly the torus."""

import numpy as np
import pytest
from simple_networks import beside
from support import perfect_network

from modadd.core.fourier import fit
from modadd.core.neurons import three_dfts
from modadd.core.separable import Separable
from modadd.networks.architectures import Embedded
from modadd.populations.side_by_side import (
    factor_curves,
    key_frequencies,
    regressions,
    strongest_schemes,
)
from modadd.quadrature.scheme import schemes_of
from modadd.quadrature.torus import numbers_of
from modadd.quadrature.torus_measures import r2_diagonal_integrals


@pytest.fixture(scope="module")
def network():
    """64 neurons at each of two frequencies, those of frequency 5 with half the amplitude."""
    return beside(*(perfect_network(13, (k,), m=64, alpha=alpha) for k, alpha in ((2, 1.5), (5, 0.75))))


@pytest.fixture(scope="module")
def read(network):
    return strongest_schemes(network, 16)


@pytest.fixture(scope="module")
def embedded():
    """Something that embeds its numbers; its logits are not those of the reading."""
    x = 2 * np.pi * np.arange(13) / 13
    E = np.stack([3 * np.cos(4 * x), 3 * np.sin(4 * x), np.cos(x), np.sin(x)], axis=1)
    return Embedded(E, E, lambda a, b: (a * b) @ (a * b).T)


def test_reading_keeps_the_strongest_frequencies_in_order(network, read):
    assert list(read.schemes) == [2, 5]
    assert read.strongest.frequency == 2
    assert read.weights == pytest.approx([2 / 3, 1 / 3])
    assert list(strongest_schemes(network, 1).schemes) == [2]
    assert not strongest_schemes(Separable(network.A, network.B, 0 * network.W, network.C, network.D), 16).schemes


def test_factor_in_the_logits_is_the_diagonal(read):
    curves = factor_curves(read)
    assert curves.turn.is_monotonic_increasing
    assert curves.diagonal.to_numpy() == pytest.approx(np.abs(np.cos(curves.turn / 2)))
    assert curves.logits.to_numpy() == pytest.approx(curves.diagonal.to_numpy(), abs=0.01)


def test_regressions_are_fitted_and_readings_are_not(network, read, embedded):
    r2 = regressions(embedded, read, [2, 5])
    assert r2["full", "clock terms"] == fit(network.logits(), "clock", [2, 5]).r_squared
    assert r2["absolute", "pizza terms"] == fit(network.absolute_part(), "pizza", [2, 5]).r_squared
    assert r2["absolute", "diagonal, nothing fitted"] == r2_diagonal_integrals(network) > 0.999
    assert r2["absolute", "torus, nothing fitted"] == pytest.approx(8 / np.pi**2, abs=0.01)
    assert {part for part, _ in regressions(embedded, None, [4])} == {"full"}


def test_rows_are_those_of_the_schemes_and_of_what_they_leave_out(network, read):
    rows = read.by_frequency
    assert rows.frequency.tolist() == [2, 5]
    assert rows.neurons.tolist() == [64, 64]
    assert rows.weight.tolist() == pytest.approx([2 / 3, 1 / 3])
    for name, value in numbers_of(schemes_of(three_dfts(network))[5]).items():
        assert rows[name][1] == pytest.approx(value, abs=1e-12), name
    assert rows[["share of A", "share of B", "share of W", "ratio"]].to_numpy() == pytest.approx(1)
    shifted = Separable(network.A + 0.3, network.B, network.W, network.C, network.D)
    assert strongest_schemes(shifted, 16).by_frequency.constant.tolist() == pytest.approx([0.3 / 3, 0.3 / 1.5])


def test_frequencies_are_those_of_the_embedding_only_without_a_reading(read, embedded):
    assert key_frequencies(embedded, read, 16) == [2, 5]
    assert key_frequencies(embedded, None, 16) == [1, 4]
    assert key_frequencies(embedded, None, 1) == [4]
