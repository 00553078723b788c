"""The three forms of a claim: each has its fields, judges what was measured, and says in a sentence by what it judges."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields, replace
from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd
from jaxtyping import Bool, Float

from modadd.core.files import Data
from modadd.core.statistics import Share, share
from modadd.populations.unmeasured import was_measured
from paper.ledger.judge.retrainings import (
    COVERAGE,
    FEWEST,
    OWN_COVERAGE,
    comparable,
    interval_of,
    is_measured,
    is_one_of,
    numbers,
    numbers_alike,
)
from paper.ledger.read.claims import MOST, NEARLY_ALL, ON_EACH, PUBLISHED, counts_networks
from paper.ledger.read.words import is_of_networks, number_in, printed, several, show, stands_alone

# A printed number is that of the network shown to its last digit, or lies where further trainings or networks would,
# or, without any spread, within a tolerance of ours.
ROUNDS, WITHIN_SPREAD, WITHIN_TOLERANCE = "number rounds to print", "number within spread", "number within tolerance"
HOLDS = "statement holds"
# The paper's words leave open which network they mean: those of the network shown, and too few of the other seeds.
HOLDS_NOT_FOR_NEARLY_ALL = "holds for the network shown, not for nearly all"
HOLDS_NOT_FOR_MOST = "holds for the network shown, not for most"

# Share of the trainings in which a yes or no about one network must come out: set after looking at kept retrainings.
NEEDED = 0.9
LIMITS = {MOST: 0.5, NEARLY_ALL: 0.9}  # of the share of all networks
LEFT_OUT = 0.1  # of the networks: if more have no number, and the claim does not say why, their share tells nothing
OUTSIDE = f"the network shown lies outside the {100 * OWN_COVERAGE:g} % interval of its own retrainings"
AT_EDGE = f"the network shown lies outside the {100 * COVERAGE:g} % interval of its retrainings"
WIDENED = "widened by half the last printed digit"
_SHARES = {1: "in all networks", 0.5: "in at least half of the networks"}
# By the check: what a claim is called if it agrees, first where it rounds to print.
_WORDS = {
    "equal_to_printed_digits": (ROUNDS,),
    "set_equals": (ROUNDS,),
    "within": (ROUNDS, WITHIN_TOLERANCE),
    "retrainings": (ROUNDS, WITHIN_SPREAD),
    "interval": (ROUNDS, WITHIN_SPREAD),
}


@dataclass(frozen=True)
class Networks(Share):
    """The share of some networks for which a claim holds; `here` of them are trained here, the others kept.

    Others are no part of the share: `without` have no number that the claim could be judged on, and of `not_measured` nobody
    measured it.
    """

    here: int
    without: int = 0
    not_measured: int = 0


@dataclass(frozen=True)
class Evidence:
    """What a claim is judged on: what was measured, the standing of the network, its retrainings, other seeds by population."""

    measured: Any
    network: Data
    retrained: pd.DataFrame | None = None
    seeds: Mapping[str, pd.DataFrame] = field(default_factory=dict)

    def retrained_alike(self, needs_accuracy: float) -> pd.DataFrame:
        """The retrainings that were trained as long as the network, and are right often enough."""
        if self.retrained is None:
            return pd.DataFrame()
        as_long = self.retrained.steps == self.network["steps"]
        return self.retrained[as_long & (self.retrained.accuracy >= needs_accuracy)]


@dataclass(frozen=True)
class Outcome:
    """What was found.

    `agrees` is None where the networks are too few to tell. `interval` is that of one more training, or of a number or a
    share of a population, for each number; `here` says whether a statement holds for the network shown, `trainings` and
    `seeds` for how many others; `networks` is how many of them were compared.
    """

    agrees: bool | None
    note: str = ""
    interval: list[list[float]] | None = None
    here: bool | None = None
    trainings: Networks | None = None
    seeds: Networks | None = None
    networks: int | None = None


@dataclass(frozen=True, kw_only=True)
class _Compared:
    """What all forms have: the check, and the limit or the printed numbers."""

    check: str
    compared_with: Any
    uncertain_by: float | None = None

    @cached_property
    def target(self) -> Float[np.ndarray, "m"]:
        """The limit, or the printed numbers."""
        return np.array([float(digits) for digits in printed(self.compared_with)])

    @property
    def half_unit(self) -> Float[np.ndarray, "m"]:
        """Half a unit of the last printed digit of each number: 0.05 of "1.0", 0.5 of 42; more if it is `uncertain_by` more."""
        if self.uncertain_by is not None:
            return np.full(self.target.size, self.uncertain_by)
        last = [digits.as_tuple().exponent for digits in printed(self.compared_with)]
        return 0.5 * 10.0 ** np.array(last)

    def has_number(self, measured: Any) -> bool:
        """Whether a network has what the claim speaks of; a limit holds for nothing in a list of nothing."""
        is_empty = isinstance(measured, list | np.ndarray) and len(measured) == 0
        return is_measured(measured) and not (is_empty and self.check in ON_EACH)

    def rounds_to_print(self, found: Float[np.ndarray, "m"]) -> bool:
        """Whether numbers are the printed ones to their last digits."""
        distance = np.abs(found - self.target)
        return bool((distance <= self.half_unit).all())

    @property
    def widened(self) -> str:
        """By how much an interval is widened, in words."""
        return (
            WIDENED
            if self.uncertain_by is None
            else f"widened by {self.uncertain_by:g}, as the printed number is rounded"
        )

    @property
    def words(self) -> tuple[str, ...]:
        """What it is called if it agrees: first, where it rounds to print, or holds."""
        return _WORDS.get(self.check, (HOLDS,))

    def word(self, outcome: Outcome, measured: Any) -> str:
        """What it is called, as it agrees."""
        if len(self.words) == 1 or self.rounds_to_print(_values(measured)):
            return self.words[0]
        return self.words[1]


@dataclass(frozen=True, kw_only=True)
class PrintedNumber(_Compared):
    """A number of one network, or several, as a source prints them.

    Where trainings differ (`retrainings`), it lies in the prediction interval of one more training, widened by half a unit
    of the last printed digit, and the network shown is one of these trainings or has the printed number. Where nothing is
    drawn, it has the printed digits, or lies within a tolerance of ours.
    """

    value: str
    needs_accuracy: float
    tolerance: float | int | list[float | int] | None = None
    fraction: bool = False
    frequency: int | None = None

    def sentence(self, outcome: Outcome) -> str:
        """By what it is judged."""
        if self.check == "equal_to_printed_digits":
            return "equal to printed digits"
        if self.check == "within":
            return f"within ±{show(self.tolerance)}"
        return f"in the {100 * COVERAGE:g} % prediction interval over retrainings, {self.widened}"

    def judge(self, evidence: Evidence) -> Outcome:
        """Compare with what is printed; another number of numbers, or what is not a number, does not agree."""
        found = numbers(evidence.measured)
        if not comparable(found, self.target):
            return Outcome(False)
        if self.check == "equal_to_printed_digits":
            return Outcome(self.rounds_to_print(found))
        if self.check == "within":
            is_near = np.abs(found - self.target) <= np.array(self.tolerance)
            return Outcome(bool(is_near.all()))
        return self._beside_retrainings(found, evidence)

    def _beside_retrainings(self, found: Float[np.ndarray, "m"], evidence: Evidence) -> Outcome:
        """Whether the printed numbers lie in the prediction interval of one more training, and the network shown is one."""
        alike = evidence.retrained_alike(self.needs_accuracy)
        others = numbers_alike(alike, self.value, evidence.network, found.size, self.frequency)
        interval = interval_of(others, self.fraction)
        if interval is None:
            few = f"needs {FEWEST} retrainings with the key frequencies of this network"
            return Outcome(None, f"{few}, there are {len(others)}")
        low, high = np.transpose(interval)
        above = self.target + self.half_unit >= low
        below = self.target - self.half_unit <= high
        inside = bool((above & below).all())
        is_one = is_one_of(others, found, OWN_COVERAGE, self.fraction)
        note = "" if is_one_of(others, found, COVERAGE, self.fraction) else AT_EDGE
        if not is_one:
            note = OUTSIDE
        agrees = inside and (is_one or self.rounds_to_print(found))
        return Outcome(agrees, note, interval, networks=1 + len(others))


@dataclass(frozen=True, kw_only=True)
class Statement(_Compared):
    """A statement about each network: its numbers lie beyond a limit, or are a printed set.

    About `most` or `nearly_all` networks it is judged by the interval of their share, and below it lies no single population;
    about the `published` one by the network shown and, where there are some, by NEEDED of its retrainings.
    """

    value: str
    needs_accuracy: float
    of: str = PUBLISHED
    judged_on: Sequence[str] = ()
    fraction: bool = False
    few_have_it: str = ""

    def word(self, outcome: Outcome, measured: Any) -> str:
        """What it is called, as it holds: of the network shown alone, if the interval of the other seeds says so."""
        if self.of != PUBLISHED or outcome.seeds is None:
            return super().word(outcome, measured)
        if outcome.seeds.high < LIMITS[MOST]:
            return HOLDS_NOT_FOR_MOST
        if outcome.seeds.high < LIMITS[NEARLY_ALL]:
            return HOLDS_NOT_FOR_NEARLY_ALL
        return HOLDS

    def sentence(self, outcome: Outcome) -> str:
        """By what it is judged, and for which networks."""
        check = "set equals"
        if self.check in ON_EACH:
            check = f"{self.check.replace('_', ' ')} {show(self.compared_with)}"
        if self.of == PUBLISHED:
            return f"{check}, in {NEEDED} of the trainings" if outcome.trainings else check
        of = self.of.replace("_", " ")
        apart = ", below it in no population" if len(self.judged_on) > 1 else ""
        return f"{check}, for {of} networks: a share above {LIMITS[self.of]:g} by its interval{apart}"

    def holds(self, measured: Any) -> bool | None:
        """Whether it holds for the number, or for every number, of one network; None for one that has none."""
        if not self.has_number(measured):
            return None
        found = numbers(measured)
        if self.check not in ON_EACH:
            return set(found) == set(self.target)
        if not comparable(found, self.target):
            return False
        return bool(self._is_beyond(found).all())

    def _is_beyond(self, found: Float[np.ndarray, "m"]) -> Bool[np.ndarray, "m"]:
        """For each number whether it lies beyond its limit, or the one limit."""
        if self.check == "at_least":
            return found >= self.target
        return found <= self.target

    def passing(self, rows: pd.DataFrame) -> pd.Series:
        """For each network whether it holds; missing where it has no number, or is short of the accuracy it needs."""
        found = pd.Series(pd.NA, index=rows.index, dtype="boolean")
        if self.value in rows:
            enough = rows.accuracy >= self.needs_accuracy
            found[enough] = self._hold(rows.loc[enough, self.value])
        return found

    def _hold(self, measured: pd.Series) -> Sequence[bool | None] | pd.Series:
        """`holds` of each network; numbers against one limit are compared all at once, as there are many thousands."""
        if measured.dtype != float or self.check not in ON_EACH or self.target.size != 1:
            return [self.holds(value) for value in measured]
        beyond = pd.Series(self._is_beyond(measured.to_numpy()), measured.index, dtype="boolean")
        return beyond.where(np.isfinite(measured))

    def share_over(self, tables: Sequence[pd.DataFrame], shown: bool | None = None) -> Networks | None:
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
            others = (rows.accuracy >= self.needs_accuracy) & ~judged
            asked = was_measured(rows, self.value)
            without += int((others & asked).sum())
            not_measured += int((others & ~asked).sum())
        if not passes:
            return None
        if shown is not None:
            passes.append(shown)
            here += 1
        return Networks(**asdict(share(passes)), here=here, without=without, not_measured=not_measured)

    def judge(self, evidence: Evidence) -> Outcome:
        """Whether it holds for the networks that it is about; of the others it is told, too."""
        here = self.holds(evidence.measured)
        seeds = None
        if self.check in ON_EACH:
            seeds = self.share_over(list(evidence.seeds.values()))
        alike = evidence.retrained_alike(self.needs_accuracy)
        trainings = self.share_over([alike], here) if len(alike) else None
        if self.of != PUBLISHED:
            outcome = self._of_many(seeds, evidence.seeds)
        elif trainings:
            outcome = self._among_trainings(here, trainings, alike, evidence)
        else:
            outcome = Outcome(here)
        behind = seeds or trainings
        return replace(outcome, here=here, trainings=trainings, seeds=seeds, networks=behind and behind.of)

    def _among_trainings(
        self, here: bool | None, trainings: Networks, alike: pd.DataFrame, evidence: Evidence
    ) -> Outcome:
        """Whether it holds for NEEDED of the trainings; the network shown may fail if it is one of them."""
        found = numbers(evidence.measured)
        others = numbers_alike(alike, self.value, evidence.network, found.size)
        if self.check not in ON_EACH:
            others = others[:0]  # a set has no interval
        interval = interval_of(others, self.fraction)
        if not here and not is_one_of(others, found, OWN_COVERAGE, self.fraction):
            return Outcome(False, OUTSIDE, interval)
        return Outcome(trainings.share >= NEEDED, interval=interval)

    def _of_many(self, found: Networks | None, seeds: Mapping[str, pd.DataFrame]) -> Outcome:
        """Whether the share lies above its limit, as far as its interval tells, and below it in no single population.

        How many networks of each population were trained is no matter of the claim.
        """
        if found is None:
            return Outcome(None, "no row of another seed has this number")
        every = found.of + found.without
        if found.without > LEFT_OUT * every and not self.few_have_it:
            return Outcome(None, f"{found.without:,} of {every:,} networks have no such number")
        limit = LIMITS[self.of]
        of_share = PopulationNumber(check="share_of_networks", compared_with=limit)
        outcome = of_share.judge(Evidence(asdict(found), {}))
        if len(seeds) == 1:
            return outcome
        below = []
        for name, rows in seeds.items():
            one = self.share_over([rows])
            if one and one.high < limit:
                below.append(f"{one.holds} of {one.of} in {name}")
        if below:
            note = f"By population the share is too low: {', '.join(below)}."
            return replace(outcome, agrees=False, note=note)
        return outcome


@dataclass(frozen=True, kw_only=True)
class PopulationNumber(_Compared):
    """A number of a population, or a share, or one of each of several: its interval against a limit or a printed number.

    Where the interval contains the limit, the networks are too few to tell. A number without an interval is compared itself.
    Where a recipe can be read in several ways, `readings` names them, and the numbers of each are judged apart: where they
    disagree, the claim depends on the reading.
    """

    readings: Sequence[str] = ()

    def sentence(self, outcome: Outcome) -> str:
        """By what it is judged."""
        if self.check == "interval":
            return f"in the {100 * COVERAGE:g} % interval, {self.widened}"
        limit = show(self.compared_with)
        if self.check in ON_EACH:
            return f"{self.check.replace('_', ' ')} {limit}"
        of_networks = f"in at least {limit} of the networks"
        if self.target.size == 1:
            of_networks = _SHARES.get(self.target.item(), of_networks)
        return f"{of_networks}, by the interval of the share"

    def judge(self, evidence: Evidence) -> Outcome:
        """Whether each number agrees: it differs if one does."""
        if self.readings:
            return self._by_reading(several(evidence.measured))
        return self._judge_all(several(evidence.measured))

    def _by_reading(self, measured: Sequence[Any]) -> Outcome:
        """Whether the numbers agree by every reading of the recipe, or by none; else the reading decides, not the networks."""
        found = {}
        for name, numbers_of in zip(self.readings, measured, strict=True):
            found[name] = self._judge_all(several(numbers_of))
        intervals = sum((one.interval for one in found.values() if one.interval), [])
        agreeing = {one.agrees for one in found.values()}
        if len(agreeing) == 1 and None not in agreeing:
            notes = dict.fromkeys(one.note for one in found.values() if one.note)
            return Outcome(agreeing.pop(), "; ".join(notes), intervals or None)
        words = {True: "it agrees", False: "it differs", None: "it cannot be judged"}
        said = [
            f"by {name} {words[one.agrees]}" + (f" ({one.note})" if one.note else "") for name, one in found.items()
        ]
        begins = "Depends on the reading" if None not in agreeing else "Not every reading can be judged"
        return Outcome(None, f"{begins}: {'; '.join(said)}.", intervals or None)

    def _judge_all(self, parts: Sequence[Any]) -> Outcome:
        """Whether each of some numbers agrees: they differ if one does."""
        if not parts or self.target.size not in (1, len(parts)):
            return Outcome(False)
        limits = np.broadcast_to(self.target, len(parts))
        units = np.broadcast_to(self.half_unit, len(parts))
        found = [self._judge_one(*one) for one in zip(parts, limits, units, strict=True)]
        agree = {one.agrees for one in found}
        agrees = None if None in agree else True
        if False in agree:
            agrees = False
        notes = dict.fromkeys(one.note for one in found if one.note)
        intervals = sum((one.interval for one in found if one.interval), [])
        return Outcome(agrees, "; ".join(notes), intervals or None)

    def _judge_one(self, part: Any, limit: float, unit: float) -> Outcome:
        """By the interval of one number, as far as it tells."""
        of = None
        interval = None
        if stands_alone(part):
            if part["value"] is None:
                return Outcome(None, "too few networks have this number")
            part = part["value"]
        elif is_of_networks(part):
            of = part["of"]
            if of == 0 and "holds" not in part:
                return Outcome(None, "no network tells")
            if part["low"] is None and of < 2:
                return Outcome(None, "there is no interval of fewer than two networks")
            is_without = part["low"] is None and part.get("value") is not None
            if is_without or (part["low"] is not None and part["low"] == part["high"]):
                return Outcome(None, f"there is no interval: the number is the same in all {of:,} networks")
            interval = [[part["low"], part["high"]]]
        value, low, high = self._ends(part, limit)
        if not low <= value <= high:
            return Outcome(False)
        if self.check == "interval":
            return Outcome(bool(low <= limit + unit and limit - unit <= high), "", interval)
        if self.check == "at_most":
            surely, surely_not = high <= limit, low > limit
        else:
            surely, surely_not = low >= limit, high < limit
        if surely or surely_not:
            return Outcome(bool(surely), "", interval)
        note = f"Undecided: the interval over {of:,} networks contains {limit:g}"
        return Outcome(None, note, interval)

    def _ends(self, part: Any, limit: float) -> Float[np.ndarray, "3"]:
        """The number and the ends of its interval; NaN of what is none. What is said of every network, one refutes."""
        if isinstance(part, int | float) and self.check in ON_EACH:
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


Form = PrintedNumber | Statement | PopulationNumber


def form_of(claim: Data) -> Form:
    """The form of a claim, with what the claim says of its fields."""
    if claim["check"] in ("retrainings", "within", "equal_to_printed_digits"):
        form = PrintedNumber
    elif claim["check"] in ("share_of_networks", "interval") or counts_networks(claim):
        form = PopulationNumber
    else:
        form = Statement
    said = {field.name: claim[field.name] for field in fields(form) if field.name in claim}
    return form(compared_with=compared_with(claim), **said)


def compared_with(claim: Data) -> Any:
    """The limit of ours, or else what is printed."""
    return claim["threshold"] if "threshold" in claim else claim["published"]


def _values(measured: Any) -> Float[np.ndarray, "m"]:
    """The numbers themselves, of networks without their intervals."""
    values = [number_in(part) for part in several(measured)]
    return numbers(values)
