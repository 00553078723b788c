"""What made each output: Snakemake's records of it, kept beside the outputs instead of in its own folder.

By these records Snakemake knows that a file was made with another config or by other code. In `.snakemake` they are lost
where only what was built is copied, packed or kept, and the old file then passes for a new one.
"""

import os
import shutil
from base64 import urlsafe_b64encode
from collections.abc import Iterable
from pathlib import Path

from modadd.run.project import copy_if_new

RECORDS = Path("results/made")
SNAKEMAKES = Path(".snakemake/metadata")  # where Snakemake looks for them: a link to RECORDS
INCOMPLETE = Path(".snakemake/incomplete")  # a mark for each output whose job has begun and not ended
_LONGEST = 254  # letters of a file's name, as Snakemake cuts longer ones


def keep_records_beside_results(folder: Path = Path(".")) -> None:
    """Let Snakemake keep its records of a folder in RECORDS; those it has already are moved there."""
    own, kept = folder / SNAKEMAKES, folder / RECORDS
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
    parts = [name[start : start + _LONGEST] for start in range(0, len(name), _LONGEST)]
    return folder.joinpath(kind, *(f"@{part}" for part in parts[:-1]), parts[-1])


def copy_with_records(outputs: Iterable[str], folder: Path) -> None:
    """Copy outputs of this folder into another, each with its record, the oldest first: none is older than its inputs."""
    for name in sorted(filter(os.path.isfile, outputs), key=os.path.getmtime):
        copy_if_new(Path(name), folder / name)
        copy_if_new(record_of(name), record_of(name, folder))


def require_records(outputs: Iterable[str]) -> None:
    """Raise ValueError, one line, for an output without a record: what made it is unknown.

    A file that a killed run left behind is exempt: Snakemake has marked it, and makes it again.
    """
    there = filter(os.path.exists, outputs)
    unknown = [
        name for name in there if not any(record_of(name, kind=kind).is_file() for kind in (RECORDS, INCOMPLETE))
    ]
    if unknown:
        others = f" (and {len(unknown) - 1} more)" if len(unknown) > 1 else ""
        raise ValueError(
            f"{unknown[0]}{others}: {RECORDS} has no record of the config and code that made it; copy the record with the file, "
            "or delete the file (`make clean` deletes all) to make it again"
        )
