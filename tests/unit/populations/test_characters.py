"""Characters as circles, and the schemes of the neurons on them, on groups and networks with known answers."""

import numpy as np
import pytest
from simple_networks import of_group

from modadd.core.groups import right_answers
from modadd.core.neurons import three_dfts
from modadd.networks.registry import measured, measures_in
from modadd.populations import characters
from modadd.populations.characters import character_schemes, on_circle, predicted_logits
from modadd.quadrature.scheme import schemes_of


def character_measures(network):
    return measured(network, measures_in(characters))


def perfect(k, orders, h=60):
    """Neurons of one character with evenly spread phases φ_a, φ_b and ψ = φ_a + φ_b."""
    N, x = on_circle(k, orders)
    phases = 2 * np.pi * np.arange(h) / h
    first, second = (phase.ravel() for phase in np.meshgrid(phases, phases + 0.3))
    angle = 2 * np.pi * x[:, None] / N
    return np.cos(angle + first), np.cos(angle + second), np.cos(angle + first + second).T


@pytest.mark.parametrize(
    ("orders", "k", "order"), [((12,), 8, 3), ((12,), 5, 12), ((4, 6), 1, 6), ((4, 6), 6, 4), ((4, 6), 15, 2)]
)
def test_a_character_is_a_homomorphism_onto_the_residues_of_its_order(orders, k, order):
    N, x = on_circle(k, orders)
    assert N == order and set(x) == set(range(N))
    n = int(np.prod(orders))
    table = right_answers("x".join(map(str, orders)) if len(orders) > 1 else "addition", n)
    np.testing.assert_array_equal(x[table], (x[:, None] + x) % N)


@pytest.mark.parametrize(
    ("operation", "orders", "k"), [("5x5", (5, 5), 7), ("addition", (25,), 7), ("addition", (25,), 10)]
)
def test_even_phases_stand_for_their_integral_on_every_group(operation, orders, k):
    found = character_measures(of_group(perfect(k, orders), "group_mlp", operation))
    assert found["characters"] == [k] and found["character_orders"] == [on_circle(k, orders)[0]]
    assert found["scheme_mismatch"] == pytest.approx(0, abs=1e-5)
    assert found["scheme_error"] < 0.01 and found["scheme_r_squared"] > 0.999


def test_random_answers_stand_for_no_integral():
    U, V, W = perfect(7, (5, 5))
    shuffled = np.random.default_rng(0).permutation(len(W))
    found = character_measures(of_group((U, V, W[shuffled]), "group_mlp", "5x5"))
    assert found["scheme_mismatch"] > 1 and found["scheme_error"] > 0.3 and found["scheme_r_squared"] < 0.5


def test_on_a_prime_modulus_the_schemes_are_those_of_the_torus():
    torus = schemes_of(three_dfts(of_group(perfect(3, (11,), h=8), "group_mlp").separable()))
    circle = character_schemes(of_group(perfect(3, (11,), h=8), "group_mlp"))
    assert list(torus) == list(circle) == [3]
    for name in ("phi_a", "phi_b", "psi", "weight", "total"):
        np.testing.assert_allclose(getattr(circle[3], name), getattr(torus[3], name), atol=1e-5)


def test_no_scheme_predicts_nothing():
    silent = of_group([np.zeros((4, 2)), np.zeros((4, 2)), np.zeros((2, 4))], "group_mlp", "2x2")
    assert character_schemes(silent) == {} and not predicted_logits({}, (2, 2)).any()
    assert np.isnan(character_measures(silent)["scheme_error"])
