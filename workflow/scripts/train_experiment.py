"""Train the networks of an experiment, and write one row for each: what it has learned."""

import own_code  # noqa: F401

# isort: split

from pathlib import Path
from pkgutil import resolve_name

from tqdm import tqdm

from modadd.core.bits import set_arithmetic
from modadd.core.parquet import write_table
from paper.datasets import seeds_of
from paper.jobs import begin

if __name__ == "__main__":
    begin(snakemake.log[0])
    set_arithmetic()
    rows_of = resolve_name(snakemake.params.rows)  # `code` in the rule counts this function
    settings = dict(snakemake.params.settings)
    seeds = seeds_of({"seeds": settings.pop("seeds")})
    rows = rows_of(seeds, **settings)
    write_table(tqdm(rows, unit="network", mininterval=5), Path(snakemake.output.rows))
