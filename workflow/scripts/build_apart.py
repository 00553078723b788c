"""Build another config in a folder of its own, so that it does not take the place of the real results."""

import sys
from pathlib import Path

from modadd.clones import copy_project, run_snakemake


def build_apart(config: Path, folder: Path, cores: int, log: Path) -> None:
    """Copy the project and run the workflow there; exits with the last lines of the log if that fails."""
    copy_project(Path("."), folder)
    options = ["--configfile", str(config), "--profile", "none", "--cores", str(cores)]
    if not run_snakemake(folder, *options, log=log, show=print):
        sys.exit("\n".join(log.read_text().splitlines()[-20:]))
    print(f"Open {folder}/figures/index.html", flush=True)


if __name__ == "__main__":
    build_apart(
        config=Path(snakemake.input.config),
        folder=Path(snakemake.params.folder),
        cores=snakemake.threads,
        log=Path(snakemake.log[0]),
    )
