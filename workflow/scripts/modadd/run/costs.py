"""What computing cost: from the benchmarks of jobs to the cost of every claim.

A job is named after its benchmark, {results}/benchmarks/{job}.jsonl.
"""

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import pandas as pd

from modadd.networks.store import metadata_of
from modadd.run.names_of_jobs import job_of
from modadd.run.paths import EXPERIMENTS, network_file, place_of, proof_file

COLUMNS = ["job", "cpu_seconds", "wall_seconds", "memory_mb", "device"]  # CPU time as sampled: up to 30 s are missing


def jobs_with_benchmark(benchmarks: Path) -> list[str]:
    """The jobs that were measured, in alphabetical order."""
    return sorted(str(path.relative_to(benchmarks).with_suffix("")) for path in benchmarks.rglob("*.jsonl"))


def read_costs(jobs: Iterable[str], results: Path) -> pd.DataFrame:
    """One row of COLUMNS for each job that has a benchmark: seconds, largest resident memory (MB), device."""
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
    return pd.DataFrame(rows, columns=COLUMNS)


def _device(job: str, results: Path) -> str:
    """Where a job computed: a trained network says so itself, everything else has no choice."""
    rule, _, rest = job.partition("/")
    places = {"train_network": "networks", "train_shard": "populations"}
    if rule not in places:
        return "cpu"
    path = results / places[rule] / f"{rest}.safetensors"
    return metadata_of(path).get("origin", {}).get("device", "unknown") if path.exists() else "unknown"


def jobs_behind(
    notebook: str, entry: Mapping[str, Any], shards: Mapping[str, Sequence[str]], seeds: Mapping[str, Sequence[int]]
) -> list[str]:
    """Every job that a notebook of the ledger stands on: itself, the retrainings of its network, its proofs included.

    `shards` names the shards of each population, `seeds` the seeds of each dataset of watched networks.
    """
    proven = entry.get("proofs", [])
    one_each = [entry["network"], *entry.get("others", []), *(name for name in proven if "/" in name)]
    named = [place_of(name) for name in dict.fromkeys(one_each)]
    exhibits = [place for place, seed in named if seed is None]
    datasets = [*entry.get("datasets", []), *entry.get("seeds", []), *filter(None, [entry.get("rounding")])]
    populations = {*exhibits, *(name for name in datasets if name in shards)}
    watched = [f"{name}/seed{seed}" for name in datasets if name in seeds for seed in seeds[name]]
    trained = [f"{place}/seed{seed}" for place, seed in named if seed is not None]
    jobs = [f"train_network/{network}" for network in dict.fromkeys([*trained, *watched])]
    jobs += [f"measure_stages/{network}" for network in watched]
    for population in sorted(populations):
        members = [f"{population}/{shard}" for shard in shards[population]]
        jobs += [f"{rule}/{member}" for rule in ("train_shard", "measure_shard") for member in members]
        jobs += [f"gather_population/{population}"]
    jobs += [f"train_{name}" for name in EXPERIMENTS if name in datasets]
    jobs += [f"choose_exhibit/{place}" for place in exhibits]
    jobs += ["check_theorems"] if proven else []
    for name in proven:
        members = [] if "/" in name else [f"{name}/{shard}" for shard in shards[name]]
        jobs += [f"train_shard/{member}" for member in members]
        files = [f"results/populations/{member}.safetensors" for member in members] or [network_file(name)]
        jobs += [job_of("prove_networks", proof_file(file)) for file in files]
    return [*dict.fromkeys(jobs), f"notebooks/{notebook}"]


def cost_of_claims(
    claims: Sequence[Mapping[str, Any]], behind: Mapping[str, list[str]], costs: pd.DataFrame
) -> pd.DataFrame:
    """One row per claim: the jobs behind its notebook with their time and largest memory, and what is shared.

    `shared_cpu_seconds` is the part spent in jobs that other notebooks stand on too, `without_benchmark` the jobs whose
    cost is unknown.
    """
    known = costs.set_index("job")
    users = Counter(job for jobs in behind.values() for job in jobs)
    rows = []
    for claim in claims:
        jobs = behind[claim["notebook"]]
        mine = known.loc[[job for job in jobs if job in known.index]]
        shared = mine.loc[[job for job in mine.index if users[job] > 1]]
        rows.append(
            {
                "claim": claim["id"],
                "notebook": claim["notebook"],
                "jobs": len(jobs),
                "without_benchmark": len(jobs) - len(mine),
                **_sums(mine),
                "shared_cpu_seconds": round(float(shared.cpu_seconds.sum()), 1),
            }
        )
    return pd.DataFrame(rows)


def total_of(costs: pd.DataFrame) -> dict[str, Any]:
    """The cost of all jobs, each once."""
    return {"jobs": len(costs), **_sums(costs)}


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


def cost_by_notebook(claims: pd.DataFrame) -> pd.DataFrame:
    """One row per notebook, from `cost_of_claims`: its claims, and what each of them cost, in minutes."""
    groups = claims.groupby("notebook", sort=False)
    return pd.DataFrame(
        {
            "claims": groups.size(),
            "jobs": groups.jobs.first(),
            "CPU minutes": groups.cpu_seconds.first() / 60,
            "of these shared": groups.shared_cpu_seconds.first() / 60,
            "wall minutes": groups.wall_seconds.first() / 60,
            "largest memory (MB)": groups.memory_mb.first(),
        }
    ).reset_index()


def _sums(costs: pd.DataFrame) -> dict[str, Any]:
    return {
        "cpu_seconds": round(float(costs.cpu_seconds.sum()), 1),
        "wall_seconds": round(float(costs.wall_seconds.sum()), 1),
        "memory_mb": round(float(costs.memory_mb.max()), 1) if len(costs) else 0.0,
        "device": ", ".join(sorted(set(costs.device))),
    }
