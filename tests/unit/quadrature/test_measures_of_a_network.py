"""The measures of networks with known answers."""

from dataclasses import replace

import numpy as np
import pytest
from support import perfect_network

import modadd.quadrature.measures
from modadd.networks.measures import measured, measures_in


def measures(network):
    """All that tables alone decide of the mechanism."""
    return measured(network, measures_in(modadd.quadrature.measures, modadd.certificates.measures))


@pytest.fixture(scope="module")
def perfect():
    return measures(perfect_network(n=11, frequencies=(2, 3, 5), m=16))


def test_every_number_of_a_key_frequency_is_a_list_over_them(perfect):
    assert perfect["frequencies"] == [2, 3, 5] and perfect["neurons"] == [16, 16, 16]
    for name in ("angle_term", "lipschitz_bound", "interval_mean", "absolute_coefficients", "phase_line_slope"):
        assert len(perfect[name]) == 3, name


def test_bounds_stand_in_order(perfect):
    for actual, spectral, bound in zip(perfect["worst_case"], perfect["spectral_64"], perfect["whole_bound"]):
        assert actual <= 4 / 3 * spectral <= bound


def test_an_identity_part_is_measured_with_its_sign():
    network = perfect_network(n=11, frequencies=(2, 3, 5), m=16)
    x = 2 * np.pi / 11 * np.arange(11)[:, None]
    k, phi = np.repeat([2, 3, 5], 16), np.tile(0.3 + np.pi / 8 * np.arange(16), 3)
    table = network.A - 0.2 * np.cos(2 * (k * x + phi))  # each neuron carries some of twice its frequency
    found = measures(replace(network, A=table, B=table))
    assert all(D < 0 for D in found["identity_coefficients"])
    assert found["identity_mass"] > 0.9


def test_a_network_without_neurons_that_do_anything_has_measures_too():
    nothing = np.zeros((7, 4))
    silent = replace(perfect_network(n=7), A=nothing, B=nothing, W=nothing.T)
    found = measures(silent)
    assert found["certified_share_k_2k"] == 0.0
    assert set(found) == set(measures(perfect_network(n=7)))
