"""Add up the benchmarks of the jobs: what every claim cost, and everything together, as CSV and JSON."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from modadd.core.jobs import begin
from modadd.ledger.entries import read_ledger
from modadd.run.config import shards_of
from modadd.run.coq import wanted
from modadd.run.costs import cost_of_claims, jobs_behind, read_costs, total_of
from modadd.run.datasets import POPULATION, WATCHED, datasets_of, seeds_of
from modadd.run.estimates import work_of


def compute_ledger(entries: Mapping[str, Any], config: dict, results: Path, csv: Path, json_file: Path) -> None:
    """The CSV has a row per claim; the JSON also every job, their sum, and the jobs without a benchmark."""
    populations, watched = datasets_of(config, POPULATION), datasets_of(config, WATCHED)
    shards = {name: [shard.name for shard in shards_of(name, settings)] for name, settings in populations.items()}
    seeds = {name: seeds_of(settings) for name, settings in watched.items()}
    notebooks = entries["notebooks"]
    if not wanted(config["proofs"]):  # then no job makes any
        notebooks = {name: {**entry, "proofs": []} for name, entry in notebooks.items()}
    behind = {name: jobs_behind(name, entry, shards, seeds) for name, entry in notebooks.items()}
    trained = {job for job in work_of(config) if not job.startswith("measure_stages/")}  # that also without a notebook
    jobs = sorted({job for found in behind.values() for job in found} | trained | {"judge_claims"})
    costs = read_costs(jobs, results)
    claims = cost_of_claims(entries["claims"], behind, costs)
    claims.to_csv(csv, index=False)
    content = {
        "total": total_of(costs),
        "without_benchmark": sorted(set(jobs) - set(costs.job)),
        "claims": claims.to_dict("records"),
        "jobs": costs.to_dict("records"),
    }
    json_file.write_text(json.dumps(content, indent=1) + "\n")


if __name__ == "__main__":
    begin(snakemake.log[0])
    compute_ledger(
        entries=read_ledger(),
        config=snakemake.config,
        results=Path(snakemake.params.benchmarks).parent,
        csv=Path(snakemake.output.csv),
        json_file=Path(snakemake.output.json),
    )
