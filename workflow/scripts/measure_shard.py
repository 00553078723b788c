"""Measure every network of shards, in float64, and write one row of numbers for each; of the first ones the costly too."""

import own_code  # noqa: F401

# isort: split

import shutil
from importlib import import_module
from pathlib import Path

import pandas as pd
from tqdm import tqdm

from modadd.core.files import Data
from modadd.core.parquet import write_table
from modadd.networks.store import load_networks
from modadd.populations.rows import row_of
from modadd.populations.unmeasured import stacked
from paper.headers import require_recipes
from paper.jobs import begin


def measure(networks: str, shard: Data, rows: Path) -> None:
    """Write a row for each network of a shard, which names their `recipe`, its `kind` and how many are measured at a `costly` price.

    Raises ValueError, one line, for networks of another recipe.
    """
    shutil.rmtree(shard["checkpoints"], ignore_errors=True)  # what they led to is accepted: it is an input here
    require_recipes({networks: shard["recipe"]})
    loaded = load_networks(networks)
    kind = import_module(f"modadd.populations.columns.{shard['kind']}")  # `code` in the rule counts this module
    every, first = kind.COLUMNS, {**kind.COLUMNS, **getattr(kind, "COSTLY", {})}
    costly = shard["costly"]
    measured = [
        row_of(network, first if place < costly else every)
        for place, network in enumerate(tqdm(loaded, unit="network"))
    ]
    parts = [pd.DataFrame(part) for part in (measured[:costly], measured[costly:]) if part]
    write_table(stacked(parts), rows)


if __name__ == "__main__":
    begin(snakemake.log[0])
    read, written = snakemake.input.networks, snakemake.output.rows
    for networks, shard, rows in zip(read, snakemake.params.shards, written, strict=True):
        measure(networks, shard, Path(rows))
