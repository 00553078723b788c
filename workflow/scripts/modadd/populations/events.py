"""When things come about in training: the rows of snapshots that runs have, and events in them."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from modadd.core.parquet import read_table
from modadd.populations.tables import completed, recipe_columns


def read_stages(files: Sequence[Path | str]) -> pd.DataFrame:
    """Rows of the runs of several files that follow the recipe of the first; of runs in two files, the earlier's count."""
    tables = [completed(read_table(file)) for file in files]
    recipe = tables[0][recipe_columns(tables[0])].drop(columns="seed").iloc[0]
    every = pd.concat([table.assign(file=index) for index, table in enumerate(tables)], ignore_index=True)
    alike = every[(every[recipe.index] == recipe).all(axis=1)]
    first = alike.groupby("seed").file.transform("min")
    return alike[alike.file == first].drop(columns="file").sort_values(["seed", "updates"], ignore_index=True)


# When something has come about for good: it holds at a snapshot and at all that follow.
EVENTS: Mapping[str, Any] = {
    "memorised": lambda rows: rows.train_loss <= 0.01 * np.log(rows.modulus),
    "generalised": lambda rows: rows.accuracy >= 0.99,
    "frequencies": lambda rows: rows.has_final_frequencies,
    "mechanism": lambda rows: rows.restricted_loss <= 0.01 * np.log(rows.modulus),
    "phase_law": lambda rows: rows.mismatch <= 0.18,
}


def events_of(run: pd.DataFrame) -> dict[str, float]:
    """Updates after which each of the EVENTS holds for good in one run, NaN if never; and those of the greatest norm."""
    found = {name: _for_good(run.updates.to_numpy(), holds(run).to_numpy()) for name, holds in EVENTS.items()}
    return found | {"greatest_norm": float(run.updates.iloc[run.weight_norm.argmax()])}


def _for_good(updates: np.ndarray, holds: np.ndarray) -> float:
    since = len(holds) - np.cumprod(holds[::-1]).sum()
    return float(updates[since]) if since < len(holds) else float("nan")
