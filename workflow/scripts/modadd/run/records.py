"""What made each output: Snakemake's records of it, kept beside the outputs instead of in its own folder.

By these records Snakemake knows that a file was made with another config or by other code. In `.snakemake` they are lost
where only what was built is copied, packed or kept, and the old file then passes for a new one.
"""

import json
import os
import shutil
from base64 import urlsafe_b64encode
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from modadd.core.bits import ARITHMETIC, of_another_version
from modadd.core.files import json_of
from modadd.core.plain import Data
from modadd.run.project import copy_if_new

RECORDS = Path("results/made")
SNAKEMAKES = Path(".snakemake/metadata")  # where Snakemake looks for them: a link to RECORDS
INCOMPLETE = Path(".snakemake/incomplete")  # a mark for each output whose job has begun and not ended
METADATA = "modadd"  # the header's key, as networks.store has it; what the rules import does not import that
_LONGEST = 254  # letters of a file's name, as Snakemake cuts longer ones


def keep_records_beside_results(folder: Path = Path(".")) -> None:
    """Let Snakemake keep its records of a folder in RECORDS; those it has already are moved there."""
    own = folder / SNAKEMAKES
    kept = folder / RECORDS
    kept.mkdir(parents=True, exist_ok=True)
    if own.is_symlink():
        return
    if own.is_dir():
        shutil.copytree(own, kept, dirs_exist_ok=True)
        shutil.rmtree(own)
    (folder / INCOMPLETE).mkdir(parents=True, exist_ok=True)  # else Snakemake takes the records for an old version's
    own.symlink_to(os.path.relpath(kept, own.parent))


def record_of(output: str, folder: Path = Path("."), kind: Path = RECORDS) -> Path:
    """The file of an output's record, or of another `kind` that Snakemake keeps, named as Snakemake names it."""
    name = urlsafe_b64encode(output.encode()).decode()
    place = folder / kind
    while len(name) > _LONGEST:
        place /= f"@{name[:_LONGEST]}"
        name = name[_LONGEST:]
    return place / name


def copy_with_records(outputs: Iterable[str], folder: Path) -> None:
    """Copy outputs of this folder into another, each with its record, the oldest first: none is older than its inputs."""
    for name in sorted(filter(os.path.isfile, outputs), key=os.path.getmtime):
        copy_if_new(Path(name), folder / name)
        copy_if_new(record_of(name), record_of(name, folder))


def require_records(outputs: Iterable[str]) -> None:
    """Raise ValueError, one line, for an output without a record: what made it is unknown.

    A file that a killed run left behind is exempt: Snakemake has marked it, and makes it again.
    """
    unknown = []
    for name in filter(os.path.exists, outputs):
        records = (record_of(name), record_of(name, kind=INCOMPLETE))
        if not any(map(Path.is_file, records)):
            unknown.append(name)
    if unknown:
        others = f" (and {len(unknown) - 1} more)" if len(unknown) > 1 else ""
        raise ValueError(
            f"{unknown[0]}{others}: {RECORDS} has no record of the config and code that made it; copy the record with the file, "
            "or delete the file (`make clean` deletes all) to make it again"
        )


def require_recipe(name: str, recipe: Data, by_params: bool) -> None:
    """Raise ValueError, one line, for a file of networks of another recipe than the config's, which would pass for new.

    One of another version's bits is refused as well. Snakemake makes such a file again, unless it was told to look at
    times alone (`by_params` is false), or `--touch` has written a record that says what the file does not hold.
    """
    if not (header := header_of(Path(name))) or (by_params and not _record_says(name, recipe)):
        return
    held = header["recipe"]
    for key, value in _as_json(recipe).items():
        if held.get(key) != value:
            raise ValueError(
                f"{name}: expected a network with {key} {value}, as the config says, found {key} {held.get(key)} in its "
                "header, and this run would keep it; leave out `--rerun-triggers`, or, after `--touch`, delete the file"
            )
    if not by_params and (said := of_another_version(header.get("origin", {}))):
        raise ValueError(f"{name}: {said}")


def train_again(folder: Path = Path("results")) -> str | None:
    """One line on the networks in a folder of results that train again, because of the arithmetic that trained them.

    None if there are none.
    """
    networks = 0
    ways = set()
    for kind in ("networks", "populations"):
        for file in sorted(folder.glob(f"{kind}/*/*seed*.safetensors")):
            header = header_of(file)
            origin = header.get("origin", {}) if header else {}
            if of_another_version(origin):
                networks += len(header.get("seeds", [None]))
                ways.add(origin.get("arithmetic", "an older version"))
    if not networks:
        return None
    by = ", ".join(sorted(ways))
    return f"{networks} networks in {folder} were trained by {by}; those that are needed train again by {ARITHMETIC}, with other bits"


def require_values(made_of: Mapping[str, tuple[str, Data, Mapping[str, str]]]) -> None:
    """Raise ValueError, one line, for values that are newer than their network, but say that it was of another recipe.

    `made_of` has for each file of values that of the network, its recipe by the config, and where this deviates from what
    is published, as values record it. A network of another recipe is left to `require_recipe`.
    """
    for name, (network, recipe, deviations) in made_of.items():
        if not os.path.exists(name) or _recipe_in(Path(network)) != _as_json(recipe):
            continue
        values = json_of(name)
        found = values["network"]["deviations"]
        missing = [words for key, words in deviations.items() if found.get(key) != words]
        if missing and os.path.getmtime(name) >= os.path.getmtime(network):
            raise ValueError(
                f"{name}: expected values of a network with {missing[0]}, as its file is, found those of another; "
                "delete the file"
            )


def header_of(file: Path) -> dict[str, Any] | None:
    """The header of a file of networks, with their recipe; None if it is not there or damaged, which its reader says."""
    try:
        with file.open("rb") as opened:
            header = json.loads(opened.read(int.from_bytes(opened.read(8), "little")))
        metadata = json.loads(header["__metadata__"][METADATA])
        return metadata if isinstance(metadata.get("recipe"), dict) else None
    except (OSError, ValueError, KeyError, TypeError, OverflowError, MemoryError):
        return None


def _recipe_in(file: Path) -> dict[str, Any] | None:
    header = header_of(file)
    return header and header["recipe"]


def _as_json(recipe: Data) -> dict[str, Any]:
    return json.loads(json.dumps(recipe))


def _record_says(name: str, recipe: Data) -> bool:
    """Whether Snakemake's record of a file names this recipe among the parameters of its job."""
    try:
        record = json_of(record_of(name))
    except (OSError, ValueError):
        return False
    return repr(dict(recipe)) in (record.get("params") or [])
