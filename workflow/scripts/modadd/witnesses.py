"""Witnesses: a few networks of every kept table of rows, measured again to show that its columns still mean what they meant."""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from modadd.networks import Network, load_network, save_networks
from modadd.populations import recipe_columns
from modadd.rows import row_of

TOLERANCE = 1e-6  # relative: what other orders of float64 sums may change
SEVERAL, LARGE = 2, 250_000  # witnesses of a table; bytes of parameters above which one must do


def folder_of(kept: Path) -> Path:
    """Where the witnesses of a kept table are."""
    return kept.parent / "witnesses" / kept.stem


def keep_witnesses(networks: Sequence[Network], kept: Path) -> None:
    """Keep the first networks, each in a file of its own, as witnesses of a table."""
    size = sum(value.nbytes for value in networks[0].parameters.values())
    for index, network in enumerate(networks[: 1 if size > LARGE else SEVERAL]):
        save_networks([network], folder_of(kept) / f"{index}.safetensors")


def check_witnesses(kept: Path) -> int:
    """Measure a table's witnesses with today's code and return their number.

    Raises ValueError naming table, network and column where one is not measured as its row says, or has no row.
    """
    rows, files = pd.read_parquet(kept), sorted(folder_of(kept).glob("*.safetensors"))
    for file in files:
        network = load_network(file)
        again = row_of(network)
        same = np.logical_and.reduce([rows[key] == again[key] for key in recipe_columns(rows)])
        if same.sum() != 1:
            raise ValueError(
                f"{kept}: expected one row of the witness {file}, found {same.sum()}; keep the table again"
            )
        for name in different(rows[same].iloc[0], again):
            raise ValueError(
                f"{kept}: column '{name}' of the witness {file} is {rows[same].iloc[0].get(name)}, measured today "
                f"{again[name]}: its rows hold another definition; train them again, or keep the old one"
            )
    return len(files)


def different(row: pd.Series, again: dict[str, Any]) -> Iterable[str]:
    """Columns that a row lacks, or whose value is another one by more than TOLERANCE."""
    for name, value in again.items():
        if name not in row or not _alike(row[name], value):
            yield name


def _alike(one: Any, other: Any) -> bool:
    if isinstance(one, str) or isinstance(other, str):
        return one == other
    one, other = _flat(one), _flat(other)
    return one.shape == other.shape and np.allclose(one, other, rtol=TOLERANCE, atol=1e-9, equal_nan=True)


def _flat(value: Any) -> np.ndarray:
    """The numbers of a value, lists of lists too, in order; NaN for nothing."""
    if isinstance(value, list | tuple | np.ndarray):
        return np.concatenate([np.empty(0), *map(_flat, value)])
    return np.array([np.nan if value is None else value], float)
