"""Pages in Markdown: all claims, what answers each item of the sources, what limits the results and the papers' slips."""

from collections.abc import Mapping, Sequence
from typing import Any

from modadd.core.files import ROOT
from paper.ledger.judge import verdicts
from paper.ledger.read.entries import ANSWERS
from paper.ledger.read.words import show
from paper.ledger.tell.telling import interval_in_words, measured_in_words, seen_with_power, where_it_holds
from paper.notebook_files import question_file
from paper.page.sentences import brief
from paper.page.site import verdict_counts
from paper.page.templates import filled_in

_Row = Mapping[str, Any]
FEW = 100  # networks: below so many, a claim is listed with how fine its test is
KERNELS = "on the kernels alone"  # a penalty that was tried for [C]
TEMPLATES = ROOT / "workflow/templates"
WORDS = {  # what templates say of a claim
    "brief": brief,
    "interval_in_words": interval_in_words,
    "measured_in_words": measured_in_words,
    "question_file": question_file,
    "seen_with_power": seen_with_power,
    "show": show,
    "where_it_holds": where_it_holds,
}


def claims_page(rows: Sequence[_Row], papers: Mapping[str, str], notebooks: Mapping[str, str], scale: str) -> str:
    """figures/claims.md: a section for each paper and place, each claim with its numbers and, where it differs, why.

    `rows` are those of figures/claims.json `with_claims`, `notebooks` the path of each entry's notebook.
    """
    return filled_in(
        TEMPLATES / "claims.md.j2",
        rows=rows,
        papers=papers,
        notebooks=notebooks,
        scale=scale,
        **WORDS,
    )


def limits_page(
    rows: Sequence[_Row],
    papers: Mapping[str, str],
    items: Sequence[Mapping[str, Any]],
    scale: str,
    dropped: Mapping[str, Sequence[str]],
    kept: Mapping[str, Any],
    choices: Mapping[str, Any],
    elsewhere: Mapping[str, str],
    counted: Sequence[str],
) -> str:
    """docs/limits.md: the verdicts, what is not reproduced or not judged, choices of ours, what rests on little, and where a
    paper contradicts itself or mathematics.

    `items` are those of data/papers: a slip that the words alone show stands there.
    `dropped` has the claims of ours that are judged no more, by their last verdict. `kept` has the networks of each kept table:
    how many, how many can be trained again, and where the others were trained; with their sums and all of it in `words`.
    `choices` has what kept networks say of our choices for [C]: which of them are `untried`, and what `changes` with its penalty.
    `elsewhere` has the claims that are refuted at another modulus or number of updates, with the networks that refute them.
    `counted` has the verdicts in words: of all claims, then on networks that nobody had seen.
    """
    few = [row for row in rows if (row["networks"] or FEW) < FEW and row["verdict"] != verdicts.NOT_JUDGED]
    return filled_in(
        TEMPLATES / "limits.md.j2",
        rows=rows,
        counts=verdict_counts(rows, papers),
        kept=kept,
        choices=choices,
        elsewhere=elsewhere,
        counted=counted,
        scale=scale,
        dropped=dropped,
        alone=[row for row in rows if verdicts.rests_on_one(row)],
        after=[row for row in rows if row["threshold_set"] == "after"],
        thresholds=[row for row in rows if row["threshold"] is not None],
        few=sorted(few, key=lambda row: row["networks"]),
        slips=[row for row in rows if row["verdict"] in (verdicts.SLIP, verdicts.INCONSISTENT)],
        slips_in_words=[item for item in items if "slip" in item],
        FEW=FEW,
        KERNELS=KERNELS,
        verdicts=verdicts,
        **WORDS,
    )


def coverage_page(ledger: Mapping[str, Any]) -> str:
    """figures/papers.md: the items counted by source and answer, then a table for each source.

    Links lead to figures/claims.md alone: those to other folders would be broken where another folder is built in.
    """
    sources: dict[str, list[Mapping[str, Any]]] = {}
    for item in ledger["items"]:
        sources.setdefault(item["source"], []).append(item)
    return filled_in(
        TEMPLATES / "papers.md.j2",
        sources=sources,
        every=ledger["items"],
        papers=ledger["papers"],
        answers=ANSWERS,
    )
