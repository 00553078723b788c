"""Whose a claim is, how it came out, and what the reference build lends to a build that judged less."""

import pytest
from support import ROOT

from paper.ledger.judge.verdicts import (
    CHECKED,
    HOLDS,
    NOT_JUDGED,
    NOT_REPRODUCED,
    OURS_FAILS,
    OURS_HOLDS,
    SLIP,
    VERDICTS,
    WITHIN_SPREAD,
)
from paper.page.outcomes import EVERY, OUTCOMES, WE, bars, outcome, whose, why_outside, with_reference

PAPERS = {"Yip et al.": ["Q", "QR"], "Kissane": ["M"]}
ROW = {"id": "slope", "paper": "Q", "kind": "number", "verdict": NOT_JUDGED, "measured": 0.7}


def test_every_verdict_has_one_outcome_and_no_two_share_a_sign_or_a_colour():
    assert set(OUTCOMES) == set(VERDICTS)
    of_results = [one for one in EVERY if one.name != "identity"]
    assert len({one.sign for one in EVERY}) == len(EVERY)
    assert len({one.style for one in of_results}) == len(of_results)
    style = (ROOT / "workflow/templates/style.css").read_text(encoding="utf-8")
    assert all(f".{one.style} " in style or f".{one.style}," in style for one in EVERY)


def test_what_was_not_judged_is_as_the_reference_build_judged_it():
    other = {"slope": {"verdict": HOLDS, "measured": 1.99}}
    (lent,) = with_reference([ROW], other)
    assert (lent["verdict"], lent["measured"], lent["from_reference"]) == (HOLDS, 1.99, True)
    judged = ROW | {"verdict": NOT_REPRODUCED}
    assert with_reference([judged], other) == [judged | {"from_reference": False}]
    for reference in ({}, {"slope": {"verdict": NOT_JUDGED, "measured": 1.99}}):
        assert with_reference([ROW], reference) == [ROW | {"from_reference": False}]


def test_bars_count_results_of_each_paper_and_those_of_this_project_last():
    found = [
        ("QR", HOLDS),
        ("Q", HOLDS),
        ("B", OURS_HOLDS),
        ("Q", SLIP),
        ("M", NOT_JUDGED),
        ("T", HOLDS),
        ("B", OURS_FAILS),
    ]
    rows = [ROW | {"paper": paper, "verdict": verdict} for paper, verdict in found]
    rows.append(ROW | {"kind": "identity", "verdict": CHECKED})
    counts = {bar.authors: [(one.name, count) for one, count in bar.parts] for bar in bars(rows, PAPERS)}
    assert counts == {
        "Yip et al.": [("reproduced", 2), ("slip", 1)],
        "Kissane": [("not judged", 1)],
        "T": [("reproduced", 1)],
        WE: [("holds", 1), ("does not hold", 1)],
    }
    assert list(counts)[-1] == WE and [bar.claims for bar in bars(rows, PAPERS)] == [3, 1, 1, 2]
    assert whose(rows[0], PAPERS) == "Yip et al." and outcome(rows[0]).sign == "✓"


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"interval": [[0.138, 0.150]]}, True),
        ({"interval": [[0.130, 0.150]]}, False),
        ({"interval": None}, False),
        ({"interval": [[0.138, 0.150]], "verdict": NOT_REPRODUCED}, False),
        ({"interval": [[0.138, 0.150]], "of": "nearly_all"}, False),
    ],
)
def test_a_number_outside_its_own_interval_agrees_with_a_reason(changes, says):
    row = {"of": "published", "measured": 0.133, "verdict": WITHIN_SPREAD} | changes
    assert bool(why_outside(row)) is says
