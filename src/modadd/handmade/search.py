"""Margins of hand-coded networks from one complex table per frequency, and the search for the smallest of them."""

import math
from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from jaxtyping import Complex, Float, Int

from modadd.certificates.certify import certify
from modadd.core.fourier import angular_frequency, signed_frequency
from modadd.core.separable import Separable
from modadd.handmade.build import PLAIN, Wave, angles, clarity, hand_coded, scale

CHUNK = 2**22  # entries of the largest temporary array
GLANCE = 32  # residues of which one shows that most numbers of neurons are too few
ROUNDING = 1e-9  # a relative margin above it is positive whatever rounding did


@lru_cache(maxsize=400)  # of one modulus: the search comes back to them for other sets and other goals
def response(n: int, neurons: int, wave: Wave = PLAIN) -> Complex[np.ndarray, "n n"]:
    """Y(a, b) = Σ_i ReLU(A_i(a) + B_i(b)) e^{i(2φ_i + w_1(a+b))}/scale of the hand-coded network of frequency 1.

    The logit of the answer a + b + e is Re(Y e^{i w_1 e}) times the scale; frequency k has Y(ka, kb) and w_k instead.
    """
    table = hand_coded(n, [1], neurons, wave).A
    doubled = np.exp(2j * angles(neurons))
    sums = np.stack([np.maximum(row + table, 0) @ doubled for row in table])
    total = np.add.outer(np.arange(n), np.arange(n)) % n
    return sums * np.exp(1j * angular_frequency(total, n)) / (neurons * wave.strength)


def least_margins(
    found: Complex[np.ndarray, "n n"], sets: Int[np.ndarray, "s m"], stop: float = -np.inf
) -> Float[np.ndarray, "s"]:
    """Smallest margin over all inputs divided by the scale, for each set of frequencies (of periods above 4).

    `found` is the `response` of one neuron grid; A = B makes it symmetric, so that a ≤ b is enough. A set whose margin
    is no better than `stop` on the inputs a = 0 is left at that upper bound.
    """
    n, m = len(found), sets.shape[1]
    a, b = np.triu_indices(n)
    e = np.arange(1, n)

    def least(inputs: slice, k: Int[np.ndarray, "m"], loss: Float[np.ndarray, "two_m e"]) -> float:
        Y = found[np.outer(k, a[inputs]) % n, np.outer(k, b[inputs]) % n]
        return float((np.concatenate([Y.real, Y.imag]).T @ loss).min()) / m

    margins = np.empty(len(sets))
    for place, k in enumerate(sets):
        turn = angular_frequency(np.outer(k, e) % n, n)
        loss = np.concatenate([1 - np.cos(turn), np.sin(turn)])  # logit of a + b less that of a + b + e
        margins[place] = least(slice(n), k, loss)
        if margins[place] > stop:
            margins[place] = least(slice(None), k, loss)
    return margins


def limit_response(n: int, wave: Wave = PLAIN, points: int = 4096) -> Float[np.ndarray, "n"]:
    """What `response` tends to with many neurons: real, and a function of d = a − b alone, d = 0 … n − 1.

    m(d) = (1/2π) ∫ ReLU(2[cos(w_1 d/2) cos u − secondary · cos(w_1 d) cos 2u + constant]) cos 2u du/strength, summed
    over even `points` (error below 1e-6); (2/3π) |cos(w_1 d/2)| without second harmonic and constant.
    """
    u, turn = angles(points), angular_frequency(np.arange(n)[:, None], n)
    preactivation = 2 * (np.cos(turn / 2) * np.cos(u) - wave.secondary * np.cos(turn) * np.cos(2 * u) + wave.constant)
    return np.maximum(preactivation, 0) @ np.cos(2 * u) / (points * wave.strength)


def limit_margins(found: Float[np.ndarray, "n"], sets: Int[np.ndarray, "s m"]) -> Float[np.ndarray, "s"]:
    """`least_margins` in the limit of many neurons, from the `limit_response`."""
    n, m = len(found), sets.shape[1]
    half = np.arange(n // 2 + 1)  # d and e count up to sign
    least = []
    for part in np.array_split(sets, max(1, sets.size * n // CHUNK)):
        losses = 1 - np.cos(angular_frequency(part[:, :, None] * half[1:] % n, n))
        least.append((found[half[:, None] * part[:, None] % n] @ losses).min(axis=(1, 2)) / m)
    return np.concatenate(least)


class FrequencySets(NamedTuple):
    """Sets of frequencies, a row each in ascending order, no two alike up to a unit factor; and whether all are there."""

    sets: Int[np.ndarray, "s m"]
    exhaustive: bool


def frequency_sets(n: int, m: int, rng: np.random.Generator, most: int = 30_000, draws: int = 3_000) -> FrequencySets:
    """All sets of m frequencies of Z_n up to k ↦ ±uk, u a unit mod n, which only renames the residues.

    Every set is equivalent to one that holds a divisor of n. Where more than `most` sets hold 1, only `draws` of them,
    from `rng`, are listed. Each class is given by its lexicographically first set. Raises ValueError for an m that is
    no number of frequencies, or too great to compare sets by one integer.
    """
    everything = np.arange(1, n // 2 + 1)
    if not (1 <= m <= len(everything) and n**m < 2**62):
        raise ValueError(f"m: expected 1 … ⌊n/2⌋ = {len(everything)} frequencies for n = {n}, with n^m < 2⁶², got {m}")
    exhaustive = math.comb(len(everything) - 1, m - 1) <= most
    if exhaustive:
        others = [(g, combinations(everything[everything != g], m - 1)) for g in everything if n % g == 0]
        candidates = np.array([(g, *rest) for g, sets in others for rest in sets])
    else:
        drawn = rng.random((draws, len(everything) - 1)).argsort(axis=1, kind="stable")[:, : m - 1]
        candidates = np.insert(everything[1:][drawn], 0, 1, axis=1)
    units = everything[np.gcd(everything, n) == 1]
    place = n ** np.arange(m)[::-1]
    parts = np.array_split(candidates, max(1, candidates.size * len(units) // CHUNK))
    images = (np.sort(np.abs(signed_frequency(part[:, None] * units[:, None], n))) for part in parts)
    first = np.unique(np.concatenate([(image @ place).min(axis=1) for image in images]))
    return FrequencySets(first[:, None] // place % n, exhaustive)


class Candidate(NamedTuple):
    """A hand-coded network and its relative margin: the smallest over all inputs, divided by its scale."""

    n: int
    frequencies: tuple[int, ...]
    neurons_per_frequency: int
    wave: Wave
    margin: float

    @property
    def neurons(self) -> int:
        """Neurons in all."""
        return len(self.frequencies) * self.neurons_per_frequency

    def network(self) -> Separable:
        """The network itself."""
        return hand_coded(self.n, self.frequencies, self.neurons_per_frequency, self.wave)

    def row(self) -> dict[str, Any]:
        """What it is made of, for a line of a table."""
        sizes = {"neurons": self.neurons, "frequencies": ", ".join(map(str, self.frequencies))}
        return sizes | {"h_k": self.neurons_per_frequency, "s": self.wave.secondary, "c": self.wave.constant}

    def clarity(self) -> dict[str, float]:
        """Its relative margin, and the share of inputs answered right: counted only where the margin does not say."""
        right = 1.0 if self.margin > ROUNDING else clarity(self.network())["accuracy"]
        return {"relative margin": self.margin, "accuracy": right}


Shortlist = Mapping[Wave, Int[np.ndarray, "kept m"]]


def shortlist(n: int, sets: Int[np.ndarray, "s m"], waves: Sequence[Wave], keep: int) -> Shortlist:
    """For each wave the `keep` sets of frequencies of the greatest margins in the limit of many neurons."""
    order = {wave: np.argsort(-limit_margins(limit_response(n, wave), sets), kind="stable") for wave in waves}
    return {wave: sets[first[:keep]] for wave, first in order.items()}


def best(n: int, neurons_per_frequency: int, listed: Shortlist, above: float = -np.inf) -> Candidate:
    """The best network of a shortlist with so many neurons; one not better than `above` is only known to be so."""
    found = {
        wave: least_margins(response(n, neurons_per_frequency, wave), sets, above) for wave, sets in listed.items()
    }
    wave = max(found, key=lambda w: found[w].max())
    place = int(found[wave].argmax())
    return Candidate(n, tuple(listed[wave][place].tolist()), neurons_per_frequency, wave, float(found[wave][place]))


def smallest(n: int, listed: Mapping[int, Shortlist], above: float, most: int) -> Candidate | None:
    """The network of fewest neurons, up to `most`, whose relative margin is greater than `above`; the best of equals.

    `listed` holds a shortlist for each number of frequencies. None if there is none.
    """
    for total in range(1, most + 1):
        found = [best(n, total // m, sets, above) for m, sets in listed.items() if total % m == 0]
        right = [candidate for candidate in found if candidate.margin > above]
        if right:
            return max(right, key=lambda candidate: candidate.margin)
    return None


def smallest_for_goals(
    n: int,
    listed: Mapping[int, FrequencySets],
    waves: Sequence[Wave],
    goals: Mapping[str, float],
    keep: int,
    most: int,
) -> list[dict[str, Any]]:
    """A line for the `smallest` network mod n of each goal, a relative margin to exceed: with no harmonic, and with any wave allowed.

    `listed` has the sets of frequencies by their number, of which each wave keeps the best `keep`; PLAIN is one of the waves.
    A goal that no network of up to `most` neurons reaches has no line. all sets: whether the search saw all sets of its size.
    """
    allowed = {m: shortlist(n, found.sets, waves, keep) for m, found in listed.items()}
    plain = {m: {PLAIN: short[PLAIN]} for m, short in allowed.items()}
    lines = []
    for goal, above in goals.items():
        for harmonic, options in {"no": plain, "allowed": allowed}.items():
            if found := smallest(n, options, above, most):
                tables = found.network()
                proof = certify(tables)
                line = {"n": n, "goal": goal, "harmonic": harmonic} | found.row()
                line |= {"all sets": listed[len(found.frequencies)].exhaustive} | clarity(tables)
                line |= {"certified share": proof.share, "certified margin": proof.margin.min() / scale(tables)}
                lines.append(line)
    return lines


def fewest_neurons(table: pd.DataFrame, goal: str, harmonic: str, moduli: Sequence[int]) -> list[int | None]:
    """The neurons of the smallest network for a goal, for each modulus, by the lines of `smallest_for_goals`; None where none was found."""
    sizes = table.set_index(["goal", "harmonic", "n"]).neurons
    found = [sizes.get((goal, harmonic, n)) for n in moduli]
    return [None if size is None else int(size) for size in found]


def widest_turn(n: int, neurons: int, every: int = 1) -> float:
    """The largest |arg Y| over the inputs of one frequency without second harmonic, in radians; n odd, π where Y = 0.

    Of `every` so many residues alone it is a lower limit.

    Y is |cos(w(a−b)/2)| times a function of a + b and of the sign of that cosine, so a = b with either sign is enough.
    Few nodes feel the sign: the odd part of ReLU turns h = 1 and 3 with it. The answers are all right where this is
    below π/n, half a step of the residue. An odd number of nodes h ≥ 5 leaves about 3/h³.
    """
    if n % 2 == 0:
        raise ValueError(f"n: expected an odd modulus, got {n}; for an even one cos(w(a−b)/2) is 0 at a − b = n/2")
    t = angular_frequency(np.arange(0, n, every)[:, None], n) + angles(neurons)
    Y = (np.maximum(np.stack([np.cos(t), -np.cos(t)]), 0) * np.exp(2j * t)).sum(axis=-1)
    return float(np.where(np.abs(Y) > ROUNDING, np.abs(np.angle(Y)), np.pi).max())


def neurons_needed(n: int) -> int:
    """The fewest evenly spaced neurons of one frequency that answer all inputs mod n, n odd, with no second harmonic."""
    neurons = 1
    while any(widest_turn(n, neurons, every) >= np.pi / n for every in (GLANCE, 1)):
        neurons += 1
    return neurons


def turns(moduli: Sequence[int], neurons: Sequence[int]) -> pd.DataFrame:
    """The widest turn for each modulus n and each number of neurons h, with the parity of h."""
    lines = [(n, h, "odd" if h % 2 else "even", widest_turn(n, h)) for n in moduli for h in neurons]
    return pd.DataFrame(lines, columns=["n", "h", "parity", "turn"])
