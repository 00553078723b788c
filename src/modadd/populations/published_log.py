"""The training that a coauthor's log prints epoch by epoch ([L]), trained again: by its recipe, and from weights a last bit apart."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import partial
from importlib.metadata import version
from typing import Any

import numpy as np
import pandas as pd
from jaxtyping import Float, Int

from modadd.core.code import code_behind
from modadd.core.groups import right_answers
from modadd.core.losses import cross_entropy
from modadd.core.parquet import read_tables
from modadd.core.processor import processor
from modadd.core.separable import Separable, margins
from modadd.core.statistics import Estimate, prediction_interval
from modadd.networks.initialisation import batches_of
from modadd.networks.recipes import RECIPES
from modadd.networks.starts import drawn
from modadd.training.network import Learner, Task

SEED = 0
# logs/graphing_7647435.out: the dihedral group of 48 elements, 77 batches of 24 pairs.
LOG = replace(
    RECIPES["flax_two_embedding_mlp"],
    modulus=48,
    operation="D24",
    d_mlp=512,
    train_pairs=77 * 24,
    batch_size=24,
    learning_rate=1e-3,
    weight_decay=2e-4,  # a penalty of 1e-4 · ‖θ‖²
    steps=2500 * 77,
    source="[L] the beginning of the log, and the programs beside it",
)
EPOCHS = LOG.steps * LOG.batch_size // LOG.train_pairs
# Epochs whose losses are kept, counted from 1: all that a claim names are among them.
MARKED = (*range(1, 21), 25, 30, 40, 50, 70, 100, 140, 180, 250, 350, 500, 700, 1000, 1400, 1900, EPOCHS)
IDENTITY = ["perturbation", "epochs", "seed"]
read_published_log = partial(read_tables, identity=IDENTITY)  # of several files


def published_log_rows(seeds: Sequence[int], epochs: int = EPOCHS) -> Iterable[dict[str, Any]]:
    """Train the network of the log, once for each perturbation of its initial weights; one row each.

    A perturbation changes the initial weights by about their last bit; 0 is the network of the log itself. The row has
    what the log prints of the epochs in MARKED, as far as they are reached, and of the network after the last one.
    """
    origin = {
        "processor": processor(),
        **{package: version(package) for package in ("torch", "numpy", "numba")},
        "code": code_behind(__file__),
    }
    for perturbation in seeds:
        recipe = replace(LOG, perturbation=perturbation)
        learner = Learner(recipe, {name: value.numpy() for name, value in drawn(recipe, SEED).items()})
        courses = follow(learner, epochs)
        yield {"perturbation": perturbation, "epochs": epochs, "seed": SEED, **origin, **courses, **_end(learner)}


def follow(learner: Learner, epochs: int) -> dict[str, list[int] | list[float]]:
    """Train for so many epochs. Returns the marked epochs, their mean losses with the penalty, and shares of right answers.

    Both are means over the updates of an epoch, each before the update: so the log has them.
    """
    recipe = learner.recipe
    pairs = batches_of(recipe, SEED)
    answers = right_answers(recipe.operation, recipe.modulus)
    task = learner.task(pairs, answers)
    marked = [epoch for epoch in MARKED if epoch <= epochs]
    losses = []
    accuracies = []
    done = 0
    for epoch in marked:
        learner.update(task, 0, (epoch - 1 - done) * len(pairs))
        before_each = [_update(learner, task, batch, pairs[batch], answers) for batch in range(len(pairs))]
        of_epoch = np.mean(before_each, axis=0)
        losses.append(float(of_epoch[0]))
        accuracies.append(float(of_epoch[1]))
        done = epoch
    learner.update(task, 0, (epochs - done) * len(pairs))
    return {"marked": marked, "losses": losses, "accuracies": accuracies}


def _update(
    learner: Learner, task: Task, batch: int, pairs: Int[np.ndarray, "m 2"], answers: Int[np.ndarray, "n n"]
) -> tuple[float, float]:
    """Make one update; the loss with its penalty, and the share of right answers, before it."""
    a, b = pairs.T
    network = _separable(learner)
    logits = np.maximum(network.A[a] + network.B[b], 0) @ network.W + network.residual()[a, b]
    right = float((logits.argmax(axis=-1) == answers[a, b]).mean())
    penalty = learner.recipe.weight_decay / 2 * squares(learner)
    return float(learner.update(task, batch, 1)[0]) + penalty, right


def _separable(learner: Learner) -> Separable:
    """The tables of the network as it is now; those that its architecture lacks are zero."""
    A, B, W, *rest = learner.tables()
    n = learner.recipe.modulus
    residual = [np.broadcast_to(np.float32(0) if table is None else table, (n, n)) for table in rest]
    return Separable(A, B, W, *residual)


def squares(learner: Learner) -> float:
    """Σθ² over all parameters, biases too."""
    return float(sum(np.square(learner.parameter(name), dtype=np.float64).sum() for name in learner.names))


def _end(learner: Learner) -> dict[str, float]:
    """Of the network as it is now, over all pairs: accuracy, loss, sum of squares, both together, and the least margin."""
    recipe = learner.recipe
    logits = _separable(learner).logits()
    answers = right_answers(recipe.operation, recipe.modulus)
    loss = float(cross_entropy(logits, answers).mean())
    square = squares(learner)
    return {
        "accuracy": float((logits.argmax(axis=-1) == answers).mean()),
        "cross_entropy": loss,
        "squares": square,
        "total": loss + recipe.weight_decay / 2 * square,
        "margin": float(margins(logits, answers).min()),
    }


def at_epochs(rows: pd.DataFrame, what: str, epochs: Sequence[int]) -> Float[np.ndarray, "networks epochs"]:
    """Of each row, its losses or its accuracies at some marked epochs; raises ValueError for an epoch that a row lacks."""
    found = []
    for row in rows.itertuples():
        places = {epoch: place for place, epoch in enumerate(row.marked)}
        if missing := [epoch for epoch in epochs if epoch not in places]:
            raise ValueError(f"expected the epochs {missing}, found {list(row.marked)}")
        found.append([getattr(row, what)[places[epoch]] for epoch in epochs])
    return np.array(found).reshape(len(found), len(epochs))


def of_next_training(networks: Float[np.ndarray, "networks numbers"], fewest: int) -> list[Estimate]:
    """Of each number the mean, and the interval in which those of one more training lie, all at once; NaN for fewer than `fewest`."""
    of, numbers = networks.shape
    if of < fewest:
        return [Estimate(math.nan, math.nan, math.nan, of)] * numbers
    ends = prediction_interval(networks)
    means = networks.mean(axis=0)
    return [Estimate(*map(float, (mean, *end)), of) for mean, end in zip(means, ends, strict=True)]
