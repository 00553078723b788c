"""How many random frequencies separate the right answer: as [C] §5.4 estimates it, and as it can be proven."""

from math import exp, gcd, lgamma, log, pi

import numpy as np
from jaxtyping import Float
from scipy.optimize import brentq, minimize_scalar
from scipy.special import i0e, logsumexp

from modadd.approximate_crt import shortfall

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
