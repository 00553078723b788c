"""What a network loses with neurons of a cluster removed or jittered, and keeps when inputs move ([C] App. B.4, C)."""

from collections.abc import Sequence

import numpy as np
import pandas as pd
from jaxtyping import Float, Int

from modadd.architectures import ARCHITECTURES, separable_of
from modadd.contributions import contribution
from modadd.networks import Network
from modadd.separable import Separable, accuracy, centred


def mean_loss(logits: Float[np.ndarray, "n n n"]) -> float:
    """Mean cross-entropy over all n² inputs, in nats."""
    a, b = np.indices(logits.shape[:2])
    above = logits - logits.max(axis=2, keepdims=True)
    return float((np.log(np.exp(above).sum(axis=2)) - above[a, b, (a + b) % len(logits)]).mean())


def standing(logits: Float[np.ndarray, "n n n"]) -> dict[str, float]:
    """Mean loss and accuracy over all inputs."""
    return {"loss": mean_loss(logits), "accuracy": accuracy(logits)}


def ablation(
    network: Separable,
    members: Int[np.ndarray, "members"],
    removed: Sequence[int],
    draws: int,
    rng: np.random.Generator,
) -> pd.DataFrame:
    """Loss and accuracy after removing so many random neurons of a cluster, for each number and draw ([C] Fig. 27).

    Each draw puts the members in a random order and removes the first ones.
    """
    logits, rows = network.logits(), []
    for draw in range(draws):
        order = rng.permutation(members)
        for count in removed:
            without = logits - contribution(network, order[:count])
            rows.append({"removed": count, "draw": draw, **standing(without)})
    return pd.DataFrame(rows)


def neuron_axes(network: Network) -> dict[str, int]:
    """The parameters that hold weights attached to single neurons, each with the axis along which the neurons lie."""
    sizes, n = network.recipe.sizes, network.recipe.modulus
    shapes_of = ARCHITECTURES[network.recipe.architecture].shapes
    wider = shapes_of(n, sizes | {"d_mlp": sizes["d_mlp"] + 1})
    return {
        name: axis
        for name, shape in shapes_of(n, sizes).items()
        for axis, (length, longer) in enumerate(zip(shape, wider[name], strict=True))
        if longer > length
    }


def noise(
    network: Network,
    members: Int[np.ndarray, "members"],
    sigmas: Sequence[float],
    draws: int,
    rng: np.random.Generator,
) -> pd.DataFrame:
    """Loss and accuracy after multiplying every weight of a cluster's neurons by e^s, s ~ N(0, σ²) ([C] Fig. 26).

    Weights, biases among them, are the native ones, not the entries of A, B and W. Each draw is one set of standard
    normal numbers, scaled by every σ in turn.
    """
    axes = neuron_axes(network)
    own = {
        name: value.astype(np.float64).take(members, axis=axes[name]) if name in axes else value
        for name, value in network.parameters.items()
    }
    architecture, every = network.recipe.architecture, np.arange(len(members))
    rest = network.separable().logits() - contribution(separable_of(architecture, own), every)
    rows = []
    for draw in range(draws):
        z = {name: rng.standard_normal(own[name].shape) for name in axes}
        for sigma in sigmas:
            jittered = separable_of(architecture, own | {name: own[name] * np.exp(sigma * z[name]) for name in axes})
            rows.append({"sigma": sigma, "draw": draw, **standing(rest + contribution(jittered, every))})
    return pd.DataFrame(rows)


def shift_error(values: Float[np.ndarray, "n n n"], shift: int) -> float:
    """How far values(a+s, b+s, c+2s) are from values(a, b, c), both centred over c, relative to them ([C] App. C).

    0 if the values move with the inputs, about √2 if they have nothing to do with each other.
    """
    here = centred(values)
    moved = np.roll(here, (-shift, -shift, -2 * shift), axis=(0, 1, 2))
    size = np.linalg.norm(here)
    return float(np.linalg.norm(moved - here) / size) if size > 0 else 0.0
