"""Verdicts that rest on many networks: intervals of retrainings and populations, shares, claims beyond the papers."""

from dataclasses import asdict

import numpy as np
import pandas as pd
import pytest
from one_claim import CLAIM, NETWORK
from scipy.stats import t as student

from modadd.core.statistics import share
from modadd.ledger.checks import FEWEST
from modadd.ledger.retrainings import NEEDED
from modadd.ledger.verdicts import (
    HOLDS,
    INCONSISTENT,
    NOT_JUDGED,
    NOT_REPRODUCED,
    OURS_FAILS,
    OURS_HOLDS,
    ROUNDS,
    WITHIN_SPREAD,
    WITHIN_TOLERANCE,
    judge,
)
from modadd.ledger.words import show

RETRAININGS = {key: value for key, value in CLAIM.items() if not key.startswith("tolerance")} | {"check": "retrainings"}
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


def verdict_on(measured, retrained=RETRAINED, **changes):
    claim = RETRAININGS | changes
    return judge(claim, {"network": NETWORK, "values": {claim["value"]: measured}}, "laptop", retrained)


@pytest.mark.parametrize("claim", [{"frequency": 12}, {"value": "median_share"}])
def test_the_prediction_interval_is_that_of_retrainings_with_the_frequencies_of_the_network(claim):
    found = verdict_on(0.15, **claim)
    assert found.interval == [pytest.approx([LOW, HIGH])] and found.networks == 25
    assert found.rank == [(DRAWS[:, 0] < 0.15).sum()]
    assert found.detectable == [pytest.approx(HALF * (1 + 0.8416212335729143 / 1.959963984540054))]


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
    assert verdict_on(0.1514, frequency=12, published=published).verdict == verdict


@pytest.mark.parametrize(("own", "verdict"), [(0.151, ROUNDS), (0.16, WITHIN_SPREAD)])
def test_a_number_rounds_to_print_if_that_of_the_network_shown_does(own, verdict):
    near = RETRAINED.assign(median_share=[0.151] * 13 + [0.16] * 13)
    assert verdict_on(own, near, value="median_share", published="0.15").verdict == verdict


def test_every_number_of_a_list_must_lie_in_its_own_interval_and_all_at_once():
    assert verdict_on([0.15, 0.31], published=["0.150", "0.300"]).verdict == WITHIN_SPREAD
    assert verdict_on([0.15, 0.30], published=["0.300", "0.150"]).verdict == NOT_REPRODUCED
    one, both = verdict_on(0.15, frequency=12), verdict_on([0.15, 0.3], published=[0.15, 0.3])
    assert both.interval[0][0] < one.interval[0][0] and both.interval[0][1] > one.interval[0][1]


@pytest.mark.parametrize("factor", [10, 0.1, -1, 0, 1e6])
def test_a_network_that_is_not_one_of_its_retrainings_turns_the_verdict(factor):
    found = verdict_on(0.15 * factor, frequency=12)
    assert found.verdict == NOT_REPRODUCED and "outside the 99.9 % interval of its own retrainings" in found.note


def test_a_network_that_is_none_of_its_retrainings_may_have_the_printed_number_itself():
    near = RETRAINED.assign(median_share=np.linspace(0.8508, 0.8511, len(RETRAINED)))
    on = lambda own, published: verdict_on(own, near, value="median_share", published=published).verdict
    assert on(0.8504, "0.85") == ROUNDS and on(0.8551, "0.85") == on(0.8504, "0.8504") == NOT_REPRODUCED


def test_an_interval_of_a_fraction_lies_within_0_and_1_and_holds_what_lies_in_it():
    shares = RETRAINED.assign(
        median_share=np.concatenate([np.linspace(0.9, 0.999, 25), [0.3]]), frequencies=[[12, 18]] * 26
    )
    wide, within = (
        verdict_on(0.99, shares, value="median_share", published="0.95", **more) for more in ({}, {"fraction": True})
    )
    assert wide.interval[0][1] > 1 and 0 < within.interval[0][0] < 0.95 < within.interval[0][1] < 1
    assert within.verdict == WITHIN_SPREAD


def test_a_number_that_no_spread_surrounds_lies_within_a_tolerance_or_rounds_to_print():
    on = lambda measured: verdict_on(measured, None, check="within", published="0.15", tolerance=0.01)
    assert [on(measured).verdict for measured in (0.152, 0.158, 0.162)] == [ROUNDS, WITHIN_TOLERANCE, NOT_REPRODUCED]
    assert on(0.158).expected == "number rounds to print, or within tolerance"


def test_a_paper_that_contradicts_itself_and_a_hypothesis_of_ours_that_fails_are_called_so():
    found = verdict_on(
        0.15, frequency=12, published="0.50", expected="inconsistent", explanation="Its own numbers give 0.15."
    )
    assert found.verdict == found.expected == INCONSISTENT and found.as_expected
    assert not verdict_on(0.15, frequency=12, published="0.15", expected="inconsistent", explanation="?").as_expected
    ours = {"check": "at_least", "threshold": 0.5, "published": None, "kind": "beyond", "expected": "not_reproduced"}
    found = verdict_on(0.15, None, **ours)
    assert found.verdict == found.expected == OURS_FAILS and found.as_expected


def test_a_network_at_the_edge_of_its_retrainings_is_mentioned():
    found = verdict_on(HIGH + 0.001, frequency=12)
    assert found.verdict == WITHIN_SPREAD and "outside the 95 % interval" in found.note


def test_more_retrainings_narrow_the_interval_and_never_the_other_way_by_their_number_alone():
    twice = pd.concat([RETRAINED, RETRAINED], ignore_index=True)
    (few,), (many,) = (verdict_on(0.15, retrained, frequency=12).interval for retrained in (RETRAINED, twice))
    assert many[0] > few[0] and many[1] < few[1]


@pytest.mark.parametrize(
    ("own", "holding", "verdict"),
    [(0.985, 19, HOLDS), (0.995, 17, HOLDS), (0.985, 17, NOT_REPRODUCED), (0.995, 0, NOT_REPRODUCED)],
)
def test_a_yes_or_no_is_judged_by_its_share_of_the_trainings_and_not_by_this_one(own, holding, verdict):
    above, below = np.linspace(0.991, 0.999, holding), np.linspace(0.97, 0.98, 19 - holding)
    retrained = pd.DataFrame({"median_share": [*above, *below], "accuracy": 1.0})
    retrained = retrained.assign(steps=NETWORK["steps"], frequencies=[NETWORK["frequencies"]] * len(retrained))
    found = verdict_on(own, retrained, value="median_share", check="at_least", published=0.99)
    holds = share([own > 0.99] + [True] * holding + [False] * (19 - holding))
    assert found.trainings == asdict(holds) | {"here": 1}, "no row says that it was trained here"
    assert (found.trainings["holds"] / 20 >= NEEDED) == (verdict == HOLDS)
    assert found.verdict == verdict and "0.9 of the trainings" in found.criterion


@pytest.mark.parametrize("own", [0.5, 5.0, -0.995])
def test_a_yes_or_no_turns_if_the_network_shown_is_not_one_of_its_retrainings(own):
    found = verdict_on(own, value="median_share", check="within", published=0.15, tolerance=0.1)
    assert found.trainings["holds"] == 24 and found.verdict == NOT_REPRODUCED and "outside the 99.9 %" in found.note


def test_a_fraction_of_one_in_every_training_is_no_stray():
    """The logit of 1 is not finite, so retrainings and the network shown are both moved off 1 by a billionth."""
    perfect = RETRAINED.assign(median_share=1.0)
    found = verdict_on(1.0, perfect, value="median_share", published="1.0", fraction=True)
    assert found.verdict in (ROUNDS, WITHIN_SPREAD) and "outside" not in found.note
    assert "outside" in verdict_on(0.5, perfect, value="median_share", published="1.0", fraction=True).note


def test_a_claim_on_a_frequency_that_no_retraining_learned_rests_on_the_network_shown():
    unlearned = RETRAINED.assign(frequencies=[[1, 2]] * len(RETRAINED))
    found = verdict_on(0.995, unlearned, value="median_share", check="at_least", published="0.99", frequency=12)
    assert (found.verdict, found.trainings["of"]) == (HOLDS, 1)


def test_a_value_that_no_row_has_is_judged_on_the_network_alone():
    found = verdict_on(0.995, value="another", check="at_least", published=0.99)
    assert found.trainings is None and found.verdict == HOLDS and "trainings" not in found.criterion


@pytest.mark.parametrize(("measured", "verdict"), [(0.995, HOLDS), (0.985, NOT_REPRODUCED)])
def test_a_value_of_one_training_that_no_retraining_records_says_so(measured, verdict):
    found = verdict_on(measured, value="another", check="at_least", published=0.99, rests_on="one_training")
    assert (found.one_training, found.verdict, found.as_expected) == (True, verdict, verdict == HOLDS)
    assert found.note.startswith("One training only: no row has its value.")
    said = verdict_on(
        measured, value="another", check="at_least", published=0.99, rests_on="one_training", one_because="so"
    )
    assert said.note.startswith("One training only: so")


def test_a_value_that_retrainings_record_rests_on_many_and_a_missing_one_is_a_failure():
    recorded = verdict_on(0.5, value="median_share", check="at_least", published=0.99, rests_on="one_training")
    assert not recorded.one_training and not recorded.as_expected
    claim = RETRAININGS | {"rests_on": "one_training", "check": "at_least"}
    assert not judge(claim, {"network": NETWORK, "values": {}}, "laptop").as_expected


def test_retrainings_that_do_not_agree_are_a_failure_whatever_the_network_shown():
    for own in (0.15, 0.9):
        assert not verdict_on([own, 0.3], published=["0.20", "0.30"]).as_expected
        assert not verdict_on(own, value="median_share", check="within", published=0.30, tolerance=0.05).as_expected


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
    verdict = verdict_on(0.15, retrained=retrained, frequency=12)
    assert (verdict.interval, verdict.verdict) == (None, NOT_JUDGED) and f"needs {FEWEST} retrainings" in verdict.note


def test_a_frequency_that_the_network_has_not_learned_is_not_judged():
    found = verdict_on(None, frequency=21)
    assert found.verdict == NOT_JUDGED and found.note == "the network has not learned frequency 21, but 12, 18"


def test_other_checks_carry_the_interval_too():
    found = verdict_on(0.15, value="median_share", check="at_least", published=0.1)
    assert found.interval == [pytest.approx([LOW, HIGH])]


def test_a_claim_of_this_project_holds_or_differs():
    for measured, verdict, as_expected in ((0.15, OURS_HOLDS, True), (0.05, OURS_FAILS, False)):
        found = verdict_on(measured, None, check="at_least", threshold=0.1, kind="beyond", published=None)
        assert (found.verdict, found.as_expected, found.expected) == (verdict, as_expected, OURS_HOLDS)


@pytest.mark.parametrize(
    ("holds", "of", "verdict"),
    [(80, 80, OURS_HOLDS), (40, 40, NOT_JUDGED), (9, 10, NOT_JUDGED), (74, 80, NOT_JUDGED), (5, 10, OURS_FAILS)],
)
def test_a_share_is_judged_by_its_interval_and_said_to_be_undecided_if_that_contains_the_threshold(holds, of, verdict):
    measured = asdict(share([True] * holds + [False] * (of - holds)))
    found = verdict_on(measured, check="share_of_networks", threshold=0.95, published=None, kind="beyond")
    assert (found.verdict, found.networks) == (verdict, of)
    assert found.difference == pytest.approx(abs(holds / of - 0.95))
    said = f"Undecided: the interval over {of} networks contains 0.95"
    assert (found.note == said) == (verdict == NOT_JUDGED)


@pytest.mark.parametrize(("holds", "verdict"), [(20, OURS_HOLDS), (19, OURS_FAILS)])
def test_every_network_is_refuted_by_one(holds, verdict):
    measured = asdict(share([True] * holds + [False] * (20 - holds)))
    found = verdict_on(measured, check="share_of_networks", threshold=1.0, published=None, kind="beyond")
    assert found.verdict == verdict and found.detectable == [pytest.approx(1 - 0.2 ** (1 / 20))]


PART = {"value": 4.9, "low": 4.7, "high": 5.1, "of": 40}


@pytest.mark.parametrize(
    ("published", "measured", "verdict"),
    [
        (4.945, PART, WITHIN_SPREAD),
        ("5.14", PART, NOT_REPRODUCED),
        (5.2, PART, NOT_REPRODUCED),
        ("5.1", PART | {"high": 5.06}, WITHIN_SPREAD),
        (4.945, [PART, PART], WITHIN_SPREAD),
        (4.945, [PART, PART | {"low": 4.96}], NOT_REPRODUCED),
        (4.945, {"value": 4.9}, NOT_REPRODUCED),
        (4.945, 4.945, NOT_REPRODUCED),
        (4.945, [], NOT_REPRODUCED),
        (4.945, PART | {"value": 49.0}, NOT_REPRODUCED),
    ],
)
def test_a_number_of_a_population_is_judged_by_its_interval(published, measured, verdict):
    found = verdict_on(measured, check="interval", published=published, networks_in_paper=100_000)
    assert found.verdict == verdict
    if verdict == WITHIN_SPREAD:
        assert (found.networks, found.networks_in_paper, found.interval[0][0]) == (40, 100_000, 4.7)


@pytest.mark.parametrize("measured", [{"holds": 0, "of": 0, "low": 0, "high": 1}, 0.95, [True]])
def test_a_share_of_no_seeds_never_holds(measured):
    assert verdict_on(measured, check="share_of_networks", threshold=0.0).verdict == NOT_REPRODUCED


def test_a_share_is_shown_with_its_counts_and_interval():
    assert show(vars(share([True] * 9 + [False]))) == "9 of 10 (95 %: 0.596–0.982)"


@pytest.mark.parametrize(
    ("steps", "deviations", "verdict"),
    [
        (25_000, {"steps": "steps 25000 (published 50000)"}, ROUNDS),
        (24_999, {"steps": "steps 24999 (published 50000)"}, NOT_JUDGED),
        (25_000, {"steps": "steps 25000 (published 50000)", "beta1": "beta1 0.8 (published 0.9)"}, NOT_JUDGED),
    ],
)
def test_a_claim_may_be_judged_before_the_last_step(steps, deviations, verdict):
    network = NETWORK | {"steps": steps, "deviations": deviations}
    claim = CLAIM | {"from_steps": 25_000}
    assert judge(claim, {"network": network, "values": {"angle_term": 0.15}}, "laptop").verdict == verdict
    without_it = judge(CLAIM, {"network": network, "values": {"angle_term": 0.15}}, "laptop")
    assert without_it.verdict == NOT_JUDGED, "only a claim that says so is judged early"


def test_a_claim_about_another_network_is_judged_by_that_networks_standing():
    short = NETWORK | {"accuracy": 0.5}
    claim = CLAIM | {"network": "two_layer_mlp/seed0"}
    for own, other, verdict in ((short, NETWORK, ROUNDS), (NETWORK, short, NOT_JUDGED)):
        recorded = {"network": own, "others": {"two_layer_mlp/seed0": other}, "values": {"angle_term": 0.15}}
        assert judge(claim, recorded, "laptop").verdict == verdict


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
def test_a_threshold_for_a_number_of_a_population_is_judged_by_its_interval(check, low, high, verdict):
    measured = {"value": (low + high) / 2, "low": low, "high": high, "of": 40}
    found = verdict_on(measured, None, check=check, threshold=1.0, published=None, kind="beyond")
    assert found.verdict == verdict and found.networks == 40
