"""Say how many jobs a full build would run here and how long, by what the same jobs took before (`make estimate`)."""

import argparse
import os
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import own_library  # noqa: F401

from modadd.run.config import read_config
from modadd.run.estimates import REFERENCE_FOLDER, read_build, read_reference, seconds_here
from modadd.run.paths import job_of
from modadd.run.progress import plan_in_words
from modadd.run.project import run_snakemake


def cores_here() -> int:
    """How many cores this process may use: a job that was given one of many must not start as many jobs as there are cores."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def pending_jobs(files: list[str], *targets: str) -> list[str]:
    """The jobs that a dry run here with config files, over the default one, would list, in its order.

    Exits with the log if the plan fails.
    """
    with TemporaryDirectory() as temporary:
        log = Path(temporary) / "summary.log"
        options = ["--summary", "--nolock", "--profile", "none", *(["--configfile", *files] if files else [])]
        if not run_snakemake(Path("."), *targets, *options, log=log):
            sys.exit(log.read_text(encoding="utf-8"))
        lines = [
            line.split("\t")
            for line in log.read_text(encoding="utf-8").splitlines()
            if line.endswith("\tupdate pending")
        ]
    return list(dict.fromkeys(job_of(rule, output) for output, _, rule, *_ in lines))


def seconds_of(config: dict[str, Any], folder: Path = Path(".")) -> dict[str, float]:
    """What each job should take in a folder: as in its last build, or else as in the reference, by a probe.

    Raises ValueError, one line, without any.
    """
    return seconds_here(read_build(folder) or read_reference(Path(REFERENCE_FOLDER)), config)


def estimate(files: list[str], cores: int) -> str:
    """The sentence on a whole build of a config; or why that is not known."""
    jobs = pending_jobs(files, "all")  # first: it refuses a bad config in one line
    try:
        return plan_in_words(jobs, seconds_of(read_config("config/config.yaml", *files)) if jobs else {}, cores)
    except ValueError as error:
        return f"{plan_in_words(jobs, {}, cores)} ({error})"


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--configfile", nargs="*", default=[], help="laid over config/config.yaml, as snakemake does")
    parser.add_argument("--cores", type=int, default=cores_here(), help="default: all")
    options = parser.parse_args()
    print(estimate(options.configfile, options.cores))
