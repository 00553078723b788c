"""What was measured as numbers, and the interval in which one more training would have them."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd
from jaxtyping import Float

from modadd.core.statistics import CONFIDENCE, POWER, SURE, prediction_interval

COVERAGE = CONFIDENCE  # of the prediction interval in which a printed number must lie
# Of the interval that the network shown must not leave: with twenty numbers, 95 % would turn one by chance.
OWN_COVERAGE = 0.999
FEWEST = 5  # retrainings that an interval needs
NEAREST = 1e-9  # to 0 or 1 that a fraction is counted: its logit is finite

_One = Float[np.ndarray, "m"]
_Numbers = Float[np.ndarray, "retrainings m"]


def numbers(measured: Any) -> _One:
    """The measured numbers in order; none if anything among them is not a number."""
    try:
        found = np.asarray(measured).ravel()
    except ValueError:  # lists of unequal length
        return np.empty(0)
    return found.astype(float) if found.dtype.kind in "biuf" else np.empty(0)


def is_measured(value: Any) -> bool:
    """Whether nothing of a value is missing, or not finite; a number of a population is measured, whatever its interval."""
    if isinstance(value, list | tuple | np.ndarray):
        return all(map(is_measured, value))
    if isinstance(value, float):
        return bool(np.isfinite(value))
    return value is not None


def comparable(found: Float[np.ndarray, "m"], target: Float[np.ndarray, "k"]) -> bool:
    """Whether there are as many finite numbers as they are compared with, or one for all."""
    if found.size == 0 or target.size not in (1, found.size):
        return False
    return bool(np.isfinite(found).all())


def numbers_alike(
    retrained: pd.DataFrame,
    value: str,
    network: Mapping[str, Any],
    size: int,
    frequency: int | None = None,
) -> _Numbers:
    """The numbers of the retrainings with the key frequencies of the network, as many as it has: at one frequency, or all."""
    found = []
    learned = list(network["frequencies"])
    measured = retrained.get(value, ())
    frequencies = retrained.get("frequencies", ())
    for own, others in zip(measured, frequencies, strict=False):
        if list(others) != learned or not is_measured(own):
            continue
        chosen = own
        if frequency is not None:
            place = learned.index(frequency)
            chosen = own[place]
        several = numbers(chosen)
        if several.size == size:
            found.append(several)
    return np.array(found).reshape(len(found), size)


def interval_of_next(others: _Numbers, coverage: float, fraction: bool = False) -> Float[np.ndarray, "m 2"]:
    """`prediction_interval` of one more training; of a `fraction` on the scale of its logit, so that it lies within 0 and 1."""
    if not fraction:
        return prediction_interval(others, coverage)
    inside = _inside_0_and_1(others)
    logits = np.log(inside / (1 - inside))
    return 1 / (1 + np.exp(-prediction_interval(logits, coverage)))


def interval_of(others: _Numbers, fraction: bool) -> list[list[float]] | None:
    """The prediction interval in which a printed number must lie; None for too few retrainings."""
    if len(others) < FEWEST:
        return None
    return interval_of_next(others, COVERAGE, fraction).tolist()


def is_one_of(others: _Numbers, found: _One, coverage: float, fraction: bool) -> bool:
    """Whether all numbers of a network lie in the interval of its retrainings at once; no for too few.

    A fraction is placed no nearer to 0 and 1 than the retrainings were counted.
    """
    if len(others) < FEWEST:
        return False
    interval = interval_of_next(others, coverage, fraction)
    low, high = interval.T
    placed = _inside_0_and_1(found) if fraction else found
    size = np.maximum(1, np.abs(placed))
    rounding = 1e-12 * size  # equal retrainings have an interval of no width
    above = placed >= low - rounding
    below = placed <= high + rounding
    return bool((above & below).all())


def detectable(low: float, high: float) -> float:
    """The difference from an interval's centre that so many networks would have shown in four of five repetitions."""
    half = (high - low) / 2
    return half * (1 + POWER / SURE)


def _inside_0_and_1(fractions: Float[np.ndarray, "*m"]) -> Float[np.ndarray, "*m"]:
    """Fractions no nearer to 0 and 1 than NEAREST."""
    return np.clip(fractions, NEAREST, 1 - NEAREST)
