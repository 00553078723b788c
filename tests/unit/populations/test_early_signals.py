"""Levels of a signal, of snapshots that are made up: what can be told apart is, and what cannot is not judged."""

import math

import numpy as np
import pandas as pd
import pytest
from support import ROOT

from modadd.populations.early_signals import (
    FEWEST_RUNS,
    answers,
    best_level,
    memorised_snapshots,
    table_of_signals,
    told_right,
)
from paper.yaml_files import read_yaml

PREDICTED = read_yaml(ROOT / "data/early_signals/predictions.yaml")


def rows(seeds=20, solved_from=6, violation=lambda solved, at: 0.1 if solved else 2.0):
    """Runs of ten snapshots each: memorised from the third on, all inputs right from `solved_from` on."""
    lines = [
        {
            "seed": seed,
            "modulus": 91,
            "updates": 100 * at,
            "train_loss": 1.0 if at < 2 else 0.001,
            "held_out_loss": 3.0 - 0.2 * at,
            "accuracy": 1.0 if at >= solved_from else 0.5,
            "associativity_violation": violation(at >= solved_from, at) + 0.001 * seed,
            "commutativity_violation": 1.0 + 0.001 * (seed + at),
        }
        for seed in range(seeds)
        for at in range(10)
    ]
    return pd.DataFrame(lines)


def test_a_level_between_both_kinds_tells_all():
    values, solved = np.array([3.0, 0.1, 2.0, 0.2]), np.array([False, True, False, True])
    assert best_level(values, solved) == pytest.approx(1.1)
    assert told_right(values, solved, 1.1) == 1
    assert told_right(values, solved, 2.5) == 0.75 and told_right(values, solved, 0.0) == 0.5


def test_no_level_lies_between_equal_values():
    values, solved = np.array([1.0, 1.0, 1.0, 2.0]), np.array([True, True, False, False])
    assert best_level(values, solved) == 1.5


def test_one_kind_alone_tells_nothing():
    assert math.isnan(best_level(np.ones(3), np.ones(3, bool))) and math.isnan(
        told_right(np.ones(3), np.zeros(3, bool), 0.5)
    )


def test_snapshots_count_once_the_training_pairs_are_learned():
    counted = memorised_snapshots(rows())
    assert counted.updates.min() == 200 and counted.solved.sum() == 20 * 4


def test_what_was_predicted_can_be_told_and_can_fail():
    assert PREDICTED["fewest_runs"] == FEWEST_RUNS and PREDICTED["least_right"] == 0.95

    def early(solved, at):
        """As small as of solved networks well before a network is one."""
        return 0.1 if at >= 4 else 2.0

    blind = answers(rows(violation=early))["told_by_associativity"]
    assert blind.value == pytest.approx(0.75) and blind.of == 10
    table = table_of_signals(memorised_snapshots(rows())).set_index("signal")
    assert table.told_right["associativity violation"] == 1
    assert table.level["associativity violation"] == pytest.approx(1, abs=0.1)


def test_too_few_runs_are_not_judged():
    assert math.isnan(answers(rows(seeds=2 * FEWEST_RUNS - 2))["told_by_associativity"].value)
    assert math.isnan(answers(rows(solved_from=99))["told_by_associativity"].value), "no network is ever solved"


def test_signals_are_compared_over_the_runs_in_which_both_tell():
    told = rows(seeds=2 * FEWEST_RUNS + 4)
    told.loc[told.seed == 1, "associativity_violation"] = np.nan
    told.loc[told.seed == 3, "train_loss"] = 0.001  # memorised from the first snapshot on
    told.loc[(told.seed == 3), "held_out_loss"] = np.nan
    found = answers(told)
    assert found["more_than_train_loss"].of == FEWEST_RUNS + 1
    assert found["more_than_held_out_loss"].of == FEWEST_RUNS
