"""The trigonometric algorithm that [M] guesses, as a network carries it out at one input."""

from typing import NamedTuple

import numpy as np
from jaxtyping import Float

from modadd.core.basis import basis, transform
from modadd.core.separable import Separable, centred
from modadd.two_layer.readout import ranking

SHOWN = 3  # frequencies, strongest first


class Algorithm(NamedTuple):
    """What a network makes of one input, by the frequencies of W_U, strongest first.

    numbers: where each number is looked up, along the cosine and the sine of the first frequency. sums: where W_U reads
    each sum a + b off the activations, as a mean over the inputs with this sum, of root mean square 1. waves: of each
    frequency, its part of the logits. logits: all of them, centred.
    """

    frequencies: list[int]
    numbers: Float[np.ndarray, "n 2"]
    sums: Float[np.ndarray, "n 2"]
    waves: Float[np.ndarray, "k n"]
    logits: Float[np.ndarray, "n"]


def drawn_algorithm(network: Separable, a: int, b: int) -> Algorithm:
    """The stages of the algorithm at the input (a, b), read off the network ([M], "Algorithm")."""
    frequencies = ranking(network.W.T).frequency[:SHOWN].tolist()
    logits = centred(network.logits())[a, b]
    waves = [_parts(network.modulus, k) for k in frequencies]
    shares = np.array([logits @ wave.T @ wave for wave in waves])
    return Algorithm(
        frequencies, _looked_up(network, frequencies[0]), _read_off(network, frequencies[0]), shares, logits
    )


def _parts(n: int, k: int) -> Float[np.ndarray, "2 n"]:
    """The cosine and the sine of frequency k, of norm 1."""
    return basis(n)[[2 * k, 2 * k - 1]]


def _looked_up(network: Separable, k: int) -> Float[np.ndarray, "n 2"]:
    """Where W_E W_in puts each number, in the plane in which the cosine and the sine of k have radius 1."""
    parts = transform(network.A)[[2 * k, 2 * k - 1]]
    return network.A @ np.linalg.pinv(parts) * np.sqrt(network.modulus / 2)


def _read_off(network: Separable, k: int) -> Float[np.ndarray, "n 2"]:
    """What W_U reads along the cosine and the sine of k, as a mean over the inputs of each sum; centred, of size 1."""
    n = network.modulus
    x = np.arange(n)
    read = np.maximum(network.preactivations(), 0) @ (network.W @ _parts(n, k).T)
    read = np.stack([read[x, (total - x) % n].mean(axis=0) for total in x])
    read = read - read.mean(axis=0)
    return read / max(np.sqrt(np.square(read).sum(axis=1).mean()), 1e-300)
