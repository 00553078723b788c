"""The row of a network, for every architecture."""

from dataclasses import replace

import numpy as np
import pytest

from modadd.core.parquet import read_table, write_table
from modadd.networks.initialisation import INITIALISATIONS
from modadd.networks.recipes import RECIPES
from modadd.networks.store import Network
from modadd.populations.rows import row_of


def test_a_row_holds_recipe_seed_results_and_measures(untrained):
    row = row_of(untrained)
    assert (row["modulus"], row["seed"], row["accuracy"]) == (7, 0, 0.25)
    assert len(row["angle_term"]) == len(row["frequencies"]) == len(row["neurons"])


@pytest.mark.parametrize("name", RECIPES)
def test_every_architecture_has_a_row_that_parquet_keeps(small, name, tmp_path):
    parameters = {key: value.numpy() for key, value in INITIALISATIONS[name](small[name], 0).items()}
    row = row_of(Network(small[name], 0, parameters, {"accuracy": 0.5}))
    write_table([row], tmp_path / "rows")
    assert set(read_table(tmp_path / "rows").columns) == set(row)


def test_a_row_of_study_c_counts_every_weight_of_its_embeddings(small):
    recipe = small["embedding_mlp"]
    parameters = {key: value.numpy() for key, value in INITIALISATIONS["embedding_mlp"](recipe, 0).items()}
    row = row_of(Network(recipe, 0, parameters, {"accuracy": 0.5}))
    assert sum(row["embedding_counts"]) == 2 * 13 * 10


@pytest.mark.parametrize("activation", ["abs", "square", "softplus", "gelu"])
def test_a_network_of_another_activation_is_measured_as_that_and_never_as_one_of_relus(untrained, activation, tmp_path):
    network = replace(untrained, recipe=replace(untrained.recipe, activation=activation))
    with pytest.raises(ValueError, match="^pizza_transformer: its neurons are no ReLUs"):
        network.separable()
    assert not np.allclose(network.logits(), untrained.logits())
    np.testing.assert_allclose(network.embedded().logits(), network.logits(), rtol=1e-10, atol=1e-10)
    row = row_of(network)
    assert row["activation"] == activation and "angle_term" not in row
    assert len(row["integral_error"]) == len(row["frequencies"]) == len(row["neurons"])
    write_table([row], tmp_path / "rows")
    assert set(read_table(tmp_path / "rows").columns) == set(row)
