"""Gromov's closed form of a network of squares that adds mod n, and how far a trained one is from it ([T])."""

from typing import NamedTuple

import numpy as np
from jaxtyping import Float, Int

from modadd.core.fourier import angular_frequency, cosine_at, share_of_variance, wrap


class Hidden(NamedTuple):
    """One hidden layer without biases: logits(a, b, c) = Σ_i σ(U[a,i] + V[b,i]) W[i,c]."""

    U: Float[np.ndarray, "n h"]
    V: Float[np.ndarray, "n h"]
    W: Float[np.ndarray, "h n"]


def closed_form(
    n: int, frequency: Int[np.ndarray, "h"], first: Float[np.ndarray, "h"], second: Float[np.ndarray, "h"]
) -> Hidden:
    """u_i = cos(w_k a + φ_i), v_i = cos(w_k b + φ'_i), w_i = cos(w_k c + φ_i + φ'_i); phases φ = first, φ' = second."""
    angle = np.arange(n)[:, None] * angular_frequency(frequency, n)
    return Hidden(np.cos(angle + first), np.cos(angle + second), np.cos(angle + first + second).T)


def drawn_closed_form(n: int, h: int, seed: int) -> Hidden:
    """With frequencies spread evenly over 1 … ⌊(n − 1)/2⌋ and phases drawn uniformly, as Gromov assumes; n ≥ 3."""
    rng = np.random.default_rng(seed)
    first, second = rng.uniform(-np.pi, np.pi, (2, h))
    return closed_form(n, 1 + np.arange(h) % ((n - 1) // 2), first, second)


def squares(network: Hidden) -> Float[np.ndarray, "n n n"]:
    """Logits of the network with σ(u) = u², not centred."""
    return np.square(network.U[:, None] + network.V[None]) @ network.W


class Distance(NamedTuple):
    """How far a network is from the closed form.

    outside: share of the energy of centred U, V and W that no single cosine per neuron holds. mismatch: root mean
    square of ψ − φ − φ' in radians, weighted by the product of the three amplitudes. unequal: standard deviation of
    that product over its mean; the closed form has 0 everywhere.
    """

    outside: float
    mismatch: float
    unequal: float


def distance_from_closed_form(network: Hidden, frequency: Int[np.ndarray, "h"]) -> Distance:
    """Of a network whose neurons are read at the given frequencies; NaN where no neuron varies."""
    tables = (network.U, network.V, network.W.T)
    U, V, W = (cosine_at(table, frequency) for table in tables)
    energy = [table.var(axis=0) for table in tables]
    held = [share_of_variance(table, frequency) for table in tables]
    size = U.amplitude * V.amplitude * W.amplitude
    if not size.sum():
        return Distance(float("nan"), float("nan"), float("nan"))
    outside = 1 - sum((e * s).sum() for e, s in zip(energy, held, strict=True)) / sum(e.sum() for e in energy)
    mismatch = wrap(W.phase - U.phase - V.phase)
    return Distance(float(outside), float(np.sqrt(size @ mismatch**2 / size.sum())), float(size.std() / size.mean()))
