"""Put the rows of all shards of a population into one table, in the order of the shards."""

import own_code  # noqa: F401

# isort: split

from collections.abc import Iterable
from pathlib import Path

from modadd.core.parquet import read_table, write_table
from modadd.populations.unmeasured import stacked
from paper.jobs import begin


def gather(shards: Iterable[str], table: Path) -> None:
    """Write one table of the rows of some shards."""
    write_table(stacked(map(read_table, shards)), table)


if __name__ == "__main__":
    begin(snakemake.log[0])
    gather(snakemake.input.rows, Path(snakemake.output.table))
