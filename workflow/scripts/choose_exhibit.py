"""Choose by rule the network of a population that stands for it in the figures."""

import own_code  # noqa: F401

# isort: split

import sys
from collections.abc import Iterable
from pathlib import Path

import pandas as pd

from modadd.core.parquet import read_table
from modadd.networks.store import Network, load_networks, save_networks
from modadd.populations.exhibit import exhibit_of
from modadd.populations.tables import rows_like
from paper.jobs import begin


def chosen(rows: pd.DataFrame) -> pd.DataFrame:
    """The row that the rule names; the most accurate network, of the lowest seed, with a message where none fits."""
    try:
        return exhibit_of(rows)
    except ValueError as none_fits:
        print(f"{none_fits}; the most accurate network is shown instead", file=sys.stderr)
        return rows.sort_values(["accuracy", "seed"], ascending=[False, True]).head(1)


def network_of(row: pd.DataFrame, files: Iterable[str]) -> Network:
    """The network of a row: of its recipe and its seed, since each variant of a population has every seed."""
    for file in files:  # one after another: all would not fit into memory
        for network in load_networks(file):
            if rows_like(network, row).all():
                return network
    raise ValueError(f"no network of {', '.join(files)} has the row of the exhibit")


if __name__ == "__main__":
    begin(snakemake.log[0])
    row = chosen(read_table(snakemake.input.table))
    save_networks([network_of(row, snakemake.input.networks)], Path(snakemake.output.network))
    print(f"the exhibit is seed {row.seed.item()}", file=sys.stderr)
