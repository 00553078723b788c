"""What the page opens with: cards, guesses that are wrong, then one screen for each study, with its judged claims."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from paper.ledger.judge.verdicts import DIFFERING
from paper.ledger.read.claims import OURS
from paper.page.told import not_as_told, told_here

_Row = Mapping[str, Any]


@dataclass(frozen=True)
class Finding:
    """A sentence of data/readme.yaml with the numbers of this build, the claims that carry it, and those that do not any more.

    The `title` of a card, or what was `expected` and `by` whom, where the entry has it.
    """

    says: str
    claims: list[_Row]
    otherwise: list[str]
    figure: str = ""
    title: str = ""
    expected: str = ""
    by: str = ""

    @property
    def from_reference(self) -> bool:
        """Whether a number of the sentence is one of the reference build."""
        return any(row["from_reference"] for row in self.claims)


@dataclass(frozen=True)
class Screen:
    """A study as the page shows it; which of its claims differ is decided by their verdicts."""

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

    @property
    def is_appendix(self) -> bool:
        """Whether no source of the study states a claim, so that all are ours."""
        return all(row["paper"] == OURS for row in (*self.numbers, *self.differing))


def findings(entries: Sequence[Mapping[str, Any]], rows: Sequence[_Row]) -> list[Finding]:
    """The results or guesses of data/readme.yaml; an entry about a claim of a dropped study is left out."""
    by_id = {row["id"]: row for row in rows}
    found = []
    for entry in entries:
        claims = entry["claims"]
        if not set(claims) <= set(by_id):
            continue
        finding = Finding(
            says=told_here(entry.get("says") or entry["found"], claims, by_id),
            claims=[by_id[name] for name in claims],
            otherwise=not_as_told(claims, by_id),
            figure=entry.get("figure", ""),
            title=entry.get("card", ""),
            expected=entry.get("expected", ""),
            by=entry.get("by", ""),
        )
        found.append(finding)
    return found


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
                all_differing=[row for row in rows if row["paper"] in entry["sources"] and _differs(row)],
            )
        )
    return found


def _differs(row: _Row) -> bool:
    return row["verdict"] in DIFFERING
