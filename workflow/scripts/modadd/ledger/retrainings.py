"""One network beside its retrainings from initial weights changed in their last bit: how far numbers spread, how often a check holds."""

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import pandas as pd
from jaxtyping import Float

from modadd.core.statistics import Share, share

# Share of the trainings in which a yes or no about one network must come out: set after looking at the retrainings kept from
# one make of processor, before any of the other make.
NEEDED = 0.9
BY_THEMSELVES = ("within_spread", "share_of_seeds")  # checks that rest on many trainings already


def comparable(
    retrained: pd.DataFrame | None, claim: Mapping[str, Any], network: Mapping[str, Any]
) -> pd.DataFrame | None:
    """Retrainings that the claim could be judged on, as long as the network's; None if there are none."""
    if retrained is None:
        return None
    like = retrained[(retrained.steps == network["steps"]) & (retrained.accuracy >= claim["needs_accuracy"])]
    return like if len(like) else None


def share_of(
    claim: Mapping[str, Any], measured: Any, retrained: pd.DataFrame | None, agrees: Callable[[Any], bool]
) -> Share | None:
    """Of the network and its retrainings, the share for which the check holds; None where they do not tell.

    Rounding differs from processor to processor, so a verdict on one draw would too.
    """
    if retrained is None or claim["value"] not in retrained or claim["check"] in BY_THEMSELVES:
        return None
    return share([agrees(value) for value in (measured, *_values(claim, retrained))])


def spread_of(claim: Mapping[str, Any], measured: Any, retrained: pd.DataFrame | None) -> list[list[float]] | None:
    """Smallest and largest value of each number over the network and its retrainings; None where they do not tell.

    A number of one key frequency is compared with that of the retrainings which have learned this frequency, a list over
    all key frequencies with the lists of those that have learned the same set (the most frequent one).
    """
    found = numbers(measured)
    if retrained is None or claim["value"] not in retrained or claim["check"] == "set_equals" or not found.size:
        return None
    frequencies = retrained.frequencies.map(tuple)
    if "frequency" not in claim and found.size > 1:
        retrained = retrained[frequencies == frequencies.mode()[0]]
    others = [numbers(value) for value in _values(claim, retrained)]
    if any(other.size != found.size for other in others):
        return None
    every = np.stack([found, *others])
    return np.stack([every.min(axis=0), every.max(axis=0)], axis=1).tolist()


def _values(claim: Mapping[str, Any], retrained: pd.DataFrame) -> list[Any]:
    """The claim's value of each retraining; of those that have learned its frequency, if it is about one."""
    column = retrained[claim["value"]]
    if "frequency" not in claim:
        return list(column)
    k = claim["frequency"]
    both = zip(column, map(list, retrained.frequencies), strict=True)
    return [values[learned.index(k)] for values, learned in both if k in learned]


def numbers(measured: Any) -> Float[np.ndarray, "m"]:
    """The measured numbers in order; none if anything among them is not a number."""
    try:
        found = np.asarray(measured).ravel()
    except ValueError:  # lists of unequal length
        return np.empty(0)
    return found.astype(float) if found.dtype.kind in "biuf" else np.empty(0)
