import json

import pandas as pd
import pytest

from modadd.networks.store import write_tensors
from modadd.run.costs import (
    cost_by_notebook,
    cost_by_rule,
    cost_of_claims,
    job_of,
    jobs_behind,
    jobs_with_benchmark,
    read_costs,
    total_of,
)
from modadd.run.estimates import estimate_table, estimated, probe, slowness, wall_seconds, with_work, work_of

CONFIG = {
    "studies": {"pizza_transformer": {"seeds": [0], "steps": 100}},
    "populations": {"many": {"recipe": "pizza_transformer", "seeds": 6, "shard": 4, "steps": 100}},
}


def write_benchmark(folder, job, cpu, wall=1.0, memory=10.0):
    """A benchmark as Snakemake writes it."""
    path = folder / f"{job}.jsonl"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps({"cpu_time": cpu, "s": wall, "max_rss": memory}) + "\n")


@pytest.mark.parametrize(
    ("rule", "output", "job"),
    [
        (
            "train_network",
            "results/networks/pizza_transformer/seed0.safetensors",
            "train_network/pizza_transformer/seed0",
        ),
        ("train_network", "results/networks/pizza_transformer/seed0.loss.csv", "train_network/pizza_transformer/seed0"),
        ("measure_shard", "results/populations/q_seeds/shard3.parquet", "measure_shard/q_seeds/shard3"),
        ("gather_population", "results/populations/q_seeds.parquet", "gather_population/q_seeds"),
        ("notebook_phases", "figures/phases/phase_law.svg", "notebooks/phases"),
        ("notebook_phases", "results/values/phases.json", "notebooks/phases"),
        ("judge_claims", "figures/claims.json", "judge_claims"),
        ("write_captions", "results/captions/phases/phase_law.rst", "write_captions"),
        ("provenance", "results/provenance.json", "provenance"),
    ],
)
def test_a_job_is_named_after_its_benchmark(rule, output, job):
    assert job_of(rule, output) == job


def test_costs_are_read_where_there_are_some_and_a_trained_network_says_on_which_device(tmp_path):
    write_benchmark(tmp_path / "benchmarks", "train_network/a/seed0", 60.5, 61.0, 500.0)
    write_benchmark(tmp_path / "benchmarks", "train_shard/b/shard1", 1.0)
    write_benchmark(tmp_path / "benchmarks", "notebooks/phases", None, 0.25, None)
    write_tensors(tmp_path / "networks/a/seed0.safetensors", {}, {"origin": {"device": "a GPU"}})
    assert jobs_with_benchmark(tmp_path / "benchmarks")[0] == "notebooks/phases"
    assert read_costs(["train_shard/b/shard1"], tmp_path).device.tolist() == ["unknown"]
    costs = read_costs(["train_network/a/seed0", "notebooks/phases", "never/ran"], tmp_path)
    assert costs.to_dict("records") == [
        {
            "job": "train_network/a/seed0",
            "cpu_seconds": 60.5,
            "wall_seconds": 61.0,
            "memory_mb": 500.0,
            "device": "a GPU",
        },
        {"job": "notebooks/phases", "cpu_seconds": 0.0, "wall_seconds": 0.25, "memory_mb": 0.0, "device": "cpu"},
    ]


def test_a_notebook_stands_on_its_networks_populations_exhibits_and_retrainings():
    entry = {"network": "many/exhibit", "others": ["a/seed1"], "populations": ["other"], "rounding": "again"}
    assert jobs_behind("n", entry, {"many": 2, "other": 1, "again": 1}) == [
        "train_network/a/seed1",
        *("train_shard/again/shard0", "measure_shard/again/shard0", "gather_population/again"),
        *(
            "train_shard/many/shard0",
            "train_shard/many/shard1",
            "measure_shard/many/shard0",
            "measure_shard/many/shard1",
        ),
        *(
            "gather_population/many",
            "train_shard/other/shard0",
            "measure_shard/other/shard0",
            "gather_population/other",
        ),
        *("choose_exhibit/many", "notebooks/n"),
    ]


def costs_of(**seconds):
    """Costs of jobs by name, on the CPU, as long by the clock."""
    return pd.DataFrame(
        [(job.replace("__", "/"), s, s, 100.0 + s, "cpu") for job, s in seconds.items()],
        columns=["job", "cpu_seconds", "wall_seconds", "memory_mb", "device"],
    )


def test_a_claim_costs_everything_behind_it_and_says_what_is_shared():
    costs = costs_of(train_network__a__seed0=60.0, notebooks__one=5.0, notebooks__two=7.0)
    behind = {
        "one": ["train_network/a/seed0", "notebooks/one"],
        "two": ["train_network/a/seed0", "never/ran", "notebooks/two"],
    }
    claims = [{"id": "x", "notebook": "one"}, {"id": "y", "notebook": "two"}]
    x, y = cost_of_claims(claims, behind, costs).to_dict("records")
    assert (x["cpu_seconds"], x["shared_cpu_seconds"], x["jobs"], x["without_benchmark"]) == (65.0, 60.0, 2, 0)
    assert (y["cpu_seconds"], y["shared_cpu_seconds"], y["jobs"], y["without_benchmark"]) == (67.0, 60.0, 3, 1)
    assert x["memory_mb"] == 160.0 and x["device"] == "cpu"
    total = total_of(costs)
    assert total["cpu_seconds"] == 72.0 and total["jobs"] == 3, "every job counts once"


def test_work_is_updates_of_networks_and_networks_measured():
    work = work_of(CONFIG)
    assert {job: one.amount for job, one in work.items()} == {
        "train_network/pizza_transformer/seed0": 100,
        "train_shard/many/shard0": 400,
        "measure_shard/many/shard0": 4,
        "train_shard/many/shard1": 200,
        "measure_shard/many/shard1": 2,
    }


@pytest.fixture
def reference():
    """What the jobs of CONFIG cost."""
    costs = costs_of(
        train_network__pizza_transformer__seed0=10.0,
        train_shard__many__shard0=40.0,
        train_shard__many__shard1=30.0,
        notebooks__phases=5.0,
    )
    return with_work(costs, work_of(CONFIG))


def test_a_job_that_ran_before_costs_what_it_cost(reference):
    work = work_of(CONFIG)
    assert estimated("train_network/pizza_transformer/seed0", work, reference) == 10.0
    assert estimated("notebooks/phases", work, reference) == 5.0


def test_other_work_is_counted_by_the_update(reference):
    settings = CONFIG["studies"]["pizza_transformer"]
    longer = work_of({**CONFIG, "studies": {"pizza_transformer": {**settings, "seeds": [0, 1], "steps": 300}}})
    assert estimated("train_network/pizza_transformer/seed0", longer, reference) == 30.0
    assert estimated("train_network/pizza_transformer/seed1", longer, reference) == 30.0
    population = {"recipe": "pizza_transformer", "seeds": 6, "shard": 6, "steps": 100}
    assert (
        estimated("train_shard/many/shard0", work_of({**CONFIG, "populations": {"many": population}}), reference)
        == 70.0
    )
    assert (
        estimated("train_shard/new/shard0", work_of({**CONFIG, "populations": {"new": population}}), reference) == 70.0
    )


def test_what_nothing_resembles_is_unknown_and_counts_as_nothing(reference):
    work = work_of({**CONFIG, "studies": {"two_layer_mlp": {"seeds": [0]}}})
    jobs = ["train_network/two_layer_mlp/seed0", "notebooks/new", "notebooks/phases", "train_shard/many/shard0"]
    assert estimated(jobs[0], work, reference) is None and estimated(jobs[1], work, reference) is None
    table = estimate_table(jobs, work, reference)
    assert table.set_index("rule").unknown.to_dict() == {"train_network": 1, "notebooks": 1, "train_shard": 0}
    assert table.seconds.sum() == 45.0


def test_the_clock_is_bound_by_cores_and_by_the_longest_job(reference):
    jobs = ["train_shard/many/shard0", "train_shard/many/shard1", "notebooks/phases"]
    table = estimate_table(jobs, work_of(CONFIG), reference)
    assert wall_seconds(table, 1) == 75.0 and wall_seconds(table, 100) == 40.0
    assert wall_seconds(estimate_table([], {}, reference), 2) == 0.0


def test_costs_are_summed_by_rule_the_dearest_first():
    costs = pd.DataFrame(
        [["judge_claims", 60.0, 1.0, 10.0, "cpu"], ["train_network/a/seed0", 240.0, 1.0, 500.0, "cpu"]]
        + [["train_network/a/seed1", 120.0, 1.0, 700.0, "cpu"]],
        columns=["job", "cpu_seconds", "wall_seconds", "memory_mb", "device"],
    )
    assert cost_by_rule(costs).to_dict("list") == {
        "rule": ["train_network", "judge_claims"],
        "jobs": [2, 1],
        "CPU minutes": [6.0, 1.0],
        "largest memory (MB)": [700.0, 10.0],
    }


def test_a_notebook_costs_what_each_of_its_claims_costs():
    row = {"notebook": "phases", "jobs": 3, "cpu_seconds": 120.0, "shared_cpu_seconds": 60.0, "wall_seconds": 180.0}
    claims = pd.DataFrame([row | {"claim": name, "memory_mb": 9.0} for name in ("one", "two")])
    (line,) = cost_by_notebook(claims).to_dict("records")
    assert (line["claims"], line["CPU minutes"], line["of these shared"], line["wall minutes"]) == (2, 2.0, 1.0, 3.0)


def test_a_job_takes_as_many_times_longer_as_its_kind_of_work_runs_slower():
    here, there = {"training": 50.0, "analysis": 300.0}, {"training": 100.0, "analysis": 150.0}
    assert slowness(here, there, "train_shard") == 2.0 and slowness(here, there, "notebooks") == 0.5


def test_the_probe_takes_about_two_seconds_and_counts_both_kinds_of_work():
    found = probe()
    assert set(found) == {"training", "analysis"} and min(found.values()) > 0
