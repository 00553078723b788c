"""Keep the rows of a large population in data/, with a file beside them that says where the networks were trained."""

import json
import shutil
import sys
from pathlib import Path

import pandas as pd
from modadd.networks import write_whole
from modadd.provenance import provenance


def keep_population(trained: Path, kept: Path) -> None:
    """Copy the rows; write how many networks they hold and where those were trained."""
    kept.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(trained, kept)
    origin = {"networks": len(pd.read_parquet(kept)), "device": "CPU, one thread", **provenance()}
    write_whole(kept.with_suffix(".json"), json.dumps(origin, indent=2).encode() + b"\n")


if __name__ == "__main__":
    sys.stderr = open(snakemake.log[0], "w", buffering=1)  # left open: a traceback must reach it
    keep_population(Path(snakemake.input.trained), Path(snakemake.params.kept))
