"""Verdicts that rest on many networks: spreads over retrainings, shares of seeds, claims beyond the papers."""

from dataclasses import asdict

import pandas as pd
import pytest
from support import refuses
from test_claims import CLAIM, NETWORK, ledger_with, without  # noqa: F401

from modadd.core.statistics import share
from modadd.ledger.retrainings import NEEDED
from modadd.ledger.verdicts import DIFFERS, HOLDS, NOT_JUDGED, REPRODUCED, judge, show

SPREAD = {key: value for key, value in CLAIM.items() if not key.startswith("tolerance")} | {"check": "within_spread"}
RETRAINED = pd.DataFrame(
    {
        "frequencies": [[12, 18], [12, 18], [12, 18, 21], [18, 25]],
        "angle_term": [[0.14, 0.3], [0.13, 0.31], [0.17, 0.29, 0.5], [0.9, 0.9]],
        "median_share": [0.99, 0.98, 0.97, 0.96],
        "accuracy": 1.0,
        "steps": NETWORK["steps"],
    }
)


def verdict_on(measured, retrained=RETRAINED, **changes):
    claim = SPREAD | changes
    return judge(claim, {"network": NETWORK, "values": {claim["value"]: measured}}, "laptop", retrained)


def test_a_number_of_one_frequency_spreads_over_the_retrainings_that_learned_it():
    assert verdict_on(0.15, frequency=12).spread == [[0.13, 0.17]]


def test_a_list_spreads_over_the_retrainings_of_the_most_frequent_set_of_frequencies():
    assert verdict_on([0.15, 0.32], published=[0.15, 0.3]).spread == [[0.13, 0.15], [0.3, 0.32]]


def test_a_single_number_spreads_over_all_retrainings():
    assert verdict_on(0.985, value="median_share").spread == [[0.96, 0.99]]


@pytest.mark.parametrize(
    ("published", "verdict"),
    [(0.17, REPRODUCED), (0.2, REPRODUCED), (0.181, DIFFERS), (0.13, REPRODUCED), (0.12, DIFFERS), ("0.12", DIFFERS)],
)
def test_published_value_is_reproduced_within_the_spread_widened_by_half_a_unit_of_its_last_digit(published, verdict):
    assert verdict_on(0.15, frequency=12, published=published).verdict == verdict


def test_every_number_of_a_list_must_lie_within_its_own_spread():
    assert verdict_on([0.15, 0.32], published=[0.14, 0.31]).verdict == REPRODUCED
    assert verdict_on([0.15, 0.32], published=[0.31, 0.14]).verdict == DIFFERS


@pytest.mark.parametrize(
    ("own", "holding", "verdict"),
    [(0.5, 19, REPRODUCED), (0.995, 17, REPRODUCED), (0.5, 17, DIFFERS), (0.995, 0, DIFFERS)],
)
def test_a_yes_or_no_is_judged_by_its_share_of_the_trainings_and_not_by_this_one(own, holding, verdict):
    retrained = pd.DataFrame({"median_share": [0.995] * holding + [0.5] * (19 - holding), "accuracy": 1.0})
    retrained = retrained.assign(steps=NETWORK["steps"], frequencies=[[12]] * len(retrained))
    found = verdict_on(own, retrained, value="median_share", check="at_least", published=0.99)
    assert found.trainings == asdict(share([own > 0.9] + [True] * holding + [False] * (19 - holding)))
    assert (found.trainings["holds"] / 20 >= NEEDED) == (verdict == REPRODUCED)
    assert found.verdict == verdict and "0.9 of the trainings" in found.criterion


def test_a_value_that_no_row_has_is_judged_on_the_network_alone():
    found = verdict_on(0.995, value="another", check="at_least", published=0.99)
    assert found.trainings is None and found.verdict == REPRODUCED and "trainings" not in found.criterion


WITHOUT = {
    "no retrainings": None,
    "no such number": RETRAINED.drop(columns="angle_term"),
    "shorter": RETRAINED.assign(steps=300),
    "short of the accuracy": RETRAINED.assign(accuracy=0.9),
}


@pytest.mark.parametrize("retrained", WITHOUT.values(), ids=WITHOUT)
def test_nothing_lies_within_a_spread_that_is_not_known(retrained):
    verdict = verdict_on(0.15, retrained=retrained, frequency=12)
    assert (verdict.spread, verdict.verdict) == (None, DIFFERS)


def test_other_checks_carry_the_spread_too():
    assert verdict_on(0.985, value="median_share", check="at_least", published=0.98).spread == [[0.96, 0.99]]


def test_a_claim_of_this_project_holds_or_differs():
    beyond = {"check": "at_least", "threshold": 0.1, "expected": "beyond", "published": None}
    for measured, verdict, as_expected in ((0.15, HOLDS, True), (0.05, DIFFERS, False)):
        found = verdict_on(measured, **beyond)
        assert (found.verdict, found.as_expected, found.expected) == (verdict, as_expected, HOLDS)


@pytest.mark.parametrize(("holds", "verdict"), [(9, HOLDS), (8, DIFFERS), (0, DIFFERS)])
def test_share_of_seeds_is_compared_with_the_threshold(holds, verdict):
    measured = {"holds": holds, "of": 10, "low": 0.0, "high": 1.0}
    found = verdict_on(measured, check="share_of_seeds", threshold=0.9, published=None, expected="beyond")
    assert found.verdict == verdict
    assert found.difference == pytest.approx(abs(holds / 10 - 0.9))


@pytest.mark.parametrize("measured", [{"holds": 0, "of": 0, "low": 0, "high": 1}, 0.95, [True], None])
def test_a_share_of_no_seeds_never_holds(measured):
    assert verdict_on(measured, check="share_of_seeds", threshold=0.0, expected="beyond").verdict == DIFFERS


def test_a_share_is_shown_with_its_counts_and_interval():
    assert show(vars(share([True] * 9 + [False]))) == "9 of 10 (95 %: 0.596–0.982)"


def test_claims_that_need_retrainings_or_a_threshold_say_so(ledger_with):  # noqa: F811
    with refuses("claim 'angle':", "'within_spread' needs the key 'rounding'"):
        ledger_with(SPREAD)
    with refuses("claim 'angle':", "'beyond' is for a claim with 'threshold' and without 'published'"):
        ledger_with(CLAIM | {"expected": "beyond"})
    assert ledger_with(
        without("published", "tolerance", "tolerance_source", check="at_most", threshold=1, expected="beyond")
    )


@pytest.mark.parametrize(
    ("steps", "deviations", "verdict"),
    [
        (25_000, {"steps": "steps 25000 (published 50000)"}, REPRODUCED),
        (24_999, {"steps": "steps 24999 (published 50000)"}, NOT_JUDGED),
        (25_000, {"steps": "steps 25000 (published 50000)", "beta1": "beta1 0.8 (published 0.9)"}, NOT_JUDGED),
    ],
)
def test_a_claim_may_be_judged_before_the_last_step(steps, deviations, verdict):
    network = {"accuracy": 1.0, "steps": steps, "deviations": deviations}
    claim = CLAIM | {"from_steps": 25_000}
    assert judge(claim, {"network": network, "values": {"angle_term": 0.15}}, "laptop").verdict == verdict
    without_it = judge(CLAIM, {"network": network, "values": {"angle_term": 0.15}}, "laptop")
    assert without_it.verdict == NOT_JUDGED, "only a claim that says so is judged early"


def test_a_claim_about_another_network_is_judged_by_that_networks_standing(ledger_with):  # noqa: F811
    short = NETWORK | {"accuracy": 0.5}
    claim = CLAIM | {"network": "two_layer_mlp/seed0"}
    for own, other, verdict in ((short, NETWORK, REPRODUCED), (NETWORK, short, NOT_JUDGED)):
        recorded = {"network": own, "others": {"two_layer_mlp/seed0": other}, "values": {"angle_term": 0.15}}
        assert judge(claim, recorded, "laptop").verdict == verdict
    with refuses("claim 'angle'.network:", "unknown network 'two_layer_mlp/seed0'"):
        ledger_with(claim)
