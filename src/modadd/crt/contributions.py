"""What some neurons add to the logits, how far that alone answers, and what noise or their loss costs."""

from collections.abc import Iterator, Mapping, Sequence

import numpy as np
import pandas as pd
from jaxtyping import Float, Int, Shaped

from modadd.core.fourier import angular_frequency, wrap
from modadd.core.losses import mean_loss
from modadd.core.separable import Separable, accuracy, centred
from modadd.networks.architectures import ARCHITECTURES, as_adding, separable_of
from modadd.networks.store import Network

_BLOCK = 2**20  # numbers in memory at once, about


def contribution(
    network: Separable, members: Int[np.ndarray, "members"], rows: slice = slice(None)
) -> Float[np.ndarray, "rows n n"]:
    """Σ_{i in cluster} ReLU(A_i(a) + B_i(b)) W_i(c): what some neurons add to the logits, indices (a, b, c); of some a."""
    return np.maximum(network.A[rows, None, members] + network.B[:, members], 0) @ network.W[members]


def share_of_logits(network: Separable, members: Int[np.ndarray, "members"]) -> float:
    """Sum of squares of what these neurons add to the centred logits, over that of all logits; NaN if those are 0."""
    total = (centred(network.logits()) ** 2).sum()
    return float((centred(contribution(network, members)) ** 2).sum() / total) if total else float("nan")


def ranks(values: Float[np.ndarray, "rows n n"], first: int = 0) -> Int[np.ndarray, "rows n"]:
    """How many other answers have a value no lower than the right one's, for every input; 0 where it leads alone.

    So neurons that are silent at an input, and add nothing to any answer, do not answer it. Rows are a ≥ first.
    """
    a, b = np.indices(values.shape[:2])
    right = values[a, b, (first + a + b) % values.shape[2]]
    return (values >= right[:, :, None]).sum(axis=2) - 1


def blocks(network: Separable) -> Iterator[slice]:
    """Slices of the residues a, such that activations and logits of one slice's inputs are about _BLOCK numbers."""
    n = network.modulus
    rows = max(1, _BLOCK // (n * max(n, network.width)))
    return (slice(start, min(start + rows, n)) for start in range(0, n, rows))


def cluster_ranks(
    network: Separable, clusters: Mapping[int, Int[np.ndarray, "members"]]
) -> Int[np.ndarray, "clusters n n"]:
    """Rank of the right logit if the network had nothing but one cluster, for each of them ([C] Fig. 5a)."""
    found = np.empty((len(clusters), network.modulus, network.modulus), dtype=np.int64)
    for rows in blocks(network):
        for index, members in enumerate(clusters.values()):
            found[index, rows] = ranks(contribution(network, members, rows), rows.start)
    return found


def share_right(network: Separable) -> float:
    """Share of all n² inputs whose right logit is the strict maximum, in little memory however wide the network."""
    right = 0
    for rows in blocks(network):
        active = np.maximum(network.A[rows, None] + network.B, 0)
        logits = active @ network.W + network.C[rows, None] + network.D
        a, b = np.indices(logits.shape[:2])
        answer = (a, b, (rows.start + a + b) % network.modulus)
        best = logits[answer]
        logits[answer] = -np.inf
        right += int((best > logits.max(axis=2)).sum())
    return right / network.modulus**2


def loss_and_accuracy(logits: Float[np.ndarray, "n n n"]) -> dict[str, float]:
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
            rows.append({"removed": count, "draw": draw, **loss_and_accuracy(without)})
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
    own, every = native_weights(network, members), np.arange(len(members))
    rest = network.separable().logits() - contribution(jittered(network, own, {}, 0.0), every)
    rows = []
    for draw in range(draws):
        z = standard_normal(network, own, rng)
        for sigma in sigmas:
            noisy = rest + contribution(jittered(network, own, z, sigma), every)
            rows.append({"sigma": sigma, "draw": draw, **loss_and_accuracy(noisy)})
    return pd.DataFrame(rows)


def native_weights(network: Network, members: Int[np.ndarray, "members"]) -> dict[str, Shaped[np.ndarray, "..."]]:
    """The parameters of a network with some of its neurons alone."""
    axes = neuron_axes(network)
    return {
        name: value.astype(np.float64).take(members, axis=axes[name]) if name in axes else value
        for name, value in network.parameters.items()
    }


def standard_normal(
    network: Network, own: Mapping[str, np.ndarray], rng: np.random.Generator
) -> dict[str, Shaped[np.ndarray, "..."]]:
    """A standard normal number for every weight that is attached to a neuron."""
    return {name: rng.standard_normal(own[name].shape) for name in neuron_axes(network)}


def jittered(network: Network, own: Mapping[str, np.ndarray], z: Mapping[str, np.ndarray], sigma: float) -> Separable:
    """The tables of some neurons whose weights w are w·e^(σz), in the order in which the network adds mod n."""
    noisy = {name: own[name] * np.exp(sigma * z[name]) for name in z}
    tables = separable_of(network.recipe.architecture, {**own, **noisy})
    return as_adding(tables, network.recipe.operation)


def shift_error(values: Float[np.ndarray, "n n n"], shift: int) -> float:
    """How far values(a+s, b+s, c+2s) are from values(a, b, c), both centred over c, relative to them ([C] App. C).

    0 if the values move with the inputs, about √2 if they have nothing to do with each other.
    """
    here = centred(values)
    moved = np.roll(here, (-shift, -shift, -2 * shift), axis=(0, 1, 2))
    size = np.linalg.norm(here)
    return float(np.linalg.norm(moved - here) / size) if size > 0 else 0.0


def lines_at(f: int, n: int) -> int:
    """How many lines of a discrete Fourier transform have the frequency f: f and n − f, which are the same where 2f = n."""
    return 1 if 2 * f == n else 2


def wave(values: Float[np.ndarray, "n n n"], f: int) -> tuple[Float[np.ndarray, "n n"], Float[np.ndarray, "n n"]]:
    """The line at f over c as amplitude · cos(w_f(c − a − b) − lag), for every input ([C] §4.1, §5.4).

    Amplitudes in units of the values, lags in (−π, π] radians; 0 < 2f ≤ n. The lag is 0 where the wave peaks at a + b.
    """
    n = len(values)
    total = np.add.outer(np.arange(n), np.arange(n))
    line = values @ np.exp(-1j * angular_frequency(f, n) * np.arange(n)) * lines_at(f, n) / n
    return np.abs(line), wrap(-np.angle(line) - angular_frequency(f, n) * total)


def share_right_by_waves(lags: Mapping[int, Float[np.ndarray, "n n"]]) -> float:
    """Share of the inputs at which Σ_f cos(w_f d − lag_f) is largest at d = 0 alone: waves of one amplitude ([C] §5.4).

    Every frequency has its lags at every input; d is the answer less a + b. NaN for no frequency.
    """
    if not lags:
        return float("nan")
    n, angle = len(next(iter(lags.values()))), np.stack([*lags.values()], axis=-1)
    turns = angular_frequency(np.outer([*lags], np.arange(n)) % n, n)
    h = np.cos(angle) @ np.cos(turns) + np.sin(angle) @ np.sin(turns)  # Σ_f cos(w_f d − lag)
    return float((h[..., 0] > h[..., 1:].max(axis=2)).mean())
