"""Put the rows of all shards of a population into one table, in the order of the shards."""

from pathlib import Path

from modadd.core.jobs import begin
from modadd.core.parquet import read_table, write_table
from modadd.populations.unmeasured import stacked

if __name__ == "__main__":
    begin(snakemake.log[0])
    shards = map(read_table, snakemake.input.rows)
    table = stacked(shards)
    write_table(table, Path(snakemake.output.table))
