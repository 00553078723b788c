"""The checks of a claim: where each agrees, and what no check agrees with."""

import json

import pandas as pd
import pytest
from one_claim import NETWORK, verdict_on, without

from modadd.ledger.checks import compare, passes, passes_each
from modadd.ledger.claims import ON_EACH
from modadd.ledger.verdicts import AGREEING, NOT_JUDGED, NOT_REPRODUCED, ROUNDS, as_rows, judge


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
    assert verdict.verdict in (AGREEING if agrees else [NOT_REPRODUCED])
    assert verdict.as_expected == agrees


@pytest.mark.parametrize("check", ["at_least", "at_most"])
@pytest.mark.parametrize("limit", [0.5, 2, [0.5], [0.5, 0.7]])
def test_many_networks_pass_at_once_as_one_by_one(check, limit):
    claim = {"check": check, "published": limit}
    decimals = [0.4, 0.5, 0.7, -0.0, float("inf"), float("nan")]
    for values in (
        pd.Series(decimals),
        pd.Series([1, 2, 3]),
        pd.Series([True, False]),
        pd.Series([[0.5, 0.6], [0.4], []]),
    ):
        assert list(passes_each(claim, values)) == [passes(claim, value) for value in values]


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
    assert verdict.verdict in (AGREEING if agrees else [NOT_REPRODUCED])
    row = as_rows([verdict])[0]
    assert (row["published"], row["threshold"]) == (printed.get("published"), 10)
    assert row["criterion"] == f"{check.replace('_', ' ')} 10"


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


def test_difference_is_the_largest_distance():
    assert verdict_on([0.15, 0.27], published=[0.15, 0.25]).difference == pytest.approx(0.02)


def test_whole_number_among_decimals_keeps_its_printed_digits():
    verdict = verdict_on([14.3, 15.1], check="equal_to_printed_digits", published=[14, 15.1])
    assert verdict.verdict == ROUNDS, "14 is printed without decimals: anything in 13.5 … 14.5 agrees"


def test_a_number_that_the_network_shown_lacks_is_not_judged_and_is_not_called_unknown():
    verdict = verdict_on(None)
    assert (verdict.verdict, verdict.here) == (NOT_JUDGED, None)
    assert verdict.note == "the network shown has no such number"


def test_a_list_in_which_a_number_lacks_is_not_judged_and_stays_plain_json():
    verdict = verdict_on([None, 0.15], published=["0.15", "0.15"])
    assert verdict.verdict == NOT_JUDGED
    json.dumps(as_rows([verdict]), allow_nan=False)


@pytest.mark.parametrize(("value", "networks", "agrees"), [(3.0, 1, None), (None, 0, None), (None, 9, False)])
def test_without_an_interval_few_networks_cannot_tell_and_many_do_not_agree(value, networks, agrees):
    measured = {"value": value, "low": None, "high": None, "of": networks}
    assert compare({"check": "at_least", "threshold": 1.0}, measured, None).agrees is agrees


@pytest.mark.parametrize("check", ["within", "equal_to_printed_digits", "at_least", "at_most", "set_equals"])
@pytest.mark.parametrize("measured", ["12", "12, 18", ["12", "18"], [[12], [18, 21]], {"k": 12}])
def test_measured_value_without_numbers_differs(check, measured):
    verdict = verdict_on(measured, check=check, published=[12, 18])
    assert (verdict.verdict, verdict.difference) == (NOT_REPRODUCED, None)


@pytest.mark.parametrize("check", ["within", "equal_to_printed_digits", "at_least", "at_most", "set_equals"])
def test_a_list_of_nothing_differs_from_a_printed_list_and_says_nothing_of_a_limit(check):
    verdict = verdict_on([], check=check, published=[12, 18])
    assert verdict.verdict == (NOT_JUDGED if check in ON_EACH else NOT_REPRODUCED)
