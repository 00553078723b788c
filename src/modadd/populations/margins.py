"""Margins of many networks by the number of frequencies that they have ([C1] Fig. 12).

Rows have the columns clusters (how many frequencies), mean_margin and log_odds, both in nats; a margin is NaN where it was
not measured.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd
from jaxtyping import Float

from modadd.core.statistics import Estimate, mean_of, ratio_of


def log_odds(loss: Float[np.ndarray, "networks"]) -> Float[np.ndarray, "networks"]:
    """ln(p/(1 − p)) of the geometric mean p = e^(−loss) of the probabilities of the right answers; loss in nats."""
    return -np.log(np.expm1(loss))


def means_by_frequencies(networks: Mapping[str, pd.DataFrame], numbers: Sequence[str]) -> pd.DataFrame:
    """A line for each population and number of frequencies: the mean of each of the `numbers` over its networks.

    X, low and X, high: its 95 % interval; X, networks: those that have the number.
    """
    lines = []
    for population, rows in networks.items():
        for clusters, alike in rows.groupby("clusters"):
            line = {"population": population, "frequencies": clusters, "networks": len(alike)}
            for number in numbers:
                known = alike[number].dropna()
                mean = mean_of(known.to_numpy())
                line |= {f"{number}, networks": len(known), number: mean.value}
                line |= {f"{number}, low": mean.low, f"{number}, high": mean.high}
            lines.append(line)
    return pd.DataFrame(lines)


def slope(rows: pd.DataFrame, number: str) -> Estimate:
    """How much one more frequency adds to a number, by least squares over the networks that have it.

    Its interval does not assume that the deviations are equally large everywhere.
    """
    known = rows.dropna(subset=number)
    more = (known.clusters - known.clusters.mean()).to_numpy(float)
    higher = (known[number] - known[number].mean()).to_numpy(float)
    return ratio_of(more * higher, more**2, signed=True)


def slopes_of_margins(networks: Mapping[str, pd.DataFrame]) -> dict[str, Any]:
    """The slopes of both numbers, one for each population, and over how many networks they go."""
    return {
        "margin_slope": [slope(rows, "mean_margin") for rows in networks.values()],
        "measured": sum(int(rows.mean_margin.notna().sum()) for rows in networks.values()),
        "log_odds_slope": [slope(rows, "log_odds") for rows in networks.values()],
        "networks": sum(map(len, networks.values())),
    }
