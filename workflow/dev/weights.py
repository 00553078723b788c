"""Fetch published weights into data/external, check them, and print the lines a config needs (`python workflow/dev/weights.py`)."""

import hashlib
import json
import sys
from collections.abc import Mapping
from http.client import HTTPException
from pathlib import Path
from typing import Any
from urllib.request import urlopen

import own_library  # noqa: F401
import yaml

from modadd.core.files import write_whole
from modadd.ledger.differences import sha256
from modadd.ledger.published import read_published
from modadd.networks.settings import settings_file

PATIENCE = 60  # seconds without an answer


def fetch(source: Mapping[str, Any], target: Path) -> None:
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


def fetch_all(published: Mapping[str, Any], folder: Path) -> str:
    """Fetch every file; gives the lines of the config that name them. Raises ValueError as `fetch` does."""
    entries = {}
    for name, source in published.items():
        path = folder / f"{name}.pt"
        fetch(source, path)
        if "settings" in source:
            settings_file(path).write_text(json.dumps(source["settings"]), encoding="utf-8")
        entries[name] = {"path": str(path), "format": source["format"], "sha256": source["sha256"]}
    return yaml.safe_dump({"datasets": entries}, sort_keys=False)


if __name__ == "__main__":
    try:
        lines = fetch_all(read_published("data/published/values.json"), Path("data/external"))
    except ValueError as error:
        sys.exit(f"weights: {error}")
    words = "put these lines into a config of your own, and build with snakemake --cores all --configfile FILE"
    print(f"The files are in data/external; {words}:", file=sys.stderr)
    print(lines, end="")
