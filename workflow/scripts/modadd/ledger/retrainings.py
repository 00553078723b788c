"""One network beside retrainings from weights changed in the last bit: intervals, how often a check holds."""

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import pandas as pd
from jaxtyping import Bool, Float

from modadd.core.statistics import Share, share
from modadd.ledger.claims import ON_EACH

# Share of the trainings in which a yes or no about one network must come out: set after looking at the retrainings kept from
# one make of processor, before any of the other make.
NEEDED = 0.9
BY_THEMSELVES = ("retrainings", "interval", "share_of_networks")  # checks that rest on many trainings already


def judgeable_retrainings(
    retrained: pd.DataFrame | None, claim: Mapping[str, Any], network: Mapping[str, Any]
) -> pd.DataFrame | None:
    """Retrainings that the claim could be judged on, as long as the network's; None if none has its value."""
    if retrained is None or claim["value"] not in retrained:
        return None
    alike = (retrained.steps == network["steps"]) & (retrained.accuracy >= claim["needs_accuracy"])
    like = retrained[alike & has_number(claim, retrained[claim["value"]])]
    return like if len(like) else None


def share_that_holds(
    claim: Mapping[str, Any], measured: Any, retrained: pd.DataFrame | None, agrees: Callable[[Any], bool]
) -> Share | None:
    """Of the network and its retrainings, the share for which the check holds; None where they do not tell.

    Rounding differs from processor to processor, so a verdict on one draw would too.
    """
    if retrained is None or claim["check"] in BY_THEMSELVES:
        return None
    return share([agrees(value) for value in (measured, *values_of_retrainings(claim, retrained))])


def numbers_of_retrainings(
    claim: Mapping[str, Any], measured: Any, network: Mapping[str, Any], retrained: pd.DataFrame | None
) -> Float[np.ndarray, "retrainings m"] | None:
    """The claim's numbers of the retrainings with the network's key frequencies; None where they do not tell."""
    found = numbers(measured)
    if retrained is None or claim["check"] == "set_equals" or not found.size:
        return None
    same = retrained[[list(learned) == list(network["frequencies"]) for learned in retrained.frequencies]]
    others = [other for value in values_of_retrainings(claim, same) if (other := numbers(value)).size == found.size]
    return np.stack(others) if others else None


NEAREST = 1e-9  # to 0 or 1 that a fraction is counted: its logit is finite


def inside_0_and_1(fractions: Float[np.ndarray, "*m"]) -> Float[np.ndarray, "*m"]:
    """Fractions no nearer to 0 and 1 than NEAREST."""
    return np.clip(fractions, NEAREST, 1 - NEAREST)


def prediction_interval(
    others: Float[np.ndarray, "retrainings m"], coverage: float, fraction: bool = False
) -> Float[np.ndarray, "m 2"]:
    """Prediction interval of one more training, all m numbers at once within it with this probability (Bonferroni).

    Student's t for a normal distribution: mean ± t s √(1 + 1/N); of a `fraction` on the scale of its logit, so that the
    interval lies within 0 and 1. More retrainings narrow it towards the recipe's own spread.
    """
    if fraction:
        inside = inside_0_and_1(others)
        return 1 / (1 + np.exp(-prediction_interval(np.log(inside / (1 - inside)), coverage)))
    from scipy.special import stdtrit

    of, m = others.shape
    half = stdtrit(of - 1, 1 - (1 - coverage) / (2 * m)) * others.std(axis=0, ddof=1) * np.sqrt(1 + 1 / of)
    return np.stack([others.mean(axis=0) - half, others.mean(axis=0) + half], axis=1)


def lies_within(
    found: Float[np.ndarray, "m"], interval: Float[np.ndarray, "m 2"], fraction: bool
) -> Bool[np.ndarray, "m"]:
    """Whether each number lies in its interval, a fraction no nearer to 0 and 1 than the retrainings were counted."""
    low, high = interval.T
    placed = inside_0_and_1(found) if fraction else found
    rounding = 1e-12 * np.maximum(1, np.abs(placed))  # equal retrainings have an interval of no width
    return (placed >= low - rounding) & (placed <= high + rounding)


def values_of_retrainings(claim: Mapping[str, Any], retrained: pd.DataFrame) -> list[Any]:
    """The claim's value of each retraining; of those that have learned its frequency, if it is about one."""
    column = retrained[claim["value"]]
    if "frequency" not in claim:
        return list(column)
    k = claim["frequency"]
    both = zip(column, map(list, retrained.frequencies), strict=True)
    return [values[learned.index(k)] for values, learned in both if k in learned]


def is_measured(value: Any, check: str) -> bool:
    """Whether a network has what a claim speaks of: nothing of its value is missing, or not finite.

    A list of nothing holds nothing for a check of ON_EACH: there is no frequency, say, of which it could hold. A number of
    a population is measured, whatever its interval.
    """
    if isinstance(value, list | tuple | np.ndarray):
        return (len(value) > 0 or check not in ON_EACH) and all(is_measured(item, check) for item in value)
    return not (value is None or (isinstance(value, float) and not np.isfinite(value)))


def has_number(claim: Mapping[str, Any], column: pd.Series) -> pd.Series:
    """For each network whether the claim's value `is_measured`."""
    if isinstance(column.dtype, np.dtype) and column.dtype.kind in "biuf":
        return pd.Series(np.isfinite(column.to_numpy(float)), index=column.index)
    return pd.Series([is_measured(value, claim["check"]) for value in column], index=column.index, dtype=bool)


def numbers(measured: Any) -> Float[np.ndarray, "m"]:
    """The measured numbers in order; none if anything among them is not a number."""
    try:
        found = np.asarray(measured).ravel()
    except ValueError:  # lists of unequal length
        return np.empty(0)
    return found.astype(float) if found.dtype.kind in "biuf" else np.empty(0)
