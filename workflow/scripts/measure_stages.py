"""Measure every snapshot of a run and write one row of numbers for each."""

import own_code  # noqa: F401

# isort: split

from pathlib import Path

from tqdm import tqdm

from modadd.core.parquet import write_table
from modadd.networks.snapshots import read_history
from modadd.populations.stages import stages_of
from paper.jobs import begin

if __name__ == "__main__":
    begin(snakemake.log[0])
    history = read_history(snakemake.input.history)
    rows = tqdm(stages_of(history), unit="snapshot", total=len(history.steps))
    write_table(rows, Path(snakemake.output.rows))
