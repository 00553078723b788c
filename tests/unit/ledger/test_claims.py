import json

import numpy as np
import pandas as pd
import pytest
import yaml
from support import LEDGER_SCHEMA, ROOT, refuses

from modadd.core.files import write_json
from modadd.core.neurons import neurons_of
from modadd.core.separable import accuracy
from modadd.ledger.entries import filled, read_ledger, show
from modadd.ledger.record import record
from modadd.ledger.verdicts import AGREES, NOT_JUDGED, NOT_REPRODUCED, SLIP, as_rows, judge

MATCHES = AGREES["number"]

CLAIM = {
    "id": "angle",
    "kind": "number",
    "paper": "Q",
    "place": "§5",
    "statement": "The angle term is 0.15.",
    "notebook": "phases",
    "value": "angle_term",
    "published": 0.15,
    "check": "within",
    "tolerance": 0.01,
    "tolerance_source": "Half a unit of the last digit, doubled.",
    "expected": "agrees",
    "scales": ["laptop", "paper"],
    "needs_accuracy": 1.0,
}
NETWORK = {"accuracy": 1.0, "steps": 10_000, "frequencies": [12, 18], "deviations": {}}
OURS = {"kind": "statement", "threshold_set": "after", "threshold_reason": "An example."}


def verdict_on(measured, scale="laptop", network=NETWORK, **changes):
    return judge(CLAIM | changes, {"network": network, "values": {"angle_term": measured}}, scale)


@pytest.fixture
def ledger_with(tmp_path):
    """Reads a ledger of one notebook and the given claims, from a file."""

    def read(*claims, **changes):
        notebooks = {"phases": {"title": "A question?", "network": "pizza_transformer/seed0"}}
        path = tmp_path / "claims.yaml"
        path.write_text(
            yaml.safe_dump({"papers": {"Q": "a paper"}, "notebooks": notebooks, "claims": claims} | changes)
        )
        return read_ledger(path, LEDGER_SCHEMA)

    return read


def test_entry_with_a_source_executes_that_notebook_with_its_captions(ledger_with):
    entries = {
        "phases": {"title": "?", "network": "pizza_transformer/seed0", "figures": {"law": "A caption."}},
        "phases_31": {"title": "? mod 31", "network": "mod_31/seed0", "source": "phases"},
    }
    again = ledger_with(CLAIM, notebooks=entries)["notebooks"]["phases_31"]
    assert again == entries["phases_31"] | {"figures": {"law": "A caption."}}


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


def without(*keys, **changes):
    return {key: value for key, value in (CLAIM | changes).items() if key not in keys}


def test_committed_ledger_is_valid():
    assert read_ledger(ROOT / "data/claims.yaml", LEDGER_SCHEMA)["claims"]


def test_valid_ledger_is_read_as_it_stands(ledger_with):
    assert ledger_with(CLAIM)["claims"] == [CLAIM]


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


@pytest.mark.parametrize(
    ("check", "published", "measured", "agrees"),
    [
        ("within", 0.15, 0.159, True),
        ("within", 0.15, 0.141, True),
        ("within", 0.15, 0.161, False),
        ("within", [0.15, 0.25], [0.151, 0.249], True),
        ("within", [0.15, 0.25], [0.151, 0.27], False),
        ("within", [0.15, 0.25], [0.25, 0.15], False),
        ("equal_to_printed_digits", 0.6, 0.64, True),
        ("equal_to_printed_digits", 0.6, 0.66, False),
        ("equal_to_printed_digits", "0.60", 0.604, True),
        ("equal_to_printed_digits", "0.60", 0.606, False),
        ("equal_to_printed_digits", 42, 42.4, True),
        ("equal_to_printed_digits", 42, 42.6, False),
        ("equal_to_printed_digits", ["0.60", 13.9], [0.604, 13.94], True),
        ("equal_to_printed_digits", ["0.60", 13.9], [0.64, 13.94], False),
        ("at_least", 0.99, 0.99, True),
        ("at_least", 0.99, 0.9899, False),
        ("at_least", 0.99, [0.999, 0.995], True),
        ("at_least", 0.99, [0.999, 0.98], False),
        ("at_most", 0.0, -0.1, True),
        ("at_most", 0.0, 0.1, False),
        ("at_most", "1e-09", 1e-16, True),
        ("at_most", 1.0, [0.5, 1.5], False),
        ("set_equals", [12, 18, 21], [21, 12, 18], True),
        ("set_equals", [12, 18, 21], [12, 18], False),
        ("set_equals", [12, 18], [12, 18, 21], False),
    ],
)
def test_each_check_agrees_exactly_where_it_says(check, published, measured, agrees):
    verdict = verdict_on(measured, check=check, published=published)
    assert verdict.verdict == (MATCHES if agrees else NOT_REPRODUCED)
    assert verdict.as_expected == agrees


@pytest.mark.parametrize("check", ["within", "equal_to_printed_digits", "at_least", "at_most"])
@pytest.mark.parametrize("measured", [[0.15], [0.15, 0.15, 0.15], 0.15])
def test_another_number_of_values_than_published_differs(check, measured):
    verdict = verdict_on(measured, check=check, published=[0.15, 0.15])
    assert (verdict.verdict, verdict.difference) == (NOT_REPRODUCED, None)


@pytest.mark.parametrize(
    ("check", "measured", "agrees"),
    [
        ("at_least", 10, True),
        ("at_least", [12.0, 9.9], False),
        ("at_most", 10.0, True),
        ("at_most", [9.0, 10.1], False),
    ],
)
@pytest.mark.parametrize("printed", [{}, {"published": 0}], ids=["nothing printed", "another number printed"])
def test_threshold_decides_instead_of_the_published_value(check, measured, agrees, printed):
    claim = without("published", "tolerance", "tolerance_source", check=check, threshold=10) | printed
    verdict = judge(claim, {"network": NETWORK, "values": {"angle_term": measured}}, "laptop")
    assert verdict.verdict == (MATCHES if agrees else NOT_REPRODUCED)
    row = as_rows([verdict])[0]
    assert (row["published"], row["threshold"]) == (printed.get("published"), 10)
    assert row["criterion"] == f"{check.replace('_', ' ')} 10"


def test_threshold_may_stand_in_for_the_published_value_in_the_ledger(ledger_with):
    claim = without("published", "tolerance", "tolerance_source", check="at_most", threshold=10) | OURS
    assert ledger_with(claim)["claims"] == [claim]


@pytest.mark.parametrize(
    ("changes", "criterion"),
    [
        ({}, "within ±0.01"),
        ({"tolerance": 1}, "within ±1"),
        ({"check": "at_least", "published": 0.99}, "at least 0.99"),
        ({"check": "at_most", "threshold": -2.5}, "at most −2.5"),
        ({"check": "set_equals", "published": [12]}, "set equals"),
        ({"check": "equal_to_printed_digits"}, "equal to printed digits"),
    ],
)
def test_criterion_is_the_check_with_the_number_that_decides(changes, criterion):
    assert verdict_on(0.15, **changes).criterion == criterion


def test_tables_show_the_criterion_and_a_dash_where_nothing_is_published(tmp_path, ledger_with, monkeypatch):
    monkeypatch.syspath_prepend(ROOT / "workflow/scripts")
    from judge_claims import judge_claims

    ledger_with(without("published", "tolerance", "tolerance_source", check="at_least", threshold=10) | OURS)
    recorded = {"network": NETWORK, "values": {"angle_term": 12.5}}
    write_json(tmp_path / "phases.json", recorded)
    outputs = {kind: tmp_path / kind for kind in ("json", "csv", "markdown", "latex")}
    (tmp_path / "kept.json").write_text("{}")
    ledger, recorded, kept = tmp_path / "claims.yaml", tmp_path / "phases.json", tmp_path / "kept.json"
    judge_claims(ledger, LEDGER_SCHEMA, [recorded], {}, [], kept, "laptop", outputs)
    lines = outputs["markdown"].read_text(encoding="utf-8").splitlines()
    head, _, row = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]
    cells = dict(zip(head, row, strict=True))
    assert cells["Published"] == "–"
    assert (cells["Measured"], cells["Check"], cells["Verdict"]) == ("12.5", "at least 10", "statement holds")
    page = (ROOT / "workflow/templates/index.html.j2").read_text(encoding="utf-8")
    assert "{{ claim.criterion }}" in page, "the page shows the same column"


def test_difference_is_the_largest_distance():
    assert verdict_on([0.15, 0.27], published=[0.15, 0.25]).difference == pytest.approx(0.02)


def test_verdict_carries_what_the_reader_compares():
    verdict = verdict_on(0.2, expected="slip", explanation="Another rounding.")
    assert (verdict.verdict, verdict.as_expected, verdict.note) == (SLIP, True, "Another rounding.")
    row = as_rows([verdict])[0]
    assert (row["published"], row["measured"], row["tolerance"]) == (0.15, 0.2, 0.01)
    assert row["statement"] == CLAIM["statement"]


@pytest.mark.parametrize("expected", ["slip", "not_reproduced"])
def test_claim_expected_to_differ_that_agrees_is_not_as_expected(expected):
    assert not verdict_on(0.15, expected=expected, explanation="?").as_expected


@pytest.mark.parametrize("measured", [0.15, 99.0])
@pytest.mark.parametrize(
    ("scale", "network", "reason"),
    [
        ("smoke", NETWORK, "at scale 'smoke'; judged at laptop, paper"),
        (
            "laptop",
            NETWORK | {"accuracy": 0.97, "steps": 300},
            "accuracy 0.97 after 300 steps, 1 needed",
        ),
        (
            "laptop",
            NETWORK | {"accuracy": 0.97, "steps": 300, "deviations": {"steps": "steps 300 (published 10000)"}},
            "accuracy 0.97 after 300 steps, 1 needed",
        ),
        (
            "laptop",
            NETWORK | {"deviations": {"steps": "steps 300 (published 10000)"}},
            "trained with steps 300 (published 10000)",
        ),
        (
            "laptop",
            NETWORK | {"deviations": {"modulus": "modulus 31 (published 59)", "beta1": "beta1 0.8 (published 0.9)"}},
            "trained with modulus 31 (published 59); beta1 0.8 (published 0.9)",
        ),
    ],
    ids=["scale", "accuracy", "accuracy before steps", "steps", "recipe"],
)
def test_claim_is_not_judged_and_says_why(scale, network, reason, measured):
    verdict = verdict_on(measured, scale=scale, network=network)
    assert (verdict.verdict, verdict.note, verdict.as_expected) == (NOT_JUDGED, reason, True)
    assert verdict.measured == measured, "the number is shown all the same"


@pytest.mark.parametrize("scale", ["smoke", "laptop"])
@pytest.mark.parametrize("network", [NETWORK, NETWORK | {"accuracy": 0.1}])
@pytest.mark.parametrize("expected", [{"expected": "agrees"}, {"expected": "slip", "explanation": "?"}])
def test_value_that_nobody_recorded_differs_at_every_scale_and_names_the_nearest(scale, network, expected):
    claim = CLAIM | {"value": "angel_term"} | expected
    verdict = judge(claim, {"network": network, "values": {"angle_term": 0.15}}, scale)
    assert (verdict.verdict, verdict.measured) == (SLIP if claim["expected"] == "slip" else NOT_REPRODUCED, None)
    assert not verdict.as_expected
    assert "'angel_term'" in verdict.note
    assert "did you mean 'angle_term'?" in verdict.note


def test_whole_number_among_decimals_keeps_its_printed_digits():
    verdict = verdict_on([14.3, 15.1], check="equal_to_printed_digits", published=[14, 15.1])
    assert verdict.verdict == MATCHES, "14 is printed without decimals: anything in 13.5 … 14.5 agrees"


def test_accuracy_short_of_1_is_not_shown_as_1():
    note = verdict_on(0.15, network=NETWORK | {"accuracy": 3480 / 3481}).note
    assert "accuracy 1 " not in note, f"a reader cannot tell what is missing: {note}"


def test_recorded_value_that_is_no_number_differs_and_is_not_called_unknown():
    verdict = verdict_on(None)
    assert verdict.verdict == NOT_REPRODUCED
    assert "unknown" not in verdict.note, f"the name is known, its value is not a finite number: {verdict.note}"


def test_list_with_a_value_that_is_no_number_differs_and_stays_plain_json():
    verdict = verdict_on([None, 0.15], published=[0.15, 0.15])
    assert verdict.verdict == NOT_REPRODUCED
    json.dumps(as_rows([verdict]), allow_nan=False)


def test_empty_list_differs():
    assert verdict_on([]).verdict == NOT_REPRODUCED


@pytest.mark.parametrize("check", ["within", "equal_to_printed_digits", "at_least", "at_most", "set_equals"])
@pytest.mark.parametrize("measured", [None, "12", "12, 18", ["12", "18"], [None, 18], [[12], [18, 21]], {"k": 12}])
def test_measured_value_without_numbers_differs(check, measured):
    verdict = verdict_on(measured, check=check, published=[12, 18])
    assert (verdict.verdict, verdict.difference) == (NOT_REPRODUCED, None)


@pytest.mark.parametrize(
    ("measured", "changes", "note"),
    [
        (0.2, {}, "published 0.15, measured 0.2"),
        ([0.15, 0.3], {"published": [0.15, -0.25]}, "published 0.15, −0.25, measured 0.15, 0.3"),
        (None, {}, "published 0.15, measured –"),
        (8, {"check": "at_least", "threshold": 10}, "threshold 10, measured 8"),
        (0.2, {"explanation": "Another rounding."}, "Another rounding."),
        (0.15, {}, ""),
    ],
)
def test_difference_without_explanation_says_both_values(measured, changes, note):
    assert verdict_on(measured, **changes).note == note


def test_recorded_values_are_plain_sorted_json_with_null_for_what_is_not_finite(untrained, tmp_path):
    values = {
        "b": np.float64(0.5),
        "a": np.array([1.0, np.nan, np.inf]),
        "c": pd.Series([1, 2]),
        "d": (np.int64(3), [True]),
        "e": {"k": np.nan},
    }
    record(tmp_path / "values" / "phases.json", untrained, values)
    text = (tmp_path / "values" / "phases.json").read_text()
    content = json.loads(text, parse_constant=lambda name: pytest.fail(f"{name} is not JSON"))
    assert content["values"] == {"a": [1.0, None, None], "b": 0.5, "c": [1, 2], "d": [3, [True]], "e": {"k": None}}
    assert text == json.dumps(content, indent=2, sort_keys=True) + "\n"


def test_record_says_how_the_network_stands_to_the_published_recipe(untrained, tmp_path):
    record(tmp_path / "phases.json", untrained, {"angle_term": 0.15})
    recorded = json.loads((tmp_path / "phases.json").read_text())
    expected = ["d_mlp 16 (published 512)", "d_model 8 (published 128)"]
    expected += ["modulus 7 (published 59)", "n_heads 2 (published 4)", "steps 40 (published 10000)"]
    assert sorted(recorded["network"].pop("deviations").values()) == expected
    assert recorded["network"].pop("frequencies") == neurons_of(untrained.separable()).key_frequencies()
    computed = accuracy(untrained.separable().logits())
    assert computed != untrained.results["accuracy"], "what a file says of itself decides nothing"
    assert recorded["network"] == {"accuracy": computed, "steps": 40}


def test_recorded_network_of_another_recipe_is_not_judged(untrained, tmp_path, monkeypatch):
    monkeypatch.setattr("modadd.ledger.record.accuracy", lambda logits: 1.0)
    record(tmp_path / "phases.json", untrained, {"angle_term": 0.15})
    verdict = judge(CLAIM, json.loads((tmp_path / "phases.json").read_text()), "laptop")
    assert verdict.verdict == NOT_JUDGED
    assert "modulus 7 (published 59)" in verdict.note


@pytest.mark.parametrize(
    ("value", "shown"),
    [(0.1234567, "0.12346"), (-3.7, "−3.7"), (12, "12"), ("0.60", "0.60"), (None, "–"), ([1.0, -2], "1, −2")],
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
    ],
)
def test_an_explanation_holds_the_recorded_values(template, text):
    share = {"holds": 9, "of": 10, "low": 0.6, "high": 0.98}
    assert filled(template, {"low": -0.123, "high": 3.45678, "means": [1, 2], "share": share}) == text


@pytest.mark.parametrize("template", ["{lwo}", "{means[5]}", "{share[hold]}", "{low[0]}"])
def test_a_place_without_a_value_is_named(template):
    with refuses(template.strip("{}").partition("[")[0]):
        filled(template, {"low": 1.0, "means": [1, 2], "share": {"holds": 9}})
