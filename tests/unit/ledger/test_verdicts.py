"""One claim judged: when there is no verdict, what it is called and expected to be, and what a reader is told."""

import json
from dataclasses import fields

import pandas as pd
import pytest
from one_claim import CLAIM, NETWORK, STATEMENT, judge, row_of, verdict_on
from support import refuses

from paper.ledger.judge.verdicts import (
    CHECKED,
    HOLDS,
    INCONSISTENT,
    NOT_JUDGED,
    NOT_REPRODUCED,
    OURS_FAILS,
    OURS_HOLDS,
    ROUNDS,
    SLIP,
    Verdict,
    as_rows,
    rests_on_one,
)

OURS = STATEMENT | {"kind": "beyond"}


def test_a_row_is_plain_json_and_a_page_reads_the_rest_of_the_claim_from_the_ledger():
    verdict = verdict_on([None, 0.15], published=["0.15", "0.15"])
    assert verdict.verdict == NOT_JUDGED
    (row,) = as_rows([verdict])
    assert json.loads(json.dumps(row, allow_nan=False)) == row and len(row) == len(fields(Verdict)) < 20
    assert row_of(verdict)["tolerance"] == 0.01 and row_of(verdict)["expected"] == verdict.expected


@pytest.mark.parametrize("measured", [0.15, 99.0])
@pytest.mark.parametrize(
    ("scale", "network", "reason"),
    [
        ("smoke", {}, "at scale 'smoke'; judged at laptop, paper, with CONFIG=config/config.yaml"),
        ("laptop", {"accuracy": 0.97, "steps": 300}, "accuracy 0.97 after 300 steps, 1 needed"),
        ("laptop", {"accuracy": 0.97, "deviations": {"beta1": "?"}}, "accuracy 0.97 after 10000 steps, 1 needed"),
        ("laptop", {"accuracy": 3480 / 3481}, "accuracy 0.999713 after 10000 steps, 1 needed"),
        (
            "laptop",
            {"deviations": {"modulus": "modulus 31 (published 59)", "beta1": "beta1 0.8 (published 0.9)"}},
            "trained with modulus 31 (published 59); beta1 0.8 (published 0.9)",
        ),
    ],
    ids=["scale", "accuracy", "accuracy before recipe", "accuracy short of 1 is not shown as 1", "recipe"],
)
def test_a_claim_is_not_judged_and_says_why(scale, network, reason, measured):
    verdict = verdict_on(measured, scale=scale, network=NETWORK | network)
    assert (verdict.verdict, verdict.note, verdict.as_expected) == (NOT_JUDGED, reason, True)
    assert verdict.measured == measured, "the number is shown all the same"


@pytest.mark.parametrize("scale", ["smoke", "laptop"])
@pytest.mark.parametrize("expected", [{}, {"expected": "slip", "explanation": "?"}])
def test_a_value_that_nobody_recorded_is_refused_at_every_scale_with_the_nearest(scale, expected):
    recorded = {"network": NETWORK | {"accuracy": 0.1}, "values": {"angle_term": 0.15}}
    with refuses("claim 'angle'.value: unknown name 'angel_term'", "did you mean 'angle_term'?"):
        judge(CLAIM | {"value": "angel_term"} | expected, recorded, scale)


@pytest.mark.parametrize(
    ("steps", "deviations", "verdict"),
    [
        (25_000, {"steps": "steps 25000 (published 50000)"}, ROUNDS),
        (24_999, {"steps": "steps 24999 (published 50000)"}, NOT_JUDGED),
        (25_000, {"steps": "steps 25000 (published 50000)", "beta1": "beta1 0.8 (published 0.9)"}, NOT_JUDGED),
    ],
)
def test_a_claim_may_be_judged_before_the_last_step_if_it_says_so(steps, deviations, verdict):
    network = NETWORK | {"steps": steps, "deviations": deviations}
    assert verdict_on(0.15, network=network, from_steps=25_000).verdict == verdict
    assert verdict_on(0.15, network=network).verdict == NOT_JUDGED


def test_a_claim_about_another_network_is_judged_by_that_networks_standing():
    short = NETWORK | {"accuracy": 0.5}
    claim = CLAIM | {"network": "two_layer_mlp/seed0"}
    for own, other, verdict in ((short, NETWORK, ROUNDS), (NETWORK, short, NOT_JUDGED)):
        recorded = {"network": own, "others": {"two_layer_mlp/seed0": other}, "values": {"angle_term": 0.15}}
        assert judge(claim, recorded, "laptop").verdict == verdict


def test_published_weights_are_judged_here_or_on_what_was_kept_of_them():
    claim = CLAIM | {"external": "theirs"}
    recorded = {"network": NETWORK | {"accuracy": 0.1}, "values": {"angle_term": 0.9}}
    on = lambda **weights: judge(claim, recorded, "laptop", **weights)
    assert on().verdict == NOT_JUDGED and "datasets.theirs in the config" in on().note
    kept = on(kept={"angle_term": 0.15})
    assert (kept.verdict, kept.measured, kept.counted) == (ROUNDS, 0.15, {"here": 0, "kept": 1})
    here = on(kept={"angle_term": 0.15}, external=["theirs"])
    assert (here.verdict, here.measured, here.counted) == (NOT_REPRODUCED, 0.9, None)


@pytest.mark.parametrize(
    ("claim", "agreeing", "verdicts"),
    [
        (CLAIM, 0.15, (ROUNDS, NOT_REPRODUCED)),
        (CLAIM | {"expected": "slip", "explanation": "?"}, 0.15, (ROUNDS, SLIP)),
        (CLAIM | {"expected": "inconsistent", "explanation": "?"}, 0.15, (ROUNDS, INCONSISTENT)),
        (CLAIM | {"expected": "not_reproduced", "explanation": "?"}, 0.15, (ROUNDS, NOT_REPRODUCED)),
        (CLAIM | {"kind": "identity"}, 0.15, (CHECKED, NOT_REPRODUCED)),
        (STATEMENT, 2.0, (HOLDS, NOT_REPRODUCED)),
        (OURS, 2.0, (OURS_HOLDS, OURS_FAILS)),
        (OURS | {"expected": "not_reproduced"}, 2.0, (OURS_HOLDS, OURS_FAILS)),
    ],
)
def test_the_word_follows_from_the_kind_of_claim_and_from_what_the_ledger_expects(claim, agreeing, verdicts):
    found = [verdict_on(measured, of=claim) for measured in (agreeing, -9.0)]
    assert tuple(one.verdict for one in found) == verdicts
    agrees = claim["expected"] == "agrees"
    assert [one.as_expected for one in found] == [agrees, not agrees]
    assert (found[0].expected in (verdicts[0], f"{ROUNDS}, or within tolerance")) == agrees


@pytest.mark.parametrize(
    ("measured", "changes", "note"),
    [
        (0.2, {}, "published 0.15, measured 0.2"),
        ([0.15, 0.3], {"published": ["0.15", "-0.25"]}, "published 0.15, −0.25, measured 0.15, 0.3"),
        (8, {"of": STATEMENT, "threshold": 10}, "threshold 10, measured 8"),
        (0.2, {"expected": "slip", "explanation": "It is {angle_term:.2f}."}, "It is 0.20."),
        (0.15, {}, ""),
    ],
)
def test_a_difference_has_its_explanation_or_both_values(measured, changes, note):
    assert verdict_on(measured, **changes).note == note


def test_what_was_tried_and_is_open_is_told_of_a_difference_alone():
    texts = {"expected": "not_reproduced", "explanation": "?", "tried": "More.", "open": "{angle_term}?"}
    found = verdict_on(0.2, **texts)
    assert (found.tried, found.open) == ("More.", "0.2?")
    agreeing = verdict_on(0.15, **texts)
    assert (agreeing.tried, agreeing.open, agreeing.note) == (None, None, "")


def test_a_claim_rests_on_one_training_where_no_share_of_trainings_tells():
    claim = STATEMENT | {"rests_on": "one_training"}
    row = row_of(verdict_on(2.0, of=claim), claim)
    assert rests_on_one(row)
    others = {"verdict": NOT_JUDGED}, {"trainings": {"of": 25}}, {"rests_on": "no_training"}, {"check": "retrainings"}
    assert not any(rests_on_one(row | other) for other in others)
    rows = pd.DataFrame({"slope": [2.0], "steps": NETWORK["steps"], "accuracy": 1.0, "frequencies": [[12, 18]]})
    assert not verdict_on(2.0, retrained=rows, of=claim).note
