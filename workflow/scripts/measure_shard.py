"""Measure every network of a shard, in float64, and write one row of numbers for each; of the first ones the costly too."""

import own_code  # noqa: F401

# isort: split

import shutil
from importlib import import_module
from pathlib import Path

import pandas as pd
from tqdm import tqdm

from modadd.core.parquet import write_table
from modadd.networks.store import load_networks
from modadd.populations.rows import row_of
from modadd.populations.unmeasured import stacked
from paper.headers import require_recipes
from paper.jobs import begin

if __name__ == "__main__":
    begin(snakemake.log[0])
    shutil.rmtree(snakemake.params.checkpoints, ignore_errors=True)  # what they led to is accepted: it is an input here
    require_recipes({snakemake.input.networks: snakemake.params.recipe})
    networks = load_networks(snakemake.input.networks)
    kind = import_module(f"modadd.populations.columns.{snakemake.params.kind}")  # `code` in the rule counts this module
    every, first = kind.COLUMNS, {**kind.COLUMNS, **getattr(kind, "COSTLY", {})}
    costly = snakemake.params.costly
    rows = [
        row_of(network, first if place < costly else every)
        for place, network in enumerate(tqdm(networks, unit="network"))
    ]
    parts = [pd.DataFrame(part) for part in (rows[:costly], rows[costly:]) if part]
    write_table(stacked(parts), Path(snakemake.output.rows))
