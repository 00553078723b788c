"""What a change of the recipe does to networks of equal seeds, which begin with the same weights."""

from collections.abc import Hashable

import numpy as np
import pandas as pd

from modadd.core.statistics import Estimate, mean_of


def paired_difference(numbers: pd.DataFrame, changed: Hashable, unchanged: Hashable) -> Estimate:
    """The mean of what a change adds to a number, over the seeds that have both networks.

    numbers: a line for each seed, a column for each recipe. Nothing is known of a recipe that has no column.
    """
    both = numbers.reindex(columns=[changed, unchanged]).dropna().to_numpy(float)
    return mean_of(both[:, 0] - both[:, 1], signed=True)


def paired_ratio(numbers: pd.DataFrame, changed: Hashable, unchanged: Hashable) -> Estimate:
    """The mean ratio of a positive number after a change to that before it, likewise; its interval is on a log scale."""
    both = np.log(numbers.reindex(columns=[changed, unchanged]).dropna().to_numpy(float))
    found = mean_of(both[:, 0] - both[:, 1], signed=True)
    return Estimate(*np.exp([found.value, found.low, found.high]).tolist(), found.of)
