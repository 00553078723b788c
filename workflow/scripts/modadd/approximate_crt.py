"""The Chinese remainder theorem as a sum of cosines, and how far any cosines separate their common peak ([C] §5.4)."""

from collections.abc import Callable, Sequence
from itertools import combinations
from math import gcd, prod

import numpy as np
from jaxtyping import Float, Int

from modadd.fourier import angular_frequency

TIE = 1e-9  # heights this close are equal but for rounding


def crt_sum(moduli: Sequence[int], residues: Sequence[int]) -> Float[np.ndarray, "n"]:
    """Σ_i cos(2π(k − m_i)/q_i) for k = 0 … n − 1, n = Π q_i: largest at the one k with k ≡ m_i (mod q_i) for every i.

    Raises ValueError unless the moduli are at least 2 and pairwise coprime. [C] Remark 1, corrected.
    """
    _check(moduli)
    k = np.arange(prod(moduli))
    return sum(np.cos(angular_frequency(1, q) * (k - m)) for q, m in zip(moduli, residues, strict=True))


def crt_sum_as_printed(moduli: Sequence[int], residues: Sequence[int]) -> Float[np.ndarray, "n"]:
    """Σ_i cos(2π q_i(k − m_i)/n), as [C] Remark 1 prints it, but for a stray i: its period is n/q_i, not q_i.

    Raises ValueError as `crt_sum` does.
    """
    _check(moduli)
    n = prod(moduli)
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
    return prod(moduli) // np.array(moduli)


def share_solved(form: Callable, moduli: Sequence[int]) -> float:
    """Share of the n systems k ≡ m_i (mod q_i), 0 ≤ m_i < q_i, whose solution alone is at the maximum of `form`."""
    n = prod(moduli)
    heights = np.stack([form(moduli, [k % q for q in moduli]) for k in range(n)])
    right = np.arange(n)
    others = np.where(np.eye(n, dtype=bool), -np.inf, heights).max(axis=1)
    return float((heights[right, right] > others + TIE).mean())


def _check(moduli: Sequence[int]) -> None:
    if not moduli or min(moduli) < 2:
        raise ValueError(f"moduli: expected one or more numbers, at least 2 each, got {list(moduli)}")
    for p, q in combinations(moduli, 2):
        if gcd(p, q) > 1:
            raise ValueError(f"moduli: expected pairwise coprime numbers, but {p} and {q} share the factor {gcd(p, q)}")


def agreement(
    frequencies: Int[np.ndarray, "m"], n: int, weights: Float[np.ndarray, "m"] | None = None
) -> Float[np.ndarray, "n"]:
    """h(d) = Σ_l w_l cos(2πf_l d/n), d = 0 … n − 1: the logit of the answer off by d ([C] §5.4, with all weights 1)."""
    d = np.arange(n)
    return np.cos(angular_frequency(np.outer(d, frequencies) % n, n)) @ _or_ones(weights, frequencies)


def separation(frequencies: Int[np.ndarray, "m"], n: int, weights: Float[np.ndarray, "m"] | None = None) -> float:
    """Σ w_l − max_{d≠0} h(d): how far the right answer lies above every wrong one, in units of the weights ([C] §5.4).

    Weights are 1 where none are given; [C] asks for more than δm. Exactly 0 if the frequencies and n share a factor.
    """
    return float((shortfall(n, frequencies).T @ _or_ones(weights, frequencies)).min())


def profile(logits: Float[np.ndarray, "n n n"]) -> Float[np.ndarray, "n"]:
    """Mean over all inputs of the logit of the answer a + b + d, for d = 0 … n − 1: what h(d) is a model of."""
    a, b, d = np.ogrid[tuple(map(slice, logits.shape))]
    return logits[a, b, (a + b + d) % len(logits)].mean(axis=(0, 1))


def shortfall(n: int, frequencies: Int[np.ndarray, "*f"]) -> Float[np.ndarray, "*f d"]:
    """1 − cos(2πfd/n) for d = 1 … ⌊n/2⌋ (d and n − d fall short alike): Σ_l of it is m − h(d).

    As 2 sin²(πfd/n), which keeps its digits where the separation is lost, and is exactly 0 where n divides fd.
    """
    return 2 * np.sin(np.pi * _distance(n, frequencies)) ** 2


def taylor_shortfall(n: int, frequencies: Int[np.ndarray, "*f"]) -> Float[np.ndarray, "*f d"]:
    """2π²{fd/n}², {x} the distance to the nearest integer: what [C] §5.4 puts for `shortfall`, and never less than it.

    For 1 − cos x ≤ x²/2. So the step over-estimates every separation; where fd/n is half-way between integers by the
    factor π²/4.
    """
    return 2 * np.pi**2 * _distance(n, frequencies) ** 2


def _distance(n: int, frequencies: Int[np.ndarray, "*f"]) -> Float[np.ndarray, "*f d"]:
    """Distance of fd/n to the nearest integer, for d = 1 … ⌊n/2⌋."""
    remainder = frequencies[..., None] * np.arange(1, n // 2 + 1) % n
    return np.minimum(remainder, n - remainder) / n


def _or_ones(weights: Float[np.ndarray, "m"] | None, frequencies: Int[np.ndarray, "m"]) -> Float[np.ndarray, "m"]:
    return np.ones(len(frequencies)) if weights is None else weights
