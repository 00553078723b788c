"""Tables of populations, one row per network."""

import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pandas as pd
from jaxtyping import Bool, Float

from modadd.core.bits import ARITHMETIC
from modadd.core.parquet import read_table
from modadd.networks.recipes import DRAWS, RECIPES
from modadd.networks.store import Network
from modadd.populations.unmeasured import stacked


def read_population(trained_here: Path | str, kept: Path | str | None = None) -> pd.DataFrame:
    """Rows of a population, with a column `trained`: "here", or "kept" for networks that only the committed table has.

    A network trained here replaces its row of the committed table: same recipe, same seed. A measure that came after a
    row had been kept is missing in it, as `was_measured` tells. Raises ValueError as `rows_of_networks` does.
    """
    rows = read_rows(trained_here, kept)
    return rows if kept is None else one_each(rows)


def read_rows(trained_here: Path | str, kept: Path | str | None = None) -> pd.DataFrame:
    """All rows of a population with the column `trained`, those trained here first: a network may have one of either kind."""
    tables = [rows_of_networks(trained_here).assign(trained="here")]
    if kept is not None:
        tables.append(rows_of_networks(kept).assign(trained="kept"))
    return stacked(tables)


def rows_of_networks(table: Path | str) -> pd.DataFrame:
    """The rows of one table; raises ValueError, one line, if there are none, or if they lack a key that recipes have today."""
    rows = read_table(table)
    if rows.empty or "architecture" not in rows:
        raise ValueError(f"{table}: expected rows of networks, found none")
    for key in recipe_columns(rows):
        if key not in rows:
            raise ValueError(
                f"{table}: its rows lack '{key}', which recipes have today; train these networks and keep them again, or "
                "add the column with the value that this key had then"
            )
    return rows


NUMBER = "number of the network"  # a column of rows that are `numbered`


def numbered(rows: pd.DataFrame) -> pd.DataFrame:
    """The rows with NUMBER, one for all rows of a network: quicker to compare than all numbers of a recipe."""
    return rows.assign(**{NUMBER: rows.groupby(recipe_columns(rows), dropna=False).ngroup()})


def one_each(rows: pd.DataFrame, measure: str | None = None) -> pd.DataFrame:
    """One row for each network, its first; with a measure, the first that has it, if one has. Sorted by the recipe."""
    identity = [NUMBER] if NUMBER in rows else recipe_columns(rows)
    if measure is not None:
        rows = rows.sort_values(measure, key=pd.isna, kind="stable")
    return rows.drop_duplicates(identity, keep="first").sort_values(identity, ignore_index=True)


def auditable(rows: pd.DataFrame) -> Bool[np.ndarray, "rows"]:
    """Which rows are of networks that every processor trains alike: by the arithmetic of today, on a CPU."""
    if "arithmetic" not in rows:
        return np.zeros(len(rows), bool)
    return (rows.arithmetic == ARITHMETIC).to_numpy()


def recipe_columns(rows: pd.DataFrame) -> list[str]:
    """The columns that tell networks apart: the numbers of the recipe, and the seed."""
    return [key for key in RECIPES[rows.architecture.iloc[0]].as_dict() if key != "source"] + ["seed"]


def rows_like(network: Network, rows: pd.DataFrame) -> Bool[np.ndarray, "rows"]:
    """Which rows are those of a network, by recipe and seed."""
    own = {**network.recipe.as_dict(), "seed": network.seed}
    return np.logical_and.reduce([rows[key] == own[key] for key in recipe_columns(rows)])


def of_kept_recipe(rows: pd.DataFrame) -> Bool[np.ndarray, "rows"]:
    """Which rows of a dataset are of a recipe that one of its kept rows has; all of them, where none is kept.

    Claims are about the networks that were kept. A config may train others under the same name.
    """
    kept = rows.trained == "kept"
    if not kept.any():
        return np.ones(len(rows), bool)
    recipes = rows.groupby(_numbers_of_recipe(rows), dropna=False).ngroup()
    return recipes.isin(recipes[kept]).to_numpy()


def without_others(rows: pd.DataFrame) -> pd.DataFrame:
    """The rows `of_kept_recipe`, numbered anew; a line below the cell says of which recipe the others are."""
    alike = of_kept_recipe(rows)
    if not alike.all():
        other = what_is_other(rows[~alike], rows[rows.trained == "kept"])
        print(f"{(~alike).sum()} networks of another recipe than the kept ones are left out: {other}.", file=sys.stderr)
    return rows[alike].reset_index(drop=True)


def what_is_other(others: pd.DataFrame, kept: pd.DataFrame) -> str:
    """The numbers of the recipe that rows have and no kept row has: "modulus 31, steps 300"."""
    own = {
        key: [value for value in others[key].unique() if value not in set(kept[key])]
        for key in _numbers_of_recipe(kept)
    }
    found = [f"{key} {' and '.join(map(str, values))}" for key, values in own.items() if values]
    return ", ".join(found) or "numbers that no kept network has together"


def _numbers_of_recipe(rows: pd.DataFrame) -> list[str]:
    return [key for key in recipe_columns(rows) if key not in DRAWS]


def faultless_or_all(rows: pd.DataFrame) -> pd.DataFrame:
    """The networks that answer every input right; where none does, all of them, which a line below the cell says."""
    right = rows.accuracy == 1
    if right.any() or rows.empty:
        return rows[right]
    moduli = ", ".join(map(str, sorted(set(rows.modulus))))
    print(
        f"None of {len(rows)} networks mod {moduli} answers every input right: all of them are shown.", file=sys.stderr
    )
    return rows


def regime_of(rows: pd.DataFrame) -> str:
    """Modulus and regime of batches of a population of Study C, in words."""
    return f"n = {rows.modulus.iloc[0]}, {'batch n' if rows.batch_size.iloc[0] else 'full batch'}"


class Populations(NamedTuple):
    """Populations by name: all rows, those of networks without a wrong answer, modulus, and regime in words."""

    tables: dict[str, pd.DataFrame]
    networks: dict[str, pd.DataFrame]
    n_of: dict[str, int]
    titles: dict[str, str]


def read_populations(datasets: Mapping[str, Sequence[Path | str]]) -> Populations:
    """What a notebook of Study C reads of its populations: with the kept rows, and those of their recipe that are trained here."""
    tables = {name: without_others(read_population(*files)) for name, files in datasets.items()}
    networks = {name: faultless_or_all(rows) for name, rows in tables.items()}
    n_of = {name: int(rows.modulus.iloc[0]) for name, rows in tables.items()}
    return Populations(tables, networks, n_of, {name: regime_of(rows) for name, rows in tables.items()})


def over_frequencies(
    column: Sequence[Sequence[float]] | pd.Series, choose: Callable[[np.ndarray], float]
) -> Float[np.ndarray, "networks"]:
    """One number for each network from its one per key frequency: the least of them, say; NaN where there is none."""
    return np.array([choose(np.asarray(values, float)) if len(values) else np.nan for values in column], float)


def by_frequency(rows: pd.DataFrame, names: Sequence[str]) -> pd.DataFrame:
    """One line for each key frequency (`frequency`) of each network, with the named measures: lists become numbers.

    A measure that is one number of the whole network is repeated on all its lines; the index is that of `rows`.
    """
    lists = ["frequencies", *(name for name in names if pd.api.types.is_list_like(rows[name].iloc[0]))]
    lines = rows[["frequencies", *names]].explode(lists).dropna(subset="frequencies")
    kinds = {name: float for name in lists} | {"frequencies": int}
    return lines.astype(kinds).rename(columns={"frequencies": "frequency"})
