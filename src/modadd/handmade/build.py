"""Networks built by hand from frequencies, even angles and equal widths, with ψ = 2φ exactly ([Q] §7, App. B)."""

import math
from collections.abc import Sequence
from dataclasses import replace
from functools import reduce
from typing import NamedTuple

import numpy as np
import pandas as pd
from jaxtyping import Bool, Float, Int

from modadd.core.fourier import angular_frequency, overtone, signed_frequency, spectrum
from modadd.core.neurons import Neurons
from modadd.core.separable import Separable, margins


class Wave(NamedTuple):
    """One turn of a neuron's input: cos t − secondary · cos 2t + constant, both relative to its own cosine."""

    secondary: float = 0.0
    constant: float = 0.0

    def __call__(self, t: Float[np.ndarray, "*s"]) -> Float[np.ndarray, "*s"]:
        """The wave at the angles t, in radians."""
        return np.cos(t) - self.secondary * np.cos(2 * t) + self.constant

    @property
    def strength(self) -> float:
        """What a neuron of this wave adds to the `scale` at amplitude 1: √2 times the root mean square of the wave.

        That is over the circle, and so over the residues for every frequency whose period n/gcd(k, n) is above 4.
        """
        return math.sqrt(1 + self.secondary**2 + 2 * self.constant**2)


PLAIN = Wave()


def angles(neurons: int) -> Float[np.ndarray, "h"]:
    """φ_i = 2πi/neurons, in radians."""
    return 2 * np.pi * np.arange(neurons) / neurons


def hand_coded(n: int, frequencies: Sequence[int], neurons_per_frequency: int, wave: Wave = PLAIN) -> Separable:
    """A network that adds mod n because it was written to: neurons in order of the given frequencies, then of angle.

    A_i(a) = B_i(a) = cos t − secondary · cos 2t + constant, t = w_k a + φ_i; W_i(c) = cos(w_k c + 2φ_i), with φ_i =
    2πi/neurons_per_frequency (radians) and C = D = 0. The minus is that of trained networks, whose second harmonic
    stands at phase 2φ + π. Raises ValueError for arguments that describe no such network.
    """
    _require(n, frequencies, neurons_per_frequency, wave)
    phi = np.tile(angles(neurons_per_frequency), len(frequencies))
    return written(n, np.repeat(frequencies, neurons_per_frequency), phi, np.ones(len(phi)), wave)


def written(
    n: int, frequency: Int[np.ndarray, "h"], phi: Float[np.ndarray, "h"], width: Float[np.ndarray, "h"], wave: Wave
) -> Separable:
    """The network of neurons of any frequencies, angles φ_i (radians) and widths r_i ≥ 0, with ψ = 2φ and C = D = 0.

    A_i(a) = B_i(a) = √r_i wave(w_k a + φ_i) and W_i(c) = √r_i cos(w_k c + 2φ_i), so that α_i β_i = r_i, in logits.
    """
    turn = angular_frequency(np.outer(np.arange(n), frequency) % n, n)
    table, nothing = np.sqrt(width) * wave(turn + phi), np.zeros((n, n))
    return Separable(table, table, (np.sqrt(width) * np.cos(turn + 2 * phi)).T, nothing, nothing)


def _require(n: int, frequencies: Sequence[int], neurons: int, wave: Wave) -> None:
    if n < 3:
        raise ValueError(f"n: expected a modulus of at least 3, got {n}")
    if len(frequencies) == 0:
        raise ValueError("frequencies: expected at least one")
    for k in frequencies:
        if not 1 <= k <= n // 2:
            raise ValueError(f"frequencies: expected 1 … ⌊n/2⌋ = {n // 2} for n = {n}, got {k}")
    if len(set(frequencies)) < len(frequencies):
        raise ValueError(f"frequencies: expected each once, got {', '.join(map(str, frequencies))}")
    if neurons < 1:
        raise ValueError(f"neurons_per_frequency: expected a positive number, got {neurons}")
    for name, value in wave._asdict().items():
        if not math.isfinite(value):
            raise ValueError(f"{name}: expected a finite number, got {value}")


def second_harmonics(network: Separable, neurons: Neurons, members: Bool[np.ndarray, "h"]) -> pd.DataFrame:
    """What the chosen neurons hold at twice their frequency, one line for each.

    Re and Im: of the `overtone` of A, B and W at multiple 2 over the neuron's own amplitude, with W at the phase ψ/2.
    s and c: the wave of its A + B. weight: α_i β_i.
    """
    sides = {
        "A": (network.A, neurons.phi, neurons.alpha),
        "B": (network.B, neurons.phi, neurons.alpha),
        "W": (network.W.T, neurons.psi / 2, neurons.beta),
    }
    z = {
        (side, multiple): overtone(table, neurons.frequency, phase, multiple)[members] / amplitude[members]
        for side, (table, phase, amplitude) in sides.items()
        for multiple in (0, 1, 2)
    }
    mean, first, second = (z["A", multiple] + z["B", multiple] for multiple in (0, 1, 2))
    found = {"frequency": neurons.frequency[members], "weight": (neurons.alpha * neurons.beta)[members]}
    for side in sides:
        found |= {f"Re {side}": z[side, 2].real, f"Im {side}": z[side, 2].imag}
    return pd.DataFrame(found | {"s": -(second / first).real, "c": (mean / first).real})


def without(network: Separable, frequency: Int[np.ndarray, "h"], multiple: int) -> Separable:
    """The network less what each neuron's A, B and W hold at `multiple` times its frequency; multiple 0 is the mean.

    A neuron of frequency n/3 keeps its own wave, as 2n/3 is the same line.
    """
    index = np.abs(signed_frequency(multiple * frequency, network.modulus))
    (neuron,) = np.nonzero(index != frequency)

    def cut(table: Float[np.ndarray, "n h"]) -> Float[np.ndarray, "n h"]:
        lines = spectrum(table)
        lines[index[neuron], neuron] = 0
        return np.fft.irfft(lines, network.modulus, axis=0)

    return replace(network, A=cut(network.A), B=cut(network.B), W=cut(network.W.T).T)


def with_harmonic(
    network: Separable, frequency: Int[np.ndarray, "h"], factor: float, equal_norm: bool = False
) -> Separable:
    """The network with the second harmonics of its A and B times `factor`: 0 takes them out, 1 changes nothing.

    With `equal_norm` A and B are then scaled together to the norm that they had, which a weight decay would charge for.
    """
    bare = without(network, frequency, 2)
    both = {side: (1 - factor) * getattr(bare, side) + factor * getattr(network, side) for side in "AB"}
    size = np.linalg.norm([network.A, network.B]) / np.linalg.norm(list(both.values())) if equal_norm else 1.0
    return replace(network, **{side: size * table for side, table in both.items()})


def ablations(network: Separable, frequency: Int[np.ndarray, "h"]) -> dict[tuple[str, str], Separable]:
    """A network as it is, `without` its second harmonics, its constants or both: each with and without C and D."""
    cuts = {"as trained": (), "without second harmonics": (2,), "without constants": (0,), "without both": (2, 0)}
    bare = replace(network, C=0 * network.C, D=0 * network.D)
    return {
        (name, streams): reduce(lambda left, multiple: without(left, frequency, multiple), multiples, start)
        for streams, start in (("with C, D", network), ("without C, D", bare))
        for name, multiples in cuts.items()
    }


def scale(network: Separable) -> float:
    """(√2/n) Σ_i ‖(A_i, B_i)‖ ‖W_i‖, in logit units: what a margin is divided by to compare networks of any size.

    It is Σ_i α_i β_i where A_i = B_i and W_i are pure cosines; second harmonics and constants count on top. Up to the
    factor it is half the squared norm of the tables with every neuron's input and output balanced, which is what weight
    decay leaves. W is centred first; C and D are not counted.
    """
    inward = np.sqrt((network.A**2 + network.B**2).sum(axis=0))
    outward = np.linalg.norm(network.W - network.W.mean(axis=1, keepdims=True), axis=1)
    return float(np.sqrt(2) / network.modulus * (inward @ outward))


def relative_margins(network: Separable) -> Float[np.ndarray, "n n"]:
    """The margin of every input (a, b) divided by the `scale`."""
    return margins(network.logits()) / scale(network)


def clarity(network: Separable) -> dict[str, float]:
    """The relative margin of a network, which is the smallest of all inputs, and the share of inputs answered right."""
    found = relative_margins(network)
    return {"relative margin": float(found.min()), "accuracy": float((found > 0).mean())}


def smallest_margin_by_difference(network: Separable) -> Float[np.ndarray, "half"]:
    """The smallest relative margin of all inputs with a − b ≡ ±d mod n, for d = 0 … ⌊n/2⌋."""
    found, n = relative_margins(network), network.modulus
    apart = np.abs(signed_frequency(np.subtract.outer(np.arange(n), np.arange(n)), n))
    return np.array([found[apart == d].min() for d in range(n // 2 + 1)])


def wave_of(network: Separable, neurons: Neurons, members: Bool[np.ndarray, "h"]) -> Wave:
    """The wave of A + B that the chosen neurons of a trained network have on average, weighted with α_i β_i.

    The component of phase 0 relative to t = w_k a + φ_i; what stands at another phase, or in W, is left out.
    """
    table, beta = network.A + network.B, neurons.beta * members
    mean, first, second = (float(beta @ overtone(table, neurons.frequency, neurons.phi, m).real) for m in (0, 1, 2))
    return Wave(-second / first, mean / first)
