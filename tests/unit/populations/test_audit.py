"""Which kept rows are drawn to be trained again, and which bits of them are found to differ."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from support import ROOT

from modadd.core.bits import ARITHMETIC
from modadd.core.parquet import write_table
from modadd.networks.overrides import recipe_of
from modadd.populations.audit import as_dataset, drawn, otherwise
from modadd.populations.tables import auditable, rows_of_networks

SQUARES = ROOT / "data/populations/t_squares.parquet"


@pytest.fixture
def table(tmp_path: Path) -> Path:
    """Eight rows of squares, of which seeds 0 to 5 were trained by today's arithmetic, 4 and 5 at twice the rate."""
    rows = rows_of_networks(SQUARES).head(8).assign(seed=range(8))
    rows["arithmetic"] = [ARITHMETIC] * 6 + ["cublas", None]
    rows["learning_rate"] = [0.001] * 4 + [0.002] * 2 + [0.001] * 2
    path = tmp_path / "squares.parquet"
    write_table(rows, path)
    return path


def test_rows_of_another_arithmetic_cannot_be_audited(table: Path) -> None:
    assert auditable(rows_of_networks(table)).tolist() == [True] * 6 + [False] * 2


def test_rows_kept_before_an_arithmetic_was_noted_cannot_be_audited(table: Path) -> None:
    assert not auditable(rows_of_networks(table).drop(columns="arithmetic")).any()


def test_all_rows_are_drawn_once_if_more_are_asked_for(table: Path) -> None:
    groups = drawn({"squares": table}, 100, seed=0)
    assert sorted(seed for group in groups for seed in group.rows.seed) == [0, 1, 2, 3, 4, 5]
    assert [group.recipe["learning_rate"] for group in groups] == [0.001, 0.002]


def test_a_seed_draws_the_same_rows_again_and_another_seed_others(table: Path) -> None:
    def seeds(seed: int) -> list[int]:
        return [number for group in drawn({"squares": table}, 3, seed) for number in group.rows.seed]

    assert len(seeds(1)) == 3
    assert seeds(1) == seeds(1)
    assert len({tuple(seeds(seed)) for seed in range(10)}) > 1


def test_nothing_to_audit_is_said_in_one_line(table: Path) -> None:
    write_table(rows_of_networks(table).drop(columns="arithmetic"), table)
    with pytest.raises(ValueError, match="none of the rows of squares was trained by compiled step"):
        drawn({"squares": table}, 3, seed=0)


def test_the_entry_of_the_config_has_the_recipe_of_the_row(table: Path) -> None:
    [first, second] = drawn({"squares": table}, 100, seed=0)
    for group in (first, second):
        recipe = recipe_of("datasets.squares", as_dataset(group))
        row = group.rows.iloc[0]
        assert {key: row[key] for key in recipe.as_dict() if key != "source"} == {
            key: value for key, value in recipe.as_dict().items() if key != "source"
        }


def test_one_last_bit_is_found_and_origin_and_later_measures_are_not_compared() -> None:
    kept = {"seed": 3, "code": "a", "loss": 0.1, "phases": np.array([0.5, 0.25]), "none": np.nan}
    again = {"seed": 3, "code": "b", "loss": 0.1, "phases": [0.5, 0.25], "none": 7.0, "later": 1.0}
    assert otherwise(kept, again) == (4, {})
    again["phases"] = [0.5, np.nextafter(0.25, 1)]
    compared, differing = otherwise(kept, again)
    assert (compared, [*differing]) == (4, ["phases"])


def test_a_list_of_another_length_and_a_number_that_is_lost_differ() -> None:
    kept = {"lines": np.array([np.array([1.0, 2.0]), np.array([3.0])], dtype=object), "loss": 0.1}
    assert otherwise(kept, {"lines": [[1.0, 2.0], [3.0]], "loss": 0.1}) == (4, {})
    assert [*otherwise(kept, {"lines": [[1.0, 2.0]], "loss": float("nan")})[1]] == ["lines", "loss"]


def test_rows_of_pandas_say_the_same(table: Path) -> None:
    row = pd.read_parquet(table).to_dict("records")[0]
    compared, differing = otherwise(row, row)
    assert compared > 30 and not differing


def test_what_nobody_measured_is_said_of_a_table_and_not_compared():
    kept = {"not_measured": "openblas products", "loss": 0.1}
    assert otherwise(kept, {"not_measured": "", "loss": 0.1}) == (1, {})
    assert [*otherwise(kept, {"not_measured": "", "loss": 0.2})[1]] == ["loss"]
