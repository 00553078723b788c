"""The three forms of a claim, each with its arithmetic: `judge` compares what was measured with what a claim says."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, replace
from typing import Any

import numpy as np
import pandas as pd
from jaxtyping import Float

from modadd.core.files import Data
from modadd.core.statistics import share
from modadd.populations.unmeasured import was_measured
from paper.ledger.judge.evidence import Evidence, Networks, Outcome
from paper.ledger.judge.retrainings import FEWEST, among_retrainings, is_measured, numbers
from paper.ledger.read.claims import LIMITS, NEEDED, SHOWN, counts_networks
from paper.ledger.read.words import is_of_networks, printed, several, stands_alone
from paper.ledger.tell import notes

# A number lies beyond a limit: a network passes or not, whatever others do.
BEYOND = {"at_least": np.greater_equal, "at_most": np.less_equal}
LEFT_OUT = 0.1  # of the networks: if more have no number, and the claim does not say why, their share tells nothing


def form_of(claim: Data) -> "Form":
    """The form of a claim, with all that it is compared with."""
    if claim["check"] in ("retrainings", "within", "equal_to_printed_digits"):
        return PrintedNumber(claim)
    if claim["check"] in ("share_of_networks", "interval") or counts_networks(claim):
        return PopulationNumber(claim)
    return Statement(claim)


class Form:
    """What a claim is compared with: its limit, or the printed numbers, each with half a unit of its last digit.

    Half a unit is 0.05 of "1.0" and 0.5 of 42, or what a product of rounded numbers is `uncertain_by`.
    """

    def __init__(self, claim: Data):
        self.claim = claim
        self.check = claim["check"]
        digits = printed(claim["threshold"] if "threshold" in claim else claim["published"])
        last = np.array([number.as_tuple().exponent for number in digits])
        self.limits = np.array([float(number) for number in digits])
        self.half_units = np.full(last.size, claim["uncertain_by"]) if "uncertain_by" in claim else 0.5 * 10.0**last

    def numbers(self, measured: Any) -> Float[np.ndarray, "m"] | None:
        """The measured numbers, as many as they are compared with, or any number of them with one limit; else an empty array.

        None if a network has nothing of what the claim speaks of: a limit holds for nothing in a list of nothing.
        """
        is_empty = isinstance(measured, list | np.ndarray) and len(measured) == 0
        if not is_measured(measured) or (is_empty and self.check in BEYOND):
            return None
        found = numbers(measured)
        is_set = self.check == "set_equals"
        is_comparable = self.limits.size in (1, found.size) and np.isfinite(found).all()
        return found if is_set or is_comparable else np.empty(0)


class PrintedNumber(Form):
    """A number of one network, or several, as a source prints them.

    Where trainings differ (`retrainings`), it lies in the prediction interval of one more training, widened by half a unit
    of the last printed digit, and the network shown is one of these trainings or has the printed number. Where nothing is
    drawn, it has the printed digits, or lies within a tolerance of ours.
    """

    def judge(self, evidence: Evidence) -> Outcome:
        """Compare with what is printed; another number of numbers, or what is not a number, does not agree."""
        found = self.numbers(evidence.measured)
        if found is None:
            return Outcome(None, notes.LACKS)
        if found.size == 0:
            return Outcome(False)
        distance = np.abs(found - self.limits)
        rounds = bool((distance <= self.half_units).all())
        if self.check == "equal_to_printed_digits":
            return Outcome(rounds, rounds=rounds)
        if self.check == "within":
            is_near = distance <= np.array(self.claim["tolerance"])
            return Outcome(bool(is_near.all()), rounds=rounds)
        of, interval, outside = among_retrainings(self.claim, evidence, found)
        if interval is None:
            return Outcome(None, notes.FEW_RETRAININGS.format(fewest=FEWEST, there=of))
        low, high = interval.T
        inside = (self.limits + self.half_units >= low) & (self.limits - self.half_units <= high)
        agrees = bool(inside.all()) and (outside != notes.OUTSIDE or rounds)
        return Outcome(agrees, outside, interval.tolist(), rounds, networks=1 + of)


class Statement(Form):
    """A statement about each network: its numbers lie beyond a limit, or are a printed set.

    About `most` or `nearly_all` networks it is judged by the interval of their share, and below it lies no single population;
    about the network shown by this one and, where there are some, by NEEDED of its retrainings.
    """

    def judge(self, evidence: Evidence) -> Outcome:
        """Whether it holds for the networks that it is about; of the others it is told, too."""
        here = self.holds(evidence.measured)
        if here is None and self.claim["of"] == SHOWN:
            return Outcome(None, notes.LACKS)
        trainings = seeds = None
        if evidence.retrainings is not None:
            trainings = self.share_over([evidence.retrainings], here)
        if self.check in BEYOND:
            seeds = self.share_over(evidence.seeds.values())
        if self.claim["of"] != SHOWN:
            outcome = self._of_many(seeds, evidence.seeds)
        elif trainings:
            outcome = self._of_one(here, trainings, evidence)
        else:
            outcome = Outcome(here)
        behind = seeds or trainings
        return replace(outcome, here=here, trainings=trainings, seeds=seeds, networks=behind and behind.of)

    def _of_one(self, here: bool, trainings: Networks, evidence: Evidence) -> Outcome:
        """Whether it holds for NEEDED of the trainings; the network shown may fail if it is one of them."""
        _, interval, outside = among_retrainings(self.claim, evidence, numbers(evidence.measured))
        interval = None if interval is None else interval.tolist()
        if not here and outside in (notes.OUTSIDE, notes.NO_ONE_OF_THEM):
            return Outcome(False, outside, interval)
        return Outcome(trainings.share >= NEEDED, interval=interval)

    def _of_many(self, every: Networks | None, seeds: Mapping[str, pd.DataFrame]) -> Outcome:
        """Whether the share lies above its limit, as far as its interval tells, and below it in no single population.

        How many networks of each population were trained is no matter of the claim.
        """
        if every is None:
            return Outcome(None, notes.NO_ROW)
        asked = every.of + every.without
        if every.without > LEFT_OUT * asked and not self.claim.get("few_have_it"):
            return Outcome(None, notes.MANY_WITHOUT.format(without=every.without, of=asked))
        limit = LIMITS[self.claim["of"]]
        interval = [[every.low, every.high]]
        below = []
        one_by_one = seeds if len(seeds) > 1 else {}
        for name, rows in one_by_one.items():
            one = self.share_over([rows])
            if one and one.high < limit:
                below.append(f"{one.holds} of {one.of} in {name}")
        if below:
            return Outcome(False, notes.BELOW_IN.format(populations=", ".join(below)), interval)
        agrees = beyond_limit("at_least", every.low, every.high, limit)
        note = notes.UNDECIDED.format(of=every.of, limit=limit) if agrees is None else ""
        return Outcome(agrees, note, interval)

    def share_over(self, tables: Iterable[pd.DataFrame], shown: bool | None = None) -> Networks | None:
        """Of all networks of some tables that can be judged, and the one shown, the share for which it holds.

        None if no network of the tables can be judged. The network shown, if it can be, was trained here.
        """
        passes = []
        here = without = not_measured = 0
        for rows in tables:
            found = self.passing(rows)
            judged = found.notna()
            passes += found[judged].tolist()
            if "trained" in rows:
                trained_here = rows.trained == "here"
                here += int((judged & trained_here).sum())
            others = (rows.accuracy >= self.claim["needs_accuracy"]) & ~judged
            asked = was_measured(rows, self.claim["value"])
            without += int((others & asked).sum())
            not_measured += int((others & ~asked).sum())
        if not passes:
            return None
        if shown is not None:
            passes.append(shown)
            here += 1
        return Networks(**asdict(share(passes)), here=here, without=without, not_measured=not_measured)

    def passing(self, rows: pd.DataFrame) -> pd.Series:
        """For each network whether it holds; missing where it has no number, or is short of the accuracy it needs."""
        found = pd.Series(pd.NA, index=rows.index, dtype="boolean")
        if self.claim["value"] not in rows:
            return found
        enough = rows.accuracy >= self.claim["needs_accuracy"]
        measured = rows.loc[enough, self.claim["value"]]
        if measured.dtype == float and self.check in BEYOND and self.limits.size == 1:  # at once: they are thousands
            holds = pd.Series(BEYOND[self.check](measured.to_numpy(), self.limits), measured.index, dtype="boolean")
            found[enough] = holds.where(~np.isnan(measured))  # infinite is a number: of a proof that fails
        else:
            found[enough] = [self.holds(value) for value in measured]
        return found

    def holds(self, measured: Any) -> bool | None:
        """Whether it holds for the number, or for every number, of one network; None for one that has none."""
        found = self.numbers(measured)
        if found is None:
            return None
        if self.check == "set_equals":
            return set(found) == set(self.limits)
        return found.size > 0 and bool(BEYOND[self.check](found, self.limits).all())


class PopulationNumber(Form):
    """A number of a population, or a share, or one of each of several: its interval against a limit or a printed number.

    Where the interval contains the limit, the networks are too few to tell. A number without an interval is compared itself.
    Where a recipe can be read in several ways, `readings` names them, and the numbers of each are judged apart: where they
    disagree, the claim depends on the reading.
    """

    def judge(self, evidence: Evidence) -> Outcome:
        """Whether each number agrees: it differs if one does."""
        if self.numbers(evidence.measured) is None:
            return Outcome(None, notes.LACKS)
        parts = several(evidence.measured)
        return self._by_reading(parts) if "readings" in self.claim else self._each(parts)

    def _by_reading(self, measured: Sequence[Any]) -> Outcome:
        """Whether the numbers agree by every reading of the recipe, or by none; else the reading decides, not the networks."""
        found = {}
        for name, parts in zip(self.claim["readings"], measured, strict=True):
            found[name] = self._each(several(parts))
        together = _together(found.values())
        agreeing = {one.agrees for one in found.values()}
        if len(agreeing) == 1 and None not in agreeing:
            return together
        told = {name: (one.agrees, one.note) for name, one in found.items()}
        return replace(together, agrees=None, note=notes.by_reading(told))

    def _each(self, parts: Sequence[Any]) -> Outcome:
        """Whether each of some numbers agrees, with its own limit, or the one limit: they differ if one does."""
        if not parts or self.limits.size not in (1, len(parts)):
            return Outcome(False)
        limits = np.broadcast_to(self.limits, len(parts))
        units = np.broadcast_to(self.half_units, len(parts))
        return _together([self._one(*part) for part in zip(parts, limits, units, strict=True)])

    def _one(self, part: Any, limit: float, half_unit: float) -> Outcome:
        """By the interval of one number, as far as it tells."""
        reason = _no_interval(part)
        if reason:
            return Outcome(None, reason)
        value, low, high = self._ends(part, limit)
        if not low <= value <= high:
            return Outcome(False)
        interval = [[part["low"], part["high"]]] if is_of_networks(part) else None
        if self.check == "interval":
            inside = low <= limit + half_unit and limit - half_unit <= high
            rounds = abs(value - limit) <= half_unit
            return Outcome(bool(inside), "", interval, bool(rounds))
        agrees = beyond_limit(self.check, low, high, limit)
        note = notes.UNDECIDED.format(of=part["of"], limit=limit) if agrees is None else ""
        return Outcome(agrees, note, interval)

    def _ends(self, part: Any, limit: float) -> Float[np.ndarray, "3"]:
        """The number and the ends of its interval; NaN of what is none. What is said of every network, one refutes."""
        if stands_alone(part):
            part = part["value"]
        if isinstance(part, int | float) and self.check in BEYOND:
            return np.full(3, float(part))
        none = np.full(3, np.nan)
        is_share = self.check == "share_of_networks"
        if not is_of_networks(part) or ("holds" in part) != is_share or part["of"] == 0:
            return none
        value = part["holds"] / part["of"] if is_share else part["value"]
        if is_share and not 0 <= value <= 1:
            return none
        if is_share and limit in (0, 1):
            return np.full(3, value)
        ends = numbers([value, part["low"], part["high"]])
        return ends if ends.size else none


def beyond_limit(check: str, low: float, high: float, limit: float) -> bool | None:
    """Whether an interval lies beyond a limit, above it unless the check is `at_most`; None where it contains the limit."""
    if check == "at_most":
        surely, surely_not = high <= limit, low > limit
    else:
        surely, surely_not = low >= limit, high < limit
    return bool(surely) if surely or surely_not else None


def _no_interval(part: Any) -> str:
    """Why a number of networks tells nothing, in words; empty where it tells."""
    if stands_alone(part):
        return notes.FEW_HAVE_IT if part["value"] is None else ""
    if not is_of_networks(part):
        return ""
    if part["of"] == 0:
        return notes.NO_NETWORK
    if part["low"] is None and part["of"] < 2:
        return notes.FEWER_THAN_TWO
    if part.get("value", 0) is None and "holds" not in part:
        return notes.FEW_HAVE_IT
    is_without = part["low"] is None and part.get("value") is not None
    if is_without or (part["low"] is not None and part["low"] == part["high"]):
        return notes.ALL_THE_SAME.format(of=part["of"])
    return ""


def _together(found: Iterable[Outcome]) -> Outcome:
    """What several numbers say at once: they differ if one does, and are not judged if another is not."""
    found = list(found)
    agree = {one.agrees for one in found}
    agrees = None if None in agree else True
    if False in agree:
        agrees = False
    told = dict.fromkeys(one.note for one in found if one.note)
    intervals = sum((one.interval for one in found if one.interval), [])
    return Outcome(agrees, "; ".join(told), intervals or None, rounds=all(one.rounds for one in found))
