"""Keep what this build measured on published weights in data/published, with the figures that show them best
(`python workflow/dev/published.py`, after a full build whose config names all of them)."""

import json
import shutil
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import own_library  # noqa: F401

from modadd.core.code import code_behind
from modadd.core.files import read_json, write_whole
from modadd.ledger.entries import read_ledger
from modadd.ledger.published import fresh_values, kept_values, read_published, same_as_kept
from modadd.planning.datasets import IMPORTED, datasets_of
from modadd.planning.root import notebook_file

FIGURES = {"mlp_key_frequencies": "fractions_explained", "cross_study": "phase_law"}
LARGEST = 60_000  # bytes of a kept figure


def require_same_weights(
    kept: Mapping[str, Any], claims: Sequence[Mapping[str, Any]], config: Mapping[str, Any]
) -> None:
    """Raise ValueError, one line, for weights of a claim that the config does not name, or not as the kept file."""
    given = datasets_of(config, IMPORTED)
    for claim in claims:
        name = claim["external"]
        if name not in given:
            raise ValueError(f"config: datasets.{name} is missing; claim '{claim['id']}' is about it")
        for key in ("sha256", "format"):
            if given[name][key] != kept[name][key]:
                where = f"config: datasets.{name}.{key}"
                raise ValueError(f"{where}: expected the kept {kept[name][key]}, got {given[name][key]}")


def keep_published(folder: Path, ledger: Mapping[str, Any]) -> None:
    """Write values.json again, with fingerprints of the code; say which values have changed, and copy the figures."""
    file = folder / "values.json"
    before, kept = kept_values(file), read_published(file)
    claims = [claim for claim in ledger["claims"] if "external" in claim]
    provenance = json.loads(Path("results/provenance.json").read_text(encoding="utf-8"))
    require_same_weights(kept, claims, provenance["config"])
    recorded = {name: read_json(f"results/values/{name}.json") for name in {claim["notebook"] for claim in claims}}
    pictures = [Path(f"figures/{notebook}/{figure}.png") for notebook, figure in FIGURES.items()]
    for picture in pictures:
        if picture.stat().st_size > LARGEST:
            raise ValueError(f"{picture}: {picture.stat().st_size} bytes, expected at most {LARGEST}")
    for name, notebooks in fresh_values(claims, recorded, kept).items():
        kept[name]["notebooks"] = {
            notebook: {"code": _code_of(ledger["notebooks"][notebook]["source"]), "values": values}
            for notebook, values in notebooks.items()
        }
    write_whole(file, json.dumps(kept, indent=1, sort_keys=True, allow_nan=False).encode() + b"\n")
    for picture in pictures:
        shutil.copyfile(picture, folder / f"{picture.parent.name}.png")
    for place, words in same_as_kept(before, kept_values(file)).items():
        print(f"against what was kept before: {place}: {words}")
    print(f"{file} holds the values of {len(claims)} claims")


def _code_of(source: str) -> str:
    return code_behind(notebook_file(source), "workflow/scripts/execute_notebook.py")


if __name__ == "__main__":
    if not Path("results/provenance.json").exists():
        sys.exit("results/provenance.json does not exist; build everything first, with published weights in the config")
    try:
        keep_published(Path("data/published"), read_ledger())
    except (OSError, ValueError) as error:
        sys.exit(f"published: {error}")
