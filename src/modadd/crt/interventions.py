"""Interventions on the neurons and the logits of a network; random choices are passed in."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from jaxtyping import Complex, Float, Int, Shaped

from modadd.core.fourier import angular_frequency
from modadd.core.separable import Separable


def without_neurons(network: Separable, members: Int[np.ndarray, "members"]) -> Separable:
    """The network whose chosen neurons add nothing to any answer."""
    W = network.W.copy()
    W[members] = 0
    return replace(network, W=W)


def noisy(network: Separable, members: Int[np.ndarray, "members"], sigma: float, rng: np.random.Generator) -> Separable:
    """Every entry of A, B and W of the chosen neurons times e^s, s ~ N(0, σ²)."""
    tables = {"A": network.A.copy(), "B": network.B.copy(), "W": network.W.copy().T}
    for table in tables.values():
        table[:, members] *= np.exp(sigma * rng.standard_normal((network.modulus, len(members))))
    return replace(network, A=tables["A"], B=tables["B"], W=tables["W"].T)


def exchanged(network: Separable, orders: Sequence[Int[np.ndarray, "..."]]) -> Separable:
    """W of the first and second neuron of each order exchanged, that of the third and fourth, and so on.

    The last of an odd number keeps its own.
    """
    W = network.W.copy()
    for order in orders:
        pairs = order[: len(order) // 2 * 2].reshape(-1, 2)
        W[pairs] = network.W[pairs[:, ::-1]]
    return replace(network, W=W)


def with_line(
    table: Float[np.ndarray, "n h"], frequency: Int[np.ndarray, "h"], factor: Shaped[np.ndarray, "h"]
) -> Float[np.ndarray, "n h"]:
    """The table with column i at its frequency k_i times a factor: e^{iγ} adds γ to the phase, 0 takes the cosine out.

    Frequencies count mod n, and 0 is the mean. Where 2k ≡ 0 (mod n) only the real part of a factor matters.
    """
    line, wave = _line(table, frequency)
    return table + (line * (factor - 1) * wave).real


def phases(table: Float[np.ndarray, "n h"], frequency: Int[np.ndarray, "h"]) -> Float[np.ndarray, "h"]:
    """φ_i of column i, α cos(w_k x + φ) at its frequency k_i, which counts mod n: φ at −k is −φ at k."""
    return np.angle(_line(table, frequency)[0])


def _line(
    table: Float[np.ndarray, "n h"], k: Int[np.ndarray, "h"]
) -> tuple[Complex[np.ndarray, "h"], Complex[np.ndarray, "n h"]]:
    """z and e^{iw_k x} such that column i holds Re(z_i e^{iw_k x}) at k_i."""
    n = table.shape[0]
    x = np.arange(n)
    wave = np.exp(1j * angular_frequency(x, n))[np.outer(x, k) % n]
    return np.where(2 * k % n == 0, 1, 2) / n * (table * wave.conj()).sum(axis=0), wave


def with_psi(network: Separable, frequency: Int[np.ndarray, "h"], psi: Float[np.ndarray, "h"]) -> Separable:
    """The network with W_i at its frequency turned to the phase ψ_i (radians): amplitudes and other lines are kept."""
    W = network.W.T
    return replace(network, W=with_line(W, frequency, np.exp(1j * (psi - phases(W, frequency)))).T)


def with_inward(network: Separable, frequency: Int[np.ndarray, "h"], factor: Shaped[np.ndarray, "two h"]) -> Separable:
    """The network with A_i and B_i at a frequency times factors, the first row for A, the second for B."""
    A, B = (with_line(table, frequency, z) for table, z in zip((network.A, network.B), factor, strict=True))
    return replace(network, A=A, B=B)


def projection(frequencies: Sequence[int] | Int[np.ndarray, "k"], n: int) -> Float[np.ndarray, "n n"]:
    """P with P f = the part of f at the given frequencies 1 … ⌊n/2⌋ alone; the mean is not among them."""
    k = np.asarray(frequencies, dtype=int)
    x = np.arange(n)
    turn = angular_frequency(np.multiply.outer(k, np.subtract.outer(x, x)) % n, n)
    return np.tensordot(np.where(2 * k % n == 0, 1, 2) / n, np.cos(turn), 1)


def with_frequencies_only(network: Separable, frequencies: Sequence[int] | Int[np.ndarray, "k"]) -> Separable:
    """The network with W_i(c) cut down to its mean and these frequencies; C and D are kept."""
    W = network.W
    return replace(network, W=W.mean(axis=1, keepdims=True) + W @ projection(frequencies, network.modulus))


def by_sum(logits: Float[np.ndarray, "n n n"]) -> Float[np.ndarray, "n n"]:
    """The logit of every answer c (columns), averaged over the inputs of each sum a + b mod n (rows).

    Its part at frequency k is the projection of the logits on cos w_k(a + b) and sin w_k(a + b) over all inputs.
    """
    n = len(logits)
    a, total = np.ogrid[:n, :n]
    return logits[a, (total - a) % n].mean(axis=0)
