"""What the page opens with: one screen for each study, with its judged claims."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from modadd.ledger.verdicts import DIFFERING, VERDICTS

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


def screens(front: Mapping[str, Any], rows: Sequence[_Row], notebooks: Mapping[str, Any]) -> list[Screen]:
    """The studies of the ledger's `front`, in order; `rows` are those of figures/claims.json."""
    by_id, found = {row["id"]: row for row in rows}, []
    captions = {
        f"{name}/{figure}": caption
        for name, notebook in notebooks.items()
        for figure, caption in notebook.get("figures", {}).items()
    }
    for study, entry in front.items():
        chosen = [by_id[claim] for claim in entry["claims"]]
        of_sources = [row for row in rows if row["paper"] in entry["sources"]]
        counts = {verdict: sum(row["verdict"] == verdict for row in of_sources) for verdict in VERDICTS}
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
                verdicts={verdict: count for verdict, count in counts.items() if count},
            )
        )
    return found


def brief(statement: str) -> str:
    """The statement without what stands in parentheses after a space, which the claim itself keeps."""
    return re.sub(r" \([^()]*(?:\([^()]*\)[^()]*)*\)", "", statement)


def _differs(row: _Row) -> bool:
    return row["verdict"] in DIFFERING
