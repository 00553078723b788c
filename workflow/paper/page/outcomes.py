"""Whose a claim is and how it came out, in one word: the page and README tell verdicts by these.

A row is one of figures/claims.json `with_claims`; `papers` are those of data/readme.yaml, by their authors.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from modadd.core.files import Data
from paper.ledger.judge.evidence import COVERAGE
from paper.ledger.judge.verdicts import (
    AGREEING,
    CHECKED,
    HOLDS,
    HOLDS_NOT_FOR_MOST,
    HOLDS_NOT_FOR_NEARLY_ALL,
    INCONSISTENT,
    NOT_JUDGED,
    NOT_REPRODUCED,
    OURS_FAILS,
    OURS_HOLDS,
    ROUNDS,
    SLIP,
    WITHIN_SPREAD,
    WITHIN_TOLERANCE,
)
from paper.ledger.read.claims import IDENTITY, OURS, SHOWN
from paper.ledger.read.words import several

Papers = Mapping[str, Sequence[str]]
WE = "ours"


@dataclass(frozen=True)
class Outcome:
    """How a claim came out: its name, a sign that needs no colour, the class of its colour, and what it means."""

    name: str
    sign: str
    style: str
    means: str


REPRODUCED = Outcome("reproduced", "✓", "reproduced", "The number rounds to the printed one, or the statement holds.")
WITHIN = Outcome(
    "within spread or tolerance",
    "≈",
    "within",
    "The printed number lies where further trainings of the recipe would, or within a tolerance of this project.",
)
IN_PART = Outcome("in part", "◐", "part", "The statement holds for the network shown, and not for nearly all networks.")
DIFFERS = Outcome(
    "differs", "✗", "differs", "It did not come out as the paper says. The note says why, as far as known."
)
SLIPS = Outcome("slip", "§", "slip", "The paper slips or contradicts itself here.")
OPEN = Outcome(
    "not judged", "?", "open", "It could not be judged: there are too few networks, or the weights are not at hand."
)
HELD = Outcome("holds", "+", "held", "A claim of this project holds.")
FAILED = Outcome("does not hold", "−", "failed", "A claim of this project does not hold.")
PROVEN = Outcome("identity", "=", "identity", "It is true by mathematics, and tests only our code.")
OUTCOMES = {
    ROUNDS: REPRODUCED,
    HOLDS: REPRODUCED,
    WITHIN_SPREAD: WITHIN,
    WITHIN_TOLERANCE: WITHIN,
    HOLDS_NOT_FOR_NEARLY_ALL: IN_PART,
    HOLDS_NOT_FOR_MOST: IN_PART,
    NOT_REPRODUCED: DIFFERS,
    SLIP: SLIPS,
    INCONSISTENT: SLIPS,
    OURS_HOLDS: HELD,
    OURS_FAILS: FAILED,
    NOT_JUDGED: OPEN,
    CHECKED: PROVEN,
}
EVERY = tuple(dict.fromkeys(OUTCOMES.values()))


def with_reference(rows: Sequence[Data], reference: Mapping[str, Data]) -> list[dict[str, Any]]:
    """The rows; what this build did not judge is as the reference build judged it, and says so as `from_reference`.

    `reference` is data/reference/numbers.json.
    """
    found = []
    for row in rows:
        other = reference.get(row["id"], {"verdict": NOT_JUDGED})
        lent = row["verdict"] == NOT_JUDGED and other["verdict"] != NOT_JUDGED
        found.append({**row, **(other if lent else {}), "from_reference": lent})
    return found


def outcome(row: Data) -> Outcome:
    """How a claim came out; whatever became of an identity, it is one."""
    judged = row["verdict"] != NOT_JUDGED
    return PROVEN if row["kind"] == IDENTITY and judged else OUTCOMES[row["verdict"]]


def whose(row: Data, papers: Papers) -> str:
    """The authors of a claim; its mark if no paper of theirs is named."""
    if row["paper"] == OURS:
        return WE
    for authors, sources in papers.items():
        if row["paper"] in sources:
            return authors
    return row["paper"]


@dataclass(frozen=True)
class Bar:
    """The claims of one paper: how many came out how."""

    authors: str
    parts: list[tuple[Outcome, int]]

    @property
    def claims(self) -> int:
        """All of them."""
        return sum(count for _, count in self.parts)


def bars(rows: Sequence[Data], papers: Papers) -> list[Bar]:
    """A bar for each paper that has claims, in order, then that of this project; identities are no results."""
    counts: dict[str, Counter] = {authors: Counter() for authors in papers}
    counts[WE] = Counter()
    for row in rows:
        if row["kind"] != IDENTITY:
            counts.setdefault(whose(row, papers), Counter())[outcome(row)] += 1
    found = []
    for authors, of in counts.items():
        if of:
            found.append(Bar(authors, [(one, of[one]) for one in EVERY if of[one]]))
    return sorted(found, key=lambda bar: bar.authors == WE)


def why_outside(row: Data) -> str:
    """Why a number agrees that lies outside the interval printed beside it; empty where it does not lie outside."""
    values, intervals = several(row["measured"]), row["interval"] or []
    if row["of"] != SHOWN or row["verdict"] not in AGREEING or len(values) != len(intervals):
        return ""
    if not all(isinstance(value, int | float) for value in values):
        return ""
    if all(low <= value <= high for value, (low, high) in zip(values, intervals, strict=True)):
        return ""
    return (
        f"The interval has {COVERAGE:.0%} of further trainings. The network shown is outside. "
        "The verdict asks whether the printed number is inside."
    )
