"""The interventions of the notebooks, each beside random ones of its size: would any change of that size do?"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from jaxtyping import Float, Int, Shaped

from modadd.crt import interventions as do
from modadd.crt.controls import Among, Answers, Subject, among, answered, typical

NOISE = 0.2  # σ of the noise: that at which the notebook on robustness judges clusters
LEAST = float(np.finfo(np.float32).tiny)  # nats: a smaller loss counts as this one
REPEATS = 20  # draws of an intervention that is random itself; `typical` stands for it

Some = Int[np.ndarray, "members"]
Tried = Callable[[np.random.Generator], Answers]


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
        found[:, 0] = np.log(np.maximum(found[:, 0], LEAST) / max(trained.loss, LEAST))
    larger = {"loss ratio": trial.costs, "accuracy": not trial.costs, "smallest margin": not trial.costs}
    compared = {name: among(real[0, i], random[:, i], larger[name]) for i, name in enumerate(larger)}
    ratio = compared["loss ratio"]
    return compared | {"loss ratio": Among(*np.exp(ratio[:-1]).tolist(), ratio.share)}


def _repeated(tried: Tried) -> Tried:
    return lambda rng: typical([tried(rng) for _ in range(REPEATS)])


def _of_neurons(of: Subject) -> list[Trial]:
    """Removed, or with noise on their weights, against as many of the neurons that fit."""
    some, unfit = of.heaviest, np.flatnonzero(~of.fits)

    def removed(members: Some) -> Answers:
        return of.answers(do.without_neurons(of.network, members))

    def noise(members: Some, rng: np.random.Generator) -> Answers:
        return of.answers(do.noisy(of.network, members, NOISE, rng))

    def drawn(count: int, rng: np.random.Generator) -> Some:
        return rng.permutation(of.fitting)[:count]

    def half(rng: np.random.Generator) -> Answers:
        return removed(rng.permutation(some)[: len(some) // 2])

    rest = "as many at random"
    return [
        Trial(
            "a frequency's neurons removed", rest, True, lambda _: removed(some), lambda r: removed(drawn(len(some), r))
        ),
        Trial("half of them removed", rest, True, _repeated(half), lambda r: removed(drawn(len(some) // 2, r))),
        Trial(
            "noise on them", rest, False, _repeated(lambda r: noise(some, r)), lambda r: noise(drawn(len(some), r), r)
        ),
        Trial(
            "neurons that fit nothing removed",
            rest,
            False,
            lambda _: removed(unfit),
            lambda r: removed(drawn(len(unfit), r)),
        ),
    ]


def _of_phases(of: Subject) -> list[Trial]:
    """The law ψ = φ_a + φ_b imposed against broken; W exchanged where the phases hardly change against at random."""
    dfts, psi = of.dfts, of.dfts.W.phase
    law = np.where(of.fits, dfts.A.phase + dfts.B.phase, psi)
    neighbours = [members[np.argsort(psi[members])] for members in of.groups]

    def turned(to: Float[np.ndarray, "h"]) -> Answers:
        return of.answers(do.with_psi(of.network, dfts.frequency, to))

    def shuffled(rng: np.random.Generator) -> Float[np.ndarray, "h"]:
        to = psi.copy()
        for members in of.groups:
            to[members] = psi[rng.permutation(members)]
        return to

    def exchanged(orders: Sequence[Int[np.ndarray, "..."]]) -> Answers:
        return of.answers(do.exchanged(of.network, orders))

    def near(_: np.random.Generator) -> Answers:
        return exchanged(neighbours)

    name = "W of neighbours in ψ exchanged"
    return [
        Trial(
            "ψ set to φ_a + φ_b",
            "ψ shuffled in a frequency",
            False,
            lambda _: turned(law),
            lambda r: turned(shuffled(r)),
        ),
        Trial(name, "pairs of a frequency", False, near, lambda r: exchanged([r.permutation(m) for m in of.groups])),
        Trial(name, "any pairs", False, near, lambda r: exchanged([r.permutation(of.fitting)])),
    ]


def _of_inward_lines(of: Subject) -> list[Trial]:
    """Second harmonics and constants of A and B: taken out, against changes of equal norm; phases, against random."""
    network, f, shape = of.network, of.dfts.frequency, (2, of.network.width)
    own = [do.phases(table, 2 * f) for table in (network.A, network.B)]
    law = [2 * cosine.phase + np.pi for cosine in (of.dfts.A, of.dfts.B)]

    def times(multiple: int, factor: Shaped[np.ndarray, "two h"]) -> Answers:
        return of.answers(do.with_inward(network, multiple * f, np.where(of.fits, factor, 1)))

    def turn(rng: np.random.Generator) -> Shaped[np.ndarray, "two h"]:
        return np.exp(1j * rng.uniform(-np.pi, np.pi, shape))

    def sign(rng: np.random.Generator) -> Shaped[np.ndarray, "two h"]:
        return rng.choice([-1.0, 1.0], shape)

    lawful, nothing = np.exp(1j * np.subtract(law, own)), np.zeros(shape)
    out = lambda multiple: lambda _: times(multiple, nothing)
    return [
        Trial("second harmonics out", "as much, random phase", True, out(2), lambda r: times(2, 1 - turn(r))),
        Trial(
            "second harmonics at 2φ + π",
            "random phases",
            False,
            lambda _: times(2, lawful),
            lambda r: times(2, turn(r)),
        ),
        Trial("constants out", "as much, random sign", True, out(0), lambda r: times(0, 1 - sign(r))),
    ]


def _of_directions(of: Subject) -> list[Trial]:
    """W, or the logits as functions of a + b, on the key frequencies or without them, against as many frequencies."""
    network, n, right = of.network, of.network.modulus, of.right
    logits = network.logits()
    table, at = do.by_sum(logits), logits[of.a, of.b]

    def narrow(frequencies: Some) -> Answers:
        return of.answers(do.restricted(network, frequencies))

    def kept(frequencies: Some) -> Answers:
        return answered((table.mean(axis=0) + do.projection(frequencies, n) @ table)[right], right)

    def cut(frequencies: Some) -> Answers:
        return answered(at - (do.projection(frequencies, n) @ table)[right], right)

    def some(rng: np.random.Generator) -> Some:
        return 1 + rng.permutation(n // 2)[: len(of.key)]

    def trial(name: str, costs: bool, to: Callable[[Some], Answers]) -> Trial:
        return Trial(name, "random frequencies", costs, lambda _: to(np.array(of.key, int)), lambda rng: to(some(rng)))

    return [
        trial("W on the key frequencies", False, narrow),
        trial("logits on their waves of a + b", False, kept),
        trial("logits without these waves", True, cut),
    ]


def _of_bypass(of: Subject) -> list[Trial]:
    """C and D, where they vary: taken out, against the same tables taken out with their inputs renamed."""
    network, n = of.network, of.network.modulus
    if not np.ptp([network.C, network.D], axis=1).any():
        return []

    def less(a: Int[np.ndarray, "n"], b: Int[np.ndarray, "n"]) -> Answers:
        return of.answers(replace(network, C=network.C - network.C[a], D=network.D - network.D[b]))

    nothing = replace(network, C=0 * network.C, D=0 * network.D)
    real = lambda _: of.answers(nothing)
    return [
        Trial("C and D out", "as much, inputs renamed", True, real, lambda r: less(r.permutation(n), r.permutation(n)))
    ]
