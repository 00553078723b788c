"""What the page opens with: the block of the ledger, and the claims it chooses."""

import re

import pytest
import yaml
from support import LEDGER_SCHEMA, ROOT, refuses

from modadd.ledger.entries import read_ledger
from modadd.ledger.verdicts import NOT_JUDGED, NOT_REPRODUCED, SLIP
from modadd.page.front import brief, screens
from modadd.run.yaml_files import read_yaml

FRONT = {"sources": ["Q", "QR"], "says": "It adds.", "figure": "phases/law", "claims": ["slope", "mean", "early"]}
LEDGER = {
    "papers": {"Q": "a paper", "QR": "its review", "B": "ours"},
    "notebooks": {
        "phases": {"title": "?", "network": "mlp/seed0", "figures": {"law": "A law."}, "tables": {"lines": "."}}
    },
    "claims": [
        {"id": name, "kind": "number", "paper": "Q", "place": "§5", "statement": "It is 2.", "notebook": "phases"}
        | {"value": name, "published": 2, "check": "at_least", "expected": "agrees", "scales": ["laptop"]}
        | {"needs_accuracy": 1.0}
        for name in FRONT["claims"]
    ],
}


@pytest.fixture
def read_with(tmp_path):
    """Reads a small ledger with the given changes of its front, or without any."""

    def read(changes):
        path = tmp_path / "claims.yaml"
        front = {} if changes is None else {"front": {"Q": FRONT | changes}}
        path.write_text(yaml.safe_dump(LEDGER | front, allow_unicode=True), encoding="utf-8")
        return read_ledger(path, LEDGER_SCHEMA)["front"]

    return read


def test_the_committed_front_has_every_study_and_types_no_number():
    front = read_yaml(ROOT / "data/claims.yaml")["front"]
    assert list(front) == ["Q", "M", "C", "T"]
    for screen in front.values():
        assert not re.search(r"\d", screen["says"]), "numbers come from the judged claims"


@pytest.mark.parametrize(
    ("changes", "fragments"),
    [
        ({"claims": ["slop"]}, ("front.Q: unknown claim 'slop'", "did you mean 'slope'?")),
        ({"figure": "phases/low"}, ("front.Q: unknown figure 'phases/low'", "did you mean 'phases/law'?")),
        ({"figure": "phases/lines"}, ("front.Q: unknown figure 'phases/lines'",)),
        ({"figure": "law"}, ("front.Q.figure: expected NOTEBOOK/FIGURE of the ledger, got 'law'",)),
        ({"sources": ["QRR"]}, ("front.Q: unknown source 'QRR'", "did you mean 'QR'?")),
        ({"numbers": []}, ("front.Q: unknown key 'numbers'",)),
    ],
)
def test_a_front_that_names_nothing_of_the_ledger_is_refused_in_one_line(read_with, changes, fragments):
    with refuses("claims.yaml", *fragments):
        read_with(changes)


def test_a_front_is_read_as_it_stands_and_a_ledger_may_have_none(read_with):
    assert read_with({}) == {"Q": FRONT}
    assert read_with(None) == {}


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
        ("A sum of cos w_k(a + b − c) is h(φ).", "A sum of cos w_k(a + b − c) is h(φ)."),
    ],
)
def test_a_short_statement_leaves_out_what_stands_in_parentheses(statement, short):
    assert brief(statement) == short
