import json

from support import costs_of, refuses

from modadd.networks.store import write_tensors
from modadd.run.costs import cost_by_notebook, jobs_with_benchmark, read_costs, sums


def write_benchmark(folder, job, cpu, wall=1.0, memory=10.0):
    """A benchmark as Snakemake writes it."""
    path = folder / f"{job}.jsonl"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps({"cpu_time": cpu, "s": wall, "max_rss": memory}) + "\n")


def test_costs_are_read_where_there_are_some_and_a_trained_network_says_on_which_device(tmp_path):
    write_benchmark(tmp_path / "benchmarks", "train_network/a/seed0", 60.5, 61.0, 500.0)
    write_benchmark(tmp_path / "benchmarks", "train_shard/b/seeds1", 1.0)
    write_benchmark(tmp_path / "benchmarks", "notebooks/phases", None, 0.25, None)
    write_tensors(tmp_path / "networks/a/seed0.safetensors", {}, {"origin": {"device": "a GPU"}})
    assert jobs_with_benchmark(tmp_path / "benchmarks")[0] == "notebooks/phases"
    assert read_costs(["train_shard/b/seeds1"], tmp_path).device.tolist() == ["unknown"]
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


def test_a_benchmark_that_was_cut_off_is_named(tmp_path):
    write_benchmark(tmp_path / "benchmarks", "notebooks/phases", 1.0)
    (tmp_path / "benchmarks/notebooks/phases.jsonl").write_text("")
    with refuses("benchmarks/notebooks/phases.jsonl: damaged", "delete it"):
        read_costs(["notebooks/phases"], tmp_path)


def test_a_notebook_costs_everything_behind_it_and_says_what_is_shared():
    costs = costs_of(train_network__a__seed0=60.0, notebooks__one=5.0, notebooks__two=7.0)
    behind = {
        "one": ["train_network/a/seed0", "notebooks/one"],
        "two": ["train_network/a/seed0", "never/ran", "notebooks/two"],
    }
    one, two = cost_by_notebook(behind, costs).to_dict("records")
    assert (one["cpu_seconds"], one["shared_cpu_seconds"], one["jobs"], one["without_benchmark"]) == (65.0, 60.0, 2, 0)
    assert (two["cpu_seconds"], two["shared_cpu_seconds"], two["jobs"], two["without_benchmark"]) == (67.0, 60.0, 3, 1)
    assert one["memory_mb"] == 160.0 and one["device"] == "cpu" and sums(costs)["cpu_seconds"] == 72.0
