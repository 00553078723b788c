import shutil
from pathlib import Path

import pytest
from estimate import estimate
from reference import keep_reference
from support import ROOT, refuses

from modadd.core.files import write_json
from modadd.core.processor import processor
from modadd.run import estimates
from modadd.run.estimates import (
    LESS,
    START,
    Reference,
    read_build,
    read_reference,
    seconds_here,
    work_of,
)
from modadd.run.paths import job_of, rule_of
from modadd.run.progress import BETWEEN, END, plan_in_words, wall_seconds
from modadd.run.timing import PYTHON, TRAINING

CONFIG = {
    "scale": "laptop",
    "datasets": {
        "pizza_transformer": {"seeds": [0], "steps": 100, "snapshots": 200},
        "many": {"recipe": "pizza_transformer", "seeds": 6, "shard": 4, "steps": 100},
    },
}

RATES = {TRAINING: 10.0, PYTHON: 4.0}  # of the probe


def with_datasets(**changed):
    """CONFIG with some datasets changed or added."""
    return {"datasets": CONFIG["datasets"] | changed}


@pytest.mark.parametrize(
    ("rule", "output", "job"),
    [
        (
            "train_network",
            "results/networks/pizza_transformer/seed0.safetensors",
            "train_network/pizza_transformer/seed0",
        ),
        (
            "train_network",
            "results/networks/pizza_transformer/seed0.losses.parquet",
            "train_network/pizza_transformer/seed0",
        ),
        (
            "measure_shard",
            "results/populations/q/init_scale-0.5_seeds3.parquet",
            "measure_shard/q/init_scale-0.5_seeds3",
        ),
        ("measure_stages", "results/stages/two_layer_mlp/seed0.parquet", "measure_stages/two_layer_mlp/seed0"),
        ("gather_population", "results/populations/q_seeds.parquet", "gather_population/q_seeds"),
        ("prove_networks", "results/proofs/networks/m/seed0.json", "prove_networks/networks/m/seed0"),
        ("notebook_phases", "figures/phases/phase_law.svg", "notebooks/phases"),
        ("notebook_phases", "results/values/phases.json", "notebooks/phases"),
        ("judge_claims", "figures/claims.json", "judge_claims"),
        ("write_captions", "results/captions/phases/phase_law.rst", "write_captions"),
        ("provenance", "results/provenance.json", "provenance"),
    ],
)
def test_a_job_is_named_after_its_benchmark(rule, output, job):
    assert job_of(rule, output) == job and rule_of(job) == rule


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
    reference = Reference({"train_experiment/pilot": START + 4.0}, two, RATES, "")
    assert reference.seconds("train_experiment/pilot", hundred) == START + 200.0


def test_without_a_build_or_a_reference_the_jobs_are_counted(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("estimate.REFERENCE_FOLDER", Path("nowhere"))
    monkeypatch.setattr("estimate.pending_jobs", lambda *given: ["a", "b"])
    monkeypatch.setattr("estimate.read_config", lambda *files: CONFIG)
    said = "2 jobs to run; how long each takes is not known. (there is no estimate: nowhere has no reference"
    assert estimate([], 1).startswith(said)


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
    thrice = pytest.approx(START + 3 * (10.0 - START))
    assert reference.seconds("train_network/pizza_transformer/seed0", longer) == thrice
    assert reference.seconds("train_network/pizza_transformer/seed1", longer) == thrice
    population, both = {"recipe": "pizza_transformer", "seeds": 6, "shard": 6, "steps": 100}, 70.0 - START
    for name in ("many", "new"):
        work = work_of({"datasets": {name: population}})
        assert reference.seconds(f"train_shard/{name}/seeds0-5", work) == both


@pytest.mark.parametrize("changed", [{"d_mlp": 1024}, {"modulus": 59, "train_pairs": 1392}])
def test_a_wider_network_costs_more_and_fewer_pairs_less(reference, changed):
    population = {"recipe": "pizza_transformer", "seeds": 4, "shard": 4, "steps": 100} | changed
    work = work_of(with_datasets(many=population))
    times = 2 if "d_mlp" in changed else 0.5
    expected = START + times * 4 / 6 * (70.0 - 2 * START)
    assert reference.seconds("train_shard/many/seeds0-3", work) == pytest.approx(expected)


def test_what_nothing_resembles_is_left_out_and_a_slower_machine_takes_longer(reference, monkeypatch):
    monkeypatch.setattr(estimates, "probe", lambda: {TRAINING: 10.0 / 2, PYTHON: 4.0 / 3})
    config = CONFIG | with_datasets(two_layer_mlp={"seeds": [0], "snapshots": 2})
    jobs = ["train_network/two_layer_mlp/seed0", "notebooks/new", "notebooks/phases", "train_shard/many/seeds0-3"]
    expected = {"notebooks/phases": 15.0, "train_shard/many/seeds0-3": 80.0}  # three times 5, twice 40
    assert seconds_here(reference, config, jobs) == pytest.approx(expected)
    smoke = seconds_here(reference, {**config, "scale": "smoke"}, jobs)
    assert smoke == pytest.approx(expected | {"notebooks/phases": LESS * 15.0})


def test_the_plan_is_a_sentence_in_seconds_or_minutes():
    seconds = {"notebooks/phases": 5.0, "train_shard/many/seeds0-3": 80.0, "train_shard/many/seeds4-5": 43.0}
    jobs = [*seconds, "notebooks/new"]
    assert plan_in_words(jobs[:1], seconds, 2) == "1 job to run; expect about 8 seconds on 2 cores."
    said = "4 jobs to run, 1 of them of unknown length; expect about 2 minutes on 1 core."
    assert plan_in_words(jobs, seconds, 1) == said
    assert plan_in_words(jobs, {}, 1) == "4 jobs to run; how long each takes is not known."
    assert plan_in_words([], seconds, 1) == "Nothing is left to build."


def test_the_clock_is_bound_by_cores_by_the_longest_job_and_by_those_that_wait_for_all_others():
    seconds = {f"notebooks/{s}": s - BETWEEN for s in (40.0, 41.0, 9.0)}
    assert [wall_seconds(seconds, cores) - END for cores in (1, 2, 100)] == [90, 45, 41]
    last = {"judge_claims": 5.0, "build_site": 2.0, "provenance": 2.0}
    assert wall_seconds(seconds | last, 2) - wall_seconds(seconds, 2) == 5 + 2 + 2 / 2 + 2.5 * BETWEEN
    assert wall_seconds({}, 2) == 0.0


def test_a_folder_that_was_built_here_tells_what_its_jobs_take_without_a_probe(tmp_path, monkeypatch):
    monkeypatch.setattr(estimates, "probe", lambda: pytest.fail("this machine is known"))
    assert read_build(tmp_path) is None
    origin = {"processor": processor()}
    write_json(tmp_path / "results/provenance.json", {"origin": origin, "config": CONFIG})
    for job, seconds in (("notebooks/phases", 7.5), ("train_shard/many/seeds0-3", START + 8)):
        file = tmp_path / f"results/benchmarks/{job}.jsonl"
        file.parent.mkdir(parents=True)
        file.write_text(f'{{"s": 100}}\n{{"s": {seconds}}}\n', encoding="utf-8")
    found = seconds_here(read_build(tmp_path), CONFIG | {"scale": "smoke"})
    assert found["notebooks/phases"] == 7.5 and found["train_shard/many/seeds4-5"] == START + 4
    write_json(tmp_path / "results/provenance.json", {"origin": {"processor": "another"}, "config": CONFIG})
    assert read_build(tmp_path) is None


@pytest.fixture
def damaged(tmp_path):
    """A copy of data/reference, for it to be damaged."""
    return Path(shutil.copytree(ROOT / "data/reference", tmp_path / "reference"))


@pytest.mark.parametrize(
    ("name", "old", "new"),
    [
        ("probe.json", "{", ""),
        ("probe.json", "training", "x"),
        ("probe.json", "python", "x"),
        ("probe.json", "processor", "x"),
        ("compute.csv", "wall_seconds", "x"),
    ],
)
def test_a_damaged_or_older_reference_is_told_in_one_line(damaged, name, old, new):
    (damaged / name).write_text((damaged / name).read_text(encoding="utf-8").replace(old, new), encoding="utf-8")
    with refuses(f"there is no estimate: {damaged}", "`make reference` writes it"):
        read_reference(damaged)


def test_costs_of_another_config_do_not_stay_beside_new_numbers(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    write_json(Path("results/provenance.json"), {"config": CONFIG})
    write_json(Path("reference/provenance.json"), {"config": CONFIG | {"scale": "paper"}})
    with refuses("the costs in reference are of another config", "with COSTS=yes"):
        keep_reference(Path("reference"), costs=False)
