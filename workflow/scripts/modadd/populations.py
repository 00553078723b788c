"""Tables of populations, one row per network: reading and writing them, shares of networks, comparing two groups."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from jaxtyping import Bool, Float
from scipy.stats import binomtest, ks_2samp

from modadd.recipes import RECIPES

CONFIDENCE = 0.95  # of every interval for a share


def write_rows(rows: Iterable[Mapping[str, Any]], path: Path) -> None:
    """Write rows as parquet; equal rows give equal bytes."""
    path.parent.mkdir(parents=True, exist_ok=True)
    pd.DataFrame(list(rows)).to_parquet(path, index=False)


@dataclass(frozen=True)
class Share:
    """A share of networks, with the interval (Wilson, at CONFIDENCE) for the share of all networks of the recipe."""

    holds: int
    of: int
    low: float
    high: float

    @property
    def share(self) -> float:
        """holds/of; NaN of none."""
        return self.holds / self.of if self.of else float("nan")


def share(holds: Sequence[bool] | Bool[np.ndarray, "networks"]) -> Share:
    """The share of networks for which something holds."""
    count, of = int(np.sum(holds)), len(holds)
    if of == 0:
        return Share(0, 0, 0.0, 1.0)
    interval = binomtest(count, of).proportion_ci(CONFIDENCE, method="wilson")
    return Share(count, of, float(interval.low), float(interval.high))


def read_population(trained_here: Path | str, kept: Path | str | None = None) -> pd.DataFrame:
    """Rows of a population, with a column `trained`: "here", or "kept" for networks that only the committed table has.

    A network trained here replaces its row of the committed table: same recipe, same seed. Raises ValueError if the
    committed table lacks a column of today's rows.
    """
    here = pd.read_parquet(trained_here).assign(trained="here")
    if kept is None:
        return here
    others = pd.read_parquet(kept).assign(trained="kept")
    if lacking := sorted(set(here.columns) - set(others.columns)):
        raise ValueError(
            f"{kept}: rows of another version, without {', '.join(lacking)}; keep them again (`snakemake "
            f"results/populations/{Path(kept).stem}.kept`), or move the table away: the rows trained here stand alone then"
        )
    identity = recipe_columns(here)
    both = pd.concat([here, others], ignore_index=True)
    return both.drop_duplicates(identity, keep="first").sort_values(identity, ignore_index=True)


def recipe_columns(rows: pd.DataFrame) -> list[str]:
    """The columns that tell networks apart: the numbers of the recipe, and the seed."""
    return [key for key in RECIPES[rows.architecture.iloc[0]].as_dict() if key != "source"] + ["seed"]


def faultless(rows: pd.DataFrame) -> pd.DataFrame:
    """The networks that answer every input right; all of them, shown as they are, where none does."""
    right = rows.accuracy == 1
    return rows[right] if right.any() else rows


def regime_of(rows: pd.DataFrame) -> str:
    """Modulus and regime of batches of a population of Study C, in words."""
    return f"n = {rows.modulus.iloc[0]}, {'batch n' if rows.batch_size.iloc[0] else 'full batch'}"


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


@dataclass(frozen=True)
class Comparison:
    """Whether two groups of networks may come from one distribution: largest distance of their shares, and its p-value."""

    distance: float
    p: float


def compare(one: Float[np.ndarray, "m"], other: Float[np.ndarray, "k"]) -> Comparison:
    """The two-sample Kolmogorov–Smirnov test of what could be measured; NaN if a group is empty."""
    one, other = one[np.isfinite(one)], other[np.isfinite(other)]
    if not len(one) or not len(other):
        return Comparison(np.nan, np.nan)
    found = ks_2samp(one, other)
    return Comparison(float(found.statistic), float(found.pvalue))
