"""What the page opens with: the results, then one screen for each study, with its judged claims."""

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from paper.ledger.judge.verdicts import DIFFERING, NOT_JUDGED, NOT_REPRODUCED, VERDICTS
from paper.ledger.read.words import show, with_minus
from paper.ledger.tell.telling import measured_in_words

_Row = Mapping[str, Any]


@dataclass(frozen=True)
class Screen:
    """A study as the page opens with it; which of its claims differ is decided by their verdicts."""

    study: str
    sources: list[str]
    says: str
    figure: str
    caption: str
    map: str
    map_caption: str
    numbers: list[_Row]
    differing: list[_Row]
    all_differing: list[_Row]
    verdicts: dict[str, int]


@dataclass(frozen=True)
class Result:
    """One of the results that the page opens with: a sentence, the claims that it rests on, a picture and its caption."""

    says: str
    claims: list[_Row]
    figure: str
    caption: str

    @property
    def is_judged(self) -> bool:
        """Whether one of the claims has a verdict here; else this build has not tested the sentence."""
        return any(row["verdict"] != NOT_JUDGED for row in self.claims)


class Told:
    """A claim in a sentence: its measured number in words, one of several, the least, the largest, or the printed one; of
    how many networks it holds."""

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
    def _networks(self) -> Mapping[str, int]:
        for counts in (self.row["seeds"], self.row["measured"]):
            if isinstance(counts, Mapping) and "holds" in counts:
                return counts
        raise ValueError(f"claim '{self.row['id']}': expected a number of networks for which it holds, found none")

    @property
    def published(self) -> str:
        """The printed number."""
        return show(self.row["published"])

    @property
    def least(self) -> "Told":
        """The least of several numbers."""
        return self._chosen(min)

    @property
    def largest(self) -> "Told":
        """The largest of several numbers."""
        return self._chosen(max)

    def _chosen(self, choose: Callable[..., int]) -> "Told":
        measured = self.row["measured"]
        if not isinstance(measured, list) or not measured:
            return self
        place = choose(range(len(measured)), key=measured.__getitem__)
        return self[place]


def results(told: Sequence[Mapping[str, Any]], rows: Sequence[_Row], notebooks: Mapping[str, Any]) -> list[Result]:
    """The ledger's `results`, with what this build measured; raises KeyError for a claim that the sentence alone names."""
    by_id = {row["id"]: row for row in rows}
    captions = captions_of(notebooks)
    found = []
    for entry in told:
        claims = [by_id[name] for name in entry["claims"]]
        in_words = {row["id"]: Told(row) for row in claims}
        result = Result(
            says=entry["says"].format_map(in_words),
            claims=claims,
            figure=entry["figure"],
            caption=captions[entry["figure"]],
        )
        found.append(result)
    return found


def what_differs(rows: Sequence[_Row]) -> list[_Row]:
    """The claims of the papers that are not reproduced."""
    return [row for row in rows if row["verdict"] == NOT_REPRODUCED]


def captions_of(notebooks: Mapping[str, Any]) -> dict[str, str]:
    """The caption of every figure, by NOTEBOOK/FIGURE."""
    captions = {}
    for name, notebook in notebooks.items():
        for figure, caption in notebook.get("figures", {}).items():
            captions[f"{name}/{figure}"] = caption
    return captions


def screens(front: Mapping[str, Any], rows: Sequence[_Row], notebooks: Mapping[str, Any]) -> list[Screen]:
    """The studies of the ledger's `front`, in order; `rows` are those of figures/claims.json."""
    by_id = {row["id"]: row for row in rows}
    captions = captions_of(notebooks)
    found = []
    for study, entry in front.items():
        chosen = [by_id[claim] for claim in entry["claims"]]
        of_sources = [row for row in rows if row["paper"] in entry["sources"]]
        counts = Counter(row["verdict"] for row in of_sources)
        found.append(
            Screen(
                study=study,
                sources=entry["sources"],
                says=entry["says"],
                figure=entry["figure"],
                caption=captions[entry["figure"]],
                map=entry.get("map", ""),
                map_caption=captions.get(entry.get("map", ""), ""),
                numbers=[row for row in chosen if not _differs(row)],
                differing=[row for row in chosen if _differs(row)],
                all_differing=[row for row in of_sources if _differs(row)],
                verdicts={verdict: counts[verdict] for verdict in VERDICTS if counts[verdict]},
            )
        )
    return found


def brief(statement: str) -> str:
    """The statement without what stands in parentheses after a space, which the claim itself keeps; intervals stay."""
    return re.sub(r" \((?![−\d])[^()]*(?:\([^()]*\)[^()]*)*\)", "", statement)


def _differs(row: _Row) -> bool:
    return row["verdict"] in DIFFERING
