"""Cosets: level sets, relabelling, phases of a cluster's neurons; the Chinese remainder theorem as a sum of cosines."""

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import combinations, product
from typing import Any

import numpy as np
from jaxtyping import Float, Int

from modadd.core.fourier import angular_frequency, variance_by_frequency, wrap

TIE = 1e-9  # heights this close are equal but for rounding
Phases = Float[np.ndarray, "*draws m"]
LEVEL = 0.9  # of a cosine's maximum: from here on a residue belongs to its level set; [C] states none


def coset_order(f: int, n: int) -> int:
    """g = gcd(f, n), the size of the exact cosets of frequency f; 1 where there are only approximate ones.

    Raises ValueError unless f is a frequency that a non-constant function can have.
    """
    if f % n == 0:
        raise ValueError(f"frequency {f}: expected one that {n} does not divide")
    return math.gcd(f, n)


def step(f: int, n: int) -> int:
    """d = (f/g)⁻¹ mod n/g: a cosine of frequency f changes least from a residue to the one d further ([C] §5.2)."""
    g = coset_order(f, n)
    return pow(f // g, -1, n // g)


def level_set(f: int, s: float | int, n: int, level: float = LEVEL) -> Int[np.ndarray, "m"]:
    """Residues a with cos(2πf(a−s)/n) ≥ level, in order: a coset or an approximate coset around s ([C] §3)."""
    turn = np.abs((f * np.arange(n) % n - f * s + n / 2) % n - n / 2)  # equal on a coset and on both sides of s
    return np.flatnonzero(np.cos(angular_frequency(1, n) * turn) >= level)


def is_coset(residues: Int[np.ndarray, "m"], n: int) -> bool:
    """Whether residues in order are one coset in Z_n: e = m of them, d apart, with d·e = n ([C] §3)."""
    return n % len(residues) == 0 and bool((np.diff(residues) == n // len(residues)).all())


def firing(
    values: Float[np.ndarray, "n"], f: int, s: float | int, level: float = LEVEL
) -> tuple[Int[np.ndarray, "m"], Int[np.ndarray, "m"]]:
    """The level set of frequency f and shift s, and as many residues on which `values` are largest, both in order."""
    predicted = level_set(f, s, len(values), level)
    return predicted, np.sort(np.argsort(-values, kind="stable")[: len(predicted)])


def firing_rows(
    of_side: Mapping[str, tuple[Float[np.ndarray, "n h"], Float[np.ndarray, "h"]]],
    frequency: Int[np.ndarray, "h"],
    neurons: Int[np.ndarray, "m"],
    level: float = LEVEL,
) -> Iterator[dict[str, Any]]:
    """`firing` of every neuron on each side, a table of values and its shifts; top: the g residues most received.

    overlap: the share of the level set that is among the strongest; NaN where no residue is in the level set (n = 3).
    """
    for i, (side, (values, shift)) in product(neurons, of_side.items()):
        f, n = int(frequency[i]), len(values)
        predicted, strongest = firing(values[:, i], f, float(shift[i]), level)
        top = firing(values[:, i], f, round(shift[i]), 1 - TIE)[1]
        yield {
            "neuron": i,
            "f": f,
            "g": coset_order(f, n),
            "d": step(f, n),
            "side": side,
            "s": shift[i],
            "level set": " ".join(map(str, predicted)),
            "strongest": " ".join(map(str, strongest)),
            "overlap": np.isin(predicted, strongest).mean() if predicted.size else np.nan,
            "top is a coset": is_coset(top, n),
        }


def relabelling(f: int, n: int) -> int:
    """The least u coprime to n with f ≡ g·u (mod n): x ↦ u·x renames the residues so that frequency f becomes g.

    u ≡ f/g (mod n/g). [C] §4.1 takes f/g itself, which is the same where it is coprime to n.
    """
    g = coset_order(f, n)
    period = n // g
    return next(u for u in range(f // g % period, n, period) if math.gcd(u, n) == 1)


def remapped(values: Float[np.ndarray, "n *rest"], f: int) -> Float[np.ndarray, "n *rest"]:
    """The same values with residue x (first axis) moved to u·x: a function of frequency f has frequency gcd(f, n)."""
    n = values.shape[0]
    moved = np.empty_like(values)
    moved[relabelling(f, n) * np.arange(n) % n] = values
    return moved


def share_on_cosets(values: Float[np.ndarray, "n *rest"], g: int) -> Float[np.ndarray, "*rest"]:
    """Share of the variance along the first axis that is constant on cosets of order g; 0 for a constant.

    That is the share at frequencies that are multiples of g, for a divisor g of n.
    """
    variance = variance_by_frequency(values)
    total = variance.sum(axis=0)
    return variance[::g].sum(axis=0) / np.where(total > 0, total, 1)


def rayleigh_p(phase: Float[np.ndarray, "m"]) -> float:
    """p-value of Rayleigh's test that angles are drawn uniformly from the circle; small where they crowd on one side.

    With R the length of their mean vector, 2mR² is about χ² of two degrees of freedom. 1 for no angles.
    """
    from scipy.special import chdtrc

    return float(chdtrc(2, 2 * np.abs(np.exp(1j * phase).sum()) ** 2 / max(len(phase), 1)))


def nearest_neighbour_distance(first: Phases, second: Phases) -> Phases:
    """Distance of each point of the torus (angles, in radians) from the nearest other one; infinite if none."""
    distance = np.hypot(*(wrap(angle[..., :, None] - angle[..., None, :]) for angle in (first, second)))
    distance[..., np.eye(first.shape[-1], dtype=bool)] = np.inf
    return distance.min(axis=-1, initial=np.inf)


def clark_evans_index(first: Phases, second: Phases) -> Float[np.ndarray, "*draws"] | float:
    """Mean distance to the nearest point over that of independent uniform points, π/√m (Clark and Evans' index).

    Below 1 for points in clumps, about 1 for many random ones, 2 on a square grid; NaN for fewer than two points.
    """
    m = first.shape[-1]
    distance = (
        nearest_neighbour_distance(first, second).mean(axis=-1) if m > 1 else np.full(first.shape[:-1], np.nan)[()]
    )
    return distance * np.sqrt(m) / np.pi


def random_spread(m: int, draws: int, rng: np.random.Generator) -> Float[np.ndarray, "draws"]:
    """The `clark_evans_index` of m random pairs of phases, uniform on the torus, which has no edge."""
    return clark_evans_index(*np.moveaxis(rng.uniform(-np.pi, np.pi, (draws, 2, m)), 1, 0))


def spread_p(found: Sequence[float], neurons: Sequence[int], draws: int, rng: np.random.Generator) -> float:
    """Share of `draws` random pairs of phases, as many in each cluster, whose mean `clark_evans_index` is at least the one found.

    The set found counts as one of the draws; NaN for no cluster, and where one has fewer than two neurons.
    """
    if not len(found) or min(neurons) < 2:
        return float("nan")
    random = np.mean([random_spread(m, draws, rng) for m in neurons], axis=0)
    return float((1 + (random >= np.mean(found)).sum()) / (1 + draws))


def crt_sum(moduli: Sequence[int], residues: Sequence[int]) -> Float[np.ndarray, "n"]:
    """Σ_i cos(2π(k − m_i)/q_i) for k = 0 … n − 1, n = Π q_i: largest at the one k with k ≡ m_i (mod q_i) for every i.

    Raises ValueError unless the moduli are at least 2 and pairwise coprime. [C] Remark 1, corrected.
    """
    _check(moduli)
    k = np.arange(math.prod(moduli))
    return sum(np.cos(angular_frequency(1, q) * (k - m)) for q, m in zip(moduli, residues, strict=True))


def crt_sum_as_printed(moduli: Sequence[int], residues: Sequence[int]) -> Float[np.ndarray, "n"]:
    """Σ_i cos(2π q_i(k − m_i)/n), as [C] Remark 1 prints it, but for a stray i: its period is n/q_i, not q_i.

    Raises ValueError as `crt_sum` does.
    """
    _check(moduli)
    n = math.prod(moduli)
    k = np.arange(n)
    return sum(np.cos(angular_frequency(q, n) * (k - m)) for q, m in zip(moduli, residues, strict=True))


def crt_gap(moduli: Sequence[int]) -> float:
    """Largest value of `crt_sum` less the second largest: 1 − cos(2π/q), q the largest modulus.

    Away from the solution by d, term i falls by 1 − cos(2πd/q_i). The residues of d are free, so the least fall has
    d ≡ ±1 in the largest modulus and 0 in the others. Raises ValueError as `crt_sum` does.
    """
    _check(moduli)
    return 2 * np.sin(np.pi / max(moduli)) ** 2


def crt_frequencies(moduli: Sequence[int]) -> Int[np.ndarray, "r"]:
    """The frequencies n/q_i of `crt_sum` mod n = Π q_i; of two moduli, each is the other one."""
    _check(moduli)
    return math.prod(moduli) // np.array(moduli)


def share_solved(form: Callable, moduli: Sequence[int]) -> float:
    """Share of the n systems k ≡ m_i (mod q_i), 0 ≤ m_i < q_i, whose solution alone is at the maximum of `form`."""
    n = math.prod(moduli)
    heights = np.stack([form(moduli, [k % q for q in moduli]) for k in range(n)])
    right = np.arange(n)
    others = np.where(np.eye(n, dtype=bool), -np.inf, heights).max(axis=1)
    return float((heights[right, right] > others + TIE).mean())


def _check(moduli: Sequence[int]) -> None:
    if not moduli or min(moduli) < 2:
        raise ValueError(f"moduli: expected one or more numbers, at least 2 each, got {list(moduli)}")
    for p, q in combinations(moduli, 2):
        if math.gcd(p, q) > 1:
            raise ValueError(f"moduli: expected pairwise coprime numbers; {p}, {q} share the factor {math.gcd(p, q)}")
