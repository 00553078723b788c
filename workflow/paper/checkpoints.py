"""Checkpoints of training, in a folder for each job: kept until what they led to is accepted."""

import shutil
from contextlib import suppress
from pathlib import Path


def remove_accepted(results: Path = Path("results")) -> None:
    """Remove the checkpoints of every network and shard that is there; an interrupted training keeps its own."""
    checkpoints = results / "checkpoints"
    for folder in checkpoints.glob("*/*"):
        trained = f"{folder.relative_to(checkpoints)}.safetensors"
        if any((results / kind / trained).exists() for kind in ("networks", "populations")):
            shutil.rmtree(folder, ignore_errors=True)
    for folder in (*checkpoints.glob("*"), checkpoints):
        with suppress(OSError):  # it still holds some
            folder.rmdir()
