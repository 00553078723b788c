"""The items of the sources: the ledger answers each, and docs/papers.md lists them as the tool does."""

import re
from collections import defaultdict

import pytest
import yaml
from support import LEDGER_SCHEMA, ROOT, SCHEMAS, refuses

from modadd.ledger.coverage import ANSWERS, read_papers
from modadd.ledger.entries import read_ledger
from modadd.page.claims import coverage_page
from modadd.page.ways import places

SCHEMA = SCHEMAS / "papers.schema.yaml"
OURS = "B"  # the mark of what no source states
LEDGER = {
    "papers": {"Q": "A paper", "M": "A notebook"},
    "notebooks": {
        "phases": {"source": "phases", "figures": {"law": "A caption."}, "tables": {"lines": "A caption."}},
        "phases_31": {"source": "phases", "figures": {"law": "A caption."}},
    },
    "claims": [
        {"id": "slope", "notebook": "phases", "paper": "Q"},
        {"id": "slope_31", "notebook": "phases_31", "paper": "Q"},
    ],
}
ITEM = {
    "source": "Q",
    "place": "§4",
    "says": "|ψ| is |2φ|.",
    "answer": "judged",
    "claims": ["slope"],
    "shown": ["phases/law"],
}


@pytest.fixture
def papers_with(tmp_path):
    """Reads the given items from a file, beside a ledger of two claims."""

    def read(*items):
        path = tmp_path / "papers.yaml"
        path.write_text(yaml.safe_dump(list(items)))
        return read_papers(path, SCHEMA, LEDGER)

    return read


@pytest.fixture(scope="module")
def ledger():
    return read_ledger(ROOT / "data/claims.yaml", LEDGER_SCHEMA)


@pytest.fixture(scope="module")
def papers(ledger):
    return read_papers(ROOT / "data/papers.yaml", SCHEMA, ledger)


def without(*keys):
    return {key: value for key, value in ITEM.items() if key not in keys}


def test_an_item_keeps_what_it_says_and_has_empty_lists_for_what_it_leaves_out(papers_with):
    weak = without("claims", "shown") | {"answer": "weak", "reason": "No number."}
    assert papers_with(ITEM, weak) == [ITEM, weak | {"claims": [], "shown": []}]


@pytest.mark.parametrize(
    ("changes", "fragments"),
    [
        ({"claims": ["slop"]}, ("[Q] §4: claims", "unknown claim 'slop'", "did you mean 'slope'?")),
        ({"shown": ["phase/law"]}, ("[Q] §4: shown", "unknown notebook 'phase'", "did you mean 'phases'?")),
        (
            {"shown": ["phases/low"]},
            ("unknown figure or table 'phases/low'", "did you mean 'phases/law'?", "phases/lines"),
        ),
        ({"shown": ["phases_31/lines"]}, ("unknown figure or table 'phases_31/lines'",)),
        ({"shown": ["law"]}, ("0.shown.0: expected NOTEBOOK/FIGURE or NOTEBOOK/TABLE of the ledger, got 'law'",)),
        ({"source": "q"}, ("unknown source 'q'", "expected one of M, Q")),
        ({"answer": "judge"}, ("0.answer: unknown value 'judge'", "did you mean 'judged'?")),
        ({"answer": "weak"}, ("key 'reason' is missing",)),
        ({"answer": "missing"}, ("key 'reason' is missing",)),
        ({"reasons": "None."}, ("unknown key 'reasons'", "did you mean 'reason'?")),
    ],
)
def test_an_item_that_names_nothing_of_the_ledger_is_refused_in_one_line(papers_with, changes, fragments):
    with refuses("papers.yaml", *fragments):
        papers_with(ITEM | changes)


@pytest.mark.parametrize(("answer", "key"), [("judged", "claims"), ("shown", "shown")])
def test_an_answer_needs_what_it_rests_on(papers_with, answer, key):
    with refuses(f"key '{key}' is missing"):
        papers_with(without(key) | {"answer": answer})


def test_the_page_counts_the_items_and_links_claims_to_their_verdicts_and_figures_to_the_notebooks(
    papers_with, in_root
):
    weak = ITEM | {"source": "M", "answer": "weak", "reason": "A part only.", "claims": ["slope_31"]}
    lines = coverage_page(papers_with(ITEM, ITEM | {"answer": "shown"}, weak), LEDGER).splitlines()
    start = lines.index("| source | items | judged | shown | weak | missing |")
    assert lines[start + 2 : start + 5] == [
        "| Q | 2 | 1 | 1 | 0 | 0 |",
        "| M | 1 | 0 | 0 | 1 | 0 |",
        "| all | 3 | 1 | 1 | 1 | 0 |",
    ]
    assert lines.index("## Q") < lines.index("A paper.") < lines.index("## M") < lines.index("A notebook.")
    law = "[phases/law](../notebooks/quadrature/phases.py)"
    assert rf"| §4 | \|ψ\| is \|2φ\|. | judged | [slope](claims.md#slope) | {law} |" in lines
    assert rf"| §4 | \|ψ\| is \|2φ\|. | weak: A part only. | [slope_31](claims.md#slope_31) | {law} |" in lines


def test_every_claim_of_a_source_answers_an_item(papers, ledger):
    used = {claim for item in papers for claim in item["claims"]}
    assert not [claim["id"] for claim in ledger["claims"] if claim["paper"] != OURS and claim["id"] not in used]


def test_every_source_has_items_and_every_answer_its_reason(papers, ledger):
    assert {item["source"] for item in papers} == set(ledger["papers"]) - {OURS}
    assert {item["answer"] for item in papers} <= set(ANSWERS)
    assert not [item["place"] for item in papers if ("reason" in item) != (item["answer"] in ("weak", "missing"))]


def test_no_item_stands_twice(papers):
    stated = [(item["source"], item["place"], item["says"]) for item in papers]
    assert len(set(stated)) == len(stated)


def test_the_page_is_what_the_tool_writes(papers, ledger, in_root):
    assert (ROOT / "docs/papers.md").read_text(encoding="utf-8") == coverage_page(papers, ledger), "run `make readme`"


def test_a_claim_is_listed_under_every_figure_that_its_place_names():
    """Else the view by figure would be rosier than the ledger."""
    ledger = read_ledger(ROOT / "data/claims.yaml", LEDGER_SCHEMA)
    items = read_papers(ROOT / "data/papers.yaml", SCHEMAS / "papers.schema.yaml", ledger)
    under = defaultdict(set)
    for item in items:
        under[item["source"], places([item])[0].title].update(item["claims"])
    for claim in (claim for claim in ledger["claims"] if claim["paper"] != "B"):
        for number in re.findall(r"(?<!review 3, )Fig\. (\d+)", claim["place"]):
            assert claim["id"] in under[claim["paper"], f"Fig. {number}"], f"{claim['id']}: {claim['place']}"
