"""Build the smoke config through a Slurm of one node and compare it with a local build (`make test-slurm`)."""

import argparse
import os
import re
import shutil
import sys
import time
from collections import Counter
from pathlib import Path

from cluster import check_machine, one_node

from modadd.ledger.differences import difference
from modadd.run.project import copy_project, outputs_of, run_snakemake
from modadd.run.yaml_files import read_yaml

PROFILE = Path("profiles/slurm")
CONFIG = Path("config/smoke.yaml")
LOCAL, CLUSTER = Path("results/slurm/local"), Path("results/slurm/cluster")
# What this node needs beside the profile: it has no GPU and no accounting, and it answers at once.
ONE_NODE = [
    *("--set-resources", "train_network:gpu=0", "train_shard:gpu=0"),
    *("--slurm-status-command", "squeue", "--slurm-init-seconds-before-status-checks", "1"),
    *("--seconds-between-status-checks", "1"),
]
SUBMITTED = re.compile(r"has been submitted with SLURM jobid \d+ \(log: \S*slurm_logs/(?:group|rule)_([a-z]+)")


def build(folder: Path, targets: list[str], options: list[str]) -> float:
    """Seconds that a build in a copy of the project takes; exits with the last lines of the log if it fails."""
    copy_project(Path("."), folder)
    log, start = folder / "build.log", time.monotonic()
    print(f"{folder}:", flush=True)
    if not run_snakemake(folder, *targets, "--configfile", str(CONFIG), *options, log=log, show=show_end_of_stage):
        lines = log.read_text(encoding="utf-8").splitlines()[-20:]
        sys.exit("\n".join([*lines, f"test-slurm: the build failed; all of it is in {log}"]))
    return time.monotonic() - start


def show_end_of_stage(line: str) -> None:
    """Print a line of the progress, unless it says what is left: through Slurm jobs begin when they are submitted."""
    if " left" not in line:
        print(line, flush=True)


def main(targets: list[str], cores: int) -> None:
    """Build both, compare, and exit with status 1 if a file differs."""
    check_machine()
    partition = read_yaml(PROFILE / "config.yaml")["default-resources"]["slurm_partition"]
    shutil.rmtree(CLUSTER, ignore_errors=True)
    with one_node(cores, partition):
        there = build(CLUSTER, targets, ["--workflow-profile", str(PROFILE), *ONE_NODE])
    here = build(LOCAL, targets, ["--profile", "none", "--cores", str(cores)])
    submitted = Counter(SUBMITTED.findall((CLUSTER / "build.log").read_text(encoding="utf-8")))
    names = targets or outputs_of(read_yaml(CONFIG))
    found = {name: words for name in names if (words := difference(LOCAL / name, CLUSTER / name))}
    for name, words in found.items():
        print(name, words)
    print(f"{submitted.total()} submissions:", *(f"{count} of {group}" for group, count in submitted.items()), sep=" ")
    print(f"through Slurm {there:.0f} s; locally {here:.0f} s for what no earlier run had built")
    print(f"test-slurm: {len(names)} files, {len(found)} of them differ")
    sys.exit(bool(found))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("targets", nargs="*", help="files to build and to compare (default: all)")
    parser.add_argument(
        "--cores", type=int, default=len(os.sched_getaffinity(0)), help="cores of the node (default: all)"
    )
    options = parser.parse_args()
    main(options.targets, options.cores)
