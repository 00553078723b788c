"""Where the networks of a verdict were trained."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from modadd.core.bits import ARITHMETIC
from modadd.core.files import FileError
from modadd.core.parquet import write_table
from modadd.networks.recipes import RECIPES
from modadd.populations.columns.every import COSTLY
from modadd.populations.tables import NUMBER, numbered, one_each
from modadd.populations.unmeasured import stacked
from paper.ledger.judge.built import how_many_auditable, rows_for, trained_where


def test_a_network_that_was_trained_here_is_not_counted_as_kept(tmp_path, monkeypatch):
    """What a build made is in its folder; kept rows are in the project, wherever it builds."""
    monkeypatch.chdir(tmp_path)
    for folder in ("apart/results", "data"):
        Path(folder).mkdir(parents=True)
    write_table(pd.DataFrame({"steps": 5, "seed": [0, 1], "slope": 2.0}), Path("apart/results/here.parquet"))
    write_table(pd.DataFrame({"steps": 5, "added": 1, "seed": [1, 2, 2]}), Path("data/kept.parquet"))
    assert trained_where(["results/here.parquet", "data/kept.parquet"], Path("apart")) == {"here": 2, "kept": 1}


def test_networks_of_another_arithmetic_and_of_none_that_was_noted_are_not_auditable(tmp_path):
    for name, noted in (("new", {"arithmetic": [ARITHMETIC, "cublas", None]}), ("old", {})):
        write_table(pd.DataFrame({"seed": [0, 1, 2], **noted}), tmp_path / name)
    assert how_many_auditable(tmp_path / "new") == 1
    assert how_many_auditable(tmp_path / "old") == 0


def test_a_table_that_was_cut_off_is_named(tmp_path):
    table = tmp_path / "here.parquet"
    write_table(pd.DataFrame({"steps": 5, "seed": [0, 1]}), table)
    table.write_bytes(table.read_bytes()[:-20])
    with pytest.raises(FileError, match=r"here\.parquet"):
        trained_where([str(table)])


def test_numbers_of_networks_choose_and_sort_rows_as_their_recipes_do():
    drawn = np.random.default_rng(0)
    recipe = RECIPES["embedding_mlp"].as_dict() | {"architecture": "embedding_mlp", "steps": drawn.choice([9, 50], 40)}
    measure = drawn.choice([1.0, 2.0, np.nan], 40)
    rows = pd.DataFrame(recipe | {"seed": drawn.choice(6, 40), "measure": measure, "place": range(40)})
    for asked in ((), ("measure",)):
        pd.testing.assert_frame_equal(one_each(numbered(rows), *asked).drop(columns=NUMBER), one_each(rows, *asked))


def test_a_costly_measure_that_only_the_kept_row_of_a_network_has_is_judged_on_that_row():
    costly, (measure, *_) = next(iter(COSTLY)), COSTLY[next(iter(COSTLY))]
    recipe = {**RECIPES[costly].as_dict(), "architecture": costly, "seed": [0, 1, 0, 1]}
    recipe |= {"accuracy": 1.0, "trained": ["here", "here", "kept", "kept"]}
    both = numbered(stacked([pd.DataFrame(recipe | {measure: [0.5, None, 2.0, 3.0]})]))
    assert rows_for({"value": measure}, both)[measure].tolist() == [0.5, 3.0]
    assert rows_for({"value": "accuracy"}, both).trained.tolist() == ["here", "here"]
