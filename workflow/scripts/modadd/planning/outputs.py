"""The files that a build makes, as Snakemake lists them, and a whole config in one file."""

import os
import tempfile
from pathlib import Path
from typing import Any

import yaml

from modadd.planning.datasets import IMPORTED, datasets_of
from modadd.planning.paths import PROOF_LIBRARY
from modadd.run.project import run_snakemake

# The only outputs that differ between two builds.
TIMED = ("results/provenance.json", "figures/provenance.html")


def write_config(config: dict[str, Any], path: Path) -> None:
    """Write a whole config for --configfile; absolute paths name published weights, which are not copied."""
    datasets = dict(config["datasets"])
    for name, entry in datasets_of(config, IMPORTED).items():
        weights = os.path.abspath(entry["path"])
        datasets[name] = entry | {"path": weights}
    whole = config | {"datasets": datasets}
    content = yaml.safe_dump(whole, sort_keys=False, allow_unicode=True)
    path.write_text(content, encoding="utf-8")


def outputs_of(config: dict[str, Any], rules: str = "") -> list[str]:
    """The files that a build of a config makes in this folder, but for TIMED: those of rules whose name begins so.

    PROOF_LIBRARY is a folder that Coq compiles for other jobs, and no result.

    Raises ValueError with Snakemake's words if it cannot plan the build.
    """
    with tempfile.TemporaryDirectory() as folder:
        there = Path(folder)
        file = there / "config.yaml"
        log = there / "summary.log"
        write_config(config, file)
        options = ["all", "--summary", "--nolock", "--profile", "none", "--configfile", str(file)]
        is_planned = run_snakemake(Path("."), *options, log=log)
        said = log.read_text(encoding="utf-8")
    if not is_planned:
        raise ValueError(said)
    made = set()
    table = [line for line in said.splitlines() if line.count("\t") >= 5]
    for line in table[1:]:  # after the names of the columns
        name, _, rule, *_ = line.split("\t")
        if rule.startswith(rules):
            made.add(name)
    made.difference_update(TIMED)
    made.discard(PROOF_LIBRARY)
    return sorted(made)
