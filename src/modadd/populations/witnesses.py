"""Witnesses: a network kept beside the rows of each population, to show what its columns mean."""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from modadd.networks.store import Network, load_network, save_networks
from modadd.populations.columns.every import row_of_any
from modadd.populations.tables import rows_like, rows_of_networks
from modadd.populations.unmeasured import NOT_MEASURED

TOLERANCE = 1e-6  # relative: what other orders of float64 sums may change


def witness_of(kept: Path) -> Path:
    """Where the witness of a kept table is."""
    return kept.parent / "witnesses" / f"{kept.stem}.safetensors"


def keep_witness(network: Network, kept: Path) -> None:
    """Keep a network as the witness of a table."""
    save_networks([network], witness_of(kept))


def in_full_length(network: Network, witness: Network) -> Network:
    """The witness, where the network is the same but for rounding and was stopped earlier; else the network itself."""
    differing = {"steps", "perturbation"}
    own, other = network.recipe.as_dict(), witness.recipe.as_dict()
    alike = all(own[key] == other[key] for key in own if key not in differing) and network.seed == witness.seed
    return witness if alike and witness.recipe.steps > network.recipe.steps else network


def check_witness(kept: Path) -> None:
    """Measure a table's witness with today's code.

    Raises ValueError naming table, network and column where the witness is missing, has no row, or is not measured as its row
    says.
    """
    witness, rows = witness_of(kept), rows_of_networks(kept)
    remedy = (
        f"restore both (`git restore {kept.parent}`), or move the table away, train its networks and keep them again"
    )
    if not witness.exists():
        raise ValueError(f"{kept}: its witness {witness} is missing; {remedy}")
    network = load_network(witness, kept=True)
    same = rows_like(network, rows)
    if same.sum() != 1:
        raise ValueError(f"{kept}: expected one row of the witness {witness}, found {same.sum()}; {remedy}")
    again = row_of_any(network)
    for name in different(rows[same].iloc[0], again):
        raise ValueError(
            f"{kept}: column '{name}' of the witness {witness} is {rows[same].iloc[0].get(name)}, measured today "
            f"{again[name]}: its rows hold another definition; move the table away, train its networks and keep "
            f"them again (`python workflow/dev/keep.py {kept.stem}`), or keep the old definition"
        )


def different(row: pd.Series, again: dict[str, Any]) -> Iterable[str]:
    """Columns whose value differs by more than TOLERANCE; a row may lack a measure that came after it."""
    lacking = row.get(NOT_MEASURED, "").split()
    for name, value in again.items():
        came_later = name not in row or name in lacking
        if not came_later and not alike(row[name], value):
            yield name


def alike(one: Any, other: Any) -> bool:
    """Whether two values are the same text, or the same numbers as far as TOLERANCE tells."""
    if isinstance(one, Mapping) and isinstance(other, Mapping):
        return one.keys() == other.keys() and all(alike(one[key], other[key]) for key in one)
    if isinstance(one, str) or isinstance(other, str):
        return one == other
    one, other = _flat(one), _flat(other)
    return one.shape == other.shape and np.allclose(one, other, rtol=TOLERANCE, atol=1e-9, equal_nan=True)


def _flat(value: Any) -> np.ndarray:
    """The numbers of a value, lists of lists too, in order; NaN for nothing."""
    if isinstance(value, list | tuple | np.ndarray):
        return np.concatenate([np.empty(0), *map(_flat, value)])
    return np.array([np.nan if value is None else value], float)
