import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.stats import linregress
from simple_networks import beside
from support import perfect_network

from modadd.core.neurons import KEY_SHARE, at_frequency, neurons_of, secondary_share
from modadd.core.separable import Separable
from modadd.quadrature.scheme import phase_line, phase_mismatch, unwrapped

angles = arrays(float, 6, elements=st.floats(-np.pi, np.pi))


def test_amplitudes_phases_and_frequencies_of_the_hand_made_network_are_regained():
    neurons = neurons_of(perfect_network(frequencies=(1, 3), m=4, alpha=1.5, beta=0.5, first_angle=0.3))
    made = 0.3 + np.pi / 2 * np.tile(np.arange(4), 2)
    assert neurons.frequency.tolist() == [1] * 4 + [3] * 4
    np.testing.assert_allclose(neurons.alpha, 1.5)
    np.testing.assert_allclose(neurons.beta, 0.5)
    np.testing.assert_allclose(np.exp(1j * neurons.phi), np.exp(1j * made))
    np.testing.assert_allclose(np.exp(1j * neurons.psi), np.exp(2j * made))
    for share in (neurons.share_A, neurons.share_B, neurons.share_W):
        np.testing.assert_allclose(share, 1, err_msg="a pure cosine is explained in full")
    assert neurons.one_frequency.all()
    assert neurons.counts() == {1: 4, 3: 4}


def test_a_neuron_of_two_frequencies_is_reported_as_such():
    network = perfect_network(frequencies=(1,), m=4)
    other = perfect_network(frequencies=(2,), m=4)
    B, W = network.B.copy(), network.W.copy()
    B[:, 0], W[1] = other.B[:, 0], other.W[1]
    neurons = neurons_of(Separable(network.A, B, W, network.C, network.D))
    assert neurons.one_frequency.tolist() == [False, False, True, True]
    assert neurons.frequency.tolist() == [1] * 4, "a neuron is read at the frequency of A"
    assert neurons.primary_B.tolist() == [2, 1, 1, 1]
    assert neurons.primary_W.tolist() == [1, 2, 1, 1]


@pytest.mark.parametrize(("factor", "kept"), [(0.9, [1]), (1.1, [1, 2])])
def test_key_frequencies_carry_at_least_a_hundredth_of_the_weight(factor, kept):
    scale = factor * KEY_SHARE / (1 - factor * KEY_SHARE)
    strong, weak = perfect_network(frequencies=(1,), m=4), perfect_network(frequencies=(2,), m=4, beta=0.5 * scale)
    assert neurons_of(beside(strong, weak)).key_frequencies() == kept


def test_strongest_frequencies_are_chosen_by_weight_and_listed_by_frequency():
    network = perfect_network(frequencies=(1, 2, 3), m=4)
    strength = np.repeat([2.0, 1.0, 3.0], 4)[:, None]
    neurons = neurons_of(Separable(network.A, network.B, strength * network.W, network.C, network.D))
    assert neurons.strongest(1) == [3]
    assert neurons.strongest(2) == [1, 3]
    assert neurons.strongest(9) == [1, 2, 3]
    many, strong = perfect_network(frequencies=(1,), m=8, beta=0.5), perfect_network(frequencies=(2,), m=4, beta=0.8)
    assert neurons_of(beside(many, strong)).strongest(1) == [1], "a frequency weighs what all of its neurons do"


def test_at_another_frequency_a_pure_neuron_has_no_amplitude():
    inward, outward = at_frequency(perfect_network(frequencies=(1,), m=4, alpha=1.5, beta=0.5), 2)
    np.testing.assert_allclose([inward.amplitude, outward.amplitude], 0, atol=1e-12)
    inward, outward = at_frequency(perfect_network(frequencies=(1,), m=4, alpha=1.5, beta=0.5), 1)
    np.testing.assert_allclose([inward.amplitude, outward.amplitude], [[1.5] * 4, [0.5] * 4])


@given(phi=angles, off=arrays(float, 6, elements=st.floats(-3, 3)), turns=st.integers(-2, 2))
def test_mismatch_and_unwrapping_do_not_see_whole_turns(phi, off, turns):
    psi = 2 * phi + off + 2 * np.pi * turns
    np.testing.assert_allclose(phase_mismatch(phi, psi), off, atol=1e-9)
    np.testing.assert_allclose(unwrapped(phi, psi), 2 * phi + off, atol=1e-9)


def test_phase_line_of_exact_data_has_slope_2_and_r_squared_1():
    phi = np.linspace(-3, 3, 20)
    line = phase_line(phi, np.angle(np.exp(1j * (2 * phi + 0.25))))
    assert line == pytest.approx((2, 0.25, 1))


def test_phase_line_of_noisy_data_is_the_regression_line():
    phi = np.linspace(-3, 3, 20)
    noisy = 2 * phi + np.where(np.arange(20) % 2, 1.5, -1.5)
    expected = linregress(phi, noisy)
    assert phase_line(phi, noisy) == pytest.approx((expected.slope, expected.intercept, expected.rvalue**2))
    assert phase_line(phi, noisy).r_squared < 0.9


@pytest.mark.parametrize(("count", "defined"), [(0, False), (2, False), (3, True)])
def test_phase_line_is_not_defined_under_three_neurons(count, defined):
    phi = np.linspace(0, 1, count)
    assert np.isfinite(phase_line(phi, 2 * phi)).all() == defined, "any line fits two points"
    assert np.isnan(phase_line(phi, 2 * phi)).all() != defined


def test_a_frequency_whose_double_is_no_other_has_no_secondary_share():
    x = np.arange(12)[:, None]
    table = sum(np.cos(2 * np.pi * k * x / 12 + np.arange(3)) for k in (2, 4))
    assert secondary_share(table, 2) == pytest.approx(1 / 2)
    assert secondary_share(table, 4) == secondary_share(table, 6) == 0
