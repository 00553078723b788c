"""What data/readme.yaml tells of claims, with the numbers of a build: sentences of README.md and of the page.

A row is one of figures/claims.json `with_claims`.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from modadd.core.files import ROOT
from modadd.core.wording import require_known, unknown
from paper.ledger.judge.verdicts import AGREEING, DIFFERING, NOT_JUDGED
from paper.ledger.read.words import show, with_minus
from paper.ledger.tell.telling import measured_in_words
from paper.page.outcomes import WE, whose
from paper.schemas import read_valid

WORDS = Path("data/readme.yaml")
# What the verdict of a claim has to be for a sentence to be told.
CARRYING = {"agree": AGREEING, "differ": DIFFERING}
NOT_TOLD = "There is no number for this yet: neither this build nor the reference build has it."

_Row = Mapping[str, Any]
_Rows = Mapping[str, _Row]  # by id


class NoCount(ValueError):
    """A claim that does not say for how many networks it holds: it was judged on others than those of the published recipe."""


def read_words(sources: Collection[str]) -> dict[str, Any]:
    """data/readme.yaml; raises ValueError for a paper with an unknown source, which is none of `sources`."""
    words = read_valid(ROOT / WORDS, "readme")
    for authors, marks in words["papers"].items():
        require_known(f"{WORDS}: papers.{authors}", "source", marks, sources)
    return words


def filled(words: str, claims: Iterable[str], rows: _Rows, where: str) -> str:
    """A sentence with what its claims measured; ValueError, which begins with `where`, if it names one that is not in `claims`."""
    try:
        return words.format_map({name: Told(rows[name]) for name in claims})
    except KeyError as error:
        raise ValueError(unknown(f"{where}.claims", "claim", error.args[0], claims)) from error


def by_whom(claims: Iterable[str], rows: _Rows, papers: Mapping[str, Sequence[str]]) -> str:
    """The authors of the first of some claims, as a sentence begins with them: "Kissane: "; nothing if it is ours."""
    authors = whose(rows[next(iter(claims))], papers)
    return "" if authors == WE else f"{authors}: "


def not_as_told(claims: Mapping[str, str], rows: _Rows) -> list[str]:
    """The claims that were judged, and came out otherwise than `claims` says."""
    judged = [name for name in claims if rows[name]["verdict"] != NOT_JUDGED]
    return [name for name in judged if rows[name]["verdict"] not in CARRYING[claims[name]]]


def told_here(words: str, claims: Mapping[str, str], rows: _Rows) -> str:
    """A sentence for the page of any build; NOT_TOLD where a claim is not judged, or has no such number."""
    if any(rows[name]["verdict"] == NOT_JUDGED for name in claims):
        return NOT_TOLD
    try:
        said = filled(words, claims, rows, str(WORDS))
    except NoCount:
        return NOT_TOLD
    return said[:1].upper() + said[1:]


class Told:
    """A claim in a sentence: its measured number in words, one of several, or the printed one; of how many networks it holds."""

    def __init__(self, row: _Row) -> None:
        self.row = row

    def __getitem__(self, place: int) -> "Told":
        """One of several numbers, with its own interval and the number printed for it."""
        one = dict(self.row)
        for key in ("measured", "published"):
            values = self.row[key]
            if isinstance(values, list):
                one[key] = values[place] if place < len(values) else None
        intervals = self.row["interval"] or []
        if not isinstance(self.row["measured"], list):
            intervals = []
        one["interval"] = intervals[place : place + 1] or None
        return Told(one)

    def __format__(self, digits: str) -> str:
        """By what its interval allows, in per cent: "{share:%}", or with the digits that are asked for: "{mean:.2f}"."""
        measured = self.row["measured"]
        if isinstance(measured, Mapping):
            measured = measured.get("value")
        if not digits or not isinstance(measured, float | int):
            return measured_in_words(self.row)
        return f"{100 * measured:.3g} %" if digits == "%" else with_minus(format(measured, digits))

    @property
    def holds(self) -> str:
        """For how many networks the claim holds."""
        return f"{self._networks['holds']:,}"

    @property
    def of(self) -> str:
        """Of how many networks `holds` counts."""
        return f"{self._networks['of']:,}"

    @property
    def _networks(self) -> Mapping[str, Any]:
        for counts in (self.row["seeds"], self.row["measured"]):
            if isinstance(counts, Mapping) and "holds" in counts:
                return counts
        raise NoCount(f"claim '{self.row['id']}': expected a number of networks for which it holds, found none")

    @property
    def published(self) -> str:
        """The printed number."""
        return show(self.row["published"])
