"""Claims about many networks, judged once more on networks held out: trained, once, after claims and measures were fixed."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from modadd.core.files import Data
from paper.ledger.judge.built import populations_of
from paper.ledger.judge.verdicts import AGREEING, NOT_JUDGED
from paper.ledger.read.claims import MANY_TRAININGS

FOLDER = "data/held_out"  # their rows, what notebooks recorded on them, and the verdicts on these
VERDICTS = f"{FOLDER}/verdicts.json"
# What a claim is compared with, in the order of how little freedom its threshold had.
PRINTED, GIVEN, BEFORE, AFTER = KINDS = (
    "printed in the paper",
    "given by the words",
    "set before looking",
    "set after looking",
)
_KINDS = {"given": GIVEN, "before": BEFORE, "after": AFTER}
EVERY = "all"
# What networks held out say of a claim. UNDECIDED: they were asked, and are too few to tell. WITHOUT: none was asked, as none
# has the number, or as the claim was changed since.
HOLDS, REFUTED, UNDECIDED, WITHOUT = OUTCOMES = ("holds", "refuted", "undecided", "without networks")
_NOT_JUDGED = {"verdict": NOT_JUDGED, "measured": None, "note": "", "interval": None}


@dataclass(frozen=True)
class HeldOut:
    """What networks held out say, as VERDICTS has it: the row of each verdict, and what each table says alone, by claim.

    Claims and measures were fixed at the commit `fixed`; that of `trained` trained the networks, and can train them again.
    `tables` names the tables that were read; claims that are `changed` are not as they were fixed.
    """

    fixed: str
    trained: str
    tables: Sequence[str]
    verdicts: Mapping[str, Data]
    parts: Mapping[str, list[Data]]
    changed: Collection[str]


@dataclass(frozen=True)
class Line:
    """The verdicts on a claim: on kept networks and, as `unseen`, on those held out, `not judged` with a reason in `note`.

    `kind` says when its threshold was set, `outcome` is one of OUTCOMES, `turned` says whether it held and does not hold now, or
    the reverse; None where either is not judged, or the claim was changed since it was fixed.
    """

    id: str
    kind: str
    kept: str
    unseen: str
    outcome: str
    measured: Any
    note: str
    turned: bool | None
    parts: list[Data]


def lines_of(claims: Iterable[Data], kept: Mapping[str, Data], held_out: HeldOut) -> list[Line]:
    """A line for each claim about many networks; `kept` has the row of its verdict on kept ones."""
    found = []
    for claim in filter(is_about_many, claims):
        name = claim["id"]
        before = kept.get(name, _NOT_JUDGED)["verdict"]
        now = held_out.verdicts.get(name, _NOT_JUDGED)
        verdict = now["verdict"]
        note = now["note"]
        absent = [population for population in populations_of(claim) if population not in held_out.tables]
        is_changed = name in held_out.changed
        if absent:
            verdict = NOT_JUDGED
            note = f"No network of {', '.join(absent)} is among them."
        elif is_changed:
            verdict = NOT_JUDGED
            note = "Changed since everything was fixed."
        outcome = WITHOUT if absent or is_changed else _outcome(verdict, now)
        turned = None
        if NOT_JUDGED not in (before, verdict) and not is_changed:
            turned = (before in AGREEING) != (verdict in AGREEING)
        kind = _KINDS.get(claim.get("threshold_set"), PRINTED)
        parts = [] if is_changed else held_out.parts.get(name, [])
        line = Line(name, kind, before, verdict, outcome, now["measured"], note, turned, parts)
        found.append(line)
    return found


def _outcome(verdict: str, row: Data) -> str:
    """Which of OUTCOMES a verdict is; one that is not judged, but has an interval, was asked and is undecided."""
    if verdict != NOT_JUDGED:
        return HOLDS if verdict in AGREEING else REFUTED
    return UNDECIDED if row["interval"] else WITHOUT


def is_about_many(claim: Data) -> bool:
    """Whether a claim is judged on the networks of a dataset."""
    return claim["rests_on"] == MANY_TRAININGS and bool(populations_of(claim))


def counts(lines: Iterable[Line]) -> dict[str, dict[str, int]]:
    """Of the claims that hold on kept networks, how many have each of OUTCOMES on those held out, by kind and of all."""
    outcomes = {kind: [] for kind in (EVERY, *KINDS)}
    for line in lines:
        if line.kept in AGREEING:
            outcomes[EVERY].append(line.outcome)
            outcomes[line.kind].append(line.outcome)
    return {kind: _counted(found) for kind, found in outcomes.items()}


def counts_elsewhere(lines: Iterable[Line]) -> dict[str, int]:
    """The same of every claim and every table of a changed recipe, together."""
    outcomes = []
    for line in lines:
        if line.kept in AGREEING:
            outcomes += [_outcome_of_part(part) for part in line.parts if part["other"]]
    return _counted(outcomes)


def _outcome_of_part(part: Data) -> str:
    """What the networks of one table say."""
    if part["networks"] is None:
        return WITHOUT
    return {True: HOLDS, False: REFUTED, None: UNDECIDED}[part["agrees"]]


def _counted(outcomes: Sequence[str]) -> dict[str, int]:
    """How often each of OUTCOMES is among some: the four add up to all of these."""
    return {outcome: outcomes.count(outcome) for outcome in OUTCOMES}


def against_held_out(claims: Iterable[Data], rows: Iterable[Data], held_out: HeldOut) -> dict[str, Any]:
    """What figures/unseen.json holds: a line for each claim about many networks, with its verdict in `rows`, and counts."""
    lines = lines_of(claims, {row["id"]: row for row in rows}, held_out)
    return {
        "fixed": held_out.fixed,
        "trained": held_out.trained,
        "lines": [asdict(line) for line in lines],
        "counts": counts(lines),
        "elsewhere": counts_elsewhere(lines),
    }
