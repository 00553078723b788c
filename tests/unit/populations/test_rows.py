"""The row of a network, for every architecture."""

from dataclasses import fields, replace
from importlib import import_module

import numpy as np
import pytest
import yaml
from one_claim import judge
from pages import blocks
from simple_networks import initial
from support import ROOT, perfect_network, refuses

import modadd.quadrature.scheme_measures
from modadd.core.bits import ORIGIN
from modadd.core.code import FOLDERS, files_behind
from modadd.core.parquet import read_table, write_table
from modadd.networks.recipes import RECIPES, Recipe
from modadd.networks.registry import MEASURES, measured, measures_in
from modadd.populations.columns import any_activation
from modadd.populations.columns.declared import Columns
from modadd.populations.columns.every import COLUMNS, COSTLY, row_of_any
from modadd.populations.rows import COUNTS, HALF, row_of
from modadd.populations.tables import read_population
from modadd.populations.unmeasured import NOT_MEASURED
from paper.ledger.judge.verdicts import OURS_FAILS, OURS_HOLDS
from paper.ledger.read.claims import claim_of
from paper.ledger.read.entries import read_ledger


def test_a_row_holds_recipe_seed_results_and_measures(untrained):
    row = row_of_any(untrained)
    assert (row["modulus"], row["seed"], row["accuracy"]) == (7, 0, 0.25)
    assert len(row["angle_term"]) == len(row["frequencies"]) == len(row["neurons"])


@pytest.mark.parametrize("name", RECIPES)
def test_every_architecture_has_a_row_that_parquet_keeps(small, name, tmp_path):
    row = row_of_any(initial(small[name]))
    write_table([row], tmp_path / "rows")
    assert set(read_table(tmp_path / "rows").columns) == set(row)


@pytest.mark.parametrize("kept", sorted((ROOT / "data/populations").glob("*.parquet")), ids=lambda path: path.stem)
def test_every_column_of_a_kept_table_is_of_the_recipe_or_a_measure(kept):
    table = read_table(kept)
    others = {field.name for field in fields(Recipe)} | {
        "seed",
        *ORIGIN,  # also of what trained a row before
        "accuracy",
        "train_loss",
        "held_out_loss",
        NOT_MEASURED,
    }
    measures = {**COLUMNS[table.architecture.iloc[0]], **COSTLY.get(table.architecture.iloc[0], {})}
    if "activation" in table:
        measures |= any_activation.COLUMNS
    halfway = {f"{HALF}{name}" for name in COUNTS if name in measures}
    assert set(table.columns) - others <= {*measures, *halfway}


@pytest.mark.parametrize("kind", COLUMNS)
def test_the_code_of_every_column_is_behind_the_job_that_measures_it(kind):
    columns = FOLDERS["modadd"] / f"modadd/populations/columns/{kind}.py"
    found = files_behind(columns)
    for name, column in {**COLUMNS[kind], **COSTLY.get(kind, {})}.items():
        file = column.function.__module__.replace(".", "/") + ".py"
        assert file in found, f"{name} is not behind {columns}"


@pytest.mark.parametrize("kind", COLUMNS)
def test_names_and_units_of_columns_are_read_as_they_are_registered(kind):
    for columns in filter(None, (COLUMNS[kind], COSTLY.get(kind))):
        assert all(name in columns for name in columns) and "angel_term" not in columns
        for unit in {column.unit for column in columns.values()}:
            assert columns.of_unit(unit) == {name for name, column in columns.items() if column.unit == unit}
        modules = {name for name in columns.measures if "measures" in name.rpartition(".")[2]}
        registered = [measures_in(import_module(name)) for name in modules]
        assert set().union(*registered) <= {*columns, *columns.renamed}


def test_a_column_without_a_measure_is_refused_with_the_nearest_one():
    with refuses("modadd.quadrature.scheme_measures: unknown measure 'angel_term'; did you mean 'angle_term'?"):
        list(Columns("modadd.quadrature.scheme_measures.angel_term"))


def test_the_measure_that_contributing_adds_is_a_measure(monkeypatch):
    monkeypatch.setattr("modadd.networks.registry.MEASURES", dict(MEASURES))
    (code,) = blocks("CONTRIBUTING.md", "Add a measure", "python")
    scope = vars(modadd.quadrature.scheme_measures).copy()
    exec(code, scope)
    network = perfect_network(11, (2, 3), m=16)
    assert measured(network, ["interval_largest"])["interval_largest"] == pytest.approx([np.pi / 8] * 2)
    assert "interval_largest" in measures_in(modadd.quadrature.scheme_measures)


def test_the_measure_and_the_entry_that_contributing_adds_give_rows_and_a_verdict_over_seeds(
    small, monkeypatch, tmp_path
):
    monkeypatch.setattr("modadd.networks.registry.MEASURES", dict(MEASURES))
    (code,), (text,) = (blocks("CONTRIBUTING.md", "Add a measure", language) for language in ("python", "yaml"))
    exec(code, vars(modadd.quadrature.scheme_measures).copy())
    columns, recipe = measures_in(modadd.quadrature.scheme_measures), small["pizza_transformer"]
    write_table([row_of(initial(recipe, seed, accuracy=1.0), columns) for seed in range(12)], tmp_path / "rows")
    rows = read_population(tmp_path / "rows")
    ((key, entry),) = yaml.safe_load(text).items()
    standing = {"accuracy": 1.0, "steps": recipe.steps, "deviations": {}, "frequencies": []}
    recorded = {"values": {}, "network": standing, "others": {}}
    for limit, verdict in ((entry["at_most"], OURS_FAILS), (2 * np.pi, OURS_HOLDS)):
        claim = claim_of(key, entry | {"at_most": limit}, "phases", read_ledger(), key)
        found = judge(claim, recorded, "laptop", seeds={"q_seeds": rows})
        holds = sum(max(widths) <= limit for widths in rows["interval_largest"])
        assert (found.verdict, found.seeds.holds, found.seeds.of) == (verdict, holds, len(rows))


@pytest.mark.parametrize("activation", ["abs", "square", "softplus", "gelu"])
def test_a_network_of_another_activation_is_measured_as_that_and_never_as_one_of_relus(untrained, activation, tmp_path):
    network = replace(untrained, recipe=replace(untrained.recipe, activation=activation))
    with pytest.raises(ValueError, match="^pizza_transformer: the separable form needs ReLU"):
        network.separable()
    assert not np.allclose(network.logits(), untrained.logits())
    np.testing.assert_allclose(network.embedded().logits(), network.logits(), rtol=1e-10, atol=1e-10)
    row = row_of_any(network)
    assert row["activation"] == activation and "angle_term" not in row
    assert len(row["integral_error"]) == len(row["frequencies"]) == len(row["neurons"])
    write_table([row], tmp_path / "rows")
    assert set(read_table(tmp_path / "rows").columns) == set(row)


def test_a_row_of_study_c_counts_every_weight_of_its_embeddings(small):
    row = row_of_any(initial(small["embedding_mlp"]))
    assert sum(row["embedding_counts"]) == 2 * 13 * 10
