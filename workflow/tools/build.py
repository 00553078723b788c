"""Build everything here, or another config in a folder of its own; show the progress of its stages, then the verdicts
(`make`, `make smoke`)."""

import argparse
import os
import sys
from pathlib import Path

import own_library  # noqa: F401
from command import errors_of, with_build_options

from modadd.planning.config import read_config
from modadd.run.failures import what_failed
from modadd.run.locks import remove_lock
from modadd.run.project import copy_project, run_snakemake

FIRST = "figures/notebooks/phases.html"  # needs one network: a page to read while the others are trained
PROVENANCE = Path("results/provenance.json")  # the last file of a build


def build(folder: Path, log: Path, files: list[str], *options: str, verbose: bool = False) -> None:
    """Run the workflow of a folder with config files over the default one; its whole log goes to `log`.

    The lock of a killed run is taken away. Exits with the logs of what failed, or with 130 after an interrupt.
    """
    if remove_lock(folder):
        print("Removed a stale lock of a run that was killed; its unfinished jobs run again.")
    log.parent.mkdir(parents=True, exist_ok=True)
    print(f"Reading the rules and what is built in {folder.resolve()}; stages follow as their jobs end", flush=True)
    arguments = list(options)
    if files:
        arguments += ["--configfile", *map(os.path.abspath, files)]
    try:
        done = run_snakemake(folder, *arguments, log=log, show=True, verbose=verbose)
    except KeyboardInterrupt:
        print(f"Interrupted; the same command continues from here. Full log: {log}", file=sys.stderr)
        sys.exit(130)  # as a shell says it
    if not done:
        sys.exit(what_failed(folder, log))


def require_build(tool: str) -> None:
    """Exit with a sentence that says what to do, unless everything has been built here."""
    if not PROVENANCE.exists():
        sys.exit(f"{tool}: {PROVENANCE} does not exist; build everything first (`make`)")


def build_all(config: str | None, folder: Path, cores: str, verbose: bool) -> None:
    """Build here, or another config elsewhere, and print the verdicts.

    Raises ValueError, one line, for a bad config, and where a run still works in the folder.
    """
    files = [config] if config else []
    options = ["--cores", cores, "--prioritize", FIRST]
    read_config("config/config.yaml", *files)  # refuses in one line what is no config
    if folder != Path("."):
        copy_project(Path("."), folder)
        options += ["--profile", "none", "--rerun-incomplete"]
    build(folder, folder / "results/logs/build.log", files, *options, verbose=verbose)
    from verdicts import say_verdicts  # here: it reads the ledger and pandas

    say_verdicts(folder)


if __name__ == "__main__":
    parser = with_build_options(argparse.ArgumentParser(description=__doc__))
    parser.add_argument("--config", help="laid over config/config.yaml")
    parser.add_argument("--folder", type=Path, default=Path("."), help="default: this one")
    options = parser.parse_args()
    with errors_of("build"):
        build_all(options.config, options.folder, options.cores, options.verbose)
