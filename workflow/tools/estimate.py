"""Say how many jobs a full build would run here and how long, by what the same jobs took before (`make estimate`)."""

import argparse
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import own_library  # noqa: F401

from modadd.run.config import read_config
from modadd.run.estimates import REFERENCE_FOLDER, read_reference, seconds_here, wall_seconds
from modadd.run.paths import job_of
from modadd.run.project import run_snakemake


def cores_here() -> int:
    """How many cores this process may use: a job that was given one of many must not start as many jobs as there are cores."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


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


def sentence(jobs: Sequence[str], config: dict[str, Any], cores: int) -> str:
    """How many jobs there are to run, and how long they take on so many cores of this machine; or why that is not known."""
    if not jobs:
        return "Nothing is left to build."
    count = f"{len(jobs)} job{'s' * (len(jobs) > 1)} to run"
    try:
        seconds = seconds_here(read_reference(Path(REFERENCE_FOLDER)), config, jobs)
    except ValueError as error:
        return f"{count}; {error}"
    unknown = f", {len(jobs) - len(seconds)} of them of unknown length" if len(seconds) < len(jobs) else ""
    expected = wall_seconds(seconds.values(), cores)
    about = f"{expected / 60:.0f} minutes" if expected >= 90 else f"{expected:.0f} seconds"
    return f"{count}{unknown}; expect about {about} on {cores} core{'s' * (cores > 1)}."


def estimate(files: list[str], cores: int) -> str:
    """The sentence on a whole build of a config."""
    jobs = pending_jobs(files, "all")  # first: it refuses a bad config in one line
    return sentence(jobs, read_config("config/config.yaml", *files), cores)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--configfile", nargs="*", default=[], help="laid over config/config.yaml, as snakemake does")
    parser.add_argument("--cores", type=int, default=cores_here(), help="default: all")
    options = parser.parse_args()
    print(estimate(options.configfile, options.cores))
