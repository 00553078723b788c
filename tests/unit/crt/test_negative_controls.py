"""For every intervention of Study C one that must fail: on a network that it does not fit, or so strong that it breaks one."""

from dataclasses import replace

import numpy as np
import pytest
from simple_networks import embedded, grid_network, random_network

from modadd.core.separable import Separable, accuracy
from modadd.crt import contributions, waves
from modadd.crt.simple_neuron_measures import accuracy_of_fits, accuracy_of_whole_fits, margin_of_fits_with_second_line
from modadd.handmade.smallest import four_neurons

N, FREQUENCIES = 13, [1, 5]
CHANCE = 1 / N
GRID = grid_network(N, FREQUENCIES)
OF_FIRST = np.arange(N**2)  # the neurons of the first frequency


def shuffled(table, axis, seed=0):
    """The table with the order of its entries changed along an axis, for every neuron alike."""
    return table.take(np.random.default_rng(seed).permutation(table.shape[axis]), axis)


@pytest.mark.parametrize("measure", [accuracy_of_fits, accuracy_of_whole_fits, margin_of_fits_with_second_line])
def test_neurons_that_are_no_sines_cannot_be_replaced_by_sines(measure):
    ramps = four_neurons(N)
    assert accuracy(ramps.logits()) == 1, "the trained tables would pass"
    assert measure(GRID) > 0.99
    assert not measure(ramps) > 0.5


def test_sines_of_random_frequencies_answer_nothing():
    rng = np.random.default_rng(0)
    wave = lambda: np.cos(2 * np.pi * np.outer(np.arange(N), rng.integers(1, 7, GRID.width)) / N)
    assert accuracy(GRID.logits()) == 1
    random = Separable(wave(), wave(), wave().T, GRID.C, GRID.D)
    assert accuracy(random.logits()) < 0.5


def test_noise_that_is_strong_enough_breaks_a_network_and_the_measure_sees_it(monkeypatch):
    few = embedded(grid_network(N, FREQUENCIES), FREQUENCIES)
    assert waves.accuracy_under_noise(few) > 0.9
    monkeypatch.setattr(waves, "SIGMA", 4.0)
    assert waves.accuracy_under_noise(replace(few)) < 0.5


def test_noise_that_is_strong_enough_changes_what_a_cluster_adds():
    network = embedded(GRID, FREQUENCIES)
    found = contributions.noise(network, OF_FIRST, [0.0, 4.0], draws=1, rng=np.random.default_rng(0))
    assert found.accuracy[0] == 1 and found.accuracy[1] < 0.5
    assert found.loss[1] > 10 * found.loss[0]


def test_a_network_without_its_neurons_knows_nothing():
    found = contributions.ablation(GRID, np.arange(GRID.width), [0, GRID.width], 1, np.random.default_rng(0))
    assert found.accuracy[0] == 1
    assert found.loss[1] == pytest.approx(np.log(N), rel=1e-12), "every answer is as likely as any other"


def test_what_does_not_follow_the_inputs_has_a_large_shift_error():
    values = contributions.contribution(GRID, OF_FIRST)
    assert contributions.shift_error(values, waves.SHIFT) < 1e-6
    assert contributions.shift_error(shuffled(values, 2), waves.SHIFT) > 0.7


def test_waves_of_random_lags_are_right_by_chance():
    rng = np.random.default_rng(0)
    lags = lambda spread: {f: spread * rng.uniform(-np.pi, np.pi, (N, N)) for f in FREQUENCIES}
    assert contributions.share_right_by_waves(lags(0)) == 1
    assert contributions.share_right_by_waves(lags(1)) < 4 * CHANCE


def test_a_sum_of_equal_waves_does_not_model_logits_that_are_no_waves():
    assert waves.profile_by_equal_waves(GRID) > 0.99
    assert not waves.profile_by_equal_waves(random_network(N, 20)) > 0.8
