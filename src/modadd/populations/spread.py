"""The place of one network in the distribution of many, for each number, and how many are like the network of a paper."""

from collections.abc import Iterable

import numpy as np
import pandas as pd
from jaxtyping import Bool

from modadd.attention.pizza_measures import CLOCK_FROM
from modadd.core.statistics import Share, kolmogorov_smirnov, share
from modadd.populations.tables import over_frequencies


def spread_over_networks(
    rows: pd.DataFrame, exhibit: pd.DataFrame, names: Iterable[str], group: Bool[np.ndarray, "networks"]
) -> pd.DataFrame:
    """A line for each named number over the networks: quantiles, the exhibit's own, the share of networks `below` that.

    A network's number is the median over its key frequencies where there are several. distance, p: whether a group of
    the networks and the others may come from one distribution.
    """
    names = list(names)
    found = _one_number_each(rows, names)
    table = found.quantile([0, 0.25, 0.5, 0.75, 1]).T
    table.columns = ["least", "quarter", "median", "three quarters", "most"]
    own = _one_number_each(exhibit, names).iloc[0]
    tests = [kolmogorov_smirnov(column[group], column[~group]) for column in found.to_numpy(float).T]
    table = table.assign(mainline=own, below=(found < own).mean())
    table = table.assign(distance=[test.distance for test in tests], p=[test.p for test in tests])
    return table.rename_axis("number").reset_index()


def _one_number_each(rows: pd.DataFrame, names: Iterable[str]) -> pd.DataFrame:
    several = {name: pd.api.types.is_list_like(rows[name].iloc[0]) for name in names}
    return pd.DataFrame(
        {
            name: over_frequencies(rows[name], np.median) if lists else rows[name].to_numpy(float)
            for name, lists in several.items()
        },
        index=rows.index,
    )


def share_of_pizzas(rows: pd.DataFrame) -> Share:
    """The share of the networks that are pizzas by their distance irrelevance: below CLOCK_FROM ([Z])."""
    return share((rows.distance_irrelevance < CLOCK_FROM).to_numpy())


def share_with_frequencies(rows: pd.DataFrame, number: int) -> Share:
    """The share of the networks with exactly so many key frequencies."""
    return share((rows.number_of_key_frequencies == number).to_numpy())
