"""Measure every network of a shard and write one row of numbers for each."""

import sys
from pathlib import Path

from tqdm import tqdm

from modadd.core.environment import set_arithmetic
from modadd.networks.store import load_networks
from modadd.populations.rows import row_of
from modadd.populations.tables import write_rows

if __name__ == "__main__":
    sys.stderr = open(snakemake.log[0], "w", buffering=1)  # left open: a traceback must reach it
    set_arithmetic()
    networks = load_networks(snakemake.input.networks)
    write_rows((row_of(network) for network in tqdm(networks, unit="network")), Path(snakemake.output.rows))
