"""Choose by rule the network of a population that stands for it in the figures."""

import sys
from pathlib import Path

import pandas as pd
from modadd.exhibits import exhibit_of
from modadd.networks import load_networks, save_networks

if __name__ == "__main__":
    sys.stderr = open(snakemake.log[0], "w", buffering=1)  # left open: a traceback must reach it
    seed = exhibit_of(pd.read_parquet(snakemake.input.table))
    trained = [network for shard in snakemake.input.networks for network in load_networks(shard)]
    save_networks([network for network in trained if network.seed == seed], Path(snakemake.output.network))
    print(f"the exhibit is seed {seed}", file=sys.stderr)
