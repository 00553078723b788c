"""Small networks on Z_n, trained to see how frequencies compete; the initial weights of one frequency may be scaled.

logits(a, b, c) = Σ_i σ(u_i(a) + v_i(b)) w_i(c), with σ(x) = x² or ReLU(x), ReLU'(0) = 0. The loss is the mean
cross-entropy over the full table and λ‖θ‖².
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from jaxtyping import Float

from modadd.core.groups import ADDITION, right_answers
from modadd.networks.architectures import ACTIVATIONS
from modadd.networks.initialisation import seed_for
from modadd.networks.recipes import CONTROL, FREQUENCY, NOTHING
from modadd.networks.snapshots import schedule
from modadd.networks.starts import plane_of
from modadd.training.competition_loops import Weights, adam_float64

SQUARE, RELU = "square", "relu"
N, NEURONS, PENALTY = 23, 23, 1e-4  # one neuron for each residue: with four of them all frequencies are key
UPDATES = 3000
MOMENTS = schedule(UPDATES, 33)
ADAM, DESCENT = "Adam", "descent"


class Arm(NamedTuple):
    """How a network is trained: σ, the optimiser with its rate, initial weights in units of N(0, 1/n)."""

    activation: str
    optimiser: str
    rate: float
    scale: float


# The rates of descent keep a step's relative change of a growing weight to a few per cent; from small weights 8 diverged.
SMALL, SQUARES, RELUS = (Arm(SQUARE, DESCENT, 4.0, 0.1), Arm(SQUARE, DESCENT, 2.0, 1.0), Arm(RELU, ADAM, 1e-3, 1.0))
ARMS = (SMALL, SQUARES, Arm(SQUARE, ADAM, 1e-3, 1.0), Arm(RELU, DESCENT, 2.0, 1.0), RELUS)


class Change(NamedTuple):
    """What is done to the initial weights: their part in a plane of functions on Z_n is multiplied by a factor."""

    plane: str
    factor: float


FACTORS = (0.5, 0.8, 0.9, 1.1, 1.2, 1.5)
UNCHANGED = Change(NOTHING, 1.0)
CHANGES = tuple(Change(plane, factor) for plane in (FREQUENCY, CONTROL) for factor in FACTORS)
CHANGED = (SQUARES, RELUS)  # the arms whose initial weights are also changed


def competition_weights(scale: float, seed: int, change: Change = UNCHANGED) -> Weights:
    """N(0, scale²/n) for every coordinate; every arm has the same draw, and a change acts on u, v and w alike."""
    weights = np.random.default_rng(seed_for(seed, "competition weights")).normal(0.0, N**-0.5, (3, N, NEURONS)) * scale
    if change == UNCHANGED:
        return weights
    plane = plane_of(change.plane, N, seed)
    return weights + (change.factor - 1) * (plane @ (plane.T @ weights))


def loss_and_gradient(weights: Weights, activation: str, penalty: float = PENALTY) -> tuple[float, Weights]:
    """The loss in nats, the mean cross-entropy over the full table and λ‖θ‖², and its gradient."""
    (u, v, w), n = weights, weights.shape[1]
    x = (u[:, None] + v[None]).reshape(n * n, -1)
    y, right = ACTIVATIONS[activation](x), (np.arange(n * n), right_answers(ADDITION, n).ravel())
    z = y @ w.T
    z -= z.max(axis=1, keepdims=True)
    loss = -z[right].mean()
    np.exp(z, out=z)
    total = z.sum(axis=1, keepdims=True)
    loss += np.log(total).mean()
    z /= total
    z[right] -= 1
    z /= n * n  # the slope of the cross-entropy
    back = ((z @ w) * (2 * x if activation == SQUARE else x > 0)).reshape(n, n, -1)
    slopes = np.stack([back.sum(axis=1), back.sum(axis=0), z.T @ y])
    return float(loss + penalty * (weights**2).sum()), slopes + 2 * penalty * weights


class Followed(NamedTuple):
    """A network during training: weights and loss after the requested numbers of updates."""

    weights: Float[np.ndarray, "moments 3 n m"]
    losses: Float[np.ndarray, "moments"]


def follow(arm: Arm, weights: Weights, moments: Sequence[int]) -> Followed:
    """Train a copy of these weights and keep it at these moments, which rise; raises ValueError if it diverges."""
    weights = weights.copy()
    first, second, kept = np.zeros_like(weights), np.zeros_like(weights), []
    for step in range(moments[-1] + 1):
        loss, slopes = loss_and_gradient(weights, arm.activation)
        if not np.isfinite(loss):
            raise ValueError(f"{arm}: the loss is not finite after {step} updates; use a smaller rate")
        if step == moments[len(kept)]:
            kept.append((weights.copy(), loss))
        if arm.optimiser == ADAM:
            adam_float64(weights, slopes, first, second, step + 1)
        else:
            weights -= arm.rate * slopes
    at, losses = zip(*kept, strict=True)
    return Followed(np.stack(at), np.array(losses))
