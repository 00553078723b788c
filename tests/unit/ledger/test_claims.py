"""One claim judged on one network: the verdict, when there is none, and what a reader is told."""

import pytest
from one_claim import CLAIM, NETWORK, verdict_on

from modadd.ledger.verdicts import NOT_JUDGED, NOT_REPRODUCED, SLIP, as_rows, judge


def test_verdict_carries_what_the_reader_compares():
    verdict = verdict_on(0.2, expected="slip", explanation="Another rounding.")
    assert (verdict.verdict, verdict.as_expected, verdict.note) == (SLIP, True, "Another rounding.")
    row = as_rows([verdict])[0]
    assert (row["published"], row["measured"], row["tolerance"]) == ("0.15", 0.2, 0.01)
    assert row["statement"] == CLAIM["statement"]


@pytest.mark.parametrize("expected", ["slip", "not_reproduced"])
def test_claim_expected_to_differ_that_agrees_is_not_as_expected(expected):
    assert not verdict_on(0.15, expected=expected, explanation="?").as_expected


@pytest.mark.parametrize("measured", [0.15, 99.0])
@pytest.mark.parametrize(
    ("scale", "network", "reason"),
    [
        ("smoke", NETWORK, "at scale 'smoke'; judged at laptop, paper, with CONFIG=config/config.yaml"),
        ("laptop", NETWORK | {"accuracy": 0.97, "steps": 300}, "accuracy 0.97 after 300 steps, 1 needed"),
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


def test_accuracy_short_of_1_is_not_shown_as_1():
    note = verdict_on(0.15, network=NETWORK | {"accuracy": 3480 / 3481}).note
    assert "accuracy 1 " not in note, f"a reader cannot tell what is missing: {note}"


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


@pytest.mark.parametrize(
    ("measured", "changes", "note"),
    [
        (0.2, {}, "published 0.15, measured 0.2"),
        ([0.15, 0.3], {"published": [0.15, -0.25]}, "published 0.15, −0.25, measured 0.15, 0.3"),
        (8, {"check": "at_least", "threshold": 10}, "threshold 10, measured 8"),
        (0.2, {"explanation": "Another rounding."}, "Another rounding."),
        (0.15, {}, ""),
    ],
)
def test_difference_without_explanation_says_both_values(measured, changes, note):
    assert verdict_on(measured, **changes).note == note
