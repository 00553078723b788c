"""Spectral weights, key sets and pure neurons, on networks and groups with known answers."""

import numpy as np
import pytest
from simple_networks import of_group

from modadd.core.fourier import term
from modadd.core.groups import right_answers
from modadd.handmade.gromov import closed_form
from modadd.networks.registry import measured, measures_in
from modadd.populations import spectral_measures
from modadd.populations.spectra import purest, spectral_count, spectral_weights

N = 11


def all_of(network):
    return measured(network, measures_in(spectral_measures))


def test_weights_of_two_clock_terms_are_their_squares():
    logits = 3 * term("clock", 2, N) + 4 * term("clock", 5, N) + 7
    weights = spectral_weights(logits, (N,))
    assert weights[[2, 5]] == pytest.approx([9 / 25, 16 / 25])
    assert weights.sum() == pytest.approx(1)
    assert spectral_count(weights) == 2 and spectral_count(weights, rest=0.4) == 1
    assert spectral_count(np.zeros(4)) == 0


def test_what_does_not_depend_on_a_plus_b_minus_c_has_no_weight():
    a, b, c = np.ogrid[:N, :N, :N]
    assert spectral_weights(np.cos(2 * np.pi * (a - b - c) / N), (N,)).sum() == pytest.approx(0, abs=1e-12)
    assert spectral_weights(np.zeros((N, N, N)), (N,)).sum() == 0


@pytest.mark.parametrize("orders", [(3, 5), (2, 2, 3)])
def test_characters_of_a_product_of_cyclic_groups(orders):
    n, operation = int(np.prod(orders)), "x".join(map(str, orders))
    k, parts = (1,) * len(orders), np.array(np.unravel_index(np.arange(n), orders))
    phase = 2 * np.pi * sum(one * part / order for one, part, order in zip(k, parts, orders, strict=True))
    table = right_answers(operation, n)
    logits = np.cos(phase[table][:, :, None] - phase[None, None, :])
    weights = spectral_weights(logits, orders)
    place = np.ravel_multi_index(k, orders)
    minus = np.ravel_multi_index(tuple(-1 % order for order in orders), orders)
    assert weights[min(place, minus)] == pytest.approx(1) and (weights > 1e-12).sum() == 1


def test_neurons_of_the_closed_form_are_pure_and_noise_is_not():
    rng = np.random.default_rng(0)
    frequency = np.array([1, 2, 2, 5])
    tables = closed_form(N, frequency, *rng.uniform(-3, 3, (2, 4)))
    found, purity = purest(of_group(tables))
    assert (found == frequency).all() and purity == pytest.approx(1)
    noise = [table + rng.normal(size=table.shape) for table in tables]
    assert (purest(of_group(noise))[1] < 0.95).all()


def test_a_row_of_a_group_that_is_not_abelian_is_refused():
    tables = [np.ones((6, 2)), np.ones((6, 2)), np.ones((2, 6))]
    with pytest.raises(ValueError, match="^operation: S3 is not abelian"):
        all_of(of_group(tables, operation="S3"))


def test_multiplication_is_read_through_its_logarithm():
    n = 10  # units of 11
    logarithm = np.zeros(n, int)
    logarithm[[pow(2, x, 11) - 1 for x in range(n)]] = np.arange(n)
    plain = closed_form(n, np.array([3, 3, 3]), np.array([0.1, 1.2, 2.3]), np.array([0.4, 2.0, 1.0]))
    renamed = plain.U[logarithm], plain.V[logarithm], plain.W[:, logarithm]
    found, again = all_of(of_group(plain)), all_of(of_group(renamed, operation="multiplication"))
    assert again["spectral_weights"] == pytest.approx(found["spectral_weights"], abs=1e-6)
    assert again["neuron_frequency"] == [3, 3, 3]


def test_key_set_count_and_purity_of_a_closed_form_of_two_frequencies():
    even = 2 * np.pi * np.arange(4) / 4
    first, second = (np.tile(grid.ravel(), 2) for grid in np.meshgrid(even, even))
    found = all_of(of_group(closed_form(N, np.repeat([2, 5], 16), first, second)))
    assert (found["key_set"], found["spectral_count"], found["share_pure"]) == ([2, 5], 2, 1)
