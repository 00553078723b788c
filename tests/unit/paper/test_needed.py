"""The jobs behind a file, told without Snakemake."""

import json
from contextlib import chdir

import pytest
from support import ROOT

from paper import needed
from paper.commands.check import build_of


@pytest.fixture(scope="module")
def builds():
    """Those of the default config and of a first look."""
    with chdir(ROOT):
        return build_of([]), build_of(["config/smoke.yaml"])


def test_a_table_needs_the_training_and_the_rows_of_each_shard(builds, tmp_path):
    table = "results/populations/q_seeds.parquet"
    whole, first_look = builds
    jobs = needed.lacking([table], whole, tmp_path)
    assert jobs == ["train_shard/q_seeds/seeds50", "measure_shard/q_seeds/seeds50", "gather_population/q_seeds"]
    steps = ("train", "measure", "gather")
    assert needed.lacking([table], first_look, tmp_path) == [f"{step}_populations/pizza_transformer" for step in steps]


def test_what_is_there_is_not_needed(builds, tmp_path):
    network = tmp_path / "results/networks/pizza_transformer/seed0.safetensors"
    network.parent.mkdir(parents=True)
    values = "results/values/phases.json"
    before = needed.lacking([values], builds[0], tmp_path)
    network.touch()
    assert set(before) - set(needed.lacking([values], builds[0], tmp_path)) == {"train_network/pizza_transformer/seed0"}
    assert before[-1] == "notebooks/phases"


def test_every_notebook_of_the_ledger_has_jobs(builds, tmp_path):
    for build in builds:
        for name in build.questions:
            assert needed.lacking([f"results/values/{name}.json"], build, tmp_path)


def test_times_are_those_of_a_reference_build_of_the_same_config(tmp_path, monkeypatch):
    monkeypatch.setattr(needed, "COSTS", tmp_path / "costs.json")
    monkeypatch.setattr(needed, "PROVENANCE", tmp_path / "provenance.json")
    jobs = ["train_network/a/seed0", "notebooks/phases", "notebooks/seeds"]
    missing = "Missing: 1 × train_network, 2 × notebooks"
    assert needed.in_words(jobs, {"scale": "laptop"}) == missing
    needed.COSTS.write_text(json.dumps({"jobs": {jobs[0]: {"cpu_s": 60.4}, jobs[2]: {"cpu_s": 2.1}}}))
    needed.PROVENANCE.write_text(json.dumps({"config": {"scale": "laptop"}}))
    assert needed.in_words(jobs, {"scale": "smoke"}) == missing
    told = needed.in_words(jobs, {"scale": "laptop"})
    assert told == f"{missing}. On the reference build they took 62 s of a processor: {jobs[0]} 60 s, {jobs[2]} 2 s"
    assert needed.in_words([], {}).startswith("Nothing is missing")


def test_what_a_job_took_is_in_its_benchmark(tmp_path):
    for name, memory in (("measure_shard/a/seeds0", 120.0), ("judge_claims", 1240.0)):
        file = tmp_path / f"results/benchmarks/{name}.jsonl"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(json.dumps({"cpu_time": 1.5, "max_rss": memory, "s": 2.0}) + "\n")
    (tmp_path / "figures").mkdir()
    (tmp_path / "figures/a.svg").write_bytes(bytes(200_000_000))
    found = needed.costs(tmp_path)
    assert found["jobs"]["measure_shard/a/seeds0"] == {"cpu_s": 1.5, "memory_mb": 120.0}
    said = needed.costs_in_words(found)
    assert "`judge_claims`, takes 1.2 GB" in said and "take 0.2 GB" in said
