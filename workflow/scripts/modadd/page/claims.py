"""Pages in Markdown: all claims, what answers each item of the sources, the papers' slips, what limits the rest."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from modadd.ledger.entries import ANSWERS
from modadd.ledger.telling import interval_in_words, measured_in_words, seen_with_power, where_it_holds
from modadd.ledger.verdicts import INCONSISTENT, NOT_JUDGED, NOT_REPRODUCED, OURS_FAILS, SLIP, rests_on_one
from modadd.ledger.words import show
from modadd.page.manual import markdown_table
from modadd.page.site import verdict_counts
from modadd.page.templates import escaped
from modadd.planning.root import notebook_file, question_file

_Row = Mapping[str, Any]
FEW = 100  # networks: below so many, a claim is listed with how fine its test is

_COVERAGE = """# What the sources state, and what answers it

Made by the build from [data/papers](../data/papers). An item is a figure, a table, a numbered statement, a
printed number or a worded claim that can be checked. Questions that the authors leave open are items too. Motivation, history
and statements about other work are not counted. *Judged*: a claim has a verdict on it. *Shown*: a figure or table has it, and
there is nothing to judge. *Weak*: it is answered in part. *Missing*: nothing answers it. A claim leads to its verdict, a figure
to the notebook that draws it. Figures show networks that this project has trained; numbers of
published weights are judged where a claim names them.
"""


def claims_page(rows: Sequence[_Row], papers: Mapping[str, str], notebooks: Mapping[str, str], scale: str) -> str:
    """figures/claims.md: a section for each paper and place, each claim with its numbers and, where it differs, why.

    `rows` are those of figures/claims.json `with_claims`, `notebooks` the path of each entry's notebook.
    """
    rows, papers = escaped(rows), escaped(papers)
    lines = [
        "# Every claim, with its verdict",
        "",
        f"Made by a build of the scale `{scale}`. The entries stand beside the notebooks, in [notebooks](../notebooks), the",
        "[slips of the papers](../docs/slips.md) and the [limits of these results](../docs/limits.md) on pages of their own.",
    ]
    for paper, of_paper in _grouped(rows, "paper", papers):
        lines += ["", f"## [{paper}] {papers[paper]}"]
        for place, of_place in _grouped(of_paper, "place", dict.fromkeys(row["place"] for row in of_paper)):
            lines += ["", f"### {place}", "", *(_claim(row, notebooks) for row in of_place)]
    return "\n".join(lines) + "\n"


def slips_page(rows: Sequence[_Row], items: Sequence[Mapping[str, Any]]) -> str:
    """docs/slips.md: where a paper contradicts itself or mathematics, with today's numbers where a claim shows it.

    `items` are those of data/papers: a slip that the words alone show stands there.
    """
    lines = [
        "# Slips of the papers",
        "",
        "Written by `workflow/dev/readme.py` from a full build. Each slip is small beside what its paper found. They are listed because a",
        "reader who computes these numbers again will meet them.",
    ]
    for row in escaped(rows):
        if row["verdict"] in (SLIP, INCONSISTENT):
            lines += ["", f"## [{row['paper']}] {row['place']}", "", row["statement"], ""]
            printed = "" if row["published"] is None else f"Printed: {show(row['published'])}. "
            lines += [f"{printed}Measured: {measured_in_words(row)}. {row['note']}"]
            lines += ["", f"({_said(row)})"]
    for item in escaped(items):
        if "slip" in item:
            lines += ["", f"## [{item['source']}] {item['place']}", "", item["slip"]]
    return "\n".join(lines) + "\n"


def limits_page(
    rows: Sequence[_Row],
    papers: Mapping[str, str],
    processors: Mapping[str, int],
    scale: str,
    dropped: Mapping[str, Sequence[str]],
) -> str:
    """docs/limits.md: the verdicts, what is not reproduced or not judged, choices of ours, then what rests on little.

    `processors` is the number of networks behind the results, trained or kept, by processor or GPU, `dropped` has the claims
    of ours that are judged no more, by their last verdict.
    """
    rows = escaped(rows)
    alone = [row for row in rows if rests_on_one(row)]
    few = [row for row in rows if (row["networks"] or FEW) < FEW and row["verdict"] != NOT_JUDGED]
    after = [row for row in rows if row["threshold_set"] == "after"]
    thresholds = [row for row in rows if row["threshold"] is not None]
    networks = [
        [
            _said(row),
            f"{row['networks']:,}",
            "–" if row["networks_in_paper"] is None else f"{row['networks_in_paper']:,}",
            show(seen_with_power(row)),
        ]
        for row in sorted(few, key=lambda row: row["networks"])
    ]
    counts = verdict_counts(rows, papers).astype(str)
    lines = [
        "# What limits these results",
        "",
        f"Written by `workflow/dev/readme.py` from a full build (scale `{scale}`).",
        "",
        "## Verdicts by source",
        "",
        *markdown_table(["source", *counts], counts.reset_index().to_numpy().tolist()),
        "",
        "## Not reproduced, and what is open",
        "",
        *_open(rows, NOT_REPRODUCED),
        "",
        "## Claims of ours that do not hold, and what is open",
        "",
        *_open(rows, OURS_FAILS),
        "",
        "## Claims of ours that were dropped",
        "",
        "Claims of ours that nobody would miss are judged no more, so that the others are read. Whoever drops claims can raise",
        f"the share that holds. These were the last verdicts of those that went: {_last_verdicts(dropped)}.",
        "`data/dropped_claims.yaml` names them, with the rules by which they went.",
        "",
        "## Not judged",
        "",
        *(f"- {_said(row, row['note'])}" for row in rows if row["verdict"] == NOT_JUDGED),
        "",
        "## Choices of ours",
        "",
        "[C] does not state its initial weights, number of updates, order of batches or β₂, so we chose them. These claims",
        "say what the choices change:",
        "",
        *(
            f"- {row['statement']} Measured: {measured_in_words(row)}"
            for row in rows
            if row["notebook"] == "recipe_sensitivity"
        ),
        "",
        "## Where the networks were trained",
        "",
        *(f"- {processor}: {count:,} networks" for processor, count in processors.items()),
        "",
        "## One network",
        "",
        f"{len(alone)} of {len(rows)} claims rest on one training. With another seed or another rounding, their verdicts may change.",
        "",
        *_by_question(alone),
        "",
        "## Thresholds of ours",
        "",
        f"{len(after)} of {len(thresholds)} thresholds were set after looking at measured values, so it is weak evidence that these",
        "claims pass. The real test is new networks and other processors.",
        "",
        *_by_question(after),
        "",
        "## Few networks",
        "",
        f"Claims that rest on fewer than {FEW} networks; `figures/claims.html` has the others. The last column says how fine the",
        "claim's test is: a true difference of this size, from the printed number or the threshold, would be found in four of five",
        "repetitions.",
        "",
        *markdown_table(["claim", "networks here", "in the paper", "difference seen with 80 % power"], networks),
    ]
    return "\n".join(lines) + "\n"


def coverage_page(ledger: Mapping[str, Any]) -> str:
    """figures/papers.md: the items counted by source and answer, then a table for each source.

    Links lead to figures/claims.md and to the notebooks, which are looked up in the folder where the project is run.
    """
    papers = escaped(ledger["items"])
    sources = {item["source"]: [] for item in papers}
    for item in papers:
        sources[item["source"]].append(item)
    counts = [[mark, *_counts(items)] for mark, items in sources.items()]
    lines = [_COVERAGE, *markdown_table(["source", "items", *ANSWERS], [*counts, ["all", *_counts(papers)]])]
    for mark, items in sources.items():
        rows = [
            [
                item["place"],
                item["says"],
                item["answer"]
                + (f": {item['reason']}" if "reason" in item else "")
                + (" ([slip](../docs/slips.md))" if "slip" in item else ""),
                ", ".join(f"[{claim}](claims.md#{claim})" for claim in item["claims"]),
                ", ".join(_link(picture, picture.split("/")[0], ledger) for picture in item["shown"]),
            ]
            for item in items
        ]
        lines += ["", f"## {mark}", "", f"{ledger['papers'][mark]}.", ""]
        lines += markdown_table(["place", "what it says", "answer", "claims", "figures and tables"], rows)
    return "\n".join(lines) + "\n"


def _grouped(rows: Iterable[_Row], key: str, order: Iterable[str]) -> Iterable[tuple[str, list[_Row]]]:
    found = [(name, [row for row in rows if row[key] == name]) for name in order]
    return [(name, group) for name, group in found if group]


def _claim(row: _Row, notebooks: Mapping[str, str]) -> str:
    facts = [
        f"published {show(row['published'])}" if row["published"] is not None else "",
        f"measured {measured_in_words(row)}",
        f"interval {interval}" if (interval := interval_in_words(row)) else "",
        where_it_holds(row),
        row["criterion"],
        "threshold set after looking" if row["threshold_set"] == "after" else "",
    ]
    lines = [
        f'- <a id="{row["id"]}"></a>**{row["verdict"].capitalize()}.** {row["statement"]}',
        f"  {'; '.join(filter(None, facts))} ([{row['notebook']}](../{notebooks[row['notebook']]}), `{row['id']}`)",
    ]
    notes = (("", row["note"]), ("Tried: ", row["tried"]), ("Open: ", row["open"]))
    return "\n".join([*lines, *(f"  {name}{words}" for name, words in notes if words)])


def _last_verdicts(dropped: Mapping[str, Sequence[str]]) -> str:
    return ", ".join(f"{verdict}: {len(names)}" for verdict, names in dropped.items()) or "none"


def _by_question(rows: Iterable[_Row]) -> list[str]:
    """A line for each question, with links to its claims."""
    rows = list(rows)
    questions = dict.fromkeys(row["notebook"] for row in rows)
    lines = [", ".join(_said(row) for row in rows if row["notebook"] == question) for question in questions]
    return [f"- {question.replace('_', ' ')}: {line}" for question, line in zip(questions, lines, strict=True)] or [
        "None."
    ]


def _open(rows: Iterable[_Row], verdict: str) -> list[str]:
    """A line for each claim with this verdict: what is open about it, or else what is said of it."""
    return [f"- {_said(row, row['open'] or row['note'])}" for row in rows if row["verdict"] == verdict] or ["None."]


def _said(row: _Row, words: str | None = None) -> str:
    """The claim as a link to the question that has its entry, and words on it if there are any."""
    return f"[{row['id']}](../{question_file(row['notebook'])})" + (f": {words}" if words else "")


def _counts(items: Sequence[Mapping[str, Any]]) -> list[str]:
    """The number of items, then that of each answer."""
    return [str(len(items)), *(str(sum(item["answer"] == answer for item in items)) for answer in ANSWERS)]


def _link(name: str, notebook: str, ledger: Mapping[str, Any]) -> str:
    """The name as a link to the notebook that has it."""
    return f"[{name}](../{notebook_file(ledger['notebooks'][notebook]['source'])})"
