import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from simple_networks import beside
from support import perfect_network

from modadd.core.fourier import wrap
from modadd.core.neurons import neurons_of, three_dfts
from modadd.core.separable import Separable
from modadd.quadrature.bounds import angle_term, boxes
from modadd.quadrature.formula import explained
from modadd.quadrature.scheme import (
    INTEGRAL,
    Scheme,
    error_at_inputs,
    gaps,
    logits_of_integral,
    phase_mismatch,
    quadrature_error,
    quadrature_sum,
    read_at_inputs,
    schemes_of,
)
from modadd.quadrature.torus import (
    MEAN,
    diagonal_factor,
    error_of_random_angles,
    numbers_of,
    own_factor,
    shown_factor,
    torus_bound,
    torus_factor,
)

GRID = 16  # angles on each circle of the torus network
PERFECT = 64  # neurons per frequency of the diagonal one


def torus_network(n=13, frequencies=(2,), alpha=1.5, beta=0.5):
    """For each frequency a neuron at every point of a grid on the torus of (φ_a, φ_b), ψ = φ_a + φ_b exactly."""
    circle = 2 * np.pi * (np.arange(GRID) + 0.3) / GRID
    phi_a, phi_b = np.tile(np.stack(np.meshgrid(circle, circle)).reshape(2, -1), len(frequencies))
    angle = 2 * np.pi / n * np.outer(np.arange(n), np.repeat(frequencies, GRID**2))
    W = beta * np.cos(angle + phi_a + phi_b).T
    return Separable(
        alpha * np.cos(angle + phi_a), alpha * np.cos(angle + phi_b), W, np.zeros((n, n)), np.zeros((n, n))
    )


@st.composite
def random_pairs(draw):
    """Angles anywhere on the torus, positive weights of sum 2π, output phases off φ_a + φ_b by up to half a turn."""
    m, n = draw(st.integers(1, 8)), draw(st.sampled_from([5, 7, 8]))
    phi_a, phi_b, noise = draw(arrays(float, (3, m), elements=st.floats(-3.14, 3.14)))
    r = draw(arrays(float, m, elements=st.floats(0.01, 1)))
    psi = wrap(phi_a + phi_b + draw(st.floats(0, 1)) * noise)
    return Scheme(n, draw(st.integers(1, 2)), phi_a, phi_b, psi, 2 * np.pi * r / r.sum(), float(r.sum()))


def test_angles_that_fill_the_torus_make_a_clock():
    network = torus_network()
    scheme = schemes_of(three_dfts(network))[2]
    assert scheme.coherence == pytest.approx(0, abs=1e-12)
    assert scheme.rms(scheme.mismatch) == pytest.approx(0, abs=1e-12)
    assert scheme.effective_neurons == pytest.approx(GRID**2)
    assert np.abs(error_at_inputs(scheme, INTEGRAL * torus_factor(scheme))).max() < 0.02 * INTEGRAL
    absolute = network.absolute_part()
    assert explained(absolute, logits_of_integral(scheme, scheme.strength * torus_factor(scheme))) > 0.999
    # A factor |cos| put where the constant 2/π is: 1 − E(|cos| − 2/π)²/(2/π)² = 2 − π²/8, E over the n differences.
    assert explained(absolute, logits_of_integral(scheme, scheme.strength * diagonal_factor(scheme))) == pytest.approx(
        2 - np.pi**2 / 8, abs=0.01
    )


def test_equal_angles_are_the_scheme_of_one_embedding_and_make_a_pizza():
    network = perfect_network(n=13, frequencies=(2,), m=PERFECT)
    scheme, one = schemes_of(three_dfts(network))[2], schemes_of(neurons_of(network))[2]
    assert scheme.coherence == pytest.approx(1, abs=1e-12)
    for field in ("phi", "psi", "weight"):
        assert getattr(scheme.one_sided, field) == pytest.approx(getattr(one, field), abs=1e-12)
    a, b = np.indices((13, 13))
    factor = diagonal_factor(scheme)
    at_sum = quadrature_error(one)[(a + b) % 13]
    assert error_at_inputs(scheme, INTEGRAL * factor) == pytest.approx(factor[(a - b) % 13] * at_sum, abs=1e-12)
    absolute = network.absolute_part()
    assert explained(absolute, logits_of_integral(scheme, scheme.strength * factor)) > 0.999
    # The constant 2/π put where |cos| is explains (2/π)²/E cos² = 8/π² of it, E over the n differences.
    assert explained(absolute, logits_of_integral(scheme, scheme.strength * torus_factor(scheme))) == pytest.approx(
        8 / np.pi**2, abs=0.01
    )


@given(random_pairs())
def test_the_sum_is_the_neurons_one_by_one(scheme):
    n, w = scheme.modulus, 2 * np.pi * scheme.frequency / scheme.modulus
    expected = np.zeros((n, n), complex)
    for phi_a, phi_b, psi, weight in zip(scheme.phi_a, scheme.phi_b, scheme.psi, scheme.weight, strict=True):
        for a in range(n):
            for b in range(n):
                product = np.cos(w * (a - b) / 2 + (phi_a - phi_b) / 2) * np.cos(w * (a + b) / 2 + (phi_a + phi_b) / 2)
                expected[a, b] += weight * abs(product) * np.exp(1j * psi)
    assert quadrature_sum(scheme, read_at_inputs(scheme), np.abs) == pytest.approx(expected, abs=1e-12)


@given(random_pairs(), arrays(float, (2, 20), elements=st.floats(0, 6.3)))
def test_the_bound_holds_at_every_angle_and_not_only_at_the_inputs(scheme, angles):
    difference, theta = angles  # w_k d and w_k(a + b), any real ones
    sigma, delta = (scheme.phi_a + scheme.phi_b) / 2, (scheme.phi_a - scheme.phi_b) / 2
    moduli = np.abs(np.cos(difference[:, None] / 2 + delta) * np.cos(theta[:, None] / 2 + sigma))
    error = moduli @ (scheme.weight * np.exp(1j * scheme.psi)) - INTEGRAL * MEAN * np.exp(-1j * theta)
    over_inputs = np.abs(error_at_inputs(scheme, INTEGRAL * torus_factor(scheme))).max()
    for harmonics in (1, 3, 16):
        assert max(np.abs(error).max(), over_inputs) <= torus_bound(scheme, harmonics) + 1e-12


@pytest.mark.parametrize("diagonal", [True, False], ids=["diagonal", "torus"])
def test_error_of_random_angles_is_that_of_many_draws(diagonal):
    rng = np.random.default_rng(1)
    r = rng.uniform(0.2, 1, 12)
    weight, squares = 2 * np.pi * r / r.sum(), []
    for _ in range(500):
        phi_a, phi_b = rng.uniform(-np.pi, np.pi, (2, 12))
        phi_b = phi_a if diagonal else phi_b
        scheme = Scheme(11, 3, phi_a, phi_b, phi_a + phi_b, weight, 1.0)
        factor = diagonal_factor(scheme) if diagonal else torus_factor(scheme)
        squares.append(np.mean(np.abs(error_at_inputs(scheme, INTEGRAL * factor)) ** 2))
    expected = error_of_random_angles(scheme, diagonal) ** 2
    assert np.mean(squares) == pytest.approx(expected, abs=4 * np.std(squares) / np.sqrt(500))


@given(st.floats(-3.14, 3.14), st.sampled_from([7, 8]))
def test_the_own_factor_of_a_fixed_difference_of_phases_is_a_shifted_pizza(difference, n):
    phi = np.linspace(0, 6, 9)
    scheme = Scheme(n, 3, phi + difference, phi, 2 * phi + difference, np.full(9, 2 * np.pi / 9), 1.0)
    expected = [abs(np.cos(np.pi * 3 * d / n + difference / 2)) for d in range(n)]
    assert own_factor(scheme) == pytest.approx(np.array(expected), abs=1e-12)
    assert scheme.coherence == pytest.approx(1)


@pytest.mark.parametrize("n, k", [(7, 1), (7, 3), (8, 3), (8, 4)])
def test_the_factor_in_the_logits_is_read_off_them(n, k):
    factors = np.random.default_rng(0).normal(size=(2, n))
    schemes = [Scheme(n, f, *np.zeros((3, 1)), np.array([2 * np.pi]), total) for f, total in ((k, 3.0), (2, 5.0))]
    logits = np.random.default_rng(1).normal(size=(n, n, 1))  # constants over c
    for scheme, factor in zip(schemes, factors, strict=True):
        logits = logits + logits_of_integral(scheme, scheme.strength * factor)
    for scheme, factor in zip(schemes, factors, strict=True):
        assert shown_factor(logits, scheme) == pytest.approx(factor, abs=1e-12)


def test_schemes_are_those_of_the_frequencies_that_count():
    strong, weak = torus_network(frequencies=(2,)), torus_network(frequencies=(5,), alpha=0.05 * 1.5, beta=0.05 * 0.5)
    (scheme,) = schemes_of(three_dfts(beside(strong, weak))).values()
    assert scheme.frequency == 2
    assert scheme.total == pytest.approx(1.5 * 0.5 * GRID**2)
    assert scheme.strength == pytest.approx(scheme.total * 2 / (3 * np.pi))
    assert scheme.weight.sum() == pytest.approx(2 * np.pi)
    silent = Separable(strong.A, strong.B, 0 * strong.W, strong.C, strong.D)
    assert schemes_of(three_dfts(silent)) == {}


def test_what_is_published_asks_for_one_phase():
    scheme = schemes_of(three_dfts(torus_network()))[2]
    for asks in (quadrature_error, angle_term, gaps):
        with pytest.raises(ValueError, match="expected one phase for both inputs, got two"):
            asks(scheme)
        asks(scheme.one_sided)


def test_angles_are_averaged_by_weight():
    scheme = Scheme(7, 1, *np.zeros((3, 2)), 2 * np.pi * np.array([0.75, 0.25]), 1.0)
    assert scheme.rms(np.array([0.0, 2.0])) == pytest.approx(1)
    assert scheme.effective_neurons == pytest.approx(1 / (0.75**2 + 0.25**2))


@settings(max_examples=10)
@given(random_pairs())
def test_measures_are_those_of_the_parts_in_units_of_the_integral(scheme):
    found = numbers_of(scheme)
    for reading, factor in (("diagonal", diagonal_factor), ("torus", torus_factor), ("own", own_factor)):
        error = np.abs(error_at_inputs(scheme, INTEGRAL * factor(scheme)))
        assert found[f"error, {reading}"] * INTEGRAL == pytest.approx(error.max())
        if reading != "own":
            chance = error_of_random_angles(scheme, reading == "diagonal")
            assert found[f"of random angles, {reading}"] * chance == pytest.approx(
                np.linalg.norm(error) / error.shape[0]
            )
    one = scheme.one_sided
    assert found["bound, diagonal"] * INTEGRAL == pytest.approx(angle_term(one) + boxes(one, True).lipschitz_bound)
    assert found["bound, torus"] * INTEGRAL == pytest.approx(torus_bound(scheme))
    assert found["coherence"] == scheme.coherence
    assert found["rms, two phases"] == pytest.approx(scheme.rms(wrap(scheme.psi - scheme.phi_a - scheme.phi_b)))
    assert found["rms, one phase"] == pytest.approx(scheme.rms(phase_mismatch(scheme.phi_a, scheme.psi)))


def test_the_bound_comes_near_the_largest_error_as_harmonics_are_added():
    rng = np.random.default_rng(0)
    phi_a, phi_b = rng.uniform(-np.pi, np.pi, (2, 30))
    scheme = Scheme(59, 7, phi_a, phi_b, phi_a + phi_b, np.full(30, 2 * np.pi / 30), 1.0)
    largest = np.abs(error_at_inputs(scheme, INTEGRAL * torus_factor(scheme))).max()
    bounds = [torus_bound(scheme, harmonics) for harmonics in (4, 16, 64)]
    assert bounds == sorted(bounds, reverse=True)
    assert largest <= bounds[-1] < 1.2 * largest
