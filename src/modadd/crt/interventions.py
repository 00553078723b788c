"""Interventions on the neurons, lines and logits of a network, each with a control: random changes of the same size.

First the changed networks, then what a network answers, then the interventions of the notebooks.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import Any, NamedTuple

import numpy as np
from jaxtyping import Bool, Complex, Float, Int, Shaped

from modadd.core.fourier import angular_frequency, share_of_variance, variance_by_frequency
from modadd.core.neurons import ThreeDFTs, neurons_of, three_dfts
from modadd.core.separable import Separable
from modadd.networks.initialisation import seed_for

LEAST_SHARE = 0.5  # of variance at one key frequency, in the preactivation and in W of a neuron that fits
LAW = np.pi / 4  # rad, largest |ψ − φ_a − φ_b| of a neuron that fits
NOISE = 0.2  # σ of the noise: that at which the notebook on robustness judges clusters
REPEATS = 20  # draws of an intervention that is random itself; `typical` stands for it
MOST_INPUTS = 1500  # looked at, the same ones for every change of a network

NeuronIndices = Int[np.ndarray, "members"]
Frequencies = Int[np.ndarray, "chosen"]
Factors = Shaped[np.ndarray, "two h"]  # of one line of every neuron, the first row for A, the second for B


def without_neurons(network: Separable, members: NeuronIndices) -> Separable:
    """The network whose chosen neurons add nothing to any answer."""
    W = network.W.copy()
    W[members] = 0
    return replace(network, W=W)


def noisy(network: Separable, members: NeuronIndices, sigma: float, rng: np.random.Generator) -> Separable:
    """Every entry of A, B and W of the chosen neurons times e^s, s ~ N(0, σ²)."""
    tables = {"A": network.A.copy(), "B": network.B.copy(), "W": network.W.copy().T}
    for table in tables.values():
        table[:, members] *= np.exp(sigma * rng.standard_normal((network.modulus, len(members))))
    return replace(network, A=tables["A"], B=tables["B"], W=tables["W"].T)


def exchanged(network: Separable, orders: Sequence[NeuronIndices]) -> Separable:
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


def with_inward(network: Separable, frequency: Int[np.ndarray, "h"], factor: Factors) -> Separable:
    """The network with A_i and B_i at a frequency times factors."""
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
    def fitting(self) -> NeuronIndices:
        """The neurons that fit."""
        return np.flatnonzero(self.fits)

    @property
    def groups(self) -> list[NeuronIndices]:
        """The neurons that fit, by frequency, the heaviest frequency first."""
        found = [np.flatnonzero(self.fits & (self.dfts.frequency == k)) for k in self.key]
        return sorted(found, key=lambda members: -self.dfts.weight[members].sum())

    @property
    def heaviest(self) -> NeuronIndices:
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


def subject_of(network: Separable, most_inputs: int = MOST_INPUTS) -> Subject:
    """The network with its neurons read, looked at on all inputs, or on so many random ones of more."""
    dfts, n = three_dfts(network), network.modulus
    inputs = np.arange(n**2)
    if len(inputs) > most_inputs:
        inputs = np.sort(_random_numbers("inputs").permutation(n**2)[:most_inputs])
    inward = variance_by_frequency(network.A) + variance_by_frequency(network.B)
    return Subject(
        network,
        dfts,
        neurons_of(network).key_frequencies(),
        inward[dfts.frequency, np.arange(network.width)] / np.maximum(inward.sum(axis=0), np.finfo(float).tiny),
        share_of_variance(network.W.T, dfts.frequency),
        *np.divmod(inputs, n),
    )


Draw = Callable[[np.random.Generator], Any]  # of a random part


@dataclass(frozen=True)
class Intervention:
    """A change of the part that the mechanism names, and its control: the same change of random parts of that size.

    costs: whether, by the mechanism, it does more harm than its control, or less. change: what the network answers after
    a part was changed. part: the one that the mechanism names, or how it is drawn if that is random itself. random_part:
    how the control draws one.
    """

    name: str
    control: str
    costs: bool
    change: Callable[[Any], Answers]
    part: Any
    random_part: Draw

    def real(self) -> Answers:
        """After the intervention itself; typical of REPEATS draws if it is random."""
        if not callable(self.part):
            return self.change(self.part)
        rng = self._random_numbers("real")
        return typical([self.change(self.part(rng)) for _ in range(REPEATS)])

    def random(self, draws: int) -> list[Answers]:
        """After the same change of so many random parts."""
        rng = self._random_numbers("random")
        return [self.change(self.random_part(rng)) for _ in range(draws)]

    def _random_numbers(self, which: str) -> np.random.Generator:
        return _random_numbers(f"{which} {self.name} {self.control}")


def _random_numbers(label: str) -> np.random.Generator:
    return np.random.default_rng(seed_for(0, f"controls {label}"))


def interventions_on(subject: Subject) -> list[Intervention]:
    """Those of the notebooks, on one network."""
    kinds = (_of_neurons, _of_phases, _of_inward_lines, _of_directions, _of_bypass)
    return [intervention for kind in kinds for intervention in kind(subject)]


def random_neurons(among: NeuronIndices, count: int) -> Draw:
    """So many of some neurons, at random."""

    def drawn(rng: np.random.Generator) -> NeuronIndices:
        return rng.permutation(among)[:count]

    return drawn


def _of_neurons(subject: Subject) -> list[Intervention]:
    """Removed, or with noise on their weights, against as many of the neurons that fit."""
    network, fitting, heaviest = subject.network, subject.fitting, subject.heaviest
    unfit = np.flatnonzero(~subject.fits)
    half = len(heaviest) // 2
    as_many = random_neurons(fitting, len(heaviest))

    def removed(members: NeuronIndices) -> Answers:
        return subject.answers(without_neurons(network, members))

    def noise(rng: np.random.Generator) -> Separable:
        return noisy(network, heaviest, NOISE, rng)

    def noise_on_as_many(rng: np.random.Generator) -> Separable:
        return noisy(network, as_many(rng), NOISE, rng)

    halves = random_neurons(heaviest, half), random_neurons(fitting, half)
    as_many_unfit = random_neurons(fitting, len(unfit))
    rest = "as many at random"
    return [
        Intervention("a frequency's neurons removed", rest, True, removed, heaviest, as_many),
        Intervention("half of them removed", rest, True, removed, *halves),
        Intervention("noise on them", rest, False, subject.answers, noise, noise_on_as_many),
        Intervention("neurons that fit nothing removed", rest, False, removed, unfit, as_many_unfit),
    ]


def _of_phases(subject: Subject) -> list[Intervention]:
    """The law ψ = φ_a + φ_b imposed against broken; W exchanged where the phases hardly change against at random."""
    network, dfts, groups = subject.network, subject.dfts, subject.groups
    psi = dfts.W.phase
    law = np.where(subject.fits, dfts.A.phase + dfts.B.phase, psi)
    neighbours = [members[np.argsort(psi[members], kind="stable")] for members in groups]

    def turned(to: Float[np.ndarray, "h"]) -> Answers:
        return subject.answers(with_psi(network, dfts.frequency, to))

    def shuffled(rng: np.random.Generator) -> Float[np.ndarray, "h"]:
        to = psi.copy()
        for members in groups:
            to[members] = psi[rng.permutation(members)]
        return to

    def in_pairs(orders: Sequence[NeuronIndices]) -> Answers:
        return subject.answers(exchanged(network, orders))

    def pairs_of_a_frequency(rng: np.random.Generator) -> list[NeuronIndices]:
        return [rng.permutation(members) for members in groups]

    def any_pairs(rng: np.random.Generator) -> list[NeuronIndices]:
        return [rng.permutation(subject.fitting)]

    name = "W of neighbours in ψ exchanged"
    return [
        Intervention("ψ set to φ_a + φ_b", "ψ shuffled in a frequency", False, turned, law, shuffled),
        Intervention(name, "pairs of a frequency", False, in_pairs, neighbours, pairs_of_a_frequency),
        Intervention(name, "any pairs", False, in_pairs, neighbours, any_pairs),
    ]


def _of_inward_lines(subject: Subject) -> list[Intervention]:
    """Second harmonics and constants of A and B: taken out, against changes of equal norm; phases, against random."""
    network, dfts, f = subject.network, subject.dfts, subject.dfts.frequency
    shape = (2, network.width)
    trained = [phases(table, 2 * f) for table in (network.A, network.B)]
    law = [2 * cosine.phase + np.pi for cosine in (dfts.A, dfts.B)]

    def scaled(frequency: Int[np.ndarray, "h"], factors: Factors) -> Answers:
        where_it_fits = np.where(subject.fits, factors, 1)
        return subject.answers(with_inward(network, frequency, where_it_fits))

    def turns(rng: np.random.Generator) -> Factors:
        return np.exp(1j * rng.uniform(-np.pi, np.pi, shape))

    def moved_as_far(rng: np.random.Generator) -> Factors:
        return 1 - turns(rng)

    def flipped_as_far(rng: np.random.Generator) -> Factors:
        return 1 - rng.choice([-1.0, 1.0], shape)

    second, constant = partial(scaled, 2 * f), partial(scaled, 0 * f)
    lawful = np.exp(1j * np.subtract(law, trained))
    out = np.zeros(shape)
    return [
        Intervention("second harmonics out", "as much, random phase", True, second, out, moved_as_far),
        Intervention("second harmonics at 2φ + π", "random phases", False, second, lawful, turns),
        Intervention("constants out", "as much, random sign", True, constant, out, flipped_as_far),
    ]


def _of_directions(subject: Subject) -> list[Intervention]:
    """W, or the logits as functions of a + b, on the key frequencies or without them, against as many frequencies."""
    network, n, right = subject.network, subject.network.modulus, subject.right
    logits = network.logits()
    table = by_sum(logits)
    at = logits[subject.a, subject.b]

    def narrow(frequencies: Frequencies) -> Answers:
        return subject.answers(with_frequencies_only(network, frequencies))

    def kept(frequencies: Frequencies) -> Answers:
        return answered((table.mean(axis=0) + projection(frequencies, n) @ table)[right], right)

    def cut(frequencies: Frequencies) -> Answers:
        return answered(at - (projection(frequencies, n) @ table)[right], right)

    def as_many(rng: np.random.Generator) -> Frequencies:
        return 1 + rng.permutation(n // 2)[: len(subject.key)]

    control, key = "random frequencies", np.array(subject.key, int)
    return [
        Intervention("W on the key frequencies", control, False, narrow, key, as_many),
        Intervention("logits on their waves of a + b", control, False, kept, key, as_many),
        Intervention("logits without these waves", control, True, cut, key, as_many),
    ]


def _of_bypass(subject: Subject) -> list[Intervention]:
    """C and D, where they vary: taken out, against the same tables taken out with their inputs renamed."""
    network = subject.network
    if not np.ptp([network.C, network.D], axis=1).any():
        return []

    def less(tables: Shaped[np.ndarray, "two n n"]) -> Answers:
        C, D = tables
        return subject.answers(replace(network, C=network.C - C, D=network.D - D))

    def renamed(rng: np.random.Generator) -> Shaped[np.ndarray, "two n n"]:
        return np.stack([table[rng.permutation(len(table))] for table in (network.C, network.D)])

    tables = np.stack([network.C, network.D])
    return [Intervention("C and D out", "as much, inputs renamed", True, less, tables, renamed)]
