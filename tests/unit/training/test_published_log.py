"""The losses that a coauthor's program printed in training ([L]) come out of the compiled step."""

from dataclasses import replace

import numpy as np
import pytest

from modadd.core.groups import right_answers
from modadd.networks.initialisation import batches_of
from modadd.networks.recipes import RECIPES
from modadd.networks.starts import drawn
from modadd.training.network import Learner

pytestmark = pytest.mark.usefixtures("arithmetic")

LOG = replace(  # logs/graphing_7647435.out: the dihedral group of 48 elements, 77 batches of 24 pairs, seed 0
    RECIPES["flax_two_embedding_mlp"],
    modulus=48,
    operation="D24",
    d_mlp=512,
    train_pairs=77 * 24,
    batch_size=24,
    learning_rate=1e-3,
    weight_decay=2e-4,
)
PRINTED = (4.183623, 3.988381, 3.886181)  # the mean over the updates of an epoch of loss and penalty


def mean_losses(recipe, epochs):
    """Loss and penalty before every update, averaged over every epoch."""
    learner = Learner(recipe, {name: value.numpy() for name, value in drawn(recipe, 0).items()})
    pairs = batches_of(recipe, 0)
    task = learner.task(pairs, right_answers(recipe.operation, recipe.modulus))
    losses = []
    for update in range(epochs * len(pairs)):
        squares = sum(np.square(learner.parameter(name), dtype=np.float64).sum() for name in learner.names)
        losses.append(learner.update(task, update % len(pairs), 1)[0] + recipe.weight_decay / 2 * squares)
    return np.reshape(losses, (epochs, -1)).mean(axis=1)


def test_the_losses_of_the_first_epochs_are_those_printed():
    assert mean_losses(LOG, 3) == pytest.approx(PRINTED, abs=1e-6)


def test_without_the_rounding_of_optax_they_differ_in_the_last_digits():
    found = np.abs(mean_losses(replace(LOG, optimiser="adam"), 3) - PRINTED)
    assert found[0] < 5e-6 < found[1] and 1e-5 < found[2] < 1e-4


@pytest.mark.parametrize("changes", [{"weight_decay": 1e-4}, {"learning_rate": 1.1e-3}, {"operation": "addition"}])
def test_with_another_penalty_rate_or_group_they_are_others(changes):
    assert abs(mean_losses(replace(LOG, **changes), 1)[0] - PRINTED[0]) > 1e-3
