"""Trainings that are made up beside a log: each number is what stands at its epoch."""

import numpy as np
import pandas as pd
import pytest

from modadd.populations.beside_log import Asked, answers
from modadd.populations.published_log import EPOCHS

ASKED = Asked(first=[1, 2], first_accurate=[2], later=[4, EPOCHS], later_accurate=[2, 4])


def training(perturbation, **changes):
    """Losses and accuracies say their epoch, and by their last digits which training it is."""
    own = {"perturbation": perturbation, "epochs": EPOCHS, "marked": [1, 2, 4, EPOCHS], "accuracy": 1.0}
    own |= {"losses": [epoch + perturbation / 10 for epoch in (1.0, 2.0, 4.0, 8.0)]}
    own |= {"accuracies": [0.1 + perturbation / 100, 0.2 + perturbation / 100, 0.4 + perturbation / 100, 1.0]}
    return own | {"cross_entropy": 3.0 + perturbation, "squares": 50.0, "total": 7.0, "margin": 0.5} | changes


def trainings(count, **last):
    return pd.DataFrame([*(training(i) for i in range(count - 1)), training(count - 1, **last)])


def test_first_epochs_are_those_of_the_log_and_later_ones_means_of_all_trainings():
    rows = trainings(3)
    found = answers(rows[:1], rows, ASKED, fewest=2)
    assert found["first_losses"].tolist() == [1, 2]
    assert found["first_accuracies"] == pytest.approx([20])
    assert [one.value for one in found["later_losses"]] == pytest.approx([4.1, 8.1])
    assert [one.value for one in found["later_accuracies"]] == pytest.approx([21, 41])
    assert [one.value for one in found["log_end"]] == pytest.approx([4, 50, 7])
    assert found["later_losses"][0].low < 4.1 < found["later_losses"][0].high
    assert (found["log_trainings"], found["always_right"]) == (3, True)


def test_a_training_that_stopped_early_tells_nothing_of_later_epochs():
    rows = trainings(3, epochs=EPOCHS - 1, accuracy=0.5)
    found = answers(rows[:1], rows, ASKED, fewest=2)
    assert [one.value for one in found["later_losses"]] == pytest.approx([4.05, 8.05])
    assert (found["log_trainings"], found["always_right"]) == (2, True)
    assert np.isnan(answers(rows[:1], rows, ASKED, fewest=3)["log_end"][0].value)


def test_one_training_that_errs_is_enough_not_to_be_always_right():
    rows = trainings(3, accuracy=0.99)
    assert answers(rows[:1], rows, ASKED, fewest=2)["always_right"] is False
    assert answers(rows[:1], rows[:0], ASKED, fewest=2)["always_right"] is None
