"""Build the smoke config through this site's Slurm, with profiles/slurm, and compare every file with the reference.

Run it on a node that may submit jobs, as `python workflow/dev/slurm.py`, after `pip install -e ".[slurm]"`. Words that follow
go to Snakemake, such as `--set-resources train_network:gpu=0 train_shard:gpu=0` where there is no GPU: a GPU gives other bits.
"""

import sys
from pathlib import Path

import project  # noqa: F401

from paper.ledger.tell.reference import against_list, listed
from paper.snakemake import run_snakemake

FOLDER = Path("results/slurm")
PROFILE, CONFIG = "profiles/slurm", str(Path("config/smoke.yaml").absolute())
SHA256 = Path("data/reference/sha256.txt")


def build(options: list[str]) -> None:
    """Build the smoke config in a folder of its own; exits if a job fails."""
    log = FOLDER / "build.log"
    # Jobs as those of a large config, which the profile knows by their rules.
    call = ["all", "--configfile", CONFIG, "--config", "together=false", "--workflow-profile", PROFILE, *options]
    if not run_snakemake(FOLDER, *call, log=log, verbose=True):
        sys.exit(f"slurm: the build failed; full log: {log}")


def main(options: list[str]) -> None:
    """Build, compare, and exit with status 1 if a file is not as the reference has it."""
    expected = listed(SHA256.read_text(encoding="utf-8"), "smoke")
    build(options)
    differing = against_list(expected, FOLDER)
    for name, words in differing.items():
        print(name, words)
    print(f"slurm: {len(expected)} files, {len(differing)} of them differ")
    sys.exit(bool(differing))


if __name__ == "__main__":
    main(sys.argv[1:])
