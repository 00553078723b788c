"""The approximate Chinese remainder theorem as sums of cosines, and bounds on how far they separate the answers."""

from collections.abc import Callable, Sequence
from itertools import combinations
from math import exp, gcd, lgamma, log, pi, prod

import numpy as np
from jaxtyping import Float, Int
from scipy.optimize import brentq, minimize_scalar
from scipy.special import i0e, logsumexp

from modadd.core.fourier import angular_frequency

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


STEEPEST = 1e3  # largest tilt t of a Chernoff bound; any t gives a valid bound


def published_bound(n: int, delta: float, rho: float) -> float:
    """(2 ln n − 2 ln(2 − 2ρ))/(ln(π/δ) − 1): more frequencies are said to separate with probability ρ ([C] §5.4)."""
    return (log(n) - log(2 - 2 * rho)) / taylor_rate(delta)


def published_probability(n: int, m: int | float, delta: float) -> float:
    """1 − (n/2)(eδ/π)^{m/2}: the ρ for which `published_bound` is m; negative where it says nothing ([C] §5.4)."""
    return 1 - n / 2 * exp(-m * taylor_rate(delta))


def volume_probability(n: int, m: int | float, delta: float) -> float:
    """1 − n/(2Γ(m/2+1)) (δm/2π)^{m/2}: the volume estimate before Stirling's approximation ([C] §5.4)."""
    return 1 - n / 2 * exp(m / 2 * log(delta * m / (2 * pi)) - lgamma(m / 2 + 1))


def volume_bound(n: int, delta: float, rho: float) -> float:
    """The number of frequencies at which `volume_probability` is ρ; `published_bound` is always more."""
    return float(brentq(lambda m: volume_probability(n, m, delta) - rho, 1e-9, published_bound(n, delta, rho)))


def taylor_rate(delta: float) -> float:
    """(ln(π/δ) − 1)/2, by which each further frequency lowers the logarithm of the failures in `published_bound`."""
    return (log(pi / delta) - 1) / 2


def cramer_rate(delta: float) -> float:
    """sup_t [t(1 − δ) − ln I₀(t)], the rate at which P(Σ_l cos θ_l ≥ (1 − δ)m) falls with m, θ_l uniform (Cramér).

    Put for `taylor_rate`, it makes `published_bound` a theorem for prime n: the mean of e^{t cos} over the nonzero
    multiples of 2π/n is at most I₀(t), as Σ_j I_{jn}(t) ≤ Σ_k I_k(t)/n. It is smaller by about δ/4.
    """
    return -float(minimize_scalar(lambda t: delta * t + log(i0e(t)), bounds=(0, STEEPEST), method="bounded").fun)


def proven_probabilities(n: int, most: int, delta: float) -> Float[np.ndarray, "m"]:
    """Lower bounds on the probability that m = 1 … `most` independent frequencies mod n separate by more than δm.

    1 − Σ_{±d} min_t E[e^{t(δ − (1 − cos(2πfd/n)))}]^m (Markov's inequality, union bound), exact in n, prime or not;
    may be negative.
    """
    short = shortfall(n, np.arange(1, n))
    pairs = {g: sum(gcd(d, n) == g for d in range(1, n // 2 + 1)) for g in range(1, n // 2 + 1) if n % g == 0}
    rates = np.array([_chernoff_rate(short[:, g - 1], delta) for g in pairs])
    return 1 - np.exp(-np.outer(np.arange(1, most + 1), rates)) @ np.array([*pairs.values()])


def _chernoff_rate(short: Float[np.ndarray, "f"], delta: float) -> float:
    """−min_t ln E[e^{t(δ − x)}] over a table of equally likely x ≥ 0."""
    found = minimize_scalar(
        lambda t: delta * t + logsumexp(-t * short) - log(len(short)), bounds=(0, STEEPEST), method="bounded"
    )
    return -float(found.fun)
