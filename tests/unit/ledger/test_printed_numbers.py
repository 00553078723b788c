"""A printed number of one network: the prediction interval over retrainings, the printed digits, or a tolerance."""

import numpy as np
import pandas as pd
import pytest
from one_claim import CLAIM, NETWORK, WITHIN, row_of, verdict_on, without
from scipy.stats import t as student

from paper.ledger.judge.retrainings import FEWEST
from paper.ledger.judge.verdicts import NOT_JUDGED, NOT_REPRODUCED, ROUNDS, WITHIN_SPREAD, WITHIN_TOLERANCE
from paper.ledger.tell.telling import seen_with_power

RETRAININGS = without(*WITHIN) | {"check": "retrainings", "rests_on": "one_training"}
DRAWS = np.random.default_rng(0).normal([0.15, 0.30], [0.01, 0.02], (24, 2))
RETRAINED = pd.DataFrame(
    {
        "frequencies": [[12, 18]] * 24 + [[12, 18, 21], [18, 25]],
        "angle_term": [*DRAWS.tolist(), [0.17, 0.29, 0.5], [0.9, 0.9]],
        "median_share": [*DRAWS[:, 0], 0.97, 0.96],
        "accuracy": 1.0,
        "steps": NETWORK["steps"],
    }
)
HALF = student.ppf(0.975, 23) * DRAWS[:, 0].std(ddof=1) * np.sqrt(25 / 24)
LOW, HIGH = DRAWS[:, 0].mean() - HALF, DRAWS[:, 0].mean() + HALF


def beside(measured, retrained=RETRAINED, **changes):
    """The verdict on a printed number beside retrainings."""
    return verdict_on(measured, retrained=retrained, of=RETRAININGS, **changes)


@pytest.mark.parametrize("claim", [{"frequency": 12}, {"value": "median_share"}])
def test_the_prediction_interval_is_that_of_retrainings_with_the_frequencies_of_the_network(claim):
    found = beside(0.15, **claim)
    assert found.interval == [pytest.approx([LOW, HIGH])] and found.networks == 25 and "One training" not in found.note
    seen = HALF * (1 + 0.8416212335729143 / 1.959963984540054)
    assert seen_with_power(row_of(found, RETRAININGS)) == pytest.approx(seen)


@pytest.mark.parametrize(
    ("published", "verdict"),
    [
        ("0.150", WITHIN_SPREAD),
        (f"{LOW:.3f}", WITHIN_SPREAD),
        (f"{LOW - 0.0011:.3f}", NOT_REPRODUCED),
        (f"{HIGH:.3f}", WITHIN_SPREAD),
        (f"{HIGH + 0.0011:.3f}", NOT_REPRODUCED),
    ],
)
def test_a_printed_number_lies_in_the_interval_widened_by_half_a_unit_of_its_last_digit(published, verdict):
    assert beside(0.1514, frequency=12, published=published).verdict == verdict


EQUAL = RETRAINED.assign(median_share=0.151)  # an interval of no width, in which half a unit decides alone


@pytest.mark.parametrize(
    ("published", "verdict"),
    [("0.15", ROUNDS), ("0.150", NOT_REPRODUCED), ("0.2", ROUNDS), ("0.3", NOT_REPRODUCED), ("0.1515", NOT_REPRODUCED)],
)
def test_half_a_unit_of_the_last_printed_digit_is_what_widens_the_interval(published, verdict):
    assert beside(0.151, EQUAL, value="median_share", published=published).verdict == verdict


@pytest.mark.parametrize(("own", "verdict"), [(0.151, ROUNDS), (0.16, WITHIN_SPREAD)])
def test_a_number_rounds_to_print_if_that_of_the_network_shown_does(own, verdict):
    near = RETRAINED.assign(median_share=[0.151] * 13 + [0.16] * 13)
    assert beside(own, near, value="median_share", published="0.15").verdict == verdict


def test_every_number_of_a_list_must_lie_in_its_own_interval_and_all_at_once():
    assert beside([0.15, 0.31], published=["0.150", "0.300"]).verdict == WITHIN_SPREAD
    assert beside([0.15, 0.30], published=["0.300", "0.150"]).verdict == NOT_REPRODUCED
    one, both = beside(0.15, frequency=12), beside([0.15, 0.3], published=["0.15", "0.3"])
    assert both.interval[0][0] < one.interval[0][0] and both.interval[0][1] > one.interval[0][1]


@pytest.mark.parametrize("factor", [10, 0.1, -1, 0, 1e6])
def test_a_network_that_is_not_one_of_its_retrainings_turns_the_verdict(factor):
    found = beside(0.15 * factor, frequency=12)
    assert found.verdict == NOT_REPRODUCED and "outside the 99.9 % interval of its own retrainings" in found.note


def test_a_network_that_is_none_of_its_retrainings_may_have_the_printed_number_itself():
    near = RETRAINED.assign(median_share=np.linspace(0.8508, 0.8511, len(RETRAINED)))
    on = lambda own, published: beside(own, near, value="median_share", published=published).verdict
    assert on(0.8504, "0.85") == ROUNDS and on(0.8551, "0.85") == on(0.8504, "0.8504") == NOT_REPRODUCED


def test_an_interval_of_a_fraction_lies_within_0_and_1_and_holds_what_lies_in_it():
    fractions = np.concatenate([np.linspace(0.9, 0.999, 25), [0.3]])
    shares = RETRAINED.assign(median_share=fractions, frequencies=[[12, 18]] * 26)
    wide = beside(0.99, shares, value="median_share", published="0.95")
    within = beside(0.99, shares, value="median_share", published="0.95", fraction=True)
    assert wide.interval[0][1] > 1 and 0 < within.interval[0][0] < 0.95 < within.interval[0][1] < 1
    assert within.verdict == WITHIN_SPREAD


def test_a_fraction_of_one_in_every_training_is_no_stray():
    """The logit of 1 is not finite, so retrainings and the network shown are both moved off 1 by a billionth."""
    perfect = RETRAINED.assign(median_share=1.0)
    on = lambda own: beside(own, perfect, value="median_share", published="1.0", fraction=True)
    assert on(1.0).verdict in (ROUNDS, WITHIN_SPREAD) and "outside" not in on(1.0).note
    assert "outside" in on(0.5).note


def test_a_network_at_the_edge_of_its_retrainings_is_mentioned():
    found = beside(HIGH + 0.001, frequency=12)
    assert found.verdict == WITHIN_SPREAD and "outside the 95 % interval" in found.note


def test_more_retrainings_narrow_the_interval():
    twice = pd.concat([RETRAINED, RETRAINED], ignore_index=True)
    (few,), (many,) = (beside(0.15, retrained, frequency=12).interval for retrained in (RETRAINED, twice))
    assert many[0] > few[0] and many[1] < few[1]


WITHOUT = {
    "no retrainings": None,
    "no such number": RETRAINED.drop(columns="angle_term"),
    "shorter": RETRAINED.assign(steps=300),
    "short of the accuracy": RETRAINED.assign(accuracy=0.9),
    "too few": RETRAINED[: FEWEST - 1],
    "of other frequencies": RETRAINED[24:],
}


@pytest.mark.parametrize("retrained", WITHOUT.values(), ids=WITHOUT)
def test_a_number_without_retrainings_of_its_kind_is_not_judged(retrained):
    found = beside(0.15, retrained, frequency=12)
    assert (found.interval, found.verdict) == (None, NOT_JUDGED) and f"needs {FEWEST} retrainings" in found.note


def test_a_frequency_that_the_network_has_not_learned_is_not_judged():
    found = beside(None, frequency=21)
    assert found.verdict == NOT_JUDGED and found.note == "the network has not learned frequency 21, but 12, 18"


DIGITS = without(*WITHIN) | {"check": "equal_to_printed_digits"}


@pytest.mark.parametrize(
    ("published", "measured", "agrees"),
    [
        ("0.6", 0.64, True),
        ("0.6", 0.66, False),
        ("0.60", 0.604, True),
        ("0.60", 0.606, False),
        (42, 42.4, True),
        (42, 42.6, False),
        (["0.60", "13.9"], [0.604, 13.94], True),
        (["0.60", "13.9"], [0.64, 13.94], False),
        ([14, "15.1"], [14.3, 15.1], True),
    ],
)
def test_where_nothing_is_drawn_the_printed_digits_decide(published, measured, agrees):
    found = verdict_on(measured, of=DIGITS, published=published)
    assert found.verdict == (ROUNDS if agrees else NOT_REPRODUCED) and found.as_expected == agrees


@pytest.mark.parametrize(
    ("published", "measured", "verdict"),
    [
        ("0.15", 0.152, ROUNDS),
        ("0.15", 0.159, WITHIN_TOLERANCE),
        ("0.15", 0.141, WITHIN_TOLERANCE),
        ("0.15", 0.161, NOT_REPRODUCED),
        (["0.15", "0.25"], [0.157, 0.249], WITHIN_TOLERANCE),
        (["0.15", "0.25"], [0.151, 0.27], NOT_REPRODUCED),
        (["0.15", "0.25"], [0.25, 0.15], NOT_REPRODUCED),
    ],
)
def test_a_number_that_no_spread_surrounds_lies_within_a_tolerance_or_rounds_to_print(published, measured, verdict):
    found = verdict_on(measured, published=published)
    assert (found.verdict, found.expected) == (verdict, "number rounds to print, or within tolerance")


@pytest.mark.parametrize("check", ["within", "equal_to_printed_digits", "retrainings"])
@pytest.mark.parametrize("measured", [[0.15], [0.15] * 3, 0.15, [], "12", ["12", "18"], [[12], [18, 21]], {"k": 12}])
def test_other_values_than_the_printed_ones_differ(check, measured):
    found = verdict_on(measured, check=check, published=["0.15", "0.15"])
    assert (found.verdict, found.interval) == (NOT_REPRODUCED, None)


@pytest.mark.parametrize(
    ("changes", "criterion"),
    [
        ({}, "within ±0.01"),
        ({"tolerance": 1}, "within ±1"),
        ({"check": "equal_to_printed_digits"}, "equal to printed digits"),
        (
            {"check": "retrainings"},
            "in the 95 % prediction interval over retrainings, widened by half the last printed digit",
        ),
    ],
)
def test_the_sentence_says_by_what_it_is_judged(changes, criterion):
    assert verdict_on(0.15, **changes).criterion == criterion
    assert verdict_on(0.15, **changes).published == CLAIM["published"]
