"""Measures of what single networks are shown for: waves of clusters, level sets, components of the embeddings."""

from dataclasses import replace

import numpy as np
import pytest
from simple_networks import embedded, grid_network, silent_network, simple_network

from modadd.core.fourier import share_of_variance
from modadd.crt import components, coset_measures, waves
from modadd.crt.cosets import level_set
from modadd.crt.simple_neuron_measures import (
    margin_of_fits,
    margin_of_fits_with_second_line,
    mean_margin,
    r_squared_postactivation,
)
from modadd.networks.registry import measured, measures_in

N = 13


def of(module, network):
    return measured(network, measures_in(module))


def test_clusters_of_all_shifts_add_waves_without_lag_that_move_with_the_inputs_and_bear_noise():
    found = of(waves, embedded(grid_network(N, [1, 5]), [1, 5]))
    assert found["cluster_shape"] == pytest.approx([1, 1]) and found["median_shape"] == pytest.approx(1)
    assert found["cluster_shift_error"] == pytest.approx([0, 0], abs=1e-6)
    assert found["median_shift_error"] == pytest.approx(0, abs=1e-6)
    assert found["right_by_waves"] == 1 and found["profile_by_equal_waves"] == pytest.approx(1)
    assert np.isnan(found["shift_error_of_few"]), "no cluster is small"
    assert found["accuracy_under_noise"] > 0.9


def test_the_mean_margin_counts_wrong_answers_as_negative():
    silent = silent_network(N)
    repeats_a = replace(silent, C=3 * np.eye(N), D=np.zeros((N, N)))
    assert mean_margin(repeats_a) == pytest.approx(3 * (1 - (N - 1)) / N), "right by 3 where b = 0, else wrong by 3"


def test_lags_of_half_a_turn_point_at_no_right_answer():
    network = grid_network(N, [1, 5])
    turned = replace(network, W=-network.W)
    assert waves.right_by_waves(turned) == 0
    assert waves.median_shape(turned) == pytest.approx(1), "A may be negative"


def test_simple_neurons_receive_most_on_their_level_sets_and_are_constant_on_cosets():
    found = of(coset_measures, simple_network(12, [1, 3, 3], [0, 1, 2], [2, 3, 1]))
    assert found["level_set_overlap"] == found["points_at_level_set"] == 1
    assert found["constant_on_cosets"] == pytest.approx(1)
    assert np.isnan(found["half_minus_one_period"]), "no neuron is fine-tuning"


def test_a_neuron_that_points_elsewhere_misses_the_level_set():
    network = simple_network(31, 1, 0, 0)
    away = replace(network, W=np.roll(network.W, 2, axis=1))
    assert level_set(1, 0, 31).tolist() == [0, 1, 2, 29, 30]
    assert coset_measures.points_at_level_set(away) == pytest.approx(3 / 5)


def test_components_of_two_planes_have_their_frequencies_and_keep_the_rule():
    network = embedded(grid_network(N, [1, 5]), [1, 5], stretched=0.8)
    found = of(components, network)
    assert found["components_in_clusters"] == found["share_of_pure_pairs_by_rule"] == 1
    assert found["variance_in_clusters"] == pytest.approx(1)
    assert found["neurons_not_circular"] == found["neurons_draw_lissajous"] == 1
    assert found["median_fourfold"] == pytest.approx(0, abs=1e-9), "thirteen phases, evenly spaced"
    assert components.least_even_plane(network) == pytest.approx(0.8)


def test_what_simple_neurons_leave_of_a_network_of_simple_neurons_is_all_of_it():
    network = grid_network(N, [1, 5])
    assert margin_of_fits(network) == pytest.approx(1) and margin_of_fits_with_second_line(network) == pytest.approx(1)
    assert r_squared_postactivation(network) == pytest.approx(1)


def test_a_silent_network_has_no_numbers():
    silent = silent_network(N)
    assert all(np.isnan(value) for value in of(coset_measures, silent).values())
    found = of(waves, embedded(silent, [1]))
    assert found.pop("cluster_shape") == found.pop("cluster_shift_error") == []
    assert found.pop("profile_by_equal_waves") == 0 and all(np.isnan(value) for value in found.values())
    found = of(components, embedded(silent, [1]))
    assert found.pop("share_of_pure_pairs_by_rule") == 1 and found.pop("variance_in_clusters") == 0
    assert all(np.isnan(value) for value in found.values())
    assert np.isnan(margin_of_fits(silent))


def test_one_neuron_cannot_move_with_the_inputs():
    few = waves.shift_error_of_few(simple_network(N, [1, 5], [0, 3], [0, 4]))
    assert few == min(waves.cluster_shift_error(simple_network(N, [1, 5], [0, 3], [0, 4]))) > 0.7


def test_half_a_period_explains_a_neuron_that_is_half_a_period():
    half = np.cos(np.pi * np.arange(N) / N)[:, None]
    network = replace(simple_network(N, 1, 0, 0), A=half, B=half)
    whole = share_of_variance(half, np.array([1]))[0]
    assert 0 < coset_measures.half_minus_one_period(network) == pytest.approx(1 - whole)
