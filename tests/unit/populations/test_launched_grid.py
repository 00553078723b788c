"""The grid of [C1] Fig. 6: its cells are those that were drawn, and every prediction can fail."""

import math
import random
from itertools import product

import pandas as pd
import pytest
from support import ROOT

from modadd.populations.launched_grid import LEAST_CELLS, PENALTIES, RATES, answers, table_of_cells
from modadd.populations.why_few import COUNTED_FROM
from paper.config import read_config
from paper.datasets import datasets_of
from paper.yaml_files import read_yaml

ANNOUNCED = read_yaml(ROOT / "data/launchers/grid.yaml")


def test_the_kept_config_trains_the_cells_that_were_drawn():
    grid = list(product(ANNOUNCED["rates"], ANNOUNCED["penalties"]))
    drawn = random.Random(ANNOUNCED["drawn_by"]).sample(range(len(grid)), ANNOUNCED["cells"])
    config = read_config(*(ROOT / f"config/{name}.yaml" for name in ("config", "paper", "kept")))
    shards = datasets_of(config).populations["launched_grid"].shards
    planned = [(shard.recipe.learning_rate, shard.recipe.weight_decay / 2) for shard in shards]
    assert sorted(planned) == sorted(grid[cell] for cell in drawn)
    for shard in shards:
        recipe = shard.recipe
        assert (shard.seeds, recipe.modulus, recipe.d_mlp, recipe.d_model) == ((0,), 59, 1024, 128)
        assert (recipe.batch_size, recipe.train_pairs, recipe.steps) == (59, 58 * 59, 5000 * 58)


def test_the_announced_numbers_are_those_that_are_used():
    assert (ANNOUNCED["counted_from"], ANNOUNCED["least_cells"]) == (COUNTED_FROM, LEAST_CELLS)
    assert (tuple(ANNOUNCED["rates"]), tuple(ANNOUNCED["penalties"])) == (RATES, PENALTIES)


def rows(**changed):
    """Twenty cells as they were predicted; `changed` are numbers of the first cell."""
    usual = {"accuracy": 1.0, "accuracy_of_sine_inputs": 1.0, "accuracy_of_fits": 1.0, "key_set": [1] * 14}
    cells = [
        {"modulus": 59, "learning_rate": 0.001 * (cell + 1), "weight_decay": 2e-5, "halfway_key_set": [1]}
        | usual
        | (changed if cell == 0 else {})
        for cell in range(20)
    ]
    return pd.DataFrame(cells)


def test_what_was_predicted_can_be_told():
    found = answers(rows())
    assert found.pop("grid_may_fail") == pytest.approx(1 - 0.05 ** (1 / 20))
    assert {name: number.value for name, number in found.items()} == {
        "grid_inputs": 1,
        "grid_inputs_and_outputs": 1,
        "grid_few": 1,
    }
    assert table_of_cells(rows()).penalty.iloc[0] == 1e-5


@pytest.mark.parametrize(
    ("name", "changed", "expected"),
    [
        ("grid_inputs", {"accuracy_of_sine_inputs": 0.5}, 0.5),
        ("grid_inputs_and_outputs", {"accuracy_of_fits": 0.5}, 0.5),
        ("grid_few", {"key_set": [1] * 15}, 0.95),
    ],
)
def test_every_prediction_can_fail(name, changed, expected):
    assert answers(rows(**changed))[name].value == expected
    assert answers(rows(accuracy=0.9, **changed))[name].value == 1, "a network that answers wrong does not count"


def test_too_few_cells_are_not_judged():
    found = answers(rows().iloc[: LEAST_CELLS - 1])
    del found["grid_may_fail"]
    assert all(math.isnan(number.value) and number.of == 0 for number in found.values())
