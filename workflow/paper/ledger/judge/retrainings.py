"""What was measured as numbers, and the interval in which one more training would have them."""

from typing import Any

import numpy as np
from jaxtyping import Float

from modadd.core.files import Data
from modadd.core.statistics import POWER, SURE, prediction_interval
from paper.ledger.judge.evidence import COVERAGE, OWN_COVERAGE, Evidence
from paper.ledger.tell import notes

FEWEST = 5  # retrainings that an interval needs
NEAREST = 1e-9  # to 0 or 1 that a fraction is counted: its logit is finite

_One = Float[np.ndarray, "m"]
_Numbers = Float[np.ndarray, "retrainings m"]
_Interval = Float[np.ndarray, "m 2"]


def among_retrainings(claim: Data, evidence: Evidence, found: _One) -> tuple[int, _Interval | None, str]:
    """Where the numbers of the network shown lie among those of its retrainings.

    It gives how many of these tell, the interval in which one more would have each number, and in words whether the network
    shown is outside: all its numbers must lie at once in the interval of OWN_COVERAGE. Too few retrainings have no interval,
    nor has a set: the network shown is no one of them then. A fraction is placed no nearer to 0 and 1 than the retrainings were counted.
    """
    others = numbers_alike(claim, evidence, found.size)
    if len(others) < FEWEST or claim["check"] == "set_equals":
        return len(others), None, notes.NO_ONE_OF_THEM
    fraction = claim.get("fraction", False)
    placed = _inside_0_and_1(found) if fraction else found
    rounding = 1e-12 * np.maximum(1, np.abs(placed))  # equal retrainings have an interval of no width
    interval = interval_of_next(others, COVERAGE, fraction)
    wider = interval_of_next(others, OWN_COVERAGE, fraction)
    where = ""
    for (low, high), outside in ((interval.T, notes.AT_EDGE), (wider.T, notes.OUTSIDE)):
        if not ((placed >= low - rounding) & (placed <= high + rounding)).all():
            where = outside
    return len(others), interval, where


def numbers_alike(claim: Data, evidence: Evidence, size: int) -> _Numbers:
    """The numbers of the retrainings that are like the network shown, as many as it has: at one frequency, or at all.

    They were trained as long, are right often enough for the claim, and have the same key frequencies.
    """
    rows = evidence.retrainings
    found = []
    if rows is not None and claim["value"] in rows and "frequencies" in rows:
        learned = list(evidence.network["frequencies"])
        enough = rows[rows.accuracy >= claim["needs_accuracy"]]
        for own, frequencies in zip(enough[claim["value"]], enough.frequencies, strict=True):
            if list(frequencies) != learned or not is_measured(own):
                continue
            chosen = numbers(own[learned.index(claim["frequency"])] if "frequency" in claim else own)
            if chosen.size == size and np.isfinite(chosen).all():
                found.append(chosen)
    return np.array(found).reshape(len(found), size)


def interval_of_next(others: _Numbers, coverage: float, fraction: bool = False) -> _Interval:
    """`prediction_interval` of one more training; of a `fraction` on the scale of its logit, so that it lies within 0 and 1."""
    if not fraction:
        return prediction_interval(others, coverage)
    inside = _inside_0_and_1(others)
    logits = np.log(inside / (1 - inside))
    return 1 / (1 + np.exp(-prediction_interval(logits, coverage)))


def numbers(measured: Any) -> _One:
    """The measured numbers in order; none if anything among them is not a number."""
    try:
        found = np.asarray(measured).ravel()
    except ValueError:  # lists of unequal length
        return np.empty(0)
    return found.astype(float) if found.dtype.kind in "biuf" else np.empty(0)


def is_measured(value: Any) -> bool:
    """Whether nothing of a value is missing; a number of a population is measured, whatever its interval, and so is an infinite one."""
    if isinstance(value, list | tuple | np.ndarray):
        return all(map(is_measured, value))
    if isinstance(value, float):
        return not np.isnan(value)
    return value is not None


def detectable(low: float, high: float) -> float:
    """The difference from an interval's centre that so many networks would have shown in four of five repetitions."""
    half = (high - low) / 2
    return half * (1 + POWER / SURE)


def _inside_0_and_1(fractions: Float[np.ndarray, "*m"]) -> Float[np.ndarray, "*m"]:
    """Fractions no nearer to 0 and 1 than NEAREST."""
    return np.clip(fractions, NEAREST, 1 - NEAREST)
