import shutil
import subprocess
import sys
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from keep import keep, keep_population
from support import ROOT, refuses, variables

from modadd.core.bits import set_arithmetic
from modadd.core.parquet import read_table, write_table
from modadd.networks.store import load_networks, save_networks
from modadd.populations.columns.every import row_of_any
from modadd.populations.unmeasured import NOT_MEASURED
from modadd.populations.witnesses import check_witness, different, in_full_length, witness_of
from modadd.training.run import origin_of
from modadd.training.train import train_ensemble
from paper.datasets import Datasets, Population, Shard

pytestmark = pytest.mark.usefixtures("arithmetic")

KEPT = sorted((ROOT / "data" / "populations").glob("*.parquet"))
ORIGIN = ("processor", "device", "torch", "numpy", "numba", "code")


@pytest.fixture(scope="module")
def trained(small, tmp_path_factory):
    """A folder with files of trained networks, two seeds each, and with the tables of their rows."""
    set_arithmetic()  # before the first test of the module does so
    folder = tmp_path_factory.mktemp("trained")
    for seeds in ((0, 1), (2, 3)):
        networks, _ = train_ensemble(small["embedding_mlp"], seeds, folder / f"checkpoint{seeds[0]}")
        save_networks(networks, folder / f"shard{seeds[0]}.safetensors")
        write_table(map(row_of_any, networks), folder / f"rows{seeds[0]}.parquet")
    return folder


@pytest.fixture
def shards(trained, tmp_path):
    """Copies of the trained networks' files, beside copies of the tables of their rows."""
    shutil.copytree(trained, tmp_path, dirs_exist_ok=True)
    return [tmp_path / f"shard{first}.safetensors" for first in (0, 2)]


def test_rows_join_those_kept_before_and_say_what_trained_them(shards, tmp_path):
    kept = tmp_path / "kept" / "many.parquet"
    for seed, file in zip((0, 2), shards, strict=True):
        keep_population([tmp_path / f"rows{seed}.parquet"], [file], kept)
    rows = read_table(kept)
    assert rows.seed.tolist() == [0, 1, 2, 3] and load_networks(witness_of(kept))[0].origin == origin_of("cpu")
    assert rows[list(ORIGIN)].to_dict("records") == [{key: origin_of("cpu")[key] for key in ORIGIN}] * 4
    check_witness(kept)


def test_shards_are_kept_that_are_built_as_planned_before_the_others(shards, small, tmp_path, monkeypatch):
    recipe = small["embedding_mlp"]
    (tmp_path / "config").symlink_to(ROOT / "config")
    folder = tmp_path / "results" / "populations" / "c91_batch"
    folder.mkdir(parents=True)
    for name, first in (("planned", 0), ("shorter", 2), ("not_measured", 2)):
        shutil.copy(tmp_path / f"shard{first}.safetensors", folder / f"{name}.safetensors")
        shutil.copy(tmp_path / f"rows{first}.parquet", folder / f"{name}.parquet")
    (folder / "not_measured.parquet").unlink()
    recipes = {"planned": recipe, "shorter": replace(recipe, steps=99), "not_measured": recipe, "not_trained": recipe}
    planned = Population("c91_batch", tuple(Shard(name, recipe, ()) for name, recipe in recipes.items()))
    kept = tmp_path / "data" / "populations" / "c91_batch.parquet"
    monkeypatch.setattr("keep.datasets_of", lambda config: Datasets({}, {"c91_batch": planned}, {}, {}))
    monkeypatch.chdir(tmp_path)
    keep("c91_batch")
    assert read_table(kept).seed.tolist() == [0, 1]


def test_a_table_of_another_definition_is_moved_away_and_kept_afresh(shards, tmp_path):
    kept = tmp_path / "kept" / "many.parquet"
    keep_population([tmp_path / "rows0.parquet"], [shards[0]], kept)
    write_table(read_table(kept).assign(clusters=99).to_dict("records"), kept)
    before = kept.read_bytes()
    with refuses(
        str(kept), "'clusters'", "another definition; move the table away", "`python workflow/dev/keep.py many`"
    ):
        keep_population([tmp_path / "rows2.parquet"], [shards[1]], kept)
    assert kept.read_bytes() == before
    kept.unlink()
    keep_population([tmp_path / "rows2.parquet"], [shards[1]], kept)
    check_witness(kept)
    assert read_table(kept).seed.tolist() == [2, 3]


def test_rows_without_networks_to_bear_witness_are_refused(tmp_path, shards):
    kept = tmp_path / "kept" / "many.parquet"
    with refuses("many: no file of a trained network is there to keep as a witness"):
        keep_population([tmp_path / "rows0.parquet"], [], kept)
    assert not kept.exists()


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("c91_bach", "datasets: unknown name 'c91_bach'; did you mean 'c91_batch'?"),
        (
            "c91_batch",
            "no row of results/populations/c91_batch.parquet is built; build it first: `snakemake --cores all res",
        ),
        ("embedding_mlp", "no row of results/stages/embedding_mlp/seed0.parquet is built"),
        ("competition", "no row of results/competition.parquet is built"),
    ],
)
def test_what_cannot_be_kept_is_said_in_one_line(name, words, tmp_path, monkeypatch):
    (tmp_path / "config").symlink_to(ROOT / "config")  # of a project in which nothing is built
    monkeypatch.chdir(tmp_path)
    with refuses(words):
        keep(name)


@pytest.mark.parametrize("change", ["a number moved", "a list moved", "no row", "no witness"])
def test_a_witness_that_disagrees_or_is_missing_is_named(shards, tmp_path, change):
    kept = tmp_path / "kept" / "many.parquet"
    keep_population([tmp_path / "rows0.parquet"], [shards[0]], kept)
    rows = read_table(kept)
    if change == "a number moved":
        rows["clusters"] = rows["clusters"] + 1
    elif change == "a list moved":
        rows["cluster_sizes"] = [np.asarray(sizes) + 1 for sizes in rows.cluster_sizes]
    elif change == "no row":
        rows = rows[rows.seed != 0]
    else:
        witness_of(kept).unlink()
    write_table(rows.to_dict("records"), kept)
    with refuses(str(kept), str(witness_of(kept))):
        check_witness(kept)


def test_a_row_may_lack_a_measure_that_came_after_it(shards, tmp_path):
    kept = tmp_path / "kept" / "many.parquet"
    keep_population([tmp_path / "rows0.parquet"], [shards[0]], kept)
    write_table(read_table(kept).drop(columns="clusters").to_dict("records"), kept)
    check_witness(kept)


# In a process of its own, as a job measures: checks of every call take many times as long.
MEASURE = """
import sys
from pathlib import Path
from modadd.core.bits import set_arithmetic
from modadd.populations.witnesses import check_witness
set_arithmetic()
for kept in sys.argv[1:]:
    check_witness(Path(kept))
"""


def test_every_kept_row_says_what_trained_it():
    assert all(read_table(kept)[list(ORIGIN)].notna().all(axis=None) for kept in KEPT)


def test_the_witnesses_of_kept_rows_measure_as_they_did():
    line = [sys.executable, "-c", MEASURE, *map(str, KEPT)]
    done = subprocess.run(line, cwd=ROOT, env=variables(ROOT), capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-2000:]


def test_a_kept_network_is_shown_where_the_same_one_was_stopped_earlier_and_for_no_other(untrained):
    def trained_for(steps, **changes):
        return replace(untrained, recipe=replace(untrained.recipe, steps=steps, **changes))

    short = trained_for(5)
    kept = trained_for(50, perturbation=1)
    assert in_full_length(short, kept) is kept
    as_long = trained_for(50)
    assert in_full_length(as_long, kept) is as_long
    other = trained_for(5, learning_rate=0.5)
    assert in_full_length(other, kept) is other
    other_seed = replace(short, seed=short.seed + 1)
    assert in_full_length(other_seed, kept) is other_seed


def test_a_number_that_turned_missing_differs_unless_nobody_measured_it():
    row = pd.Series({"angle": np.nan, "radius": 1.0})
    assert list(different(row, {"angle": 2.0, "radius": 1.0, "later": 3.0})) == ["angle"]
    told = pd.Series({"angle": np.nan, NOT_MEASURED: "angle"})
    assert not list(different(told, {"angle": 2.0}))
