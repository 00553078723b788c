"""What the page opens with: the block of the ledger, and the claims it chooses."""

import pytest
from one_claim import STATED
from support import refuses

from paper.ledger.judge.verdicts import NOT_JUDGED, NOT_REPRODUCED, SLIP
from paper.page.front import findings, screens
from paper.page.sentences import brief, first_sentence
from paper.page.told import NOT_TOLD

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
    assert not screen.is_appendix
    (screen,) = screens({"Q": FRONT}, [row | {"paper": "B"} for row in rows], {"phases": {"figures": {"law": ""}}})
    assert screen.is_appendix, "all of its claims are ours"


@pytest.mark.parametrize(
    ("statement", "short"),
    [
        ("The slope is 2: ψ ≈ 2φ (mod 2π). ([Q] prints −2φ.)", "The slope is 2: ψ ≈ 2φ."),
        ("It exceeds 2 (largest (n = 91)).", "It exceeds 2."),
        ("Weights in (7.5, 30) are few (n = 91).", "Weights in (7.5, 30) are few."),
        ("Of the pairs (a, a) it answers all (n = 61).", "Of the pairs (a, a) it answers all."),
        ("So it is in those of Zhong et al. (our reading).", "So it is in those of Zhong et al."),
        ("A sum of cos w_k(a + b − c) is h(φ).", "A sum of cos w_k(a + b − c) is h(φ)."),
    ],
)
def test_a_short_statement_leaves_out_what_stands_in_parentheses(statement, short):
    assert brief(statement) == short


@pytest.mark.parametrize(
    ("words", "first"),
    [
        ("It is Fig. 4. The other is not.", "It is Fig. 4."),
        ("McCracken et al. [C] print 4.945. Ours is 4.87.", "McCracken et al. [C] print 4.945."),
        ("One sentence", "One sentence"),
        ("", ""),
    ],
)
def test_why_a_claim_differs_is_told_in_the_first_sentence(words, first):
    assert first_sentence(words) == first


SLOPE = {"id": "slope", "measured": [1.99612, 2.00067], "published": [2, 2], "interval": [[1.99, 2.01], [1.9, 2.1]]}
SHARE = {"id": "share", "measured": 0.2137, "published": None, "interval": None, "seeds": None}
ENTRY = {
    "says": "it is {slope[0]}, {slope[1]}; {share:%}",
    "claims": {"slope": "agree", "share": "differ"},
    "card": "Two",
}


@pytest.fixture
def rows():
    verdicts = (SLOPE, "number rounds to print"), (SHARE, NOT_REPRODUCED)
    return [row | {"of": "published", "verdict": verdict, "from_reference": False} for row, verdict in verdicts]


def test_a_result_is_told_with_what_was_measured_to_the_digits_of_its_interval(rows):
    (found,) = findings([ENTRY], rows)
    assert found.says == "It is 1.996, 2.00; 21.4 %" and found.title == "Two"
    assert [row["id"] for row in found.claims] == ["slope", "share"]
    assert not found.otherwise and not found.from_reference


def test_a_result_says_which_of_its_claims_came_out_otherwise_and_what_is_of_the_reference(rows):
    (found,) = findings([ENTRY | {"claims": {"slope": "differ", "share": "differ"}}], rows)
    assert found.otherwise == ["slope"]
    (found,) = findings([ENTRY], [rows[0] | {"from_reference": True}, rows[1]])
    assert found.from_reference


def test_what_nobody_judged_is_not_told_and_a_dropped_study_leaves_its_entries_out(rows):
    assert findings([ENTRY], [rows[0], rows[1] | {"verdict": NOT_JUDGED}])[0].says == NOT_TOLD
    counted = ENTRY | {"says": "{share.holds} networks"}
    assert findings([counted], rows)[0].says == NOT_TOLD, "no number of networks was judged"
    assert findings([ENTRY], rows[:1]) == []
