"""Say what a full build would run here and how long, by what the same jobs cost before (`make estimate`)."""

import argparse
import json
import os
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import own_library  # noqa: F401
import pandas as pd
from tabulate import tabulate

from modadd.run.config import read_config
from modadd.run.costs import job_of
from modadd.run.estimates import (
    ANALYSIS,
    TRAINING,
    estimate_table,
    probe,
    read_reference,
    slowness,
    wall_seconds,
    work_of,
)
from modadd.run.project import run_snakemake


def cores_here() -> int:
    """How many cores this process may use: a job that was given one of many must not start as many jobs as there are cores."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _probe_there(path: Path) -> dict[str, float]:
    rates = json.loads(path.read_text(encoding="utf-8"))
    return {kind: float(rates[kind]) for kind in (TRAINING, ANALYSIS)}


def _processor_there(path: Path) -> str:
    return json.loads(path.read_text(encoding="utf-8"))["origin"]["processor"]


# What is needed to know of the reference machine, and how it is read.
NEEDED = {"compute.csv": read_reference, "probe.json": _probe_there, "provenance.json": _processor_there}


def read_needed(folder: Path) -> list[Any]:
    """What the files NEEDED say; raises ValueError, one line, for one that is missing, damaged or of another version."""
    found = []
    for name, read in NEEDED.items():
        remedy = "so there is no estimate; `make reference` writes it"
        if not (folder / name).exists():
            raise ValueError(f"{folder / name} does not exist, {remedy}")
        try:
            found.append(read(folder / name))
        except (OSError, LookupError, TypeError, ValueError) as error:
            raise ValueError(f"{folder / name}: damaged, or of another version ({error!r}), {remedy}") from error
    return found


def pending_jobs(files: list[str], *targets: str, folder: Path = Path(".")) -> list[str]:
    """The jobs that a dry run in a folder with config files, over the default one, would list, in its order.

    Exits with the log if the plan fails.
    """
    with TemporaryDirectory() as temporary:
        log = Path(temporary) / "summary.log"
        options = ["--summary", "--nolock", "--profile", "none", *(["--configfile", *files] if files else [])]
        if not run_snakemake(folder, *targets, *options, log=log):
            sys.exit(log.read_text(encoding="utf-8"))
        lines = [
            line.split("\t")
            for line in log.read_text(encoding="utf-8").splitlines()
            if line.endswith("\tupdate pending")
        ]
    return list(dict.fromkeys(job_of(rule, output) for output, _, rule, *_ in lines))


def table_here(
    jobs: list[str], config: dict, costs: pd.DataFrame, here: dict[str, float], there: dict[str, float]
) -> pd.DataFrame:
    """The `estimate_table` of some jobs with the seconds that they take here, by the probes of both machines."""
    table = estimate_table(jobs, work_of(config), costs)
    slower = np.array([slowness(here, there, rule) for rule in table.rule])
    return table.assign(seconds=table.seconds * slower, longest=table.longest * slower)


def sentences(
    jobs: list[str], config: dict, costs: pd.DataFrame, processor: str, cores: int, there: dict[str, float]
) -> list[str]:
    """The estimate for reading: a table by rule, and what it adds up to on this machine by the probes of both."""
    if not jobs:
        return ["Nothing is left to build."]
    here = probe()
    table = table_here(jobs, config, costs, here, there)
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
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--configfile", nargs="*", default=[], help="laid over config/config.yaml, as snakemake does")
    parser.add_argument("--cores", type=int, default=cores_here(), help="default: all")
    options = parser.parse_args()
    try:
        costs, there, processor = read_needed(Path("data/reference"))
    except ValueError as error:  # a build needs no estimate: `make` goes on
        print(f"estimate: {error}")
        sys.exit()
    jobs = pending_jobs(options.configfile, "all")
    config = read_config("config/config.yaml", *options.configfile)
    print("\n".join(sentences(jobs, config, costs, processor, options.cores, there)), flush=True)
