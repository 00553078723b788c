"""What computing cost: from the benchmarks of jobs to the cost of every notebook.

A job is named after its benchmark, {results}/benchmarks/{job}.jsonl.
"""

import json
from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from pathlib import Path
from typing import Any

import pandas as pd

from modadd.networks.store import metadata_of

# CPU time is as sampled: up to 30 s are missing.
COST_COLUMNS = ["job", "cpu_seconds", "wall_seconds", "memory_mb", "device"]


def jobs_with_benchmark(benchmarks: Path) -> list[str]:
    """The jobs that were measured, in alphabetical order."""
    return sorted(str(path.relative_to(benchmarks).with_suffix("")) for path in benchmarks.rglob("*.jsonl"))


def read_costs(jobs: Iterable[str], results: Path) -> pd.DataFrame:
    """One row of COST_COLUMNS for each job that has a benchmark: seconds, largest resident memory (MB), device."""
    rows = []
    for job in jobs:
        path = results / "benchmarks" / f"{job}.jsonl"
        if path.exists():
            try:
                last = json.loads(path.read_text(encoding="utf-8").splitlines()[-1])
            except (IndexError, ValueError) as error:
                raise ValueError(f"{path}: damaged, no benchmark of a job ({error}); delete it") from error
            numbers = [last["cpu_time"], last["s"], last["max_rss"]]
            numbers = [x if isinstance(x, int | float) else 0.0 for x in numbers]  # a job too short to be sampled
            rows.append([job, *numbers, _device(job, results)])
    return pd.DataFrame(rows, columns=COST_COLUMNS)


def _device(job: str, results: Path) -> str:
    """Where a job computed: a trained network says so itself, everything else has no choice."""
    rule, _, rest = job.partition("/")
    places = {"train_network": "networks", "train_shard": "populations"}
    if rule not in places:
        return "cpu"
    path = results / places[rule] / f"{rest}.safetensors"
    return metadata_of(path).get("origin", {}).get("device", "unknown") if path.exists() else "unknown"


def cost_by_notebook(behind: Mapping[str, Collection[str]], costs: pd.DataFrame) -> pd.DataFrame:
    """One row per notebook: the jobs behind it with their time and largest memory, and what is shared.

    `shared_cpu_seconds` is the part spent in jobs that other notebooks stand on too, `without_benchmark` the jobs whose
    cost is unknown.
    """
    users = Counter(job for jobs in behind.values() for job in jobs)
    rows = []
    for notebook, jobs in behind.items():
        mine = costs[costs.job.isin(jobs)]
        shared = mine[mine.job.map(users) > 1]
        counts = {"notebook": notebook, "jobs": len(jobs), "without_benchmark": len(jobs) - len(mine)}
        rows.append(counts | sums(mine) | {"shared_cpu_seconds": round(float(shared.cpu_seconds.sum()), 1)})
    return pd.DataFrame(rows)


def cost_by_rule(costs: pd.DataFrame) -> pd.DataFrame:
    """One row per rule: its jobs, their time in minutes, and the largest memory of one, the dearest rule first."""
    groups = costs.groupby(costs.job.str.partition("/")[0].rename("rule"))
    table = pd.DataFrame(
        {
            "jobs": groups.size(),
            "CPU minutes": groups.cpu_seconds.sum() / 60,
            "largest memory (MB)": groups.memory_mb.max(),
        }
    )
    return table.sort_values("CPU minutes", ascending=False).reset_index()


def sums(costs: pd.DataFrame) -> dict[str, Any]:
    """The cost of some jobs together, each once."""
    return {
        "cpu_seconds": round(float(costs.cpu_seconds.sum()), 1),
        "wall_seconds": round(float(costs.wall_seconds.sum()), 1),
        "memory_mb": round(float(costs.memory_mb.max()), 1) if len(costs) else 0.0,
        "device": ", ".join(sorted(set(costs.device))),
    }
