"""The pictures of the tutorial show what is known of a network built by hand."""

import numpy as np
import pytest
from support import perfect_network, perfect_scheme

from modadd.core.neurons import neurons_of
from modadd.core.separable import centred
from modadd.plots import how_a_network_adds

N, K = 11, (2, 3, 5)


@pytest.fixture
def network():
    return perfect_network(N, K)


def test_the_sum_of_rectangles_is_a_wave_with_its_top_at_the_right_answer():
    figure, numbers = how_a_network_adds.rectangles(perfect_scheme(m=41, n=N), right=4)
    np.testing.assert_allclose(numbers["sum"], 4 / 3 * np.cos(2 * np.pi * (numbers.c - 4) / N), atol=0.003)
    assert numbers["sum"].idxmax() == 4 and figure.axes[0].get_title() == "c = 4: sum 1.33"
    cancelling = int(figure.axes[1].get_title().split()[2].rstrip(":"))
    assert abs(np.cos(2 * np.pi * (cancelling - 4) / N)) == pytest.approx(-np.cos(2 * np.pi * 3 / N))


def test_waves_meet_at_the_right_answer_and_circles_mark_the_best_wrong_ones(network):
    right = 6
    figure, numbers = how_a_network_adds.one_and_several(neurons_of(network), 3, centred(network.logits()[2, 4]), right)
    waves = numbers[[f"k={k}" for k in K]]
    assert (waves.loc[right] == 1).all() and numbers.logit.idxmax() == right and numbers.off[right] == 0
    assert [ax.get_title() for ax in figure.axes] == ["one frequency, k = 3", "3 frequencies", "the network"]
    circles = figure.axes[0].lines[1].get_xdata()
    assert sorted(circles) == [-4, 4], "3 · 4 = 12 is one step from 11"


def test_phases_lie_on_the_line(network):
    neurons = neurons_of(network)
    figure, numbers = how_a_network_adds.draw_phase_law(network, neurons, np.flatnonzero(neurons.frequency == 3))
    np.testing.assert_allclose(numbers.psi, 2 * numbers.phi, atol=1e-12)
    assert len(numbers) == 8 and len(figure.axes[0].lines) == 4
