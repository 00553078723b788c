"""What a file of networks says of itself, in its header: read without the library that computes."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from modadd.core.bits import ARITHMETIC, of_another_version
from modadd.core.files import Data


def header_of(file: Path) -> dict[str, Any] | None:
    """The header of a file of networks, with their recipe; None if it is not there or damaged, which its reader says."""
    try:
        with file.open("rb") as opened:
            header = json.loads(opened.read(int.from_bytes(opened.read(8), "little")))
        metadata = json.loads(header["__metadata__"]["modadd"])  # the key of networks.store
        return metadata if isinstance(metadata.get("recipe"), dict) else None
    except (OSError, ValueError, KeyError, TypeError, AttributeError, OverflowError, MemoryError):
        return None


def require_recipes(recipes: Mapping[str, Data]) -> None:
    """Raise ValueError, one line, for a file of networks of another recipe than the config's, by the file's name.

    Snakemake trains such networks again, unless `--touch` or `--rerun-triggers mtime` told it to keep them.
    """
    for name, recipe in recipes.items():
        header = header_of(Path(name))
        if header is None:
            continue
        held = header["recipe"]
        for key, value in json.loads(json.dumps(recipe)).items():
            if held.get(key) != value:
                found = f"expected networks with {key} {value}, as the config says, found {key} {held.get(key)}"
                raise ValueError(f"{name}: {found} in its header; delete the file, and the next run trains them")


def train_again(folder: Path = Path("results")) -> str:
    """One line on the networks in a folder of results that were trained by another arithmetic; empty if there are none."""
    networks = 0
    ways = set()
    for kind in ("networks", "populations"):
        for file in sorted(folder.glob(f"{kind}/*/*seed*.safetensors")):
            header = header_of(file) or {}
            origin = header.get("origin", {})
            if of_another_version(origin):
                networks += len(header.get("seeds", [None]))
                ways.add(origin.get("arithmetic", "an older version"))
    if not networks:
        return ""
    by = ", ".join(sorted(ways))
    return f"{networks} networks in {folder} were trained by {by}; those that are needed train again by {ARITHMETIC}, with other bits"
