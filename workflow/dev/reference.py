"""Keep what the full build of this folder and the smoke build in results/smoke made, in data/reference: checksums of every
file, numbers with their verdicts, what each job took, and where it was made (`python workflow/dev/reference.py`)."""

import json
import os
from pathlib import Path
from typing import Any

from project import errors_of

from modadd.core.files import json_of, write_whole
from paper.commands.build import PROVENANCE, require_build
from paper.ledger.tell.reference import as_lines, checksums_of, expected_numbers
from paper.needed import COSTS, costs
from paper.outputs import outputs_of

SMOKE = Path("results/smoke")


def config_of(folder: Path) -> dict[str, Any]:
    """The config that a folder was built with."""
    return json_of(folder / PROVENANCE)["config"]


def list_of(folder: Path) -> str:
    """The checksum of every file that the build of a folder made."""
    config = config_of(folder)
    return as_lines(config["scale"], checksums_of(folder, outputs_of(config)))


def keep_reference(reference: Path) -> None:
    """Write sha256.txt, numbers.json, costs.json and provenance.json; raises ValueError for a full build without a smoke build."""
    here = Path(".")
    builds = [here] if config_of(here)["scale"] == "smoke" else [SMOKE, here]
    if not (builds[0] / PROVENANCE).exists():
        raise ValueError(f"{SMOKE} holds no build; `make smoke` makes it")
    rows = json_of("figures/claims.json")
    files = {
        "sha256.txt": "".join(map(list_of, builds)),
        "numbers.json": json.dumps(expected_numbers(rows), indent=1, sort_keys=True) + "\n",
        COSTS.name: json.dumps(costs(), indent=1, sort_keys=True) + "\n",
        PROVENANCE.name: PROVENANCE.read_text(encoding="utf-8"),
    }
    for name, content in files.items():  # only now, as what goes before may fail
        write_whole(reference / name, content.encode())


if __name__ == "__main__":
    os.chdir(Path(__file__).parents[2])
    require_build("reference")
    with errors_of("reference"):
        keep_reference(Path("data/reference"))
