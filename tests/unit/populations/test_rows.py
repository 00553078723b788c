"""The row of a network, for every architecture."""

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
