"""The interventions of the notebooks, each beside random ones of its size: is its effect larger than theirs?"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

import numpy as np
from jaxtyping import Float, Int, Shaped

from modadd.crt import interventions
from modadd.crt.controls import Among, Answers, Subject, among, answered, typical

NOISE = 0.2  # σ of the noise: that at which the notebook on robustness judges clusters
_LEAST = float(np.finfo(np.float32).tiny)  # nats: a smaller loss counts as this one
REPEATS = 20  # draws of an intervention that is random itself; `typical` stands for it

NeuronIndices = Int[np.ndarray, "members"]  # their indices
Frequencies = Int[np.ndarray, "chosen"]
Tried = Callable[[np.random.Generator], Answers]
Chosen = TypeVar("Chosen")  # neurons, phases or frequencies: what a change is made to


@dataclass(frozen=True)
class Trial:
    """An intervention and its control. costs: whether, by the mechanism, it does more harm than its control, or less."""

    name: str
    control: str
    costs: bool
    real: Tried
    random: Tried


def trials(of: Subject) -> list[Trial]:
    """All of them on one network."""
    return [*_of_neurons(of), *_of_phases(of), *_of_inward_lines(of), *_of_directions(of), *_of_bypass(of)]


def beside_control(
    trial: Trial, trained: Answers, draws: int, generator: Callable[[str], np.random.Generator]
) -> dict[str, Among]:
    """What a trial does beside so many random draws: the ratio of the loss to that of the trained network, and the rest.

    Ratios are compared by their logarithms, so their mean is geometric. Every part of a trial has a generator of its own.
    """
    labels = [f"{part} {trial.name} {trial.control}" for part in ("real", "random")]
    real, rng = np.array([trial.real(generator(labels[0]))]), generator(labels[1])
    random = np.array([trial.random(rng) for _ in range(draws)])
    for found in (real, random):
        found[:, 0] = np.log(np.maximum(found[:, 0], _LEAST) / max(trained.loss, _LEAST))
    larger = {"loss ratio": trial.costs, "accuracy": not trial.costs, "smallest margin": not trial.costs}
    compared = {name: among(real[0, i], random[:, i], larger[name]) for i, name in enumerate(larger)}
    ratio = compared["loss ratio"]
    return compared | {"loss ratio": Among(*np.exp(ratio[:-1]).tolist(), ratio.share)}


def _repeated(tried: Tried) -> Tried:
    def most_typical(rng: np.random.Generator) -> Answers:
        return typical([tried(rng) for _ in range(REPEATS)])

    return most_typical


def _trial(
    name: str,
    control: str,
    costs: bool,
    change: Callable[[Chosen], Answers],
    real: Chosen,
    drawn: Callable[..., Chosen],
) -> Trial:
    """A change made to what the mechanism names, beside the same change made to what is `drawn` in its place."""
    return Trial(name, control, costs, lambda _: change(real), lambda rng: change(drawn(rng)))


def _of_neurons(of: Subject) -> list[Trial]:
    """Removed, or with noise on their weights, against as many of the neurons that fit."""
    heaviest = of.heaviest
    unfit = np.flatnonzero(~of.fits)

    def removed(members: NeuronIndices) -> Answers:
        return of.answers(interventions.without_neurons(of.network, members))

    def as_many_as(count: int) -> Callable[[np.random.Generator], NeuronIndices]:
        return lambda rng: rng.permutation(of.fitting)[:count]

    def half_removed(rng: np.random.Generator) -> Answers:
        return removed(rng.permutation(heaviest)[: len(heaviest) // 2])

    def half_as_many_removed(rng: np.random.Generator) -> Answers:
        return removed(as_many_as(len(heaviest) // 2)(rng))

    def noise(rng: np.random.Generator) -> Answers:
        return of.answers(interventions.noisy(of.network, heaviest, NOISE, rng))

    def noise_on_as_many(rng: np.random.Generator) -> Answers:
        members = as_many_as(len(heaviest))(rng)
        return of.answers(interventions.noisy(of.network, members, NOISE, rng))

    rest = "as many at random"
    return [
        _trial("a frequency's neurons removed", rest, True, removed, heaviest, as_many_as(len(heaviest))),
        Trial("half of them removed", rest, True, _repeated(half_removed), half_as_many_removed),
        Trial("noise on them", rest, False, _repeated(noise), noise_on_as_many),
        _trial("neurons that fit nothing removed", rest, False, removed, unfit, as_many_as(len(unfit))),
    ]


def _of_phases(of: Subject) -> list[Trial]:
    """The law ψ = φ_a + φ_b imposed against broken; W exchanged where the phases hardly change against at random."""
    dfts, psi = of.dfts, of.dfts.W.phase
    law = np.where(of.fits, dfts.A.phase + dfts.B.phase, psi)
    neighbours = [members[np.argsort(psi[members])] for members in of.groups]

    def turned(to: Float[np.ndarray, "h"]) -> Answers:
        return of.answers(interventions.with_psi(of.network, dfts.frequency, to))

    def shuffled(rng: np.random.Generator) -> Float[np.ndarray, "h"]:
        to = psi.copy()
        for members in of.groups:
            to[members] = psi[rng.permutation(members)]
        return to

    def exchanged(orders: Sequence[Int[np.ndarray, "..."]]) -> Answers:
        return of.answers(interventions.exchanged(of.network, orders))

    def pairs_of_a_frequency(rng: np.random.Generator) -> list[Int[np.ndarray, "..."]]:
        return [rng.permutation(members) for members in of.groups]

    def any_pairs(rng: np.random.Generator) -> list[Int[np.ndarray, "..."]]:
        return [rng.permutation(of.fitting)]

    name = "W of neighbours in ψ exchanged"
    return [
        _trial("ψ set to φ_a + φ_b", "ψ shuffled in a frequency", False, turned, law, shuffled),
        _trial(name, "pairs of a frequency", False, exchanged, neighbours, pairs_of_a_frequency),
        _trial(name, "any pairs", False, exchanged, neighbours, any_pairs),
    ]


def _of_inward_lines(of: Subject) -> list[Trial]:
    """Second harmonics and constants of A and B: taken out, against changes of equal norm; phases, against random."""
    network, f, shape = of.network, of.dfts.frequency, (2, of.network.width)
    own = [interventions.phases(table, 2 * f) for table in (network.A, network.B)]
    law = [2 * cosine.phase + np.pi for cosine in (of.dfts.A, of.dfts.B)]

    def scaled(multiple: int) -> Callable[[Shaped[np.ndarray, "two h"]], Answers]:
        def by(factor: Shaped[np.ndarray, "two h"]) -> Answers:
            where_it_fits = np.where(of.fits, factor, 1)
            return of.answers(interventions.with_inward(network, multiple * f, where_it_fits))

        return by

    def turn(rng: np.random.Generator) -> Shaped[np.ndarray, "two h"]:
        return np.exp(1j * rng.uniform(-np.pi, np.pi, shape))

    def moved_as_far(rng: np.random.Generator) -> Shaped[np.ndarray, "two h"]:
        return 1 - turn(rng)

    def flipped_as_far(rng: np.random.Generator) -> Shaped[np.ndarray, "two h"]:
        return 1 - rng.choice([-1.0, 1.0], shape)

    lawful = np.exp(1j * np.subtract(law, own))
    nothing = np.zeros(shape)
    return [
        _trial("second harmonics out", "as much, random phase", True, scaled(2), nothing, moved_as_far),
        _trial("second harmonics at 2φ + π", "random phases", False, scaled(2), lawful, turn),
        _trial("constants out", "as much, random sign", True, scaled(0), nothing, flipped_as_far),
    ]


def _of_directions(of: Subject) -> list[Trial]:
    """W, or the logits as functions of a + b, on the key frequencies or without them, against as many frequencies."""
    network, n, right = of.network, of.network.modulus, of.right
    logits = network.logits()
    table = interventions.by_sum(logits)
    at = logits[of.a, of.b]

    def narrow(frequencies: Frequencies) -> Answers:
        return of.answers(interventions.with_frequencies_only(network, frequencies))

    def kept(frequencies: Frequencies) -> Answers:
        return answered((table.mean(axis=0) + interventions.projection(frequencies, n) @ table)[right], right)

    def cut(frequencies: Frequencies) -> Answers:
        return answered(at - (interventions.projection(frequencies, n) @ table)[right], right)

    def as_many(rng: np.random.Generator) -> Frequencies:
        return 1 + rng.permutation(n // 2)[: len(of.key)]

    control, key = "random frequencies", np.array(of.key, int)
    return [
        _trial("W on the key frequencies", control, False, narrow, key, as_many),
        _trial("logits on their waves of a + b", control, False, kept, key, as_many),
        _trial("logits without these waves", control, True, cut, key, as_many),
    ]


def _of_bypass(of: Subject) -> list[Trial]:
    """C and D, where they vary: taken out, against the same tables taken out with their inputs renamed."""
    network, n = of.network, of.network.modulus
    if not np.ptp([network.C, network.D], axis=1).any():
        return []

    def without(_: np.random.Generator) -> Answers:
        return of.answers(replace(network, C=0 * network.C, D=0 * network.D))

    def less_renamed(rng: np.random.Generator) -> Answers:
        a = rng.permutation(n)
        b = rng.permutation(n)
        return of.answers(replace(network, C=network.C - network.C[a], D=network.D - network.D[b]))

    return [Trial("C and D out", "as much, inputs renamed", True, without, less_renamed)]
