"""Keep the rows of a large population in data/, beside those kept before, with where each run's networks were trained."""

import json
import sys
from pathlib import Path

import pandas as pd
from modadd.networks import write_whole
from modadd.populations import read_population, write_rows
from modadd.provenance import provenance


def keep_population(trained: Path, kept: Path) -> None:
    """Add the rows to the kept ones, of which the same networks are replaced; add the run to the list of origins."""
    rows = read_population(trained, kept if kept.exists() else None).drop(columns="trained")
    origins = kept.with_suffix(".json")
    runs = json.loads(origins.read_text())["runs"] if origins.exists() else []
    runs.append({"networks": len(pd.read_parquet(trained)), "device": "CPU, one thread", **provenance()})
    write_rows(rows.to_dict("records"), kept)
    write_whole(origins, json.dumps({"networks": len(rows), "runs": runs}, indent=2).encode() + b"\n")


if __name__ == "__main__":
    sys.stderr = open(snakemake.log[0], "w", buffering=1)  # left open: a traceback must reach it
    keep_population(Path(snakemake.input.trained), Path(snakemake.params.kept))
