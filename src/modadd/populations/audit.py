"""Which kept rows can be audited: trained again, bit for bit; and what of a row came out otherwise."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from modadd.core.bits import ARITHMETIC, ORIGIN
from modadd.networks.overrides import OVERRIDABLE
from modadd.populations.columns.every import COSTLY
from modadd.populations.tables import auditable, recipe_columns, rows_of_networks
from modadd.populations.unmeasured import NOT_MEASURED


class Drawn(NamedTuple):
    """Kept rows of one recipe that are to be trained again: the table they are from, and their recipe as a config has it."""

    table: str
    recipe: dict[str, Any]
    rows: pd.DataFrame


def drawn(tables: Mapping[str, Path], how_many: int, seed: int) -> list[Drawn]:
    """Rows drawn without replacement from all of some tables, by name, that are auditable; all of them if there are no more.

    Those of one recipe come together. Raises ValueError, one line, if no row is auditable.
    """
    read = {name: rows_of_networks(path) for name, path in tables.items()}
    places = [(name, place) for name, rows in read.items() for place in np.flatnonzero(auditable(rows))]
    if not places:
        raise ValueError(f"none of the rows of {', '.join(read)} was trained by {ARITHMETIC}: nothing can be audited")
    chosen = np.random.default_rng(seed).choice(len(places), min(how_many, len(places)), replace=False)
    found = []
    for name, rows in read.items():
        own = [places[number][1] for number in sorted(chosen) if places[number][0] == name]
        if own:
            found += _by_recipe(name, rows.iloc[own])
    return found


def _by_recipe(table: str, rows: pd.DataFrame) -> Iterator[Drawn]:
    keys = [key for key in recipe_columns(rows) if key != "seed"]
    for numbers, alike in rows.groupby(keys, dropna=False, sort=False):
        recipe = dict(zip(keys, numbers, strict=True))
        overrides = {key: recipe[key] for key in OVERRIDABLE if key in recipe}
        yield Drawn(table, {"recipe": recipe["architecture"], **overrides}, alike)


def as_dataset(chosen: Drawn) -> dict[str, Any]:
    """The entry of the config that trains the drawn networks again, in one job, with the costly measures if a row has them."""
    seeds = [int(seed) for seed in chosen.rows.seed]
    entry = {**chosen.recipe, "seeds": seeds, "shard": len(seeds)}
    costly = [name for name in COSTLY.get(chosen.recipe["recipe"], ()) if name in chosen.rows]
    if chosen.rows[costly].notna().any(axis=None):
        entry["costly"] = len(seeds)
    return entry


def otherwise(kept: Mapping[str, Any], again: Mapping[str, Any]) -> tuple[int, dict[str, tuple[Any, Any]]]:
    """How many numbers of a row were compared, and those of which a bit differs: as kept, and as found again.

    What a row lacks, as the measure came after it, is not compared, nor what the tables say of columns that nobody measured.
    """
    compared, differing = 0, {}
    for name in again:
        if name not in kept or name in (*ORIGIN, NOT_MEASURED):
            continue
        one, other = _flat(kept[name]), _flat(again[name])
        if len(one) == 1 and one[0] is None:
            continue
        compared += max(len(one), 1)
        if one != other:
            differing[name] = (kept[name], again[name])
    return compared, differing


def _flat(value: Any) -> list[Any]:
    """The numbers and words of a value, lists of lists too, in order; None for what is no number."""
    if isinstance(value, Mapping):
        return [part for key in sorted(value) for part in (key, *_flat(value[key]))]
    if isinstance(value, list | tuple | np.ndarray):
        return [part for element in value for part in _flat(element)]
    if value is None or (isinstance(value, float | np.floating) and np.isnan(value)):
        return [None]
    return [value.item() if isinstance(value, np.generic) else value]
