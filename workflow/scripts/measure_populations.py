"""Measure several shards, one after the other, and put the rows of each population into its table."""

import own_code  # noqa: F401

# isort: split

from pathlib import Path

from gather_population import gather
from measure_shard import measure

from paper.jobs import begin

if __name__ == "__main__":
    begin(snakemake.log[0])
    read, written = snakemake.input.networks, snakemake.output.rows
    for networks, shard, rows in zip(read, snakemake.params.shards, written, strict=True):
        measure(networks, shard, Path(rows))
    for shards, table in zip(snakemake.params.gathered, snakemake.output.tables, strict=True):
        gather(shards, Path(table))
