"""Put the rows of all shards of a population into one table, in the order of the shards; of several populations each."""

import own_code  # noqa: F401

# isort: split

from pathlib import Path

from modadd.core.parquet import read_table, write_table
from modadd.populations.unmeasured import stacked
from paper.jobs import begin

if __name__ == "__main__":
    begin(snakemake.log[0])
    for shards, table in zip(snakemake.params.shards, snakemake.output.tables, strict=True):
        write_table(stacked(map(read_table, shards)), Path(table))
