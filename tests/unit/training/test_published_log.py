"""The losses that a coauthor's program printed in training ([L]) come out of the compiled step."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from modadd.networks.starts import drawn
from modadd.populations.published_log import (
    EPOCHS,
    LOG,
    MARKED,
    at_epochs,
    follow,
    of_next_training,
    published_log_rows,
)
from modadd.training.network import Learner

pytestmark = pytest.mark.usefixtures("arithmetic")

PRINTED = (4.183623, 3.988381, 3.886181)  # the mean over the updates of an epoch of loss and penalty
RIGHT = (0.0076, 0.0476, 0.0752)  # share of an epoch's pairs


def courses(recipe, epochs):
    """What `follow` finds of a network of this recipe."""
    parameters = {name: value.numpy() for name, value in drawn(recipe, 0).items()}
    return follow(Learner(recipe, parameters), epochs)


def mean_losses(recipe, epochs):
    return np.array(courses(recipe, epochs)["losses"])


def test_the_losses_and_accuracies_of_the_first_epochs_are_those_printed():
    found = courses(LOG, 3)
    assert found["losses"] == pytest.approx(PRINTED, abs=5e-7)
    assert found["accuracies"] == pytest.approx(RIGHT, abs=5e-5)


def test_without_the_rounding_of_optax_they_differ_in_the_last_digits():
    found = np.abs(mean_losses(replace(LOG, optimiser="adam"), 3) - PRINTED)
    assert found[0] < 5e-6 < found[1] and 1e-5 < found[2] < 1e-4


@pytest.mark.parametrize("changes", [{"weight_decay": 1e-4}, {"learning_rate": 1.1e-3}, {"operation": "addition"}])
def test_with_another_penalty_rate_or_group_they_are_others(changes):
    assert abs(mean_losses(replace(LOG, **changes), 1)[0] - PRINTED[0]) > 1e-3


def test_epochs_that_are_not_marked_are_trained_all_the_same(monkeypatch):
    one_by_one = courses(LOG, 4)
    monkeypatch.setattr("modadd.populations.published_log.MARKED", (4,))
    assert courses(LOG, 4) == {name: [course[-1]] for name, course in one_by_one.items()}


def test_a_perturbed_training_begins_as_the_log_and_is_no_other_seed():
    rows = pd.DataFrame(published_log_rows([0, 1], epochs=2))
    assert rows.perturbation.tolist() == [0, 1]
    losses = at_epochs(rows, "losses", [1, 2])
    assert (losses[0] != losses[1]).any()
    assert losses[0] == pytest.approx(losses[1], abs=1e-5)
    assert rows.total.to_numpy() == pytest.approx(rows.cross_entropy + 1e-4 * rows.squares)


def test_an_epoch_that_was_not_reached_is_named():
    rows = pd.DataFrame(published_log_rows([0], epochs=1))
    with pytest.raises(ValueError, match=r"expected the epochs \[2\], found \[1\]"):
        at_epochs(rows, "losses", [1, 2])


def test_the_marked_epochs_are_counted_from_1_to_the_last():
    assert MARKED == tuple(sorted(set(MARKED))) and MARKED[0] == 1 and MARKED[-1] == EPOCHS == 2500


def test_the_interval_of_one_more_training_covers_it_as_often_as_it_says():
    random = np.random.default_rng(0)
    trainings = random.normal(size=(2000, 9, 2))
    covered = 0
    for networks in trainings:
        found = of_next_training(networks[:-1], fewest=5)
        covered += all(one.low <= new <= one.high for one, new in zip(found, networks[-1], strict=True))
    assert covered / len(trainings) == pytest.approx(0.95, abs=0.02)


def test_few_trainings_have_no_spread():
    (found,) = of_next_training(np.zeros((4, 1)), fewest=5)
    assert np.isnan([found.value, found.low, found.high]).all() and found.of == 4
