"""Pages in Markdown: all claims, what answers each item of the sources, the papers' slips, what limits the rest."""

from collections.abc import Mapping, Sequence
from typing import Any

from modadd.core.files import ROOT
from modadd.ledger.entries import ANSWERS
from modadd.ledger.telling import interval_in_words, measured_in_words, seen_with_power, where_it_holds
from modadd.ledger.verdicts import INCONSISTENT, NOT_JUDGED, NOT_REPRODUCED, OURS_FAILS, SLIP, rests_on_one
from modadd.ledger.words import show
from modadd.page.site import verdict_counts
from modadd.page.templates import filled_in
from modadd.planning.root import notebook_file, question_file

_Row = Mapping[str, Any]
FEW = 100  # networks: below so many, a claim is listed with how fine its test is
TEMPLATES = ROOT / "workflow/templates"
WORDS = {word.__name__: word for word in (interval_in_words, measured_in_words, show, where_it_holds)}  # of a claim


def claims_page(rows: Sequence[_Row], papers: Mapping[str, str], notebooks: Mapping[str, str], scale: str) -> str:
    """figures/claims.md: a section for each paper and place, each claim with its numbers and, where it differs, why.

    `rows` are those of figures/claims.json `with_claims`, `notebooks` the path of each entry's notebook.
    """
    template = TEMPLATES / "claims.md.j2"
    return filled_in(template, rows=rows, papers=papers, notebooks=notebooks, scale=scale, **WORDS)


def slips_page(rows: Sequence[_Row], items: Sequence[Mapping[str, Any]]) -> str:
    """docs/slips.md: where a paper contradicts itself or mathematics, with today's numbers where a claim shows it.

    `items` are those of data/papers: a slip that the words alone show stands there.
    """
    slips = [row for row in rows if row["verdict"] in (SLIP, INCONSISTENT)]
    of_words = [item for item in items if "slip" in item]
    return filled_in(TEMPLATES / "slips.md.j2", rows=slips, items=of_words, question_file=question_file, **WORDS)


def limits_page(rows: Sequence[_Row], papers: Mapping[str, str], processors: Mapping[str, int], scale: str) -> str:
    """docs/limits.md: the verdicts, what is not reproduced or not judged, choices of ours, then what rests on little.

    `processors` is the number of networks behind the results, trained or kept, by processor or GPU.
    """
    few = [row for row in rows if (row["networks"] or FEW) < FEW and row["verdict"] != NOT_JUDGED]
    return filled_in(
        TEMPLATES / "limits.md.j2",
        rows=rows,
        counts=verdict_counts(rows, papers),
        processors=processors,
        scale=scale,
        alone=[row for row in rows if rests_on_one(row)],
        after=[row for row in rows if row["threshold_set"] == "after"],
        thresholds=[row for row in rows if row["threshold"] is not None],
        few=sorted(few, key=lambda row: row["networks"]),
        FEW=FEW,
        NOT_JUDGED=NOT_JUDGED,
        NOT_REPRODUCED=NOT_REPRODUCED,
        OURS_FAILS=OURS_FAILS,
        question_file=question_file,
        seen_with_power=seen_with_power,
        **WORDS,
    )


def coverage_page(ledger: Mapping[str, Any]) -> str:
    """figures/papers.md: the items counted by source and answer, then a table for each source.

    Links lead to figures/claims.md and to the notebooks, which are looked up in the folder where the project is run.
    """
    sources = {item["source"]: [] for item in ledger["items"]}
    for item in ledger["items"]:
        sources[item["source"]].append(item)
    drawn = {picture.split("/")[0] for item in ledger["items"] for picture in item["shown"]}
    return filled_in(
        TEMPLATES / "papers.md.j2",
        sources=sources,
        every=ledger["items"],
        papers=ledger["papers"],
        answers=ANSWERS,
        notebooks={name: notebook_file(ledger["notebooks"][name]["source"]) for name in drawn},
    )
