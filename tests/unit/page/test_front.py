"""What the page opens with: the block of the ledger, and the claims it chooses."""

import pytest
from one_claim import STATED
from support import refuses

from paper.ledger.judge.verdicts import NOT_JUDGED, NOT_REPRODUCED, SLIP
from paper.page.front import brief, results, screens, what_differs

FRONT = {
    "mark": "Q",
    "sources": ["Q"],
    "says": "It adds.",
    "figure": "phases/law",
    "claims": ["slope", "mean", "early"],
}
MORE = {"notebooks/two/study.yaml": {"place": 2, "questions": {}}}
MORE |= {"notebooks/two/zeros.yaml": {"title": "?", "inputs": {"shown": "mlp/seed0"}, "claims": {"zero": STATED}}}


@pytest.fixture
def read_with(ledger_with):
    """The front of a small ledger with the given changes of it, or without any."""

    def read(changes):
        claims = {name: STATED for name in FRONT["claims"]}
        study = {} if changes is None else {"front": FRONT | changes}
        figures, tables = {"law": "A law."}, {"lines": "Lines."}
        return ledger_with(claims, study=study, files=MORE, figures=figures, tables=tables)["front"]

    return read


@pytest.mark.parametrize(
    ("changes", "fragments"),
    [
        ({"claims": ["slop"]}, ("front: unknown claim 'slop'", "did you mean 'slope'?")),
        ({"figure": "phases/low"}, ("front: unknown figure 'phases/low'", "did you mean 'phases/law'?")),
        ({"figure": "phases/lines"}, ("front: unknown figure 'phases/lines'",)),
        ({"figure": "law"}, ("front.figure: expected QUESTION/FIGURE of the study, got 'law'",)),
        ({"claims": ["zero"]}, ("front: unknown claim 'zero'",)),
        ({"sources": ["QR"]}, ("front: unknown source 'QR'", "did you mean 'Q'?")),
        ({"mark": "QR"}, ("front: unknown source 'QR'", "did you mean 'Q'?")),
        ({"numbers": []}, ("front: unknown key 'numbers'",)),
    ],
)
def test_a_front_that_names_nothing_of_its_study_is_refused_in_one_line(read_with, changes, fragments):
    with refuses("notebooks/one/study.yaml: ", *fragments):
        read_with(changes)


def test_what_differs_is_decided_by_the_verdicts():
    verdicts = {"slope": "number rounds to print", "mean": SLIP, "early": NOT_JUDGED, "other": NOT_REPRODUCED}
    rows = [{"id": name, "paper": "Q", "verdict": verdict} for name, verdict in verdicts.items()]
    rows += [{"id": "ours", "paper": "B", "verdict": SLIP}]
    (screen,) = screens({"Q": FRONT}, rows, {"phases": {"figures": {"law": "The law."}}})
    assert [row["id"] for row in screen.numbers] == ["slope", "early"]
    assert [row["id"] for row in screen.differing] == ["mean"]
    assert [row["id"] for row in screen.all_differing] == ["mean", "other"], "of the study's own sources"
    assert screen.caption == "The law."
    assert screen.verdicts == {"number rounds to print": 1, SLIP: 1, NOT_REPRODUCED: 1, NOT_JUDGED: 1}


@pytest.mark.parametrize(
    ("statement", "short"),
    [
        ("The slope is 2: ψ ≈ 2φ (mod 2π). ([Q] prints −2φ.)", "The slope is 2: ψ ≈ 2φ."),
        ("It exceeds 2 (largest (n = 91)).", "It exceeds 2."),
        ("Weights in (7.5, 30) are few (n = 91).", "Weights in (7.5, 30) are few."),
        ("A sum of cos w_k(a + b − c) is h(φ).", "A sum of cos w_k(a + b − c) is h(φ)."),
    ],
)
def test_a_short_statement_leaves_out_what_stands_in_parentheses(statement, short):
    assert brief(statement) == short


SLOPE = {"id": "slope", "measured": [1.99612, 2.00067], "published": [2, 2], "interval": [[1.99, 2.01], [1.9, 2.1]]}
SHARE = {"id": "share", "measured": 0.2137, "published": None, "interval": None}


def test_a_result_is_told_with_what_was_measured_to_the_digits_of_its_interval():
    rows = [row | {"of": "published", "verdict": NOT_REPRODUCED} for row in (SLOPE, SHARE)]
    says = (
        "{slope}; at least {slope.least}, at most {slope.largest}, printed {slope[0].published}; {share:%} or {share}"
    )
    told = [{"says": says, "claims": ["slope", "share"], "figure": "phases/law"}]
    (found,) = results(told, rows, {"phases": {"figures": {"law": "The law."}}})
    assert found.says == "1.996, 2.00; at least 1.996, at most 2.00, printed 2; 21.4 % or 0.2137"
    assert (found.caption, [row["id"] for row in found.claims]) == ("The law.", ["slope", "share"])
    assert what_differs(rows) == rows and found.is_judged
    (waiting,) = results(
        told, [row | {"verdict": NOT_JUDGED} for row in rows], {"phases": {"figures": {"law": "The law."}}}
    )
    assert not waiting.is_judged
    rows = [row | {"measured": [], "interval": None} for row in rows]  # a network that has learned nothing
    (found,) = results(told, rows, {"phases": {"figures": {"law": "The law."}}})
    assert found.says == "; at least , at most , printed 2;  or "
    with pytest.raises(KeyError, match="share"):
        results([told[0] | {"claims": ["slope"]}], rows, {"phases": {"figures": {"law": ""}}})
