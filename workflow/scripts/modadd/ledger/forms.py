"""The three forms of a claim: each has its fields, judges what was measured, and says in a sentence by what it judges."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields, replace
from typing import Any

import numpy as np
import pandas as pd
from jaxtyping import Float

from modadd.core.statistics import Share, share
from modadd.ledger.claims import MOST, NEARLY_ALL, ON_EACH, PUBLISHED, counts_networks
from modadd.ledger.retrainings import (
    COVERAGE,
    FEWEST,
    OWN_COVERAGE,
    comparable,
    interval_of,
    is_measured,
    is_one_of,
    lies_within,
    numbers,
    numbers_alike,
    retrained_alike,
)
from modadd.ledger.words import half_units, printed, show

# A printed number is that of the network shown to its last digit, or lies where further trainings or networks would,
# or, without any spread, within a tolerance of ours.
ROUNDS, WITHIN_SPREAD, WITHIN_TOLERANCE = "number rounds to print", "number within spread", "number within tolerance"
HOLDS = "statement holds"
# The paper's words leave open which network they mean: those of the network shown, and too few of the other seeds.
HOLDS_NOT_FOR_NEARLY_ALL = "holds for the network shown, not for nearly all"
HOLDS_NOT_FOR_MOST = "holds for the network shown, not for most"

# Share of the trainings in which a yes or no about one network must come out: set after looking at the retrainings kept from
# one make of processor, before any of the other make.
NEEDED = 0.9
LIMITS = {MOST: 0.5, NEARLY_ALL: 0.9}  # of the share of all networks
LEFT_OUT = 0.1  # of the networks: if more have no number, and the claim does not say why, their share tells nothing
OUTSIDE = f"the network shown lies outside the {100 * OWN_COVERAGE:g} % interval of its own retrainings"
_AT_EDGE = f"the network shown lies outside the {100 * COVERAGE:g} % interval of its retrainings"
_BEYOND = {"at_least": np.greater_equal, "at_most": np.less_equal}
_SHARES = {1: "in all networks", 0.5: "in at least half of the networks"}


@dataclass(frozen=True)
class Networks(Share):
    """The share of some networks for which a claim holds; `here` of them are trained here, the others kept.

    `without` further ones have no number that the claim could be judged on, and are no part of the share.
    """

    here: int
    without: int = 0


@dataclass(frozen=True)
class Evidence:
    """What a claim is judged on: what was measured, the standing of the network, its retrainings, other seeds by population."""

    measured: Any
    network: Mapping[str, Any]
    retrained: pd.DataFrame | None = None
    seeds: Mapping[str, pd.DataFrame] = field(default_factory=dict)


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


@dataclass(frozen=True)
class PrintedNumber:
    """A number of one network, or several, as a source prints them.

    Where trainings differ (`retrainings`), it lies in the prediction interval of one more training, widened by half a unit
    of the last printed digit, and the network shown is one of these trainings or has the printed number. Where nothing is
    drawn, it has the printed digits, or lies within a tolerance of ours.
    """

    value: str
    check: str
    compared_with: Any
    needs_accuracy: float
    tolerance: float | int | list[float | int] | None = None
    fraction: bool = False
    frequency: int | None = None

    @property
    def words(self) -> tuple[str, ...]:
        """What it is called if it agrees: first, where it rounds to print."""
        near = {"retrainings": WITHIN_SPREAD, "within": WITHIN_TOLERANCE}
        return (ROUNDS, near[self.check]) if self.check in near else (ROUNDS,)

    def word(self, outcome: Outcome, measured: Any) -> str:
        """What it is called, as it agrees."""
        return self.words[0 if rounds_to_print(self.compared_with, measured) else -1]

    def sentence(self, outcome: Outcome) -> str:
        """By what it is judged."""
        if self.check == "retrainings":
            return f"in the {100 * COVERAGE:g} % prediction interval over retrainings, widened by half the last printed digit"
        if self.check == "within":
            return f"within ±{show(self.tolerance)}"
        return "equal to printed digits"

    def has_number(self, measured: Any) -> bool:
        """Whether the network has what the claim speaks of; a list of nothing is another list than the printed one."""
        return is_measured(measured)

    def judge(self, evidence: Evidence) -> Outcome:
        """Compare with what is printed; another number of numbers, or what is not a number, does not agree."""
        found, target = numbers(evidence.measured), _floats(self.compared_with)
        if not comparable(found, target):
            return Outcome(False)
        if self.check == "retrainings":
            return self._beside_retrainings(found, evidence)
        allowed = half_units(self.compared_with) if self.tolerance is None else np.asarray(self.tolerance, float)
        return Outcome(bool((np.abs(found - target) <= allowed).all()))

    def _beside_retrainings(self, found: Float[np.ndarray, "m"], evidence: Evidence) -> Outcome:
        like = retrained_alike(evidence.retrained, evidence.network, self.needs_accuracy)
        others = numbers_alike(like, self.value, evidence.network, found.size, self.frequency)
        interval = interval_of(others, self.fraction)
        if interval is None:
            note = f"needs {FEWEST} retrainings with the key frequencies of this network, there are {len(others)}"
            return Outcome(None, note)
        target, unit = _floats(self.compared_with), half_units(self.compared_with)
        low, high = np.transpose(interval)
        inside = (target + unit >= low) & (target - unit <= high)
        own = is_one_of(others, found, OWN_COVERAGE, self.fraction)
        as_printed = bool((np.abs(found - target) <= unit).all())
        note = ""
        if not own:
            note = OUTSIDE
        elif not lies_within(found, np.array(interval), self.fraction).all():
            note = _AT_EDGE
        agrees = bool(inside.all()) and (own or as_printed)
        return Outcome(agrees, note, interval, networks=1 + len(others))


@dataclass(frozen=True)
class Statement:
    """A statement about each network: its numbers lie beyond a limit, or are a printed set.

    About `most` or `nearly_all` networks it is judged by the interval of their share, and below it lies no single population;
    about the `published` one by the network shown and, where there are some, by NEEDED of its retrainings.
    """

    value: str
    check: str
    compared_with: Any
    needs_accuracy: float
    of: str = PUBLISHED
    judged_on: Sequence[str] = ()
    fraction: bool = False
    few_have_it: str = ""

    @property
    def words(self) -> tuple[str, ...]:
        """What it is called if it holds."""
        return (HOLDS,) if self.check in ON_EACH else (ROUNDS,)

    def word(self, outcome: Outcome, measured: Any) -> str:
        """What it is called, as it holds: of the network shown alone, if the interval of the other seeds says so."""
        if self.of != PUBLISHED or outcome.seeds is None:
            return self.words[0]
        if outcome.seeds.high < LIMITS[MOST]:
            return HOLDS_NOT_FOR_MOST
        return HOLDS_NOT_FOR_NEARLY_ALL if outcome.seeds.high < LIMITS[NEARLY_ALL] else HOLDS

    def sentence(self, outcome: Outcome) -> str:
        """By what it is judged, and for which networks."""
        limit = f"{self.check.replace('_', ' ')} {show(self.compared_with)}"
        check = limit if self.check in ON_EACH else "set equals"
        if self.of == PUBLISHED:
            return f"{check}, in {NEEDED} of the trainings" if outcome.trainings else check
        apart = ", below it in no population" if len(self.judged_on) > 1 else ""
        of = self.of.replace("_", " ")
        return f"{check}, for {of} networks: a share above {LIMITS[self.of]:g} by its interval{apart}"

    def has_number(self, measured: Any) -> bool:
        """Whether a network has what the claim speaks of; a limit holds for nothing in a list of nothing."""
        return is_measured(measured) and (self.check not in ON_EACH or not _is_empty(measured))

    def holds(self, measured: Any) -> bool | None:
        """Whether it holds for the number, or for every number, of one network; None for one that has none."""
        if not self.has_number(measured):
            return None
        found, target = numbers(measured), _floats(self.compared_with)
        if self.check not in ON_EACH:
            return set(found) == set(target)
        return comparable(found, target) and bool(_BEYOND[self.check](found, target).all())

    def passing(self, rows: pd.DataFrame) -> pd.Series:
        """For each network whether it holds; missing where it has no number, or is short of the accuracy it needs."""
        enough = rows.accuracy >= self.needs_accuracy
        if self.value not in rows:
            found = [None] * len(rows)
        else:
            found = [
                self.holds(value) if right else None for value, right in zip(rows[self.value], enough, strict=True)
            ]
        return pd.Series(found, index=rows.index, dtype="boolean")

    def share_over(self, tables: Sequence[pd.DataFrame]) -> Networks | None:
        """Of all networks of some tables that can be judged, the share for which it holds; None of none."""
        passes, here, without = [], 0, 0
        for rows in tables:
            found = self.passing(rows)
            passes += found.dropna().tolist()
            here += int((found.notna() & (rows.trained == "here")).sum())
            if self.value in rows:
                without += int((found.isna() & (rows.accuracy >= self.needs_accuracy)).sum())
        return Networks(**asdict(share(passes)), here=here, without=without) if passes else None

    def judge(self, evidence: Evidence) -> Outcome:
        """Whether it holds for the networks that it is about; of the others it is told, too."""
        here = self.holds(evidence.measured)
        seeds = self.share_over(list(evidence.seeds.values())) if self.check in ON_EACH else None
        trainings = self._in_trainings(here, evidence)
        if self.of == PUBLISHED:
            outcome = self._of_the_network_shown(here, trainings, evidence)
        else:
            outcome = self._of_many(seeds, evidence.seeds)
        behind = seeds or trainings
        networks = None if behind is None else behind.of
        return replace(outcome, here=here, trainings=trainings, seeds=seeds, networks=networks)

    def _in_trainings(self, here: bool | None, evidence: Evidence) -> Networks | None:
        """Of the network shown and its retrainings, the share for which it holds; None where no retraining has the number."""
        like = retrained_alike(evidence.retrained, evidence.network, self.needs_accuracy)
        found = [] if self.value not in like else [self.holds(value) for value in like[self.value]]
        told = list(like.get("trained", [""] * len(like)))
        judged = [(holds, trained) for holds, trained in zip(found, told, strict=False) if holds is not None]
        if not judged:
            return None
        if here is not None:
            judged.insert(0, (here, "here"))
        trained_here = sum(trained == "here" for _, trained in judged)
        return Networks(**asdict(share([holds for holds, _ in judged])), here=trained_here)

    def _of_the_network_shown(self, here: bool | None, trainings: Networks | None, evidence: Evidence) -> Outcome:
        """By the network shown; beside retrainings by their share, unless the network shown fails and is none of them."""
        if trainings is None:
            return Outcome(here)
        found = numbers(evidence.measured)
        like = retrained_alike(evidence.retrained, evidence.network, self.needs_accuracy)
        others = np.empty((0, found.size))
        if self.check in ON_EACH and found.size:
            others = numbers_alike(like, self.value, evidence.network, found.size)
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
        if not self.few_have_it and found.without > LEFT_OUT * every:
            return Outcome(None, f"{found.without:,} of {every:,} networks have no such number")
        limit = LIMITS[self.of]
        outcome = PopulationNumber("share_of_networks", limit).judge(Evidence(asdict(found), {}))
        apart = {name: self.share_over([rows]) for name, rows in seeds.items()}
        below = [f"{one.holds} of {one.of} in {name}" for name, one in apart.items() if one and one.high < limit]
        if len(apart) < 2 or not below:
            return outcome
        return replace(outcome, agrees=False, note=f"By population the share is too low: {', '.join(below)}.")


@dataclass(frozen=True)
class PopulationNumber:
    """A number of a population, or a share, or one of each of several: its interval against a limit or a printed number.

    Where the interval contains the limit, the networks are too few to tell. A number without an interval is compared itself.
    """

    check: str
    compared_with: Any

    @property
    def words(self) -> tuple[str, ...]:
        """What it is called if it agrees: a printed number first where it rounds to print."""
        return (ROUNDS, WITHIN_SPREAD) if self.check == "interval" else (HOLDS,)

    def word(self, outcome: Outcome, measured: Any) -> str:
        """What it is called, as it agrees."""
        if self.check != "interval":
            return HOLDS
        return self.words[0 if rounds_to_print(self.compared_with, measured) else -1]

    def sentence(self, outcome: Outcome) -> str:
        """By what it is judged."""
        if self.check == "interval":
            return f"in the {100 * COVERAGE:g} % interval, widened by half the last printed digit"
        limit = show(self.compared_with)
        if self.check == "share_of_networks":
            share = _SHARES.get(self.compared_with, f"in at least {limit} of the networks")
            return f"{share}, by the interval of the share"
        return f"{self.check.replace('_', ' ')} {limit}"

    def has_number(self, measured: Any) -> bool:
        """Whether anything was measured."""
        return is_measured(measured) and (self.check not in ON_EACH or not _is_empty(measured))

    def judge(self, evidence: Evidence) -> Outcome:
        """Whether each number agrees; a number with an interval is judged by that."""
        measured = evidence.measured
        parts = measured if isinstance(measured, list) else [measured]
        targets, units = _floats(self.compared_with), half_units(self.compared_with)
        if not parts or targets.size not in (1, len(parts)):
            return Outcome(False)
        limits = zip(np.resize(targets, len(parts)), np.resize(units, len(parts)), strict=True)
        return all_of([self._judge_one(part, *limit) for part, limit in zip(parts, limits, strict=True)])

    def _judge_one(self, part: Any, limit: float, unit: float) -> Outcome:
        of = part.get("of") if isinstance(part, Mapping) else None
        if of is not None and of < 2 and part.get("low") is None:
            return Outcome(None, "there is no interval of fewer than two networks")
        value, low, high = self._ends(part)
        if not np.isfinite([value, low, high]).all() or not low <= value <= high:
            return Outcome(False)
        agrees, note = self._by_interval(low, high, limit, unit), ""
        if agrees is None:
            note = f"Undecided: the interval over {of:,} networks contains {limit:g}"
        return Outcome(agrees, note, of and [[part["low"], part["high"]]])

    def _by_interval(self, low: float, high: float, limit: float, unit: float) -> bool | None:
        if self.check == "interval":
            return bool(limit + unit >= low and limit - unit <= high)
        surely, surely_not = (high <= limit, low > limit) if self.check == "at_most" else (low >= limit, high < limit)
        return bool(surely) if surely or surely_not else None

    def _ends(self, part: Any) -> tuple[float, float, float]:
        """The number and the ends of its interval; NaN of what is none. "Every network" is refuted by one, "any" shown by one."""
        if not isinstance(part, Mapping):
            value = float(part) if isinstance(part, int | float) and self.check in ON_EACH else np.nan
            return value, value, value
        shared, ends = "holds" in part, [part.get("low"), part.get("high")]
        if shared != (self.check == "share_of_networks") or not part.get("of") or None in ends:
            return np.nan, np.nan, np.nan
        if not shared:
            return np.nan if part["value"] is None else part["value"], *ends
        value = part["holds"] / part["of"]
        if self.compared_with in (0, 1):
            ends = [value, value]
        return value if 0 <= value <= 1 else np.nan, *ends


Form = PrintedNumber | Statement | PopulationNumber


def form_of(claim: Mapping[str, Any]) -> Form:
    """The form of a claim, with what the claim says of its fields."""
    if claim["check"] in ("retrainings", "within", "equal_to_printed_digits"):
        form = PrintedNumber
    elif claim["check"] in ("share_of_networks", "interval") or counts_networks(claim):
        form = PopulationNumber
    else:
        form = Statement
    compared_with = claim.get("threshold", claim.get("published"))
    said = {one.name: claim[one.name] for one in fields(form) if one.name in claim}
    return form(compared_with=compared_with, **said)


def all_of(found: Sequence[Outcome]) -> Outcome:
    """Several outcomes as one: it agrees if each does, and differs if one does."""
    agree = [one.agrees for one in found]
    agrees = False if False in agree else None if None in agree else True
    intervals = [pair for one in found for pair in one.interval or ()]
    notes = dict.fromkeys(one.note for one in found if one.note)
    return Outcome(agrees, "; ".join(notes), intervals or None)


def rounds_to_print(published: Any, measured: Any) -> bool:
    """Whether the measured numbers, those of a population by their value, are the printed ones to their last digits."""
    parts = measured if isinstance(measured, list) else [measured]
    found = numbers([part["value"] if isinstance(part, Mapping) else part for part in parts])
    target = _floats(published)
    return comparable(found, target) and bool((np.abs(found - target) <= half_units(published)).all())


def _is_empty(measured: Any) -> bool:
    return isinstance(measured, list | np.ndarray) and len(measured) == 0


def _floats(published: Any) -> Float[np.ndarray, "m"]:
    return np.array([float(digits) for digits in printed(published)])
