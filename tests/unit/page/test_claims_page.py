"""The pages of docs that `workflow/dev/readme.py` writes from the verdicts."""

import re
from types import SimpleNamespace

import pandas as pd
import pytest

from paper.ledger.judge.verdicts import NOT_JUDGED, NOT_REPRODUCED, ROUNDS, SLIP
from paper.page.claims import KERNELS, TEMPLATES, WORDS, claims_page, coverage_page, limits_page
from paper.page.outcomes import EVERY, outcome, why_outside
from paper.page.templates import filled_in
from paper.page.typesetting import typeset

PAPERS = {"Q": "a paper", "M": "a notebook", "B": "beyond"}
KEPT = {
    "words": "1,200 rows.",
    "tables": [("q_seeds", "pizza_transformer", 1200, 5, 0, 1195)],
    "all": [1200, 5, 0, 1195],
}
CHOICES = {
    "untried": ["β₂"],
    "changes": {"of the recipe": SimpleNamespace(networks=2030, clusters=4.867, largest=1.799, tuning=0.081)},
}


def row(name, **changes):
    """A line of figures/claims.json."""
    plain = {
        "id": name,
        "kind": "number",
        "of": "published",
        "paper": "Q",
        "place": "§5",
        "statement": "It is 0.15.",
        "notebook": "phases",
        "form": "PrintedNumber",
        "check": "retrainings",
        "rests_on": "one_training",
        "external": None,
    }
    found = {"published": 0.15, "measured": 0.14, "interval": [[0.1, 0.2]], "criterion": "in the interval", "note": ""}
    judged = {
        "verdict": ROUNDS,
        "here": None,
        "trainings": None,
        "seeds": None,
        "threshold": None,
        "threshold_set": None,
    }
    texts = {"counted": None, "tried": None, "open": None, "networks": 25, "networks_in_paper": 1}
    return plain | found | judged | texts | changes


ROWS = [
    row("first"),
    row("elsewhere", place="§6"),
    row("slip", verdict=SLIP, note="The mean is 0.849.", published=0.74, measured=0.8462),
    row("open_one", verdict=NOT_REPRODUCED, note="Too low.", tried="More updates.", open="The order of batches."),
    row("ours", paper="B", threshold=1, threshold_set="after", networks=None, networks_in_paper=None, interval=None),
    row("alone", networks=None, interval=None, check="at_least", form="Statement"),
    row("waits", verdict=NOT_JUDGED, note="Undecided", networks=40),
]


def limits_of(rows, items=(), papers=PAPERS, dropped=None):
    """docs/limits.md of these rows."""
    return limits_page(rows, papers, items, "laptop", dropped or {}, KEPT, CHOICES, {}, ["Of 7 claims."])


@pytest.fixture
def page():
    return claims_page(ROWS, PAPERS, {"phases": "notebooks/quadrature/phases.py"}, "laptop")


def test_a_claim_has_its_numbers_its_cell_and_what_is_said_of_a_difference(page):
    assert (
        "published 0.15; measured 0.14; interval 0.10–0.20; among 24 other trainings; in the interval (`notebooks/quadrature/phases.py`"
        in page
    )
    assert "  Too low.\n  Tried: More updates.\n  Open: The order of batches." in page
    assert "threshold set after looking" in page and "  " * 5 not in page, "no padding"


def test_slips_that_words_alone_show_stand_behind_those_that_numbers_show():
    item = {"source": "M", "place": "§3", "says": "Nine terms.", "answer": "shown", "claims": [], "shown": []}
    page = limits_of(ROWS, [item, item | {"slip": "The notebook prints a term twice."}])
    assert page.count("### [") == 2 and page.endswith("### [M] §3\n\nThe notebook prints a term twice.\n")
    assert "| shown (slip) |" in coverage_page({"papers": PAPERS, "items": [item | {"slip": "Twice."}]})


def test_limits_name_what_rests_on_little():
    dropped = {"ours holds": ["one", "two"], "not judged": ["three"]}
    page = limits_of(ROWS, dropped=dropped)
    assert "## Verdicts\n\nOf 7 claims.\n\n## Verdicts by source\n" in page
    assert "| Q | 3 | 0 | 0 | 0 | 0 | 0 | 0 | 0 | 0 | 1 | 0 | 1 | 1 |" in page, "verdicts by source"
    assert (
        "1 of 7 claims rest on one training" in page and "\n- phases: [alone]" in page and "1 of 1 thresholds" in page
    )
    assert "| [first](../notebooks/quadrature/phases.yaml) | 25 | 1 | 0.07147 |" in page
    assert "- [waits](../notebooks/quadrature/phases.yaml): Undecided" in page
    assert "- [Q] It is 0.15. ([open_one](../notebooks/quadrature/phases.yaml)): The order of batches.\n" in page
    assert "1,200 rows." in page and "| q_seeds | pizza_transformer | 1,200 | 5 | 0 | 1,195 |" in page
    assert "| all |  | 1,200 | 5 | 0 | 1,195 |\n\n## " in page
    assert "What changes with β₂ was not tried" in page and KERNELS not in page
    assert "| of the recipe | 2,030 | 4.87 | 1.8 | 0.08 |\n\n## " in page
    assert "of those that went: ours holds: 2, not judged: 1." in page


def test_no_text_of_a_claim_or_an_item_becomes_html():
    tag = "<script>alert(1)</script>"
    texts = {"statement": tag, "published": tag, "place": tag, "tried": tag, "open": tag, "note": tag}
    rows = [row(verdict, verdict=verdict, **texts) for verdict in (SLIP, NOT_REPRODUCED, NOT_JUDGED, ROUNDS)]
    item = {"source": "Q", "place": tag, "says": tag, "answer": "weak", "reason": tag, "claims": [], "shown": []}
    item["slip"] = tag
    pages = [
        claims_page(rows, {"Q": tag}, {"phases": "notebooks/quadrature/phases.py"}, "laptop"),
        limits_of(rows, [item], papers={"Q": tag}),
        coverage_page({"papers": PAPERS, "items": [item]}),
    ]
    for page in pages:
        assert "<script" not in page and "&lt;script>" in page


def test_claims_stand_by_paper_and_place_in_the_order_of_the_ledger(page):
    heads = [line for line in page.splitlines() if line.startswith("##")]
    assert heads == ["## [Q] a paper", "### §5", "### §6", "## [B] beyond", "### §5"]
    assert page.index('id="slip"') < page.index("### §6") < page.index('id="elsewhere"')


def test_slips_have_both_numbers_and_the_reason():
    page = limits_of(ROWS)
    assert (
        "Printed: 0.74. Measured: 0.85. The mean is 0.849." in page
        and "([slip](../notebooks/quadrature/phases.yaml))" in page
    )
    assert page.count("### [") == 1


def test_a_claim_that_came_out_not_reproduced_has_its_note_or_no_words():
    surprises = [row("noted", verdict=NOT_REPRODUCED, note="Too low."), row("bare", verdict=NOT_REPRODUCED)]
    page = limits_of(surprises)
    noted, bare = (f"- [Q] It is 0.15. ([{name}](../notebooks/quadrature/phases.yaml))" for name in ("noted", "bare"))
    assert f"{noted}: Too low.\n{bare}\n" in page and "None\n" not in page


def test_every_cell_of_the_table_of_claims_names_its_column_and_no_text_becomes_html():
    texts = {"scales": ["laptop"], "value": "mean", "tolerance_source": None, "threshold_reason": "A tenth."}
    page = filled_in(
        TEMPLATES / "claims.html.j2",
        claims=[
            row("first", **texts, from_reference=True),
            row("tag", **texts, from_reference=False, statement="<i>", note="<i>", threshold_set="after"),
        ],
        ways={name: {"figure": "phases-law", "paper": "item-Q-5"} for name in ("first", "tag")},
        cells={"phases": {"mean": "cell-003-2"}},
        counts=pd.DataFrame(columns=[ROUNDS]),
        papers=PAPERS,
        notebooks={"phases": {"title": "Phases?"}},
        scales=["laptop"],
        authors=["Yip et al."],
        lent=1,
        outcomes=EVERY,
        sentence="All agree.",
        thresholds=2,
        after=1,
        outcome=outcome,
        whose=lambda claim: "Yip et al.",
        why_outside=why_outside,
        typeset=typeset,
        **WORDS,
    )
    head = re.findall(r'<th scope="col"[^>]*>([^<]*)</th>', page)
    labels = re.findall(r'<td data-label="([^"]*)">', page)
    assert head == ["Claim", "Source", "Paper", "Measured", "Check", "Verdict"] and labels == 2 * head
    assert '<tr id="claim-first" data-paper="Q|Yip et al."' in page and "1 of these claims were not judged" in page
    assert page.count('<span class="lent">reference build</span>') == 2, "that of the claim, and what it means"
    assert "notebooks/phases.html#cell-003-2" in page
    assert "<i>" not in page and page.count("Threshold set after looking.") == 1
