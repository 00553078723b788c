"""What the theorists assume, on their own closed form and on networks that break it in one way."""

import numpy as np
import pytest
from scipy.stats import chisquare, combine_pvalues
from simple_networks import of_group

from modadd.crt.cosets import rayleigh_p
from modadd.handmade.gromov import closed_form
from modadd.networks.registry import measured, measures_in
from modadd.populations import theorists
from modadd.populations.assumptions import assumptions_of
from modadd.populations.theorists import crowding

N, H = 31, 150  # ten neurons for each of fifteen frequencies
FREQUENCY = 1 + np.arange(H) % (N // 2)


def of_tables(U, V, W, operation="addition"):
    return measured(of_group((U, V, W), operation=operation), measures_in(theorists))


@pytest.fixture
def drawn():
    """The closed form with uniform phases, as Gromov assumes."""
    first, second = np.random.default_rng(0).uniform(-np.pi, np.pi, (2, H))
    return closed_form(N, FREQUENCY, first, second)


def test_the_closed_form_with_random_phases_is_as_assumed(drawn):
    found = of_tables(*drawn)
    assert found["working_neurons"] == H
    assert found["outside_closed_form"] < 1e-6 and found["closed_form_mismatch"] < 1e-6
    assert found["unequal_sizes"] < 1e-6
    assert found["frequencies_even_p"] == pytest.approx(1)
    assert found["phases_uniform_p"] > 0.05 and found["phase_crowding"] == pytest.approx(1, abs=0.5)


def test_even_phases_are_told_from_drawn_ones_and_so_are_crowded_ones():
    order = np.arange(H) // (N // 2)  # of the neurons of one frequency
    for phases, crowded in ((2 * np.pi * order / 10, 0), (0.1 * order, 10)):
        found = of_tables(*closed_form(N, FREQUENCY, phases, phases + 0.3))
        assert found["phases_uniform_p"] < 0.01
        assert found["phase_crowding"] == pytest.approx(crowded, rel=0.1, abs=0.01)


def test_frequencies_that_half_of_the_neurons_share_are_uneven(drawn):
    frequency = np.where(np.arange(H) % 2, FREQUENCY, 3)
    assert of_tables(*closed_form(N, frequency, np.arange(H) * 1.0, np.arange(H) * 2.0))["frequencies_even_p"] < 1e-6


def test_idle_neurons_do_not_count(drawn):
    size = np.where(np.arange(H) < 15, 1, 0.05)
    idle = of_tables(drawn.U * size, drawn.V * size, drawn.W * size[:, None])
    assert idle["working_neurons"] == 15
    assert np.isnan(idle["phases_uniform_p"]) and np.isnan(idle["phase_crowding"]), "no frequency has five of them"
    assert idle["frequencies_even_p"] == pytest.approx(1)


def test_weights_beside_the_cosines_and_other_output_phases_are_found(drawn):
    x = 2 * np.pi * np.arange(N)[:, None] / N
    beside = of_tables(drawn.U + np.sqrt(0.25) * np.cos((FREQUENCY % 15 + 1) * x), drawn.V, drawn.W)
    assert beside["outside_closed_form"] == pytest.approx(0.25 / 3.25, rel=1e-3)
    turned = of_tables(drawn.U, drawn.V, np.roll(drawn.W, 1, axis=1))
    assert turned["closed_form_mismatch"] > 0.5


def test_a_group_that_is_not_cyclic_has_no_closed_form():
    U, V, W = closed_form(25, 1 + np.arange(24) % 12, np.arange(24) * 1.0, np.arange(24) * 2.0)
    found = of_tables(U, V, W, "5x5")
    assert all(np.isnan(value) for name, value in found.items() if name != "working_neurons")


def test_no_group_of_phases_has_no_crowding():
    assert np.isnan(crowding([]))


def test_draws_are_as_crowded_together_as_one_by_one():
    groups = np.split(np.random.default_rng(1).uniform(0, 7, (20, 12)), [5], axis=1)
    assert crowding(groups) == pytest.approx([crowding([group[draw] for group in groups]) for draw in range(20)])


def test_p_values_are_those_of_the_tests_that_scipy_names(drawn):
    frequency = np.where(np.arange(H) % 5, FREQUENCY, 3)
    network = of_group(closed_form(N, frequency, np.arange(H) * 1.0, np.arange(H) * 2.0))
    found = assumptions_of(network)
    assert found["p, frequencies even"] == chisquare(theorists.neurons_by_frequency(network)).pvalue
    crowded = [rayleigh_p(phases) for phases in theorists.phases_by_frequency(network)]
    assert found["p, phases crowded"] == combine_pvalues(crowded).pvalue


def test_no_neuron_of_a_network_of_zeros_works():
    nothing = of_group((np.zeros((N, H)), np.zeros((N, H)), np.zeros((H, N))))
    assert measured(nothing, ["working_neurons"])["working_neurons"] == 0
