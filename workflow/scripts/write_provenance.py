"""Write how a build was made: time, code, versions, machine, config, hashes of inputs and networks."""

import json
from datetime import UTC, datetime
from pathlib import Path

from modadd.core.bits import set_arithmetic
from modadd.core.jobs import begin
from modadd.ledger.differences import sha256
from modadd.ledger.reference import as_from_json
from modadd.run.project import provenance


def write_provenance(inputs: list[str], networks: list[str], device: str, config: dict, path: Path) -> None:
    """One JSON file; the only output that knows a clock."""
    content = {
        "written": datetime.now(UTC).isoformat(timespec="seconds"),
        "origin": {**provenance(), "device": device},
        "config": as_from_json(config),
        "inputs": {name: sha256(name) for name in sorted(inputs)},
        "networks": {name: sha256(name) for name in sorted(networks)},
    }
    path.write_text(json.dumps(content, indent=1) + "\n")


if __name__ == "__main__":
    begin(snakemake.log[0])
    set_arithmetic()
    read = snakemake.input
    write_provenance(
        inputs=[*read.ledger, read.published, *read.notebooks, *read.kept, *read.external],
        networks=list(read.networks),
        device=json.loads(Path(read.costs).read_text())["total"]["device"],
        config=snakemake.config,
        path=Path(snakemake.output.json),
    )
