"""Each neuron at its own frequency: amplitude–phase form, and its three DFTs."""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from jaxtyping import Bool, Float, Int

from modadd.core.fourier import (
    Cosine,
    cosine_at,
    primary_frequency,
    share_of_variance,
    signed_frequency,
    spectrum,
    variance_by_frequency,
    wrap,
)
from modadd.core.separable import TwoTables

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
        """Frequencies whose neurons have at least KEY_SHARE of the network's Σ α_i β_i, in order; none if it is 0."""
        weight = self._weights()
        return [k for k in weight if weight[k] >= KEY_SHARE * sum(weight.values()) > 0]

    def strongest(self, most: int) -> list[int]:
        """The key frequencies of greatest weight, at most `most` of them, in order of frequency."""
        weight = self._weights()
        return sorted(sorted(self.key_frequencies(), key=weight.__getitem__, reverse=True)[:most])

    def _weights(self) -> dict[int, float]:
        r = self.alpha * self.beta
        return {k: float(r[self.frequency == k].sum()) for k in self.counts()}


def neurons_of(network: TwoTables) -> Neurons:
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


def at_frequency(network: TwoTables, k: int) -> tuple[Cosine, Cosine]:
    """(α, φ) of A and (β, ψ) of W for every neuron at one given frequency, be it the neuron's own or not."""
    everywhere = np.full(network.width, k)
    return cosine_at(network.A, everywhere), cosine_at(network.W.T, everywhere)


def own_frequency(network: TwoTables) -> Int[np.ndarray, "h"]:
    """The frequency ≥ 1 that carries most of the variance of A_i and B_i together; 1 for a neuron that is constant."""
    return 1 + np.argmax((variance_by_frequency(network.A) + variance_by_frequency(network.B))[1:], axis=0)


def secondary_share(table: Float[np.ndarray, "n members"], k: int) -> float:
    """Share of the variance of some neurons' columns at twice their frequency k, over all of them together ([QR]).

    0 for k = n/2 and k = n/3, whose doubles are the mean and k itself.
    """
    power, double = variance_by_frequency(table).sum(axis=1), abs(signed_frequency(2 * k, len(table)))
    return float(power[double] / power.sum()) if double != k else 0.0


def multiples_of(k: Int[np.ndarray, "h"], multiples: int, n: int) -> Int[np.ndarray, "m h"]:
    """k, 2k … as frequencies 0 … ⌊n/2⌋ of real functions on Z_n."""
    line = np.arange(1, multiples + 1)[:, None] * k % n
    return np.minimum(line, n - line)


@dataclass(frozen=True)
class ThreeDFTs:
    """Every neuron's A_i, B_i and W_i read at its frequency f, that of its preactivation ([C] App. A.1).

    A, B, W: amplitude (2r in [C]) in units of the tables and phase −2πt/n in radians. beside_*: strongest other DFT
    line over the line at f. second_W: frequency of that other line of W. swing: how far A_i and B_i deviate from their
    means, the smaller of both.
    """

    modulus: int
    frequency: Int[np.ndarray, "h"]
    A: Cosine
    B: Cosine
    W: Cosine
    beside_A: Float[np.ndarray, "h"]
    beside_B: Float[np.ndarray, "h"]
    beside_W: Float[np.ndarray, "h"]
    second_W: Int[np.ndarray, "h"]
    swing: Float[np.ndarray, "h"]

    @property
    def mismatch(self) -> Float[np.ndarray, "h"]:
        """2π(t_A + t_B − t_D)/n wrapped to (−π, π], in radians: zero for a simple neuron."""
        return wrap(self.W.phase - self.A.phase - self.B.phase)

    @property
    def ratio(self) -> Float[np.ndarray, "h"]:
        """The smaller of r_A and r_B over the larger, 1 for a simple neuron; 0 where both vanish."""
        larger = np.maximum(self.A.amplitude, self.B.amplitude)
        return np.minimum(self.A.amplitude, self.B.amplitude) / np.where(larger > 0, larger, 1)

    @property
    def weight(self) -> Float[np.ndarray, "h"]:
        """Mean amplitude of A_i and B_i times that of W_i at f, in logits: what a neuron can add to an answer."""
        return (self.A.amplitude + self.B.amplitude) / 2 * self.W.amplitude


def three_dfts(network: TwoTables) -> ThreeDFTs:
    """Read the DFTs of every neuron at the frequency that carries most of the variance of A_i and B_i together."""
    frequency = own_frequency(network)
    A, B, W = (np.abs(spectrum(table)) for table in (network.A, network.B, network.W.T))
    W_beside, second_W = _beside(W, frequency)
    swing = [np.abs(table - table.mean(axis=0)).max(axis=0) for table in (network.A, network.B)]
    return ThreeDFTs(
        modulus=network.modulus,
        frequency=frequency,
        A=cosine_at(network.A, frequency),
        B=cosine_at(network.B, frequency),
        W=cosine_at(network.W.T, frequency),
        beside_A=_beside(A, frequency)[0],
        beside_B=_beside(B, frequency)[0],
        beside_W=W_beside,
        second_W=second_W,
        swing=np.minimum(*swing),
    )


class _Beside(NamedTuple):
    ratio: Float[np.ndarray, "h"]
    frequency: Int[np.ndarray, "h"]


def _beside(lines: Float[np.ndarray, "n_frequencies h"], f: Int[np.ndarray, "h"]) -> _Beside:
    """The strongest line k ≥ 1 other than f over that at f (infinite if only that vanishes, 0 if both), and its k."""
    neuron = np.arange(len(f))
    own, others = lines[f, neuron], lines.copy()
    others[0] = others[f, neuron] = 0
    strongest = others.max(axis=0)
    ratio = np.divide(strongest, own, where=own > 0, out=np.where(strongest > 0, np.inf, 0.0))
    return _Beside(ratio, others.argmax(axis=0))
