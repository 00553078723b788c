"""Put the rows of all shards of a population into one table, in the order of the shards."""

import own_code  # noqa: F401

# isort: split

from pathlib import Path

from modadd.core.parquet import read_table, write_table
from modadd.populations.unmeasured import stacked
from paper.jobs import begin

if __name__ == "__main__":
    begin(snakemake.log[0])
    shards = map(read_table, snakemake.input.rows)
    table = stacked(shards)
    write_table(table, Path(snakemake.output.table))
