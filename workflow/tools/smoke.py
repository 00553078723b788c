"""Build another config in a folder of its own, so that the real results stay (`make smoke`)."""

import argparse
import os
import sys
from pathlib import Path

from modadd.run.locks import take_lock_away
from modadd.run.project import copy_project, run_snakemake


def build_apart(config: Path, folder: Path, cores: str) -> None:
    """Copy the project and run the workflow there; exits with the last lines of the log if that fails."""
    copy_project(Path("."), folder)
    take_lock_away(folder)  # of a first look that was killed
    log = folder / "build.log"
    options = ["--configfile", str(config), "--profile", "none", "--rerun-incomplete", "--cores", cores]
    if not run_snakemake(folder, *options, log=log, show=print):
        sys.exit("\n".join(log.read_text(encoding="utf-8").splitlines()[-20:]))
    print(f"Open {folder}/figures/index.html", flush=True)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--config", type=Path, default=Path("config/smoke.yaml"), help="default: %(default)s")
    parser.add_argument("--folder", type=Path, default=Path("results/smoke"), help="default: %(default)s")
    parser.add_argument("--cores", default=str(os.cpu_count()), help="default: all")
    options = parser.parse_args()
    build_apart(options.config, options.folder, options.cores)
