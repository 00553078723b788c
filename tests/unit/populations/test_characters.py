"""Characters as circles, and the schemes of the neurons on them, on groups and networks with known answers."""

from dataclasses import replace

import numpy as np
import pytest

from modadd.core.groups import right_answers
from modadd.networks.measures import measured, measures_in
from modadd.networks.recipes import RECIPES
from modadd.networks.store import Network
from modadd.populations import characters
from modadd.populations.characters import character_schemes, on_circle, predicted_logits
from modadd.quadrature.torus import pair_schemes


def network(tables, operation, n):
    recipe = replace(RECIPES["group_mlp"], modulus=n, train_pairs=n**2, d_mlp=tables[0].shape[1], operation=operation)
    parameters = {name: table.astype(np.float32) for name, table in zip(("U", "V", "W_out"), tables, strict=True)}
    return Network(recipe, 0, parameters, {"accuracy": 1.0})


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
    found = character_measures(network(perfect(k, orders), operation, 25))
    assert found["characters"] == [k] and found["character_orders"] == [on_circle(k, orders)[0]]
    assert found["scheme_mismatch"] == pytest.approx(0, abs=1e-5)
    assert found["scheme_error"] < 0.01 and found["scheme_r_squared"] > 0.999


def test_random_answers_stand_for_no_integral():
    U, V, W = perfect(7, (5, 5))
    shuffled = np.random.default_rng(0).permutation(len(W))
    found = character_measures(network((U, V, W[shuffled]), "5x5", 25))
    assert found["scheme_mismatch"] > 1 and found["scheme_error"] > 0.3 and found["scheme_r_squared"] < 0.5


def test_on_a_prime_modulus_the_schemes_are_those_of_the_torus():
    torus = pair_schemes(network(perfect(3, (11,), h=8), "addition", 11).separable())
    circle = character_schemes(network(perfect(3, (11,), h=8), "addition", 11))
    assert list(torus) == list(circle) == [3]
    for name in ("phi_a", "phi_b", "psi", "weight", "total"):
        np.testing.assert_allclose(getattr(circle[3], name), getattr(torus[3], name), atol=1e-5)


def test_no_scheme_predicts_nothing():
    silent = network([np.zeros((4, 2)), np.zeros((4, 2)), np.zeros((2, 4))], "2x2", 4)
    assert character_schemes(silent) == {} and not predicted_logits({}, (2, 2)).any()
    assert np.isnan(character_measures(silent)["scheme_error"])
