"""Try profiles/slurm on a Slurm of one node: what jobs are given, and the smoke config, compared with a local build.

`make test-slurm` runs it.
"""

import argparse
import os
import re
import shutil
import sys
import time
from collections import Counter
from pathlib import Path

from cluster import check_machine, one_node
from sites import advice_without_gpu, check_sites

from modadd.ledger.differences import difference
from modadd.run.project import copy_project, outputs_of, run_snakemake
from modadd.run.yaml_files import read_yaml

PROFILE = Path("profiles/slurm").resolve()
CONFIG = Path("config/smoke.yaml")
LOCAL, CLUSTER = Path("results/slurm/local"), Path("results/slurm/cluster")
TRAINED = "results/networks/group_mlp/seed0.safetensors"  # soon trained
# What this node needs beside the profile: it has no accounting, and it answers at once.
ONE_NODE = [
    *("--workflow-profile", str(PROFILE)),
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


def main(targets: list[str], cores: int, only_sites: bool) -> None:
    """Look at what jobs are given; build both, compare. Exits with status 1 if anything is wrong or a file differs."""
    check_machine()
    keys = read_yaml(PROFILE / "config.yaml")["__variables__"]
    partitions = keys["partition"], keys["gpu_partition"]
    shutil.rmtree(CLUSTER, ignore_errors=True)
    with one_node(cores, *partitions) as ended:
        wrong = check_sites(*partitions, ended, ONE_NODE)
        print(*wrong, f"test-slurm: {len(wrong)} things wrong with what jobs are given", sep="\n", flush=True)
        copy_project(Path("."), CLUSTER)
        on_cpus = advice_without_gpu(CLUSTER, TRAINED, ["--configfile", str(CONFIG), *ONE_NODE])
        print("advice without a GPU:", *on_cpus, flush=True)
        there = build(CLUSTER, [TRAINED] if only_sites else targets, [*ONE_NODE, *on_cpus])
    if only_sites:
        sys.exit(bool(wrong))
    here = build(LOCAL, targets, ["--profile", "none", "--cores", str(cores)])
    submitted = Counter(SUBMITTED.findall((CLUSTER / "build.log").read_text(encoding="utf-8")))
    names = targets or outputs_of(read_yaml(CONFIG))
    found = {name: words for name in names if (words := difference(LOCAL / name, CLUSTER / name))}
    for name, words in found.items():
        print(name, words)
    print(f"{submitted.total()} submissions:", *(f"{count} of {group}" for group, count in submitted.items()), sep=" ")
    print(f"through Slurm {there:.0f} s; locally {here:.0f} s for what no earlier run had built")
    print(f"test-slurm: {len(names)} files, {len(found)} of them differ")
    sys.exit(bool(found or wrong))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("targets", nargs="*", help="files to build and to compare (default: all)")
    parser.add_argument(
        "--cores", type=int, default=len(os.sched_getaffinity(0)), help="cores of the node (default: all)"
    )
    parser.add_argument("--sites", action="store_true", help="only what jobs are given, without the smoke build")
    options = parser.parse_args()
    main(options.targets, options.cores, options.sites)
