"""The files that a build makes, as Snakemake lists them, and a whole config in one file."""

import tempfile
from pathlib import Path
from typing import Any

import yaml

from paper.proofs import PROOF_LIBRARY
from paper.snakemake import run_snakemake

# The only outputs that differ between two builds.
TIMED = ("results/provenance.json", "figures/provenance.html")


def write_config(config: dict[str, Any], path: Path) -> None:
    """Write a whole config for --configfile."""
    path.write_text(yaml.safe_dump(config, sort_keys=False, allow_unicode=True), encoding="utf-8")


def planned(config: dict[str, Any]) -> list[tuple[str, str, bool]]:
    """The files that a build of a config makes, each with its rule, and whether the next build would make it again.

    PROOF_LIBRARY, a folder that Coq compiles for other jobs, is no result. Raises ValueError with Snakemake's words if it
    cannot plan the build.
    """
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "config.yaml"
        log = Path(folder) / "summary.log"
        write_config(config, file)
        options = ["all", "--summary", "--nolock", "--profile", "none", "--configfile", str(file)]
        is_planned = run_snakemake(Path("."), *options, log=log)
        said = log.read_text(encoding="utf-8")
    if not is_planned:
        raise ValueError(said)
    table = [line for line in said.splitlines() if line.count("\t") >= 5]
    rows = [line.split("\t") for line in table[1:]]  # after the names of the columns
    return [(name, rule, plan != "no update") for name, _, rule, *_, plan in rows if name != PROOF_LIBRARY]


def outputs_of(config: dict[str, Any], rules: str = "") -> list[str]:
    """The files that a build of a config makes, but for TIMED: those of rules whose name begins so.

    Raises ValueError as `planned` does.
    """
    return sorted({name for name, rule, _ in planned(config) if rule.startswith(rules)} - {*TIMED})
