"""A network under interventions: what it then answers, compared with random changes of the same size."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
from jaxtyping import Bool, Float, Int

from modadd.core.fourier import share_of_variance, variance_by_frequency
from modadd.core.neurons import ThreeDFTs, neurons_of, three_dfts
from modadd.core.separable import Separable, centred
from modadd.core.statistics import CONFIDENCE
from modadd.crt.contributions import contribution

LEAST_SHARE = 0.5  # of variance at one key frequency, in the preactivation and in W of a neuron that fits
LAW = np.pi / 4  # rad, largest |ψ − φ_a − φ_b| of a neuron that fits


class Answers(NamedTuple):
    """Mean cross-entropy in nats, share of right answers, and smallest margin in logits, over some inputs."""

    loss: float
    accuracy: float
    margin: float


def answered(logits: Float[np.ndarray, "m n"], right: Int[np.ndarray, "m"]) -> Answers:
    """What m rows of logits answer; losses far below the last bit of 1 are exact."""
    row = np.arange(len(right))
    above = logits - logits[row, right][:, None]
    above[row, right] = -np.inf
    worst = above.max(axis=1)
    top = np.maximum(worst, 0)
    loss = top + np.log1p(np.expm1(-top) + np.exp(above - top[:, None]).sum(axis=1))
    return Answers(float(loss.mean(dtype=float)), float((worst < 0).mean()), float(-worst.max()))


def typical(found: Sequence[Answers]) -> Answers:
    """Geometric mean of the losses, means of the rest."""
    loss, accuracy, margin = np.array(found).T
    return Answers(float(np.exp(np.log(loss).mean())), float(accuracy.mean()), float(margin.mean()))


@dataclass(frozen=True)
class Subject:
    """A network, its neurons, its key frequencies, the share of each neuron at its frequency, and the inputs looked at.

    share_inward: of the variance of A_i(a) + B_i(b) at the neuron's frequency; share_W: of that of W_i.
    """

    network: Separable
    dfts: ThreeDFTs
    key: list[int]
    share_inward: Float[np.ndarray, "h"]
    share_W: Float[np.ndarray, "h"]
    a: Int[np.ndarray, "m"]
    b: Int[np.ndarray, "m"]

    @cached_property
    def fits(self) -> Bool[np.ndarray, "h"]:
        """Whether LEAST_SHARE of preactivation and W lies at one key frequency, and ψ = φ_a + φ_b up to LAW."""
        lawful = np.isin(self.dfts.frequency, self.key) & (np.abs(self.dfts.mismatch) <= LAW)
        return lawful & (self.share_inward >= LEAST_SHARE) & (self.share_W >= LEAST_SHARE)

    @property
    def fitting(self) -> Int[np.ndarray, "members"]:
        """The neurons that fit."""
        return np.flatnonzero(self.fits)

    @property
    def groups(self) -> list[Int[np.ndarray, "..."]]:
        """The neurons that fit, by frequency, the heaviest frequency first."""
        found = [np.flatnonzero(self.fits & (self.dfts.frequency == k)) for k in self.key]
        return sorted(found, key=lambda members: -self.dfts.weight[members].sum())

    @property
    def heaviest(self) -> Int[np.ndarray, "members"]:
        """The neurons that fit of the heaviest frequency; none if there is none."""
        return next(iter(self.groups), np.array([], dtype=int))

    @property
    def right(self) -> Int[np.ndarray, "m"]:
        """a + b mod n of the inputs looked at."""
        return (self.a + self.b) % self.network.modulus

    def answers(self, changed: Separable) -> Answers:
        """What a changed network answers at the inputs looked at, in float32."""
        W, C, D = (table.astype(np.float32) for table in (changed.W, changed.C, changed.D))
        same = changed.A is self.network.A and changed.B is self.network.B
        active = self._active if same else self._activations(changed)
        return answered(active @ W + C[self.a] + D[self.b], self.right)

    @cached_property
    def _active(self) -> Float[np.ndarray, "m h"]:
        return self._activations(self.network)

    def _activations(self, network: Separable) -> Float[np.ndarray, "m h"]:
        active = network.A.astype(np.float32)[self.a]
        active += network.B.astype(np.float32)[self.b]
        return np.maximum(active, 0, out=active)


def subject(network: Separable, most: int, rng: np.random.Generator) -> Subject:
    """The network with its neurons read, looked at on all inputs, or on `most` random ones of more."""
    dfts, n = three_dfts(network), network.modulus
    inputs = np.arange(n**2) if n**2 <= most else np.sort(rng.permutation(n**2)[:most])
    inward = variance_by_frequency(network.A) + variance_by_frequency(network.B)
    return Subject(
        network,
        dfts,
        neurons_of(network).key_frequencies(),
        inward[dfts.frequency, np.arange(network.width)] / np.maximum(inward.sum(axis=0), np.finfo(float).tiny),
        share_of_variance(network.W.T, dfts.frequency),
        *np.divmod(inputs, n),
    )


def share_of_logits(network: Separable, members: Int[np.ndarray, "members"]) -> float:
    """Sum of squares of what these neurons add to the centred logits, over that of all logits; NaN if those are 0."""
    total = (centred(network.logits()) ** 2).sum()
    return float((centred(contribution(network, members)) ** 2).sum() / total) if total else float("nan")


class Among(NamedTuple):
    """A number after an intervention, and over random ones: mean, interval of CONFIDENCE, share at least as strong."""

    real: float
    mean: float
    low: float
    high: float
    share: float


def among(real: float, random: Sequence[float] | Float[np.ndarray, "draws"], larger: bool) -> Among:
    """Set a number beside the same of random draws; stronger means larger, or smaller. A tie is at least as strong.

    The share is NaN if any of the numbers is.
    """
    draws, tail = np.asarray(random, float), (1 - CONFIDENCE) / 2
    low, high = np.quantile(draws, [tail, 1 - tail])
    as_strong = draws >= real if larger else draws <= real
    share = float("nan") if np.isnan([real, *draws]).any() else float(as_strong.mean())
    return Among(float(real), float(draws.mean()), float(low), float(high), share)
