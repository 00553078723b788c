"""The entries of the ledger: which are read, which are refused, and the texts of a claim."""

import pytest
from one_claim import CLAIM, OURS, without
from support import LEDGER_SCHEMA, ROOT, refuses

from modadd.ledger.entries import filled, read_ledger, show


def test_committed_ledger_is_valid():
    assert read_ledger(ROOT / "data/claims.yaml", LEDGER_SCHEMA)["claims"]


def test_valid_ledger_is_read_as_it_stands(ledger_with):
    assert ledger_with(CLAIM)["claims"] == [CLAIM]


def test_entry_with_a_source_executes_that_notebook_with_its_captions(ledger_with):
    entries = {
        "phases": {"title": "?", "network": "pizza_transformer/seed0", "figures": {"law": "A caption."}},
        "phases_31": {"title": "? mod 31", "network": "mod_31/seed0", "source": "phases"},
    }
    again = ledger_with(CLAIM, notebooks=entries)["notebooks"]["phases_31"]
    assert again == entries["phases_31"] | {"figures": {"law": "A caption."}}


def test_a_name_of_a_figure_and_of_a_table_is_refused(ledger_with):
    entry = {"title": "?", "network": "pizza_transformer/seed0", "figures": {"law": "A."}, "tables": {"law": "B."}}
    with refuses("notebooks.phases: 'law' names a figure and a table"):
        ledger_with(CLAIM, notebooks={"phases": entry})


@pytest.mark.parametrize(
    ("sources", "fragments"),
    [
        ({"again": "phase"}, ("notebooks.again.source:", "unknown notebook 'phase'", "did you mean 'phases'?")),
        ({"again": "phases", "more": "again"}, ("notebooks.more.source:", "'again' has a source itself")),
    ],
)
def test_source_that_is_no_notebook_of_its_own_is_refused(ledger_with, sources, fragments):
    entries = {"phases": {"title": "?", "network": "pizza_transformer/seed0"}}
    entries |= {name: entries["phases"] | {"source": source} for name, source in sources.items()}
    with refuses(*fragments):
        ledger_with(CLAIM, notebooks=entries)


@pytest.mark.parametrize(
    ("claims", "fragments"),
    [
        ([without("published")], ("claim 'angle':", "key 'published' is missing", "'threshold' with check at_least")),
        ([without("published", check="at_least")], ("claim 'angle':", "key 'published' is missing")),
        ([CLAIM | {"threshold": 1}], ("claim 'angle'.threshold:", "at_least or at_most", "got check 'within'")),
        ([CLAIM | {"check": "at_least", "threshold": "1"}], ("claims.0.threshold:", "expected a number", "'1'")),
        ([CLAIM | {"check": "at_least", "threshold": float("inf")}], ("claims.0.threshold:", "finite number", "inf")),
        ([CLAIM | {"published": "nan"}], ("claim 'angle'.published:", "a number or a list of numbers", "'nan'")),
        ([CLAIM | {"published": True}], ("claims.0.published:", "expected a number or text or a list", "True")),
        ([CLAIM | {"paper": "Q1"}], ("claim 'angle'.paper:", "unknown paper 'Q1'", "did you mean 'Q'?")),
        ([CLAIM | {"id": "The angle"}], ("claims.0.id:", "lower-case letters, digits and underscores", "'The angle'")),
        ([CLAIM | {"unit": "rad"}], ("claims.0:", "unknown key 'unit'")),
        (
            [without("tolerance_source")],
            ("claim 'angle':", "tolerance_source is missing", "where its tolerance comes from"),
        ),
        ([CLAIM | {"notebook": "phase"}], ("claim 'angle'.notebook:", "'phase'", "did you mean 'phases'?")),
        ([CLAIM, CLAIM], ("claim 'angle' stands twice", "expected each id once")),
        ([without("tolerance")], ("claim 'angle':", "tolerance is missing", "'within' expects a number")),
        ([CLAIM | {"check": "share_of_networks"}], ("claim 'angle':", "threshold is missing", "'share_of_networks'")),
        ([CLAIM | {"expected": "slip"}], ("claim 'angle':", "explanation is missing")),
        (
            [CLAIM | {"expected": "not_reproduced", "explanation": "?", "tried": "?"}],
            ("claim 'angle':", "open is missing"),
        ),
        ([CLAIM | {"kind": "beyond"}], ("claim 'angle'.kind:", "'beyond' of paper 'Q'", "of paper 'B' alone")),
        ([CLAIM | {"kind": "statement"}], ("claim 'angle':", "threshold is missing", "kind 'statement'")),
        ([without("published", check="at_least", threshold=1) | OURS | {"kind": "number"}], ("published is missing",)),
        ([CLAIM | {"check": "at_least", "threshold": 1} | OURS], ("kind 'statement' has no 'published'",)),
        (
            [without("published", check="at_least", threshold=1, kind="statement")],
            ("'angle'.threshold_set: expected with",),
        ),
        (
            [CLAIM | {"threshold_reason": "?"}],
            ("'angle'.threshold_reason: expected with 'threshold', and only with it",),
        ),
        ([CLAIM | {"check": "withn"}], ("claims.0.check:", "unknown value 'withn'", "did you mean 'within'?")),
        ([CLAIM | {"scales": ["laptp"]}], ("claims.0.scales.0:", "did you mean 'laptop'?")),
        ([CLAIM | {"publishd": 1}], ("claims.0:", "unknown key 'publishd'", "did you mean 'published'?")),
        ([CLAIM | {"tolerance": 0}], ("claims.0.tolerance:", "a number above 0")),
        ([CLAIM | {"needs_accuracy": 1.5}], ("claims.0.needs_accuracy:", "a number of at most 1")),
        ([], ("claims:", "at least 1 item")),
    ],
)
def test_bad_ledger_is_refused_in_one_line_that_helps(ledger_with, claims, fragments):
    with refuses("claims.yaml", *fragments):
        ledger_with(*claims)


def test_threshold_may_stand_in_for_the_published_value_in_the_ledger(ledger_with):
    claim = without("published", "tolerance", "tolerance_source", check="at_most", threshold=10) | OURS
    assert ledger_with(claim)["claims"] == [claim]


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (0.1234567, "0.12346"),
        (-3.7, "−3.7"),
        (12, "12"),
        ("0.60", "0.60"),
        (None, "–"),
        ([1.0, -2], "1, −2"),
        ({"value": 2.5, "low": None, "high": None, "of": 1}, "2.5"),
    ],
)
def test_values_are_shown_in_five_digits_with_a_true_minus(value, shown):
    assert show(value) == shown


@pytest.mark.parametrize(
    ("template", "text"),
    [
        ("between {low:.2f} and {high:.1f}", "between −0.12 and 3.5"),
        ("at most {means[1]}", "at most 2"),
        ("in {share[holds]} of them, {share}", "in 9 of them, 9 of 10 (95 %: 0.6–0.98)"),
        ("no place", "no place"),
        ("up to {none:.2f}", "up to " + show(None)),
    ],
)
def test_an_explanation_holds_the_recorded_values(template, text):
    share = {"holds": 9, "of": 10, "low": 0.6, "high": 0.98}
    assert filled(template, {"low": -0.123, "high": 3.45678, "means": [1, 2], "share": share, "none": None}) == text


@pytest.mark.parametrize("template", ["{lwo}", "{means[5]}", "{share[hold]}", "{low[0]}", "{low.real}"])
def test_a_place_without_a_value_is_named(template):
    with refuses(template.strip("{}").partition("[")[0]):
        filled(template, {"low": 1.0, "means": [1, 2], "share": {"holds": 9}})
