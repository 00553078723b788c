"""Which networks with another activation integrate: criteria that a network meets at all of its key frequencies, or does not ([QR])."""

from collections.abc import Iterable, Mapping
from typing import NamedTuple

import numpy as np
import pandas as pd

from modadd.core.statistics import Share, share
from modadd.populations.tables import over_frequencies
from modadd.quadrature.torus import LAWFUL

LARGEST = ("rms_two_phases", "rms_one_phase", "integral_error")  # measures of which the largest is the worst


class Limits(NamedTuple):
    """The least accuracy, the largest error over the largest integral, and the least variance explained by the integrals."""

    accuracy: float
    error: float
    explained: float


def worst_numbers(rows: pd.DataFrame) -> pd.DataFrame:
    """A line for each network: the largest of LARGEST and the least coherence over its key frequencies; NaN if it has none."""
    worst = {name: over_frequencies(rows[name], np.max) for name in LARGEST}
    return pd.DataFrame(worst | {"coherence": over_frequencies(rows.coherence, np.min)}, rows.index)


def criteria(rows: pd.DataFrame, limits: Limits) -> pd.DataFrame:
    """A line for each network: whether it meets each criterion, at its worst key frequency; with none it meets no such one."""
    worst = worst_numbers(rows)
    return pd.DataFrame(
        {
            "learned": rows.accuracy >= limits.accuracy,
            "phase_law": worst.rms_two_phases <= LAWFUL,
            "integrates": worst.integral_error <= limits.error,
            "explained": rows.r2_integrals >= limits.explained,
        }
    )


def shares_by_activation(met: pd.DataFrame, activation: pd.Series, names: Iterable[str]) -> dict[str, dict[str, Share]]:
    """Of each criterion, the share of the networks of each named activation that meet it."""
    names = list(names)
    return {name: {one: share(met.loc[activation == one, name].to_numpy()) for one in names} for name in met}


def fewest(by_name: Mapping[str, Share]) -> Share:
    """The smallest of some shares, and of equal ones that of fewer networks; of no network if there are none."""
    return min(by_name.values(), key=lambda found: (found.share, found.of), default=share([]))
