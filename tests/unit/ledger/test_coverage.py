"""The items of the sources: the ledger answers each, and a page of the build lists them."""

from support import LEDGER

from paper.ledger.read.claims import OURS
from paper.page.claims import coverage_page

SMALL = {
    "papers": {"Q": "A paper", "M": "A notebook"},
    "notebooks": {"phases": {"source": "phases"}, "phases_31": {"source": "phases"}},
}
ITEM = {
    "source": "Q",
    "place": "§4",
    "says": "|ψ| is |2φ|.",
    "answer": "judged",
    "claims": ["slope"],
    "shown": ["phases/law"],
}


def test_the_page_counts_the_items_names_figures_and_links_claims_to_their_verdicts(in_root):
    weak = ITEM | {"source": "M", "answer": "weak", "reason": "A part only.", "claims": ["slope_31"]}
    lines = coverage_page(SMALL | {"items": [ITEM, ITEM | {"answer": "shown"}, weak]}).splitlines()
    start = lines.index("| source | items | judged | shown | weak | missing |")
    assert lines[start + 2 : start + 5] == [
        "| Q | 2 | 1 | 1 | 0 | 0 |",
        "| M | 1 | 0 | 0 | 1 | 0 |",
        "| all | 3 | 1 | 1 | 1 | 0 |",
    ]
    assert lines.index("## Q") < lines.index("A paper.") < lines.index("## M") < lines.index("A notebook.")
    law = "`phases/law`"
    assert rf"| §4 | \|ψ\| is \|2φ\|. | judged | [slope](claims.md#slope) | {law} |" in lines
    assert rf"| §4 | \|ψ\| is \|2φ\|. | weak: A part only. | [slope_31](claims.md#slope_31) | {law} |" in lines


def test_every_source_has_items_and_what_nothing_answers_has_its_reason():
    assert {item["source"] for item in LEDGER["items"]} == set(LEDGER["papers"]) - {OURS}
    assert not [item["name"] for item in LEDGER["items"] if item["answer"] == "missing" and "reason" not in item]


def test_no_item_stands_twice():
    stated = [(item["source"], item["place"], item["says"]) for item in LEDGER["items"]]
    assert len(set(stated)) == len(stated)
