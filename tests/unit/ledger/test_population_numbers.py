"""A number of a population, or a share: its interval against a limit or a printed number."""

from dataclasses import asdict

import pytest
from one_claim import STATEMENT, WITHIN, row_of, verdict_on, without

from modadd.core.statistics import share
from paper.ledger.judge.verdicts import HOLDS, NOT_JUDGED, NOT_REPRODUCED, OURS_FAILS, OURS_HOLDS, ROUNDS, WITHIN_SPREAD
from paper.ledger.read.words import show
from paper.ledger.tell.telling import measured_in_words, seen_with_power

OURS = STATEMENT | {"kind": "beyond", "rests_on": "many_trainings"}
SHARE = OURS | {"check": "share_of_networks", "threshold": 0.95}
INTERVAL = without(*WITHIN) | {"check": "interval"}
PART = {"value": 4.9, "low": 4.7, "high": 5.1, "of": 40}


def counted(holds, of):
    return asdict(share([True] * holds + [False] * (of - holds)))


@pytest.mark.parametrize(
    ("published", "measured", "verdict"),
    [
        ("4.9", PART, ROUNDS),
        ("4.945", PART, WITHIN_SPREAD),
        ("5.14", PART, NOT_REPRODUCED),
        ("5.2", PART, NOT_REPRODUCED),
        ("5.1", PART | {"high": 5.06}, WITHIN_SPREAD),
        ("5.10", PART | {"high": 5.06}, NOT_REPRODUCED),
        ("4.945", [PART, PART], WITHIN_SPREAD),
        ("4.945", [PART, PART | {"low": 4.96}], NOT_REPRODUCED),
        ("4.945", {"value": 4.9}, NOT_REPRODUCED),
        ("4.945", 4.945, NOT_REPRODUCED),
        ("4.945", [], NOT_REPRODUCED),
        ("4.945", PART | {"value": 49.0}, NOT_REPRODUCED),
    ],
)
def test_a_printed_number_lies_in_the_interval_widened_by_half_a_unit_of_its_last_digit(published, measured, verdict):
    found = verdict_on(measured, of=INTERVAL, published=published)
    assert found.verdict == verdict
    if verdict == WITHIN_SPREAD:
        assert (found.networks, found.interval[0][0]) == (40, 4.7)


@pytest.mark.parametrize(
    ("check", "low", "high", "verdict"),
    [
        ("at_least", 1.1, 1.4, OURS_HOLDS),
        ("at_least", 0.9, 1.4, NOT_JUDGED),
        ("at_least", 0.5, 0.9, OURS_FAILS),
        ("at_most", 0.5, 0.9, OURS_HOLDS),
        ("at_most", 0.9, 1.4, NOT_JUDGED),
        ("at_most", 1.1, 1.4, OURS_FAILS),
        ("at_least", 1.4, 1.1, OURS_FAILS),
    ],
)
def test_a_limit_is_judged_by_the_interval(check, low, high, verdict):
    measured = {"value": (low + high) / 2, "low": low, "high": high, "of": 40}
    found = verdict_on(measured, of=OURS, check=check)
    assert found.verdict == verdict and found.networks == 40
    assert (found.note == "Undecided: the interval over 40 networks contains 1") == (verdict == NOT_JUDGED)


@pytest.mark.parametrize(
    ("measured", "verdict"),
    [(1.0, OURS_HOLDS), ([1, 0.9], OURS_FAILS), (float("nan"), NOT_JUDGED), ([], NOT_JUDGED), ("12", OURS_FAILS)],
)
def test_a_number_without_an_interval_is_compared_itself(measured, verdict):
    assert verdict_on(measured, of=OURS).verdict == verdict


@pytest.mark.parametrize(
    ("value", "of", "verdict"), [(3.0, 1, NOT_JUDGED), (None, 0, NOT_JUDGED), (None, 9, NOT_JUDGED)]
)
def test_a_number_that_is_missing_or_of_one_network_is_not_judged(value, of, verdict):
    assert verdict_on({"value": value, "low": None, "high": None, "of": of}, of=OURS).verdict == verdict


@pytest.mark.parametrize(
    ("ends", "verdict"), [((2.0, 2.0), NOT_JUDGED), ((None, None), NOT_JUDGED), ((1.5, 2.5), OURS_HOLDS)]
)
def test_an_interval_of_no_width_is_none(ends, verdict):
    found = verdict_on({"value": 2.0, "low": ends[0], "high": ends[1], "of": 9}, of=OURS)
    assert found.verdict == verdict
    assert (found.note == "there is no interval: the number is the same in all 9 networks") == (verdict == NOT_JUDGED)


@pytest.mark.parametrize(
    ("value", "verdict", "of"), [(2.0, OURS_HOLDS, 9), (0.5, OURS_FAILS, 9), (None, NOT_JUDGED, 0)]
)
def test_a_number_that_stands_alone_is_compared_as_it_stands_and_shown_without_an_interval(value, verdict, of):
    found = verdict_on({"value": value, "of": of}, of=OURS)
    assert (found.verdict, found.interval, found.networks) == (verdict, None, of)
    assert "95 %" not in measured_in_words(row_of(found, OURS)) and seen_with_power(row_of(found, OURS)) is None


def test_where_a_recipe_can_be_read_in_two_ways_each_is_judged_and_both_must_agree():
    high, low = PART | {"value": 2.0, "low": 1.5, "high": 2.5}, PART | {"value": 0.0, "low": -0.5, "high": 0.5}
    none = {"value": None, "low": None, "high": None, "of": 0}
    claim = OURS | {"readings": ["twice", "once"]}
    on = lambda *measured: verdict_on(list(measured), of=claim)
    assert on([high, high], [high]).verdict == OURS_HOLDS and on([low], [high, low]).verdict == OURS_FAILS
    assert on([high], [low]).verdict == NOT_JUDGED
    assert "Depends on the reading: by twice it agrees; by once it differs." in on([high], [low]).note
    untold = on([high], [none]).note
    assert "by twice it agrees; by once it cannot be judged (no network tells)" in untold
    missing = on([low], [none])
    assert missing.verdict == NOT_JUDGED and missing.interval == [[-0.5, 0.5]]
    assert "Not every reading can be judged: by twice it differs; by once it cannot be judged" in missing.note


@pytest.mark.parametrize(("uncertain_by", "verdict"), [(0.0005, NOT_REPRODUCED), (0.05, WITHIN_SPREAD)])
def test_a_product_of_rounded_numbers_is_compared_as_exactly_as_these_allow(uncertain_by, verdict):
    part = PART | {"value": 4.8, "low": 4.75, "high": 4.9}
    found = verdict_on(part, of=INTERVAL, published="4.945", uncertain_by=uncertain_by)
    assert (
        found.verdict == verdict and f"widened by {uncertain_by:g}, as the printed number is rounded" in found.criterion
    )


def test_of_several_populations_each_must_agree():
    narrow, wide = PART | {"value": 2.0, "low": 1.5, "high": 2.5}, PART | {"value": 2.0, "low": 0.5, "high": 3.5}
    low = PART | {"value": 0.0, "low": -0.5, "high": 0.5}
    on = lambda *measured: verdict_on(list(measured), of=OURS)
    assert on(narrow, narrow).verdict == OURS_HOLDS
    assert on(narrow, wide).verdict == NOT_JUDGED and on(narrow, wide).interval == [[1.5, 2.5], [0.5, 3.5]]
    assert on(narrow, wide, low).verdict == OURS_FAILS


@pytest.mark.parametrize(
    ("holds", "of", "verdict"),
    [(80, 80, OURS_HOLDS), (40, 40, NOT_JUDGED), (9, 10, NOT_JUDGED), (74, 80, NOT_JUDGED), (5, 10, OURS_FAILS)],
)
def test_a_share_is_judged_by_its_interval_and_said_to_be_undecided_if_that_contains_the_threshold(holds, of, verdict):
    found = verdict_on(counted(holds, of), of=SHARE)
    assert (found.verdict, found.networks) == (verdict, of)
    said = f"Undecided: the interval over {of} networks contains 0.95"
    assert (found.note == said) == (verdict == NOT_JUDGED)


@pytest.mark.parametrize(("holds", "verdict"), [(20, OURS_HOLDS), (19, OURS_FAILS)])
def test_every_network_is_refuted_by_one(holds, verdict):
    found = verdict_on(counted(holds, 20), of=SHARE, threshold=1.0)
    assert found.verdict == verdict and found.criterion == "in all networks, by the interval of the share"
    assert seen_with_power(row_of(found, SHARE | {"threshold": 1.0})) == pytest.approx(1 - 0.2 ** (1 / 20))


@pytest.mark.parametrize("measured", [0.95, [True], PART, {"holds": 9, "of": 3}])
def test_what_is_no_share_of_networks_never_holds(measured):
    assert verdict_on(measured, of=SHARE, threshold=0.0).verdict == OURS_FAILS


def test_a_share_of_no_network_is_not_judged():
    found = verdict_on({"holds": 0, "of": 0, "low": 0.0, "high": 1.0}, of=SHARE, threshold=0.25)
    assert (found.verdict, found.note) == (NOT_JUDGED, "no network tells")


def test_a_share_is_shown_with_its_counts_and_interval():
    assert show(counted(9, 10)) == "9 of 10 (95 %: 0.596–0.982)"


@pytest.mark.parametrize(
    ("claim", "criterion"),
    [
        (OURS, "at least 1"),
        (SHARE, "in at least 0.95 of the networks, by the interval of the share"),
        (SHARE | {"threshold": 0.5}, "in at least half of the networks, by the interval of the share"),
        (INTERVAL, "in the 95 % interval, widened by half the last printed digit"),
    ],
)
def test_the_sentence_says_by_what_it_is_judged(claim, criterion):
    assert verdict_on(PART, of=claim).criterion == criterion


@pytest.mark.parametrize(
    ("check", "part", "verdict"),
    [
        ("at_most", PART, NOT_REPRODUCED),
        ("at_most", PART | {"high": 4.8, "value": 4.75}, HOLDS),
        ("at_most", PART | {"low": 4.0}, NOT_JUDGED),
        ("at_least", PART | {"high": 5.5, "low": 5.0, "value": 5.2}, HOLDS),
        ("at_most", [PART | {"high": 4.8, "value": 4.75}, PART | {"low": 4.95, "value": 5.0}], NOT_REPRODUCED),
    ],
)
def test_a_printed_limit_is_judged_as_a_limit_of_ours(check, part, verdict):
    limit = "4.65" if verdict == NOT_REPRODUCED and not isinstance(part, list) else "4.9"
    found = verdict_on(part, of=without(*WITHIN), check=check, published=limit)
    assert found.verdict == verdict and found.criterion == f"{check.replace('_', ' ')} {limit}"
    ours = verdict_on(part, of=without("published", *WITHIN), check=check, kind="statement", threshold=float(limit))
    assert ours.verdict == verdict


@pytest.mark.parametrize(
    ("printed", "holds", "verdict"), [("1.0", 400, HOLDS), ("1.0", 399, NOT_REPRODUCED), ("0.9", 399, HOLDS)]
)
def test_of_every_network_one_refutes_a_printed_share_as_one_of_ours(printed, holds, verdict):
    found = verdict_on(counted(holds, 400), of=without(*WITHIN), check="share_of_networks", published=printed)
    assert found.verdict == verdict
    assert found.criterion.startswith("in all networks" if printed == "1.0" else "in at least 0.9 of the networks")
