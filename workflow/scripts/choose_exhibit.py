"""Choose by rule the network of a population that stands for it in the figures."""

import sys
from pathlib import Path

import pandas as pd

from modadd.core.jobs import begin
from modadd.core.parquet import read_table
from modadd.networks.store import load_networks, save_networks
from modadd.populations.tables import exhibit_of


def chosen(rows: pd.DataFrame) -> int:
    """The seed that the rule names; the most accurate network, of the lowest seed, with a message where none fits."""
    try:
        return exhibit_of(rows)
    except ValueError as none_fits:
        print(f"{none_fits}; the most accurate network is shown instead", file=sys.stderr)
        return int(rows.sort_values(["accuracy", "seed"], ascending=[False, True]).seed.iloc[0])


if __name__ == "__main__":
    begin(snakemake.log[0])
    seed = chosen(read_table(snakemake.input.table))
    shards = map(load_networks, snakemake.input.networks)  # one after another: all would not fit into memory
    exhibit = next(network for networks in shards for network in networks if network.seed == seed)
    save_networks([exhibit], Path(snakemake.output.network))
    print(f"the exhibit is seed {seed}", file=sys.stderr)
