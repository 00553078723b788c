"""The pilot that the open problem O61 specifies: one hidden layer on a small group, trained in float64 to convergence.

logits(a, b, c) = Σ_i σ(u_i(a) + v_i(b)) w_i(c), with σ(x) = x² or ReLU(x), ReLU'(0) = 0. The loss is the mean
cross-entropy over the full table and λ‖θ‖².
"""

import math
from itertools import product
from typing import NamedTuple

import numpy as np

from modadd.core.groups import ADDITION, S3, right_answers
from modadd.networks.initialisation import seed_for
from modadd.training.pilot_loops import Weights, descend

SQUARE, RELU = "square", "relu"
_MOST = 20_000  # updates


class Configuration(NamedTuple):
    """One of the pilot's: the group (`operation` on n elements), σ, number of neurons m, penalty λ."""

    operation: str
    n: int
    activation: str
    neurons: int
    penalty: float


CONFIGURATIONS = [
    Configuration(operation, n, activation, neurons, penalty)
    for (operation, n), activation, neurons, penalty in product(
        ((ADDITION, 5), (S3, 6)), (SQUARE, RELU), (2, 8), (0.0, 1e-4, 1e-2)
    )
]


class Trained(NamedTuple):
    """The end of a training: weights, loss with the penalty, updates done, whether the stop rule ended it."""

    weights: Weights
    loss: float
    updates: int
    converged: bool


def pilot_weights(of: Configuration, seed: int) -> Weights:
    """N(0, 1/|G|) for every coordinate, from a sub-seed of its own for every configuration and seed."""
    label = f"pilot {of.operation} {of.n} {of.activation} {of.neurons} {of.penalty:g}"
    rng = np.random.default_rng(seed_for(seed, label))
    return rng.normal(0.0, 1 / math.sqrt(of.n), (3, of.n, of.neurons))


def train_pilot(of: Configuration, seed: int, most: int = _MOST) -> Trained:
    """Train one network of a configuration, for at most `most` updates."""
    weights = pilot_weights(of, seed)
    table = right_answers(of.operation, of.n)
    return Trained(weights, *descend(weights, table, of.activation == SQUARE, of.penalty, most))
