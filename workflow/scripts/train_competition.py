"""Train the networks in which frequencies compete, and write one row for each."""

from pathlib import Path

from tqdm import tqdm

from modadd.core.bits import set_arithmetic
from modadd.core.jobs import begin
from modadd.core.parquet import write_table
from modadd.populations.competition import competition_rows, networks

if __name__ == "__main__":
    begin(snakemake.log[0])
    set_arithmetic()
    seeds = range(snakemake.params.seeds)
    total = len(seeds) * len(networks(snakemake.params.changes))
    rows = tqdm(competition_rows(seeds, snakemake.params.changes), unit="network", total=total, mininterval=5)
    write_table(rows, Path(snakemake.output.rows))
