"""Put the rows of all shards of a population into one table, in the order of the shards."""

import sys
from pathlib import Path

import pandas as pd

from modadd.populations.tables import write_rows

if __name__ == "__main__":
    sys.stderr = open(snakemake.log[0], "w", buffering=1)  # left open: a traceback must reach it
    rows = pd.concat([pd.read_parquet(path) for path in snakemake.input.rows], ignore_index=True)
    write_rows(rows.to_dict("records"), Path(snakemake.output.table))
