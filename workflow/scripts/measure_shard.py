"""Measure every network of a shard and write one row of numbers for each."""

import sys
from pathlib import Path

from modadd.environment import set_arithmetic
from modadd.networks import load_networks
from modadd.populations import write_rows
from modadd.rows import row_of
from tqdm import tqdm

if __name__ == "__main__":
    sys.stderr = open(snakemake.log[0], "w", buffering=1)  # left open: a traceback must reach it
    set_arithmetic()
    networks = load_networks(snakemake.input.networks)
    write_rows((row_of(network) for network in tqdm(networks, unit="network")), Path(snakemake.output.rows))
