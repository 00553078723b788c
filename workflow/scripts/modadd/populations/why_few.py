"""Why few frequencies? Arms of one hidden layer that differ in the factors of its tables and in what is penalised ([C1] §5.1).

data/why_few/predictions.yaml says what was predicted of them, in these numbers, before any of them was trained.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd

from modadd.core.statistics import AsItStands, Estimate, as_it_stands, mean_of
from modadd.networks.recipes import TABLES

FACTOR = 1.25  # between two mean numbers of frequencies: as much makes one greater, less makes them about equal
COUNTED_FROM = 0.99  # accuracy from which a network's frequencies count
ENOUGH = 0.5  # share of an arm's networks that have to count
FEWEST = 8  # of them, of which a mean is compared with another
ARMS = {  # by letter, from the most frequencies predicted to the fewest
    "a": "one-hot",
    "c": "embedding,\npenalty on product",
    "e": "embedding,\nno penalty",
    "f": "embedding",
    "b": "one linear\nlayer",
    "d": "two linear\nlayers",
}


def arm_of(recipe: Mapping[str, Any]) -> str:
    """The letter of the arm that a recipe, or a row of a population, belongs to."""
    whole = {"group_mlp": "a", "twice_factored_mlp": "d"}
    if (architecture := recipe["architecture"]) in whole:
        return whole[architecture]
    if recipe["decayed"] == TABLES:
        return "c"
    if recipe["weight_decay"] == 0:
        return "e"
    return "b" if recipe["d_model"] == recipe["modulus"] else "f"


def arms_table(rows: pd.DataFrame) -> pd.DataFrame:
    """A line for each modulus and arm: its networks, those that count, and the mean number of their frequencies.

    rows: of populations, with columns arm and frequencies. mean, low, high: over the networks that count, with the 95 %
    interval; NaN where fewer than ENOUGH of the arm's networks count. spectral_count: mean over the same networks.
    """
    lines = []
    for (n, arm), own in rows.groupby(["modulus", "arm"]):
        counted = own[own.accuracy >= COUNTED_FROM]
        enough = len(counted) >= ENOUGH * len(own)
        found = mean_of(counted.frequencies.to_numpy()) if enough else Estimate(*3 * [float("nan")], len(counted))
        lines.append(
            {
                "modulus": n,
                "arm": arm,
                "networks": len(own),
                "counted": len(counted),
                "accuracy": own.accuracy.median(),
                "mean": found.value,
                "low": found.low,
                "high": found.high,
                "spectral_count": counted.spectral_count.mean(),
                "held_out_loss": own.held_out_loss.median(),
            }
        )
    return pd.DataFrame(lines)


def clear_ratio(more: pd.Series, fewer: pd.Series) -> AsItStands:
    """The mean of one arm over that of another; 1 where its interval does not lie above, none where one is not judged."""
    ratio = more["mean"] / fewer["mean"]
    clear = more["low"] > fewer["high"] or np.isnan(ratio)
    return as_it_stands(float(ratio) if clear else 1.0, int(min(more["counted"], fewer["counted"])), FEWEST)


def apart(one: pd.Series, other: pd.Series) -> AsItStands:
    """The larger of two means over the smaller, none where one is not judged."""
    ratio = one["mean"] / other["mean"]
    return as_it_stands(float(max(ratio, 1 / ratio)), int(min(one["counted"], other["counted"])), FEWEST)
