"""Freeze all claims, and the code that measures and counts for them, before networks are trained to judge them
(`python workflow/dev/freeze.py`). This is done once: afterwards data/held_out/changed.yaml says what was changed, and why."""

from pathlib import Path

import own_library  # noqa: F401
from command import errors_of

from modadd.core.files import write_json
from modadd.ledger.entries import read_ledger
from modadd.ledger.freeze import FROZEN, HELD_OUT, digest, state, whole


def freeze(project: Path) -> str:
    """Write the freeze of a project, and return its checksum; raises ValueError if networks were judged by another one."""
    if rows := sorted((project / HELD_OUT).glob("*.parquet")):
        raise ValueError(
            f"{rows[0]} holds networks that were trained after a freeze; another one would not precede them"
        )
    fixed = state(read_ledger(project))
    write_json(project / FROZEN, {"state": fixed, "whole": digest(fixed)})
    return whole(project)


if __name__ == "__main__":
    with errors_of("freeze"):
        print(f"{FROZEN}: {freeze(Path())}")
