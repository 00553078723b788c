"""Put the rows of all shards of a population into one table, in the order of the shards."""

from pathlib import Path

import pandas as pd

from modadd.core.jobs import begin
from modadd.core.parquet import read_table, write_table

if __name__ == "__main__":
    begin(snakemake.log[0])
    shards = map(read_table, snakemake.input.rows)
    table = pd.concat(shards, ignore_index=True)
    write_table(table, Path(snakemake.output.table))
