import subprocess
import sys

import pytest
from support import ROOT, copy_tree, costs_of, tool

from modadd.core.bits import as_a_job
from modadd.run.estimates import START, TRAINING, estimate_table, estimated, probe, wall_seconds, with_work, work_of

CONFIG = {
    "datasets": {
        "pizza_transformer": {"seeds": [0], "steps": 100, "snapshots": 200},
        "many": {"recipe": "pizza_transformer", "seeds": 6, "shard": 4, "steps": 100},
    }
}


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
    reference = with_work(costs_of(train_pilot=START[TRAINING] + 4.0), work_of(with_datasets(pilot={"seeds": 2})))
    assert estimated("train_pilot", work_of(with_datasets(pilot={"seeds": 100})), reference) == START[TRAINING] + 200.0


@pytest.fixture
def reference():
    """What the jobs of CONFIG cost."""
    costs = costs_of(
        train_network__pizza_transformer__seed0=10.0,
        **{"train_shard__many__seeds0-3": 40.0, "train_shard__many__seeds4-5": 30.0},
        notebooks__phases=5.0,
    )
    return with_work(costs, work_of(CONFIG))


def test_a_job_that_ran_before_costs_what_it_cost(reference):
    work = work_of(CONFIG)
    assert estimated("train_network/pizza_transformer/seed0", work, reference) == 10.0
    assert estimated("notebooks/phases", work, reference) == 5.0


def test_other_work_is_counted_by_the_value_after_the_start(reference):
    settings = CONFIG["datasets"]["pizza_transformer"]
    longer = work_of(with_datasets(pizza_transformer={**settings, "seeds": [0, 1], "steps": 300}))
    thrice = pytest.approx(START[TRAINING] + 3 * (10.0 - START[TRAINING]))
    assert estimated("train_network/pizza_transformer/seed0", longer, reference) == thrice
    assert estimated("train_network/pizza_transformer/seed1", longer, reference) == thrice
    population, both = {"recipe": "pizza_transformer", "seeds": 6, "shard": 6, "steps": 100}, 70.0 - START[TRAINING]
    for name in ("many", "new"):
        work = work_of({"datasets": {name: population}})
        assert estimated(f"train_shard/{name}/seeds0-5", work, reference) == both


@pytest.mark.parametrize("changed", [{"d_mlp": 1024}, {"modulus": 59, "train_pairs": 1392}])
def test_a_wider_network_costs_more_and_fewer_pairs_less(reference, changed):
    population = {"recipe": "pizza_transformer", "seeds": 4, "shard": 4, "steps": 100} | changed
    work = work_of(with_datasets(many=population))
    times = 2 if "d_mlp" in changed else 0.5
    expected = START[TRAINING] + times * 4 / 6 * (70.0 - 2 * START[TRAINING])
    assert estimated("train_shard/many/seeds0-3", work, reference) == pytest.approx(expected)


def test_what_nothing_resembles_is_unknown_and_counts_as_nothing(reference):
    work = work_of(with_datasets(two_layer_mlp={"seeds": [0], "snapshots": 2}))
    jobs = ["train_network/two_layer_mlp/seed0", "notebooks/new", "notebooks/phases", "train_shard/many/seeds0-3"]
    assert estimated(jobs[0], work, reference) is None and estimated(jobs[1], work, reference) is None
    table = estimate_table(jobs, work, reference)
    assert table.set_index("rule").unknown.to_dict() == {"train_network": 1, "notebooks": 1, "train_shard": 0}
    assert table.seconds.sum() == 45.0


def test_the_clock_is_bound_by_cores_and_by_the_longest_job(reference):
    jobs = ["train_shard/many/seeds0-3", "train_shard/many/seeds4-5", "notebooks/phases"]
    table = estimate_table(jobs, work_of(CONFIG), reference)
    assert wall_seconds(table, 1) == 75.0 and wall_seconds(table, 100) == 40.0
    assert wall_seconds(estimate_table([], {}, reference), 2) == 0.0


def test_the_probe_takes_about_two_seconds_and_counts_both_kinds_of_work():
    found = probe()
    assert set(found) == {"training", "analysis"} and min(found.values()) > 0


@pytest.fixture(scope="module")
def project(tmp_path_factory):
    """A copy of the project, for its reference to be damaged and mended."""
    return copy_tree(tmp_path_factory.mktemp("estimates") / "project")


@pytest.mark.parametrize(
    ("name", "old", "new"),
    [
        *((name, None, "") for name in ("compute.csv", "probe.json", "provenance.json")),
        ("probe.json", "{", ""),
        ("probe.json", "training", "trained"),
        ("compute.csv", "amount", "work"),
    ],
)
def test_with_a_missing_damaged_or_older_reference_there_is_no_estimate_and_make_goes_on(project, name, old, new):
    file, said = project / "data/reference" / name, "damaged, or of another version"
    whole = file.read_text(encoding="utf-8")
    if old is None:
        file.unlink()
        said = "does not exist, so there is no estimate; `make reference` writes it"
    else:
        file.write_text(whole.replace(old, new), encoding="utf-8")
    (line,) = tool(project, "estimate").splitlines()  # exits with 0, or this raises
    file.write_text(whole, encoding="utf-8")
    assert line.startswith(f"estimate: data/reference/{name}") and said in line


def test_the_probe_computes_as_the_jobs_do_on_this_library():
    code = (
        "import os, modadd; print(modadd.__file__, os.environ['OPENBLAS_NUM_THREADS'], os.environ['OMP_NUM_THREADS'])"
    )
    done = subprocess.run([sys.executable, "-c", code], env=as_a_job(), cwd="/", stdout=subprocess.PIPE, text=True)
    assert done.stdout.split() == [str(ROOT / "workflow/scripts/modadd/__init__.py"), "1", "1"]
