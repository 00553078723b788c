"""Train every network of the pilot, and write one row for each: what it has learned, and its weights."""

from pathlib import Path

from tqdm import tqdm

from modadd.core.bits import set_arithmetic
from modadd.core.jobs import begin
from modadd.core.parquet import write_table
from modadd.populations.pilot import pilot_rows
from modadd.training.pilot import CONFIGURATIONS

if __name__ == "__main__":
    begin(snakemake.log[0])
    set_arithmetic()
    seeds = range(snakemake.params.seeds)
    rows = tqdm(pilot_rows(seeds), unit="network", total=len(seeds) * len(CONFIGURATIONS), mininterval=5)
    write_table(rows, Path(snakemake.output.rows))
