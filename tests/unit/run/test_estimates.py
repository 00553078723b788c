import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from estimate import sentence
from support import ROOT, refuses

from modadd.core.bits import as_a_job
from modadd.run import estimates
from modadd.run.estimates import (
    LESS,
    START,
    TRAINING,
    Reference,
    probe,
    read_reference,
    seconds_here,
    wall_seconds,
    work_of,
)
from modadd.run.names_of_jobs import BETWEEN

CONFIG = {
    "scale": "laptop",
    "datasets": {
        "pizza_transformer": {"seeds": [0], "steps": 100, "snapshots": 200},
        "many": {"recipe": "pizza_transformer", "seeds": 6, "shard": 4, "steps": 100},
    },
}

RATES = {TRAINING: 10.0, "analysis": 100.0}


def with_datasets(**changed):
    """CONFIG with some datasets changed or added."""
    return {"datasets": CONFIG["datasets"] | changed}


def test_work_is_values_of_neurons_and_networks_or_snapshots_measured():
    work, values = work_of(CONFIG), 100 * 2784 * 512  # updates, pairs, neurons of Study Q
    assert {job: one.amount for job, one in work.items()} == {
        "train_network/pizza_transformer/seed0": values,
        "measure_stages/pizza_transformer/seed0": 101,
        "train_shard/many/seeds0-3": 4 * values,
        "measure_shard/many/seeds0-3": 4,
        "train_shard/many/seeds4-5": 2 * values,
        "measure_shard/many/seeds4-5": 2,
    }


def test_a_run_keeps_as_many_snapshots_as_its_entry_says_at_most_one_an_update():
    work = work_of(with_datasets(two_layer_mlp={"seeds": 2, "snapshots": 7}))
    assert work["measure_stages/two_layer_mlp/seed1"].amount == 7
    assert work["measure_stages/pizza_transformer/seed0"].amount == 101


def test_the_pilot_costs_by_the_seed():
    two, hundred = (work_of(with_datasets(pilot={"seeds": seeds})) for seeds in (2, 100))
    reference = Reference({"train_pilot": START[TRAINING] + 4.0}, two, RATES, "")
    assert reference.seconds("train_pilot", hundred) == START[TRAINING] + 200.0


@pytest.fixture
def reference():
    """What the jobs of CONFIG took."""
    took = {"train_network/pizza_transformer/seed0": 10.0, "notebooks/phases": 5.0}
    took |= {"train_shard/many/seeds0-3": 40.0, "train_shard/many/seeds4-5": 30.0}
    return Reference(took, work_of(CONFIG), RATES, "")


def test_a_job_that_ran_before_costs_what_it_cost(reference):
    work = work_of(CONFIG)
    assert reference.seconds("train_network/pizza_transformer/seed0", work) == 10.0
    assert reference.seconds("notebooks/phases", work) == 5.0


def test_other_work_is_counted_by_the_value_after_the_start(reference):
    settings = CONFIG["datasets"]["pizza_transformer"]
    longer = work_of(with_datasets(pizza_transformer={**settings, "seeds": [0, 1], "steps": 300}))
    thrice = pytest.approx(START[TRAINING] + 3 * (10.0 - START[TRAINING]))
    assert reference.seconds("train_network/pizza_transformer/seed0", longer) == thrice
    assert reference.seconds("train_network/pizza_transformer/seed1", longer) == thrice
    population, both = {"recipe": "pizza_transformer", "seeds": 6, "shard": 6, "steps": 100}, 70.0 - START[TRAINING]
    for name in ("many", "new"):
        work = work_of({"datasets": {name: population}})
        assert reference.seconds(f"train_shard/{name}/seeds0-5", work) == both


@pytest.mark.parametrize("changed", [{"d_mlp": 1024}, {"modulus": 59, "train_pairs": 1392}])
def test_a_wider_network_costs_more_and_fewer_pairs_less(reference, changed):
    population = {"recipe": "pizza_transformer", "seeds": 4, "shard": 4, "steps": 100} | changed
    work = work_of(with_datasets(many=population))
    times = 2 if "d_mlp" in changed else 0.5
    expected = START[TRAINING] + times * 4 / 6 * (70.0 - 2 * START[TRAINING])
    assert reference.seconds("train_shard/many/seeds0-3", work) == pytest.approx(expected)


def test_what_nothing_resembles_is_left_out_and_a_slower_machine_takes_longer(reference, monkeypatch):
    rates = {kind: rate / 2 for kind, rate in RATES.items()}
    monkeypatch.setattr(estimates, "probe", lambda: rates)
    config = CONFIG | with_datasets(two_layer_mlp={"seeds": [0], "snapshots": 2})
    jobs = ["train_network/two_layer_mlp/seed0", "notebooks/new", "notebooks/phases", "train_shard/many/seeds0-3"]
    assert seconds_here(reference, config, jobs) == {"notebooks/phases": 10.0, "train_shard/many/seeds0-3": 80.0}
    smoke = seconds_here(reference, {**config, "scale": "smoke"}, jobs)
    assert smoke == {"notebooks/phases": LESS * 10.0, "train_shard/many/seeds0-3": 80.0}


def test_the_estimate_is_a_sentence_in_seconds_or_minutes(reference, monkeypatch):
    monkeypatch.setattr("estimate.read_reference", lambda folder: reference)
    monkeypatch.setattr(estimates, "probe", lambda: RATES)
    jobs = ["notebooks/phases", "train_shard/many/seeds0-3", "train_shard/many/seeds4-5", "notebooks/new"]
    assert sentence(jobs[:1], CONFIG, 2) == "1 job to run; expect about 5 seconds on 2 cores."
    rates = {kind: rate / 4 for kind, rate in RATES.items()}
    monkeypatch.setattr(estimates, "probe", lambda: rates)
    said = "4 jobs to run, 1 of them of unknown length; expect about 5 minutes on 1 core."
    assert sentence(jobs, CONFIG, 1) == said
    assert sentence([], CONFIG, 1) == "Nothing is left to build."


def test_the_clock_is_bound_by_cores_by_the_longest_job_and_by_what_runs_alone():
    seconds = {job: s - BETWEEN for job, s in {"notebooks/a": 40.0, "notebooks/b": 40.0, "build_site": 10.0}.items()}
    assert (wall_seconds(seconds, 1), wall_seconds(seconds, 2), wall_seconds(seconds, 100)) == (90, 50, 40 - BETWEEN)
    assert wall_seconds({}, 2) == 0.0


def test_the_probe_takes_about_two_seconds_and_counts_both_kinds_of_work():
    found = probe()
    assert set(found) == {"training", "analysis"} and min(found.values()) > 0


@pytest.fixture
def damaged(tmp_path):
    """A copy of data/reference, for it to be damaged."""
    return Path(shutil.copytree(ROOT / "data/reference", tmp_path / "reference"))


@pytest.mark.parametrize(
    ("name", "old", "new"),
    [("probe.json", "{", ""), ("probe.json", "training", "x"), ("compute.csv", "wall_seconds", "x")],
)
def test_a_damaged_or_older_reference_is_told_in_one_line(damaged, name, old, new):
    (damaged / name).write_text((damaged / name).read_text(encoding="utf-8").replace(old, new), encoding="utf-8")
    with refuses(f"there is no estimate: {damaged}", "`make reference` writes it"):
        read_reference(damaged)


def test_without_a_reference_the_jobs_are_counted(monkeypatch):
    monkeypatch.setattr("estimate.REFERENCE", Path("nowhere"))
    assert sentence(["a", "b"], CONFIG, 1).startswith("2 jobs to run; there is no estimate: nowhere has no reference")


def test_the_probe_computes_as_the_jobs_do_on_this_library():
    code = (
        "import os, modadd; print(modadd.__file__, os.environ['OPENBLAS_NUM_THREADS'], os.environ['OMP_NUM_THREADS'])"
    )
    done = subprocess.run([sys.executable, "-c", code], env=as_a_job(), cwd="/", stdout=subprocess.PIPE, text=True)
    assert done.stdout.split() == [str(ROOT / "workflow/scripts/modadd/__init__.py"), "1", "1"]
