"""Each neuron in amplitude–phase form: its frequency, how much of its variance that explains, and its phases."""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from jaxtyping import Bool, Float, Int
from scipy.stats import linregress

from modadd.fourier import Cosine, cosine_at, primary_frequency, share_of_variance, wrap
from modadd.separable import Separable

KEY_SHARE = 0.01  # of the network's total weight Σ α_i β_i: rounding alone can leave one stray neuron of almost none


@dataclass(frozen=True)
class Neurons:
    """Neurons i with A_i(a) ≈ α_i cos(w_k a + φ_i) and W_i(c) ≈ β_i cos(w_k c + ψ_i), k = frequency[i] ([Q] §3).

    share_*: fraction of the variance of the neuron's column of A, B and row of W explained by that frequency.
    primary_*: the strongest frequency of each on its own. α, β in logit units, phases in radians.
    """

    modulus: int
    frequency: Int[np.ndarray, "h"]
    alpha: Float[np.ndarray, "h"]
    phi: Float[np.ndarray, "h"]
    beta: Float[np.ndarray, "h"]
    psi: Float[np.ndarray, "h"]
    share_A: Float[np.ndarray, "h"]
    share_B: Float[np.ndarray, "h"]
    share_W: Float[np.ndarray, "h"]
    primary_B: Int[np.ndarray, "h"]
    primary_W: Int[np.ndarray, "h"]

    @property
    def one_frequency(self) -> Bool[np.ndarray, "h"]:
        """Whether the preactivation on both sides and the neuron–logit map have the same primary frequency."""
        return (self.frequency == self.primary_B) & (self.frequency == self.primary_W)

    def counts(self) -> dict[int, int]:
        """Number of neurons of each frequency, in order of frequency."""
        frequencies, counts = np.unique(self.frequency, return_counts=True)
        return dict(zip(frequencies.tolist(), counts.tolist(), strict=True))

    def key_frequencies(self) -> list[int]:
        """Frequencies whose neurons carry at least KEY_SHARE of Σ α_i β_i over the network, in order; none if that is 0."""
        weight = self._weights()
        return [k for k in weight if weight[k] >= KEY_SHARE * sum(weight.values()) > 0]

    def strongest(self, most: int) -> list[int]:
        """The key frequencies of greatest weight, at most `most` of them, in order of frequency."""
        weight = self._weights()
        return sorted(sorted(self.key_frequencies(), key=weight.__getitem__, reverse=True)[:most])

    def _weights(self) -> dict[int, float]:
        r = self.alpha * self.beta
        return {k: float(r[self.frequency == k].sum()) for k in self.counts()}


def neurons_of(network: Separable) -> Neurons:
    """Read every neuron at the primary frequency of its preactivation table A."""
    W = network.W.T
    frequency = primary_frequency(network.A)
    inward, outward = cosine_at(network.A, frequency), cosine_at(W, frequency)
    return Neurons(
        modulus=network.modulus,
        frequency=frequency,
        alpha=inward.amplitude,
        phi=inward.phase,
        beta=outward.amplitude,
        psi=outward.phase,
        share_A=share_of_variance(network.A, frequency),
        share_B=share_of_variance(network.B, frequency),
        share_W=share_of_variance(W, frequency),
        primary_B=primary_frequency(network.B),
        primary_W=primary_frequency(W),
    )


def at_frequency(network: Separable, k: int) -> tuple[Cosine, Cosine]:
    """(α, φ) of A and (β, ψ) of W for every neuron at one given frequency, be it the neuron's own or not."""
    everywhere = np.full(network.width, k)
    return cosine_at(network.A, everywhere), cosine_at(network.W.T, everywhere)


def phase_mismatch(phi: Float[np.ndarray, "h"], psi: Float[np.ndarray, "h"]) -> Float[np.ndarray, "h"]:
    """ψ − 2φ wrapped to (−π, π], in radians: zero for a perfect quadrature scheme ([Q2] Fig 3; [Q] prints −2φ, a slip)."""
    return wrap(psi - 2 * phi)


class PhaseLine(NamedTuple):
    """ψ ≈ slope · φ + intercept (radians), with ψ on the branch nearest 2φ, and the line's R²."""

    slope: float
    intercept: float
    r_squared: float


def unwrapped(phi: Float[np.ndarray, "h"], psi: Float[np.ndarray, "h"]) -> Float[np.ndarray, "h"]:
    """ψ plus the multiple of 2π that brings it nearest 2φ, in radians."""
    return 2 * phi + phase_mismatch(phi, psi)


def phase_line(phi: Float[np.ndarray, "h"], psi: Float[np.ndarray, "h"]) -> PhaseLine:
    """Least-squares line through (φ, ψ) ([Q2] Fig 3); all NaN for fewer than three neurons, which any line would fit."""
    if len(phi) < 3:
        return PhaseLine(np.nan, np.nan, np.nan)
    line = linregress(phi, unwrapped(phi, psi))
    return PhaseLine(float(line.slope), float(line.intercept), float(line.rvalue**2))
