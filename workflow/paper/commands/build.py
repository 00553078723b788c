"""Build everything here, or another config in a folder of its own, and print the verdicts (`make`, `make smoke`)."""

import argparse
import os
import sys
from pathlib import Path

from modadd.core.files import json_of
from paper.commands.options import with_build_options
from paper.config import read_config
from paper.snakemake import remove_lock, run_snakemake

FIRST = "figures/phases/phase_law.svg"  # needs one network: a figure to look at while the others are trained
PROVENANCE = Path("results/provenance.json")  # the last file of a build
SHOWN = 30  # lines of a log


def build(folder: Path, log: Path, files: list[str], *options: str, verbose: bool = False) -> None:
    """Run the workflow in a folder, with config files over the default one; its whole log goes to `log`.

    The lock of a killed run is taken away. Exits with the end of the log if a job fails, or with 130 after an interrupt.
    """
    if remove_lock(folder):
        print("Removed a stale lock of a run that was killed; its unfinished jobs run again.")
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
        lines = log.read_text(encoding="utf-8", errors="replace").splitlines()
        sys.exit("\n".join([*lines[-SHOWN:], f"Full log: {log}"]))


def require_build(command: str) -> None:
    """Exit with a sentence that says what to do, unless everything has been built here."""
    if not PROVENANCE.exists():
        sys.exit(f"{command}: {PROVENANCE} does not exist; build everything first (`make`)")


def verdicts_in_words(claims: Path) -> str:
    """A line of counts, and a line for every claim that did not come out as expected."""
    from paper.ledger.tell.reference import surprises  # here: they import pandas, and whoever waits sees nothing of it
    from paper.page.site import outcome_of

    rows = json_of(claims)
    against = [f"  {name}: {words}" for name, words in surprises(rows).items()]
    counts = f"{len(rows)} claims: {outcome_of(rows)}"
    return "\n".join([f"{counts}; {len(against) or 'none'} against expectation.", *against])


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The config and the folder."""
    with_build_options(parser)
    parser.add_argument("--config", help="laid over config/config.yaml")
    parser.add_argument("--folder", type=Path, default=Path("."), help="default: this one")


def run(options: argparse.Namespace) -> None:
    """Build, and print the verdicts; raises ValueError, one line, for a bad config, and where a run works in the folder."""
    files = [options.config] if options.config else []
    read_config("config/config.yaml", *files)  # refuses in one line what is no config
    arguments = ["--cores", options.cores, "--prioritize", FIRST]
    build(options.folder, options.folder / "results/logs/build.log", files, *arguments, verbose=options.verbose)
    figures = options.folder / "figures"
    print(verdicts_in_words(figures / "claims.json"))
    print(f"Every figure, table and claim: {(figures / 'index.html').resolve().as_uri()}")
