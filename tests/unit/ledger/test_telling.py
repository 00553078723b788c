"""A verdict in words: digits, intervals, and of which networks it holds."""

import pytest
from one_claim import STATEMENT
from support import LEDGER

from paper.ledger.judge.verdicts import with_claims
from paper.ledger.read.claims import OPTIONAL
from paper.ledger.tell.telling import (
    MEASURED_ONCE,
    interval_in_words,
    measured_in_words,
    on_which_networks,
    where_it_holds,
)

ROW = {"of": "published", "published": None, "measured": 0.45115, "interval": [[0.431, 0.582]]}
SHARE = {"value": 0.754913, "low": 0.7141, "high": 0.7982, "of": 900}


@pytest.mark.parametrize(
    ("changes", "measured", "interval"),
    [
        ({}, "0.45", "0.43–0.58"),
        ({"measured": [13.9412, -3.69884], "interval": [[13.9, 14.1], [-3.706, -3.686]]}, "13.94, −3.699", None),
        ({"measured": 12, "interval": [[11.2, 14.0]]}, "12", "11.2–14.0"),
        ({"measured": 0.4, "interval": [[-0.02, 1.2]]}, "0.4", "0.0 to 1.2"),
        ({"measured": 0.99999, "interval": [[1.0, 1.0]]}, "0.99999", ""),
        ({"interval": None}, "0.4511", ""),
        ({"interval": None, "published": 0.45}, "0.45115", ""),
        ({"measured": SHARE, "interval": [[0.7141, 0.7982]]}, "0.755 (95 %: 0.714–0.798)", ""),
        ({"of": "most"}, "0.4511", ""),
        ({"measured": None, "interval": None}, "–", ""),
    ],
)
def test_no_digit_goes_beyond_the_interval_and_no_interval_stands_twice(changes, measured, interval):
    assert measured_in_words(ROW | changes) == measured
    assert interval in (None, interval_in_words(ROW | changes))


def test_an_interval_that_begins_below_zero_is_told_in_words():
    assert interval_in_words(ROW | {"interval": [[-0.1, 1.6]]}) == "−0.1 to 1.6"


def test_where_a_claim_holds_says_how_many_networks_were_trained_here():
    told = {"external": None, "counted": None, "check": "at_least"}
    trainings = {"holds": 24, "of": 25, "here": 1}
    seeds = {"holds": 1510, "of": 1520, "here": 1, "low": 0.96, "high": 1.0, "without": 0, "not_measured": 0}
    assert where_it_holds(told | {"here": True, "trainings": trainings, "seeds": seeds}) == (
        "holds here; in 24 of 25 trainings (1 trained here, 24 kept); "
        "in 1,510 of 1,520 seeds (1 trained here, 1,519 kept; 95 %: 0.96–1.00)"
    )
    counted = told | {"here": None, "trainings": None, "seeds": None, "counted": {"here": 64, "kept": 2784}}
    assert where_it_holds(counted | {"external": "theirs"}) == MEASURED_ONCE
    assert where_it_holds(counted) == "counted over 64 networks trained here and 2,784 kept"


def test_a_number_says_among_how_many_other_trainings_it_stands():
    row = {"external": None, "counted": None, "check": "retrainings", "here": None, "trainings": None, "seeds": None}
    assert where_it_holds(row | {"networks": 25}) == "among 24 other trainings"
    assert where_it_holds(row | {"networks": None}) == "", "not judged"


def test_a_ledger_of_one_claim_is_told_though_no_claim_has_what_some_may_have():
    row = {"id": "a", "here": None, "seeds": None, "trainings": None, "counted": None, "verdict": "not judged"}
    (told,) = with_claims([row], {"claims": [STATEMENT | {"id": "a"}]})
    assert told["external"] is None and on_which_networks(told) == ""


def test_what_not_every_claim_has_is_named():
    in_each = set.intersection(*(set(claim) for claim in LEDGER["claims"]))
    in_one = set.union(*(set(claim) for claim in LEDGER["claims"]))
    assert in_one - in_each <= set(OPTIONAL)
