from dataclasses import replace

import numpy as np
import pytest
from scipy.integrate import quad
from support import perfect_network

from modadd.core.neurons import three_dfts
from modadd.core.separable import Separable, TwoTables
from modadd.networks.architectures import ACTIVATIONS
from modadd.quadrature.activated import (
    activated_measures,
    activated_schemes,
    error_of_random_turns,
    even_logits,
    integral_by_points,
)
from modadd.quadrature.scheme import INTEGRAL, error_at_inputs, quadrature_sum, read_at_inputs, schemes_of
from modadd.quadrature.torus import own_factor
from modadd.quadrature.torus_measures import rms_two_phases

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


def error_of(scheme):
    """The error at every input of a scheme whose neurons compute anything."""
    return error_at_inputs(scheme, integral_by_points(scheme))


@pytest.mark.parametrize(("activation", "halves"), [("abs", 2), ("relu", 1)])
def test_the_error_of_absolute_values_is_that_of_the_torus(activation, halves):
    network = random_network()
    scheme = schemes_of(three_dfts(network))[K]
    expected = halves * scheme.total / (2 * np.pi) * error_at_inputs(scheme, INTEGRAL * own_factor(scheme))
    found = error_of(activated_schemes(network, activation)[K])
    np.testing.assert_allclose(found, expected, atol=1e-4 * scheme.strength)


@pytest.mark.parametrize("activation", ACTIVATIONS)
def test_the_integral_is_that_of_adaptive_quadrature_at_every_difference(activation):
    scheme = activated_schemes(random_network(level=0.7), activation)[K]
    g, delta = ACTIVATIONS[activation], (scheme.phi_a - scheme.phi_b) / 2
    for d in range(N):
        rho = scheme.amplitude * np.cos(np.pi * K / N * d + delta)
        second = [
            quad(lambda u, c=c, r=r: g(np.array(c + r * np.cos(u))) * np.cos(2 * u), 0, np.pi, limit=200)[0] / np.pi
            for c, r in zip(scheme.level, rho, strict=True)
        ]
        assert integral_by_points(scheme)[d] == pytest.approx(np.dot(second, scheme.weight), abs=1e-3)


def test_three_even_nodes_are_exact_for_squares_and_the_factor_is_the_square_of_the_cosine():
    scheme = even_nodes(3, "square", level=0.4)
    assert np.abs(error_of(scheme)).max() < 1e-12
    expected = np.cos(np.pi * K / N * np.arange(N)) ** 2 * (scheme.weight * scheme.amplitude**2).sum() / 4
    np.testing.assert_allclose(integral_by_points(scheme), expected, atol=1e-12)


@pytest.mark.parametrize("activation", ["softplus", "gelu"])
def test_even_nodes_integrate_a_smooth_activation_at_its_own_scale(activation):
    scheme = even_nodes(40, activation, level=0.4)
    assert np.abs(error_of(scheme)).max() < 1e-6 * integral_by_points(scheme).max()
    doubled = replace(scheme, amplitude=2 * scheme.amplitude)
    assert integral_by_points(doubled)[0] != pytest.approx(2 * integral_by_points(scheme)[0], rel=0.01), (
        "it is not homogeneous"
    )


def test_the_real_part_of_the_sum_is_what_reaches_the_logits():
    network = random_network(level=0.7)
    scheme, turn = activated_schemes(network, "gelu")[K], np.exp(2j * np.pi * K / N * np.arange(N))
    read = read_at_inputs(scheme)
    total = quadrature_sum(scheme, read, scheme.even)
    np.testing.assert_allclose((total[..., None] * turn).real, even_logits(network, "gelu"), atol=1e-12)
    whole = total + quadrature_sum(scheme, read, scheme.odd)
    np.testing.assert_allclose(
        (whole[..., None] * turn).real,
        ACTIVATIONS["gelu"](network.preactivations()) @ network.W,
        atol=1e-12,
    )


@pytest.mark.parametrize("activation", ["abs", "softplus"])
def test_error_of_random_angles_is_that_of_many_draws(activation):
    scheme, rng, squares = activated_schemes(random_network(level=0.3), activation)[K], np.random.default_rng(1), []
    inputs = np.arange(N)
    # Both phases turn together, so I(d) stays as it is.
    integral = integral_by_points(scheme)[(inputs[:, None] - inputs) % N]
    integral = integral * np.exp(-2j * np.pi * K / N * (inputs[:, None] + inputs))
    for _ in range(2000):
        turn = rng.uniform(0, 2 * np.pi, len(scheme.weight))
        phi_a, phi_b = scheme.phi_a + turn, scheme.phi_b + turn
        drawn = replace(scheme, phi_a=phi_a, phi_b=phi_b, psi=phi_a + phi_b)
        squares.append(np.mean(np.abs(quadrature_sum(drawn, read_at_inputs(drawn), drawn.even) - integral) ** 2))
    assert np.sqrt(np.mean(squares)) == pytest.approx(error_of_random_turns(scheme), rel=0.03)


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


@pytest.mark.parametrize(
    ("activation", "mean", "odd"), [("abs", 2 / np.pi, 0), ("relu", 2 / np.pi, None), ("square", 0.5, 0)]
)
def test_integrals_have_their_known_means_and_even_activations_no_odd_part(activation, mean, odd):
    tables = TwoTables(*vars(perfect_network(N, (1, 3, 4), m=24)).values())
    found = activated_measures(tables, activation)
    assert found["mean_integral"] == pytest.approx([mean] * 3, abs=0.01)
    assert found["secondary_share"] == pytest.approx([0] * 3, abs=1e-12)
    if odd is not None:
        assert found["odd_part"] == pytest.approx([odd] * 3, abs=1e-12)


def test_errors_of_a_scheme_are_over_its_largest_integral_and_over_random_turns():
    network = random_network(level=0.3)
    found = activated_measures(TwoTables(*vars(network).values()), "softplus")
    scheme = activated_schemes(network, "softplus")[K]
    assert found["largest_integral"] == pytest.approx([np.abs(integral_by_points(scheme)).max()])
    inputs = np.arange(N)
    integral = integral_by_points(scheme)[(inputs[:, None] - inputs) % N]
    integral = integral * np.exp(-2j * np.pi * K / N * (inputs[:, None] + inputs))
    error = np.abs(quadrature_sum(scheme, read_at_inputs(scheme), scheme.even) - integral)
    assert found["error_over_random"] == pytest.approx([np.sqrt((error**2).mean()) / error_of_random_turns(scheme)])
    assert found["integral_error"] == pytest.approx([error.max() / np.abs(integral).max()])
