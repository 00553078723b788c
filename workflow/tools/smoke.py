"""Build another config in a folder of its own, so that the real results stay (`make smoke`)."""

import argparse
import sys
from pathlib import Path

import own_library  # noqa: F401
from build import FIRST, build, with_build_options

from modadd.run.config import read_config
from modadd.run.locks import take_lock_away
from modadd.run.project import copy_project

if __name__ == "__main__":
    parser = with_build_options(argparse.ArgumentParser(description=__doc__))
    parser.add_argument("--config", default="config/smoke.yaml", help="default: %(default)s")
    parser.add_argument("--folder", type=Path, default=Path("results/smoke"), help="default: %(default)s")
    options = parser.parse_args()
    try:
        read_config("config/config.yaml", options.config)  # refuses in one line what is no config
        copy_project(Path("."), options.folder)
        take_lock_away(options.folder)  # of a first look that was killed
    except (ValueError, OSError) as error:
        sys.exit(f"smoke: {error}")
    arguments = ["--profile", "none", "--rerun-incomplete", "--cores", options.cores, "--prioritize", FIRST]
    build(options.folder, options.folder / "build.log", [options.config], *arguments, verbose=options.verbose)
