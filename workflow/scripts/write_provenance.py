"""Write how a build was made: time, code, versions, machine, config, hashes; and a page that shows it."""

import own_code  # noqa: F401

# isort: split

import json
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pandas as pd
import yaml

from modadd.core.files import sha256
from modadd.networks.store import metadata_of
from paper.jobs import begin
from paper.page.site import cells_of
from paper.page.templates import render
from paper.provenance import provenance


def devices_of(files: Iterable[str]) -> str:
    """Where a build computed: as each trained network says itself; everything else has no choice."""
    devices = {"cpu"}
    for file in files:
        if file.endswith(".safetensors"):
            origin = metadata_of(Path(file)).get("origin", {})
            devices.add(origin.get("device", "unknown"))
    return ", ".join(sorted(devices))


def hashes_of(files: Iterable[str]) -> dict[str, str]:
    """The SHA-256 of each file, by its name."""
    return {name: sha256(name) for name in sorted(files)}


def write_page(origin: Mapping[str, Any], template: Path, page: Path) -> None:
    """The page that shows the origin of a build."""
    render(
        template,
        page,
        written=origin["written"],
        origin=_table_of(origin["origin"], "what", "which"),
        config=yaml.safe_dump(origin["config"], sort_keys=False, allow_unicode=True, width=120),
        networks=_table_of(origin["networks"], "file", "SHA-256"),
        inputs=_table_of(origin["inputs"], "file", "SHA-256"),
    )


def _table_of(pairs: Mapping[str, str], *headings: str) -> dict[str, list]:
    return cells_of(pd.DataFrame(pairs.items(), columns=headings))


if __name__ == "__main__":
    begin(snakemake.log[0])
    read = snakemake.input
    write = snakemake.output
    config = json.dumps(snakemake.params.config)
    inputs = [
        *read.ledger,
        read.published,
        *read.notebooks,
        *read.kept,
        *read.external,
    ]
    origin = {
        "written": datetime.now(UTC).isoformat(timespec="seconds"),
        "origin": {**provenance(), "device": devices_of(read.networks)},
        "config": json.loads(config),
        "inputs": hashes_of(inputs),
        "networks": hashes_of(read.networks),
    }
    Path(write.json).write_text(json.dumps(origin, indent=1) + "\n", encoding="utf-8")
    write_page(origin, Path(read.template), Path(write.page))
