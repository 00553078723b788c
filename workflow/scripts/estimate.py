"""Say what a full build would run here and how long it takes, by what the same jobs cost when data/reference was written."""

import json
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pandas as pd
from modadd.clones import run_snakemake, write_config
from modadd.compute import job_of
from modadd.estimates import estimate_table, wall_seconds, work_of
from modadd.probe import probe, slowness
from tabulate import tabulate


def pending_jobs(config: dict, log: Path) -> list[str]:
    """The jobs that a dry run would list, in its order; exits with the log if the plan fails."""
    with TemporaryDirectory() as folder:
        write_config(config, Path(folder) / "config.yaml")
        options = ["all", "--summary", "--nolock", "--configfile", f"{folder}/config.yaml", "--profile", "none"]
        if not run_snakemake(Path("."), *options, log=log):
            sys.exit(log.read_text())
    lines = (line.split("\t") for line in log.read_text().splitlines() if line.endswith("\tupdate pending"))
    return list(dict.fromkeys(job_of(rule, output) for output, _, rule, *_ in lines))


def sentences(
    jobs: list[str], config: dict, costs: pd.DataFrame, processor: str, cores: int, there: dict[str, float]
) -> list[str]:
    """The estimate for reading: a table by rule, and what it adds up to on this machine by the probes of both."""
    table = estimate_table(jobs, work_of(config), costs)
    if table.empty:
        return ["Nothing is left to build."]
    here = probe()
    slower = np.array([slowness(here, there, rule) for rule in table.rule])
    table = table.assign(seconds=table.seconds * slower, longest=table.longest * slower)
    table["minutes"] = [f"{seconds / 60:.1f}" for seconds in table.seconds]
    columns = {"rule": "rule", "jobs": "jobs", "minutes": "minutes", "unknown": "not counted"}
    total, wall = table.seconds.sum() / 60, wall_seconds(table, cores) / 60
    unknown = (
        f"; {table.unknown.sum()} of them not counted, as nothing like them is known" if table.unknown.any() else ""
    )
    return [
        tabulate(table[list(columns)], columns.values(), showindex=False, disable_numparse=True),
        f"{len(jobs)} jobs{unknown}. Expect {wall:.0f} minutes on {cores} core(s), {total:.0f} on one: a probe trains "
        f"{slowness(there, here, 'train_'):.2f} and analyses {slowness(there, here, ''):.2f} times as fast here as on "
        f"{processor}.",
    ]


if __name__ == "__main__":
    reference = Path(snakemake.params.reference)
    jobs = pending_jobs(snakemake.config, Path(snakemake.log[0]))
    if (reference / "compute.csv").exists():
        processor = json.loads((reference / "provenance.json").read_text())["origin"]["processor"]
        costs = pd.read_csv(reference / "compute.csv").fillna("")
        there = json.loads((reference / "probe.json").read_text())
        lines = sentences(jobs, snakemake.config, costs, processor, snakemake.threads, there)
    else:
        lines = [
            f"{len(jobs)} jobs. What they cost would stand in {reference}/compute.csv: `snakemake reference` writes it."
        ]
    print("\n".join(lines), flush=True)
