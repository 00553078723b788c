from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from schemes import random_schemes
from support import perfect_network, perfect_scheme

from modadd.core.neurons import neurons_of
from modadd.quadrature.bounds import LIPSCHITZ
from modadd.quadrature.scheme import (
    INTEGRAL,
    PIECEWISE_ABSOLUTE,
    PIECEWISE_IDENTITY,
    PIECEWISE_RELU,
    gaps,
    integral_of,
    integrand,
    integrand_slope,
    one_phase,
    schemes_of,
    thinned,
    weighted_sum,
)


def test_weights_are_the_products_of_the_amplitudes_scaled_to_a_turn():
    network = perfect_network(frequencies=(1, 2), m=4)
    strength = np.tile([1.0, 2.0, 3.0, 4.0], 2)
    stronger = replace(network, W=strength[:, None] * network.W)
    neurons = neurons_of(stronger)
    schemes = schemes_of(neurons)
    assert list(schemes) == neurons.key_frequencies() == [1, 2]
    for k, scheme in schemes.items():
        assert (scheme.frequency, scheme.modulus) == (k, 7)
        assert (np.diff(scheme.phi) > 0).all(), "nodes are sorted by φ"
        assert scheme.weight.sum() == pytest.approx(2 * np.pi)
        made = (np.mod(scheme.phi - 0.3, 2 * np.pi) / (np.pi / 2)).round() % 4
        np.testing.assert_allclose(
            scheme.weight, 2 * np.pi * (made + 1) / 10, err_msg="each weight stays with its node"
        )


@pytest.mark.parametrize("f", [np.abs, np.positive])
def test_weighted_sum_is_the_sum_written_out(f):
    scheme = perfect_scheme(m=5)
    scheme = replace(scheme, psi=scheme.psi + 0.2, frequency=2)
    for s, found in enumerate(weighted_sum(scheme, f)):
        theta, expected = 2 * np.pi * 2 * s / 7, 0
        for phi, psi, weight in zip(scheme.phi, scheme.psi, scheme.weight, strict=True):
            cosine = np.cos(theta / 2 + phi)
            expected += weight * f(cosine) * np.exp(1j * psi)
        assert found == pytest.approx(expected), f"input sum {s}"


@given(random_schemes())
def test_gaps_sum_to_a_turn_and_are_not_negative(scheme):
    assert gaps(scheme).sum() == pytest.approx(2 * np.pi)
    assert (gaps(scheme) >= 0).all()


def test_integrand_has_period_pi_slope_at_most_2_and_the_stated_integral():
    phi = (np.arange(200_000) + 0.5) * np.pi / 200_000
    for theta, answer_phase in [(0.0, 0.0), (1.0, 0.4), (4.0, 2.0)]:
        h = integrand(phi, theta, answer_phase)
        np.testing.assert_allclose(integrand(phi + np.pi, theta, answer_phase), h, atol=1e-12)
        assert np.abs(np.diff(h)).max() <= LIPSCHITZ * (phi[1] - phi[0]) * (1 + 1e-9)
        assert 2 * h.mean() * np.pi == pytest.approx(INTEGRAL * np.cos(answer_phase - theta), abs=1e-6)


@pytest.mark.parametrize("theta", [0.0, 0.7, 3.0, -2.5])
def test_the_integral_is_four_thirds_with_the_bars_and_nothing_without(theta):
    assert abs(integral_of(np.abs, theta) - INTEGRAL * np.exp(-1j * theta)) < 1e-12
    assert abs(integral_of(np.positive, theta)) < 1e-12


@given(st.floats(-3, 3), st.floats(-3, 3), st.floats(-3, 3))
def test_slope_of_the_integrand_is_its_difference_quotient_and_at_most_lipschitz(phi, theta, answer_phase):
    step = 1e-6
    if abs(np.cos(theta / 2 + phi)) > 2 * step:  # away from the kinks
        ahead, behind = (integrand(np.array([phi + s]), theta, answer_phase)[0] for s in (step, -step))
        slope = integrand_slope(np.array([phi]), theta, answer_phase)[0]
        assert abs(slope - (ahead - behind) / (2 * step)) < 1e-6
        assert abs(slope) <= LIPSCHITZ


def test_thinning_keeps_every_step_th_node_and_the_total_weight():
    scheme = perfect_scheme(m=12)
    thin = thinned(scheme, 4)
    np.testing.assert_array_equal(thin.phi, scheme.phi[::4])
    assert thin.weight.sum() == pytest.approx(2 * np.pi)


@pytest.mark.parametrize(
    ("activation", "f"),
    [(PIECEWISE_ABSOLUTE, np.abs), (PIECEWISE_RELU, lambda u: np.maximum(u, 0)), (PIECEWISE_IDENTITY, np.asarray)],
)
def test_activations_are_the_functions_they_are_named_after(activation, f):
    u = np.linspace(-2, 2, 9)
    np.testing.assert_array_equal(activation.even * np.abs(u) + activation.odd * u, f(u))


def test_the_steepest_slope_is_reached_and_the_band_around_a_node_holds_the_curve():
    phi, turn = np.linspace(-np.pi, np.pi, 721), np.linspace(0, 2 * np.pi, 61)
    steepest = max(np.abs(integrand_slope(phi, theta, answer)).max() for theta in turn for answer in turn)
    assert steepest == pytest.approx(LIPSCHITZ, abs=1e-3)
    curve = integrand(phi, 0.0, 0.0)
    assert (np.abs(curve[:, None] - curve) <= LIPSCHITZ * np.abs(phi[:, None] - phi) + 1e-12).all()


def test_the_toy_formula_is_the_rule_of_two_points():
    two = one_phase(59, 12, np.array([0.0, np.pi / 2]), np.array([0.0, np.pi]), np.full(2, np.pi))
    half = two.thetas / 2
    toy = np.abs(np.cos(half)) - np.abs(np.sin(half))  # the formula of [Z] for cos 2t, t = θ/2
    np.testing.assert_allclose(weighted_sum(two).real, np.pi * toy, atol=1e-12)
    assert np.abs(toy - np.cos(2 * half)).max() < 0.2
