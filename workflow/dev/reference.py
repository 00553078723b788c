"""Keep what the full build of this folder and the smoke build in results/smoke made, in data/reference: checksums of every
file, numbers with their verdicts, what each job took, the pictures of the page's cards, and where it
was made (`python workflow/dev/reference.py`).

A page shows the numbers and the cards of the reference for what its build could not judge. So where these change, both builds and
this command have to run once more: the command says so."""

import json
import os
from pathlib import Path
from typing import Any

from project import errors_of, without_arguments

from modadd.core.files import Data, json_of, write_whole
from paper.commands.build import PROVENANCE, require_build
from paper.ledger.read.entries import read_ledger
from paper.ledger.tell.reference import as_lines, checksums_of, expected_numbers
from paper.needed import COSTS, costs
from paper.outputs import outputs_of
from paper.page.cards import card, kept_card
from paper.page.told import read_words

SMOKE = Path("results/smoke")


def config_of(folder: Path) -> dict[str, Any]:
    """The config that a folder was built with."""
    return json_of(folder / PROVENANCE)["config"]


def list_of(folder: Path) -> str:
    """The checksum of every file that the build of a folder made."""
    config = config_of(folder)
    return as_lines(config["scale"], checksums_of(folder, outputs_of(config)))


def keep_reference(reference: Path) -> None:
    """Write sha256.txt, numbers.json, costs.json, provenance.json and the cards; ValueError for a full build without a smoke build.

    Raises ValueError, too, once all is written, if the pages of these builds were made with other numbers or cards.
    """
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
    if len(builds) > 1:  # only a full build has them
        files |= cards_of(read_words(read_ledger()["papers"]))
    shown = [name for name in files if name.endswith((".svg", "numbers.json"))]
    changed = [name for name in shown if not is_kept(reference / name, files[name])]
    for name, content in files.items():  # only now, as what goes before may fail
        write_whole(reference / name, content.encode())
    if changed and len(builds) > 1:
        raise ValueError(
            f"{', '.join(changed)} changed, which pages show: `make`, `make smoke`, then this command again"
        )


def cards_of(words: Data) -> dict[str, str]:
    """The pictures of the page's cards, drawn from the tables of this build, by the name of their file."""
    figures = [entry["figure"] for entry in words["results"] if "card" in entry]
    return {kept_card(figure): card(figure, Path("figures")) for figure in figures}


def is_kept(file: Path, content: str) -> bool:
    """Whether a file has this content already."""
    return file.exists() and file.read_text(encoding="utf-8") == content


if __name__ == "__main__":
    without_arguments(__doc__)
    os.chdir(Path(__file__).parents[2])
    require_build("reference")
    with errors_of("reference"):
        keep_reference(Path("data/reference"))
