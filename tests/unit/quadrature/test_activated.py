from dataclasses import replace

import numpy as np
import pytest
from scipy.integrate import quad
from support import perfect_network

from modadd.core.separable import Separable, TwoTables
from modadd.networks.architectures import ACTIVATIONS
from modadd.quadrature.activated import activated_measures, activated_schemes, even_logits
from modadd.quadrature.pair_measures import rms_two_phases
from modadd.quadrature.torus import own_factor, pair_error, pair_schemes

N, K = 11, 3


def random_network(seed=0, h=6, level=0.0):
    """Neurons of one frequency with angles anywhere on the torus, and ψ off φ_a + φ_b."""
    rng = np.random.default_rng(seed)
    phi_a, phi_b, off = rng.uniform(-np.pi, np.pi, (3, h))
    alpha, beta = rng.uniform(0.5, 2, (2, h))
    angle = 2 * np.pi * K / N * np.arange(N)[:, None]
    W = (beta * np.cos(angle + phi_a + phi_b + 0.2 * off)).T
    A, B = alpha * np.cos(angle + phi_a) + level, alpha * np.cos(angle + phi_b)
    return Separable(A, B, W, np.zeros((N, N)), np.zeros((N, N)))


def even_nodes(h, activation, level=0.0):
    """The scheme of h even nodes with ψ = 2φ."""
    perfect = perfect_network(N, (K,), m=h)
    return activated_schemes(replace(perfect, A=perfect.A + level), activation)[K]


@pytest.mark.parametrize(("activation", "halves"), [("abs", 2), ("relu", 1)])
def test_the_error_of_absolute_values_is_that_of_the_torus(activation, halves):
    network = random_network()
    scheme = pair_schemes(network)[K]
    expected = halves * scheme.total / (2 * np.pi) * pair_error(scheme, own_factor(scheme))
    found = activated_schemes(network, activation)[K].error()
    np.testing.assert_allclose(found, expected, atol=1e-4 * scheme.strength)


@pytest.mark.parametrize("activation", ACTIVATIONS)
def test_the_integral_is_that_of_adaptive_quadrature_at_every_difference(activation):
    scheme = activated_schemes(random_network(level=0.7), activation)[K]
    g, delta = ACTIVATIONS[activation], (scheme.angles.phi_a - scheme.angles.phi_b) / 2
    for d in range(N):
        rho = 2 * scheme.alpha * np.cos(np.pi * K / N * d + delta)
        second = [
            quad(lambda u, c=c, r=r: g(np.array(c + r * np.cos(u))) * np.cos(2 * u), 0, np.pi, limit=200)[0] / np.pi
            for c, r in zip(scheme.level, rho, strict=True)
        ]
        assert scheme.integral()[d] == pytest.approx(np.dot(second, scheme.beta), abs=1e-3)


def test_three_even_nodes_are_exact_for_squares_and_the_factor_is_the_square_of_the_cosine():
    scheme = even_nodes(3, "square", level=0.4)
    assert np.abs(scheme.error()).max() < 1e-12
    expected = np.cos(np.pi * K / N * np.arange(N)) ** 2 * (scheme.beta * scheme.alpha**2).sum()
    np.testing.assert_allclose(scheme.integral(), expected, atol=1e-12)


@pytest.mark.parametrize("activation", ["softplus", "gelu"])
def test_even_nodes_integrate_a_smooth_activation_at_its_own_scale(activation):
    scheme = even_nodes(40, activation, level=0.4)
    assert np.abs(scheme.error()).max() < 1e-6 * scheme.integral().max()
    doubled = replace(scheme, alpha=2 * scheme.alpha)
    assert doubled.integral()[0] != pytest.approx(2 * scheme.integral()[0], rel=0.01), "it is not homogeneous"


def test_the_real_part_of_the_sum_is_what_reaches_the_logits():
    network = random_network(level=0.7)
    scheme, turn = activated_schemes(network, "gelu")[K], np.exp(2j * np.pi * K / N * np.arange(N))
    total = scheme.total(scheme.even(scheme.inputs()))
    np.testing.assert_allclose((total[..., None] * turn).real, even_logits(network, "gelu"), atol=1e-12)
    whole = scheme.even(scheme.inputs()) + scheme.odd(scheme.inputs())
    np.testing.assert_allclose(
        (scheme.total(whole)[..., None] * turn).real,
        ACTIVATIONS["gelu"](network.preactivations()) @ network.W,
        atol=1e-12,
    )


@pytest.mark.parametrize("activation", ["abs", "softplus"])
def test_error_of_random_angles_is_that_of_many_draws(activation):
    scheme, rng, squares = activated_schemes(random_network(level=0.3), activation)[K], np.random.default_rng(1), []
    inputs = np.arange(N)
    # Both phases turn together, so I(d) stays as it is.
    integral = scheme.integral()[(inputs[:, None] - inputs) % N]
    integral = integral * np.exp(-2j * np.pi * K / N * (inputs[:, None] + inputs))
    for _ in range(2000):
        turn = rng.uniform(0, 2 * np.pi, len(scheme.beta))
        phi_a, phi_b = scheme.angles.phi_a + turn, scheme.angles.phi_b + turn
        drawn = replace(scheme, angles=replace(scheme.angles, phi_a=phi_a, phi_b=phi_b, psi=phi_a + phi_b))
        squares.append(np.mean(np.abs(drawn.total(drawn.even(drawn.inputs())) - integral) ** 2))
    assert np.sqrt(np.mean(squares)) == pytest.approx(scheme.error_of_random_angles(), rel=0.03)


@pytest.mark.parametrize("activation", ACTIVATIONS)
def test_a_perfect_network_is_measured_as_one(activation):
    perfect = perfect_network(N, (1, 3, 4), m=24)
    found = activated_measures(TwoTables(*vars(perfect).values()), activation)
    assert found["frequencies"] == [1, 3, 4] and found["neurons"] == [24] * 3
    assert max(found["integral_error"]) < 0.02 and found["r2_integrals"] > 0.9999
    assert found["accuracy_even_part"] == found["accuracy_integrals"] == 1
    assert max(found["level_over_amplitude"]) < 1e-12


def test_a_network_of_nothing_has_no_frequency():
    nothing = TwoTables(*(np.zeros(shape) for shape in ((N, 4), (N, 4), (4, N), (N, N), (N, N))))
    found = activated_measures(nothing, "gelu")
    assert found["frequencies"] == [] and np.isnan(found["r2_integrals"]) and found["accuracy_integrals"] == 0


def test_output_phases_that_follow_nothing_are_found_out():
    perfect = perfect_network(N, (1, 3, 4), m=24)
    W = perfect.W[np.random.default_rng(0).permutation(len(perfect.W))]
    network = replace(perfect, W=W)
    assert max(rms_two_phases(network)) > 0.5 and activated_measures(network, "square")["r2_integrals"] < 0.5
