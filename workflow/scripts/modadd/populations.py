"""Populations: many networks of one recipe and its variants, one row of numbers for each; shares of them with intervals."""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from jaxtyping import Bool
from scipy.stats import binomtest

from modadd.measures import measures
from modadd.networks import Network
from modadd.recipes import RECIPES

CONFIDENCE = 0.95  # of every interval for a share


def row_of(network: Network) -> dict[str, Any]:
    """One line of a population's table: the recipe, the seed, the results of training, and every measure.

    A measure with one number per key frequency is a list in the order of `frequencies`; NaN stands for what cannot be
    measured.
    """
    recipe = {key: value for key, value in network.recipe.as_dict().items() if key != "source"}
    return recipe | {"seed": network.seed, **network.results, **measures(network.separable())}


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

    A network trained here replaces its row of the committed table: same recipe, same seed.
    """
    here = pd.read_parquet(trained_here).assign(trained="here")
    if kept is None:
        return here
    identity = [key for key in RECIPES[here.architecture.iloc[0]].as_dict() if key != "source"] + ["seed"]
    both = pd.concat([here, pd.read_parquet(kept).assign(trained="kept")], ignore_index=True)
    return both.drop_duplicates(identity, keep="first").sort_values(identity, ignore_index=True)


def provenance_of(kept: Path | str) -> dict[str, Any]:
    """Where and how the networks of a committed table were trained: the JSON beside it."""
    return json.loads(Path(kept).with_suffix(".json").read_text())
