"""Published weights: fetching them, and keeping what a build measured on them, with the figures that show them best."""

import hashlib
import json
import os
import shutil
import sys
from collections.abc import Sequence
from http.client import HTTPException
from pathlib import Path
from urllib.request import urlopen

import project  # noqa: F401
import yaml

from modadd.core.files import Data, json_of, sha256, write_whole
from modadd.networks.foreign import settings_file
from paper.code import code_of
from paper.commands.build import PROVENANCE
from paper.datasets import datasets_of
from paper.ledger.judge.built import Built
from paper.ledger.read.published import fresh_values, kept_values, read_published, same_as_kept
from paper.notebook_files import notebook_file

KEPT, WEIGHTS = Path("data/published"), Path("data/external")
FIGURES = {"mlp_variance_explained": "fractions_explained", "cross_study": "phase_law"}
LARGEST = 60_000  # bytes of a kept figure
PATIENCE = 60  # seconds without an answer


def fetch(source: Data, target: Path) -> None:
    """Write the file of an entry of `read_published`, unless it is there: complete and checked, or not at all.

    Raises ValueError, one line, if the address does not answer or the answer is another file.
    """
    if target.exists() and sha256(target) == source["sha256"]:
        return
    try:
        with urlopen(source["url"], timeout=PATIENCE) as answer:
            content = answer.read(source["size"] + 1)  # a longer file is another one
    except (OSError, HTTPException) as error:
        words = f"{source['url']} of {source['publisher']} does not answer ({error})"
        raise ValueError(f"{words}; try again with a network, or copy the file to {target} by hand") from error
    found = hashlib.sha256(content).hexdigest()
    if found != source["sha256"]:
        words = f"expected sha256 {source['sha256']}, found {found}"
        raise ValueError(f"{source['url']}: {words}; this is not the file that was measured, and it was not kept")
    write_whole(target, content)


def fetch_all(published: Data, folder: Path) -> str:
    """Fetch every file; gives the lines of the config that name them. Raises ValueError as `fetch` does."""
    entries = {}
    for name, source in published.items():
        path = folder / f"{name}.pt"
        fetch(source, path)
        if "settings" in source:
            settings_file(path).write_text(json.dumps(source["settings"]), encoding="utf-8")
        entries[name] = {"path": str(path), "format": source["format"], "sha256": source["sha256"]}
    return yaml.safe_dump({"datasets": entries}, sort_keys=False)


def keep_weights() -> None:
    """Fetch the weights that claims are about, and print the lines of a config that names them."""
    lines = fetch_all(read_published(KEPT / "values.json"), WEIGHTS)
    words = "put these lines into a config of your own, and build with snakemake --cores all --configfile FILE"
    print(f"The files are in {WEIGHTS}; {words}:", file=sys.stderr)
    print(lines, end="")


def require_same_weights(kept: Data, claims: Sequence[Data], config: Data) -> None:
    """Raise ValueError, one line, for weights of a claim that the config does not name, or not as the kept file."""
    given = datasets_of(config).imported
    for claim in claims:
        name = claim["external"]
        if name not in given:
            raise ValueError(f"config: datasets.{name} is missing; claim '{claim['id']}' is about it")
        for key in ("sha256", "format"):
            if given[name][key] != kept[name][key]:
                where = f"config: datasets.{name}.{key}"
                raise ValueError(f"{where}: expected the kept {kept[name][key]}, got {given[name][key]}")


def keep_published(folder: Path, ledger: Data) -> None:
    """Write values.json again, with checksums of the code; say which values have changed, and copy the figures.

    Raises ValueError, one line, without a full build whose config names all of the same weights.
    """
    if not PROVENANCE.exists():
        words = "build everything first, with published weights in the config"
        raise ValueError(f"{PROVENANCE} does not exist; {words}")
    provenance = json_of(PROVENANCE)
    file = folder / "values.json"
    before = kept_values(file)
    kept = read_published(file)
    claims = [claim for claim in ledger["claims"] if "external" in claim]
    require_same_weights(kept, claims, provenance["config"])
    pictures = _small_enough([Path(f"figures/{notebook}/{figure}.png") for notebook, figure in FIGURES.items()])
    for name, notebooks in fresh_values(claims, Built().recorded, kept).items():
        kept[name]["notebooks"] = {}
        for notebook, values in notebooks.items():
            code = _code_of(ledger["notebooks"][notebook]["source"])
            kept[name]["notebooks"][notebook] = {"code": code, "values": values}
    text = json.dumps(kept, indent=1, sort_keys=True, allow_nan=False)
    write_whole(file, f"{text}\n".encode())
    for picture in pictures:
        shutil.copyfile(picture, folder / f"{picture.parent.name}.png")
    for place, words in same_as_kept(before, kept_values(file)).items():
        print(f"against what was kept before: {place}: {words}")
    print(f"{file} holds the values of {len(claims)} claims")


def _small_enough(pictures: list[Path]) -> list[Path]:
    """The pictures; raises ValueError for one of more than LARGEST bytes."""
    for picture in pictures:
        size = picture.stat().st_size
        if size > LARGEST:
            raise ValueError(f"{picture}: {size} bytes, expected at most {LARGEST}")
    return pictures


def _code_of(source: str) -> str:
    return code_of("workflow/scripts/execute_notebook.py", os.path.abspath(notebook_file(source)))
