"""Networks that subtract beside those that add: the symmetry that makes them equal, and the numbers that would tell."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from simple_networks import initial

from modadd.core.groups import SUBTRACTION, right_answers
from modadd.networks.architectures import as_adding, separable_of
from modadd.networks.store import Network
from modadd.populations.columns.every import COLUMNS, row_of_any
from modadd.populations.subtraction import ADDING, SUBTRACTING, beside_addition


def test_a_network_that_adds_subtracts_with_what_embeds_b_in_the_order_of_minus_b(small):
    network = initial(small["embedding_mlp"])
    n, minus = network.recipe.modulus, -np.arange(network.recipe.modulus) % network.recipe.modulus
    turned = {**network.parameters, "E_b": network.parameters["E_b"][minus]}
    adding, subtracting = (separable_of("embedding_mlp", p) for p in (network.parameters, turned))
    np.testing.assert_allclose(subtracting.logits(), adding.logits()[:, minus])
    np.testing.assert_allclose(as_adding(subtracting, SUBTRACTION).logits(), adding.logits())
    a, b = np.divmod(np.arange(n * n), n)
    assert (right_answers(SUBTRACTION, n)[a, b] == (a + minus[b]) % n).all()


def rows(clusters, accuracy=1.0):
    return pd.DataFrame({"clusters": clusters, "accuracy": accuracy})


def test_both_claims_can_fail():
    few = pd.concat([rows([5, 6, 5, 4] * 4), rows([1] * 16, 0.5)])
    found = beside_addition({ADDING: rows([5, 6, 5, 4] * 8), SUBTRACTING: few})
    assert (found["share_subtracting"].holds, found["share_subtracting"].of) == (16, 32)
    assert found["clusters_apart"].value == 0 and found["clusters_apart"].high < 0.75, "wrong networks do not count"
    other = beside_addition({ADDING: rows([5, 6, 5, 4] * 8), SUBTRACTING: rows([7, 8, 7, 6] * 8)})
    assert other["clusters_apart"].value == pytest.approx(2) and other["clusters_apart"].low > 0.75


def test_every_number_of_a_row_is_that_of_the_network_that_adds(small):
    network = initial(small["embedding_mlp"])
    minus = -np.arange(network.recipe.modulus) % network.recipe.modulus
    subtracting = Network(
        replace(network.recipe, operation=SUBTRACTION),
        network.seed,
        {**network.parameters, "E_b": network.parameters["E_b"][minus]},
        network.results,
    )
    expected, found = row_of_any(network), row_of_any(subtracting)
    for name in COLUMNS["embedding_mlp"]:
        np.testing.assert_allclose(found[name], expected[name], rtol=1e-6, atol=1e-9, err_msg=name)
