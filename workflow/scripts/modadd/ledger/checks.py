"""The checks of the ledger: a measured value against what is printed or against a threshold."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import pandas as pd
from jaxtyping import Bool, Float

from modadd.core.statistics import CONFIDENCE, POWER, SURE
from modadd.ledger.claims import ON_EACH, THRESHOLD_CHECKS
from modadd.ledger.record import plain
from modadd.ledger.retrainings import lies_within, numbers, prediction_interval
from modadd.ledger.words import printed

COVERAGE = CONFIDENCE  # of the prediction interval in which a printed number must lie
# Of the interval that the network shown must not leave: with twenty numbers, 95 % would turn one by chance.
OWN_COVERAGE = 0.999
FEWEST = 5  # retrainings that an interval needs
OUTSIDE = f"the network shown lies outside the {100 * OWN_COVERAGE:g} % interval of its own retrainings"
_PARTS = {"value", "low", "high", "of"}  # of a number of a population
_BEYOND = {"at_least": np.greater_equal, "at_most": np.less_equal}


@dataclass(frozen=True)
class Outcome:
    """What a check found.

    `agrees` is None where the networks are too few to tell. `difference` is the largest distance from what the value is
    compared with, `interval` the prediction interval of one more training or the interval of a population's number, for
    each number, `rank` how many retrainings lie below the printed number, and `detectable` the smallest difference
    that so many networks would have shown with 80 % power. `note` says what the verdict does not.
    """

    agrees: bool | None
    difference: float | None = None
    interval: list[list[float]] | None = None
    rank: list[int] | None = None
    detectable: list[float] | None = None
    note: str = ""


def compare(claim: Mapping[str, Any], measured: Any, others: Float[np.ndarray, "retrainings m"] | None) -> Outcome:
    """One claim's check on its measured value; `others` are the same numbers of the network's retrainings.

    A list of another length than the printed one, or with anything that is not a number, does not agree. A threshold
    for a number of a population is judged by its interval: too few networks cannot tell. Of several populations each must
    agree.
    """
    if claim["check"] in THRESHOLD_CHECKS and isinstance(measured, list) and any(map(_of_networks, measured)):
        return _all_of([compare(claim, one, None) for one in measured])
    if claim["check"] == "share_of_networks":
        return _share(float(claim["threshold"]), measured)
    if claim["check"] in ON_EACH and _of_networks(measured):
        return _beyond(float(claim["threshold"]), measured, claim["check"] == "at_least")
    if claim["check"] == "interval":
        return _interval(claim["published"], measured)
    if claim["check"] == "set_equals":
        return Outcome(isinstance(measured, list) and set(numbers(measured)) == set(claim["published"]))
    published, unit, found = *_target(claim), numbers(measured)
    if found.size == 0 or published.size not in (1, found.size) or not np.isfinite(found).all():
        return Outcome(False)
    if claim["check"] == "retrainings":
        return _retrainings(published, unit, found, others, claim.get("fraction", False))
    distance = np.abs(found - published)
    agrees = {
        "within": lambda: distance <= np.asarray(claim["tolerance"], float),
        "equal_to_printed_digits": lambda: distance <= unit,
        **{name: partial(beyond, found, published) for name, beyond in _BEYOND.items()},
    }[claim["check"]]()
    return Outcome(bool(np.all(agrees)), float(distance.max()))


def passes(claim: Mapping[str, Any], value: Any) -> bool:
    """Whether the check holds for one network's value, whatever other networks have."""
    return bool(compare(claim, plain(value), None).agrees)


def passes_each(claim: Mapping[str, Any], values: pd.Series) -> Bool[np.ndarray, "networks"]:
    """Whether each of many networks' values `passes` a check of ON_EACH: numbers against one limit all at once."""
    limits, _ = _target(claim)
    if limits.size == 1 and isinstance(values.dtype, np.dtype) and values.dtype.kind in "fi":
        found = values.to_numpy(float)
        return np.isfinite(found) & _BEYOND[claim["check"]](found, limits[0])
    return np.array([passes(claim, value) for value in values], bool)


def _of_networks(measured: Any) -> bool:
    """Whether it is a number, or a share, of a population."""
    return isinstance(measured, Mapping) and bool({"low", "high", "of"} <= set(measured))


def _all_of(found: list[Outcome]) -> Outcome:
    """Several outcomes as one: it agrees if each does, and differs if one does."""
    agrees = (
        False
        if any(one.agrees is False for one in found)
        else None
        if any(one.agrees is None for one in found)
        else True
    )
    distances = [one.difference for one in found if one.difference is not None]
    return Outcome(
        agrees=agrees,
        difference=max(distances, default=None),
        interval=[pair for one in found for pair in one.interval or []] or None,
        detectable=[size for one in found for size in one.detectable or []] or None,
        note="; ".join(dict.fromkeys(one.note for one in found if one.note)),
    )


def rounds_to_print(published: Any, measured: Any) -> bool:
    """Whether the measured numbers, those of a population by their value, are the printed ones to their last digits."""
    parts = measured if isinstance(measured, list) else [measured]
    found = numbers([part["value"] if isinstance(part, Mapping) and "value" in part else part for part in parts])
    target, unit = _target({"published": published})
    return target.size in (1, found.size) and bool((np.abs(found - target) <= unit).all())


def interval_of(others: Float[np.ndarray, "retrainings m"] | None, fraction: bool) -> list[list[float]] | None:
    """The prediction interval in which a printed number must lie; None for too few retrainings."""
    return None if others is None or len(others) < FEWEST else prediction_interval(others, COVERAGE, fraction).tolist()


def one_of_them(measured: Any, others: Float[np.ndarray, "retrainings m"] | None, fraction: bool) -> bool:
    """Whether all numbers of the network shown lie in the interval of its retrainings at once; no for too few."""
    found = numbers(measured)
    if others is None or len(others) < FEWEST or others.shape[1:] != found.shape:
        return False
    return bool(lies_within(found, prediction_interval(others, OWN_COVERAGE, fraction), fraction).all())


def _target(claim: Mapping[str, Any]) -> tuple[Float[np.ndarray, "m"], Float[np.ndarray, "m"]]:
    """The threshold or the published numbers, and half a unit of their last printed digits."""
    digits = printed(claim["threshold"] if "threshold" in claim else claim["published"])
    units = [0.5 * 10.0 ** digit.as_tuple().exponent for digit in digits]
    return np.array([float(digit) for digit in digits]), np.array(units)


def _retrainings(
    published: Float[np.ndarray, "m"],
    unit: Float[np.ndarray, "m"],
    found: Float[np.ndarray, "m"],
    others: Float[np.ndarray, "retrainings m"] | None,
    fraction: bool,
) -> Outcome:
    """Whether the printed numbers lie in the prediction interval of one more training, and the network shown is one.

    A network that is no such training may still have the printed numbers, to their last digits.
    """
    distance, count = float(np.abs(found - published).max()), 0 if others is None else len(others)
    if count < FEWEST:
        note = f"needs {FEWEST} retrainings with the key frequencies of this network, there are {count}"
        return Outcome(None, distance, note=note)
    interval = interval_of(others, fraction)
    low, high = np.transpose(interval)
    inside = (published + unit >= low) & (published - unit <= high)
    own, note = one_of_them(found, others, fraction), ""
    as_printed = bool((np.abs(found - published) <= unit).all())
    if not own:
        note = OUTSIDE
    elif not lies_within(found, np.array(interval), fraction).all():
        note = f"the network shown lies outside the {100 * COVERAGE:g} % interval of its retrainings"
    return Outcome(
        agrees=bool(inside.all()) and (own or as_printed),
        difference=distance,
        interval=interval,
        rank=(others < published).sum(axis=0).tolist(),
        detectable=((high - low) / 2 * (1 + POWER / SURE)).tolist(),
        note=note,
    )


def _interval(published: Any, measured: Any) -> Outcome:
    """Whether each printed number, give or take half a unit of its last digit, lies in a population's interval."""
    parts = measured if isinstance(measured, list) else [measured]
    if not parts or not all(isinstance(part, Mapping) and _PARTS <= set(part) for part in parts):
        return Outcome(False)
    values = numbers([[part["value"], part["low"], part["high"]] for part in parts]).reshape(-1, 3)
    target, unit = _target({"published": published})
    if not len(values) or target.size not in (1, len(values)) or not np.isfinite(values).all():
        return Outcome(False)
    value, low, high = values.T
    inside = (target + unit >= low) & (target - unit <= high) & (low <= value) & (value <= high)
    return Outcome(
        agrees=bool(inside.all()),
        difference=float(np.abs(value - target).max()),
        interval=[[part["low"], part["high"]] for part in parts],
        detectable=((high - low) / 2 * (1 + POWER / SURE)).tolist(),
    )


def _share(threshold: float, measured: Any) -> Outcome:
    """Whether the share of all networks of the recipe reaches the threshold, as far as its interval tells.

    "Every network" (threshold 1) is refuted by one; what so many that all hold cannot exclude is in `detectable`.
    """
    if not isinstance(measured, Mapping) or not measured.get("of") or "holds" not in measured:
        return Outcome(False)
    of, found = measured["of"], measured["holds"] / measured["of"]
    if not 0 <= found <= 1:
        return Outcome(False)
    whole = {"value": found, "low": measured["low"], "high": measured["high"], "of": of}
    if threshold in (0, 1):
        seldom = 1 - 0.2 ** (1 / of)  # exceptions as frequent as this would have shown one in four of five repetitions
        return Outcome(found >= threshold, abs(found - threshold), [[whole["low"], whole["high"]]], None, [seldom])
    return _beyond(threshold, whole, at_least=True)


def _beyond(threshold: float, measured: Mapping[str, float | None], at_least: bool) -> Outcome:
    """Whether a number of a population lies beyond the threshold, as far as its interval tells; too few have none."""
    if not set(measured) >= _PARTS:  # a share, which another check judges
        return Outcome(False)
    if measured["of"] < 2 and None in (measured["low"], measured["high"]):
        return Outcome(None, note="there is no interval of fewer than two networks")
    value, low, high = (float("nan" if measured[key] is None else measured[key]) for key in ("value", "low", "high"))
    if not np.isfinite([value, low, high]).all() or not low <= value <= high:
        return Outcome(False)
    surely, surely_not = (low >= threshold, high < threshold) if at_least else (high <= threshold, low > threshold)
    note = (
        ""
        if surely or surely_not
        else f"Undecided: the interval over {measured['of']:,} networks contains {threshold:g}"
    )
    return Outcome(
        agrees=None if note else surely,
        difference=abs(value - threshold),
        interval=[[low, high]],
        detectable=[(high - low) / 2 * (1 + POWER / SURE)],
        note=note,
    )
