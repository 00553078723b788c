"""The approximate Chinese remainder theorem: separation of the answers by a sum of cosines, and bounds on it."""

from collections.abc import Iterable, Sequence
from math import exp, gcd, lgamma, log, pi

import numpy as np
import pandas as pd
from jaxtyping import Float, Int

from modadd.core.fourier import angular_frequency, signed_frequency, variance_by_frequency
from modadd.core.separable import centred, margins
from modadd.crt.cosets import crt_frequencies, crt_gap, crt_sum, crt_sum_as_printed, share_solved


def agreement(frequencies: Int[np.ndarray, "m"], n: int) -> Float[np.ndarray, "n"]:
    """h(d) = Σ_l cos(2πf_l d/n), d = 0 … n − 1: the logit of the answer off by d, with all weights 1 ([C] §5.4)."""
    d = np.arange(n)
    return np.cos(angular_frequency(np.outer(d, frequencies) % n, n)).sum(axis=1)


def separation(frequencies: Int[np.ndarray, "m"], n: int, weights: Float[np.ndarray, "m"] | None = None) -> float:
    """Σ w_l − max_{d≠0} h(d): how far the right answer lies above every wrong one, in units of the weights ([C] §5.4).

    Weights are 1 where none are given; [C] asks for more than δm. Exactly 0 if the frequencies and n share a factor.
    """
    return float((shortfall(n, frequencies).T @ _or_ones(weights, frequencies)).min())


def profile(logits: Float[np.ndarray, "n n n"]) -> Float[np.ndarray, "n"]:
    """Mean over all inputs of the logit of the answer a + b + d, for d = 0 … n − 1: what h(d) is a model of."""
    a, b, d = np.ogrid[tuple(map(slice, logits.shape))]
    return logits[a, b, (a + b + d) % len(logits)].mean(axis=(0, 1))


def equal_waves_r_squared(mean: Float[np.ndarray, "n"], frequencies: Int[np.ndarray, "m"]) -> float:
    """R² of a `profile` by h(d), all waves of one amplitude, with one factor fitted; 0 where either is constant."""
    h = agreement(frequencies, len(mean))
    both = max(mean.var() * h.var(), np.finfo(float).tiny)
    return float(((mean - mean.mean()) @ (h - h.mean()) / len(h)) ** 2 / both)


def weakest_over_strongest(weights: Sequence[float]) -> float:
    """The smallest weight of some waves over the largest: 1 where h(d) has them ([C] §5.4); NaN if there are none."""
    return min(weights) / max(weights) if len(weights) else float("nan")


def profile_of(
    logits: Float[np.ndarray, "n n n"], frequencies: Int[np.ndarray, "m"]
) -> tuple[Float[np.ndarray, "n"], dict[str, float]]:
    """The `profile` of centred logits over its peak, and how far it sets the right answer apart.

    In units of the peak: the mean logits' separation, the smallest margin of any input. profile_explained: share of the
    profile's variance at the clusters' frequencies.
    """
    logits, tiny = centred(logits), np.finfo(float).tiny
    mean = profile(logits)
    peak = max(np.abs(mean).max(), tiny)
    return mean / peak, {
        "profile_separation": (mean[0] - mean[1:].max()) / peak,
        "profile_explained": variance_by_frequency(mean)[frequencies].sum() / max(mean.var(), tiny),
        "smallest_margin": margins(logits).min() / peak,
    }


def shape(frequencies: Int[np.ndarray, "m"], n: int, **beside: Float[np.ndarray, "n"]) -> pd.DataFrame:
    """h(d) over its peak m in the order of the signed d: columns d, h, and those of other functions of d."""
    h = agreement(frequencies, n) / max(len(frequencies), 1)
    table = pd.DataFrame({"d": signed_frequency(np.arange(n), n), "h": h} | beside)
    return table.sort_values("d", kind="stable", ignore_index=True)


def exact_theorem(moduli: Sequence[int]) -> dict[str, int | float | str]:
    """The Chinese remainder theorem for n = Π q_i in cosines: gap, separation (also of f = q), share solved."""
    frequencies = crt_frequencies(moduli)
    n, r = int(np.prod(moduli)), len(moduli)
    return {
        "n": n,
        "factors": "·".join(map(str, moduli)),
        "frequencies": ", ".join(map(str, frequencies)),
        "gap, closed form": crt_gap(moduli),
        "gap, over all answers": np.diff(np.sort(crt_sum(moduli, [0] * r))[-2:])[0],
        "separation / m": separation(frequencies, n) / r,
        "with f = q": separation(np.array(moduli), n) / r,
        "solved": share_solved(crt_sum, moduli),
        "solved as printed": share_solved(crt_sum_as_printed, moduli),
    }


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
    from scipy.optimize import brentq  # here: it takes longer to import than most jobs that read this module take

    return float(brentq(lambda m: volume_probability(n, m, delta) - rho, 1e-9, published_bound(n, delta, rho)))


def estimates(n: int, numbers: Iterable[int | float], delta: float) -> dict[str, list[float]]:
    """What the paper's estimate says for each number of frequencies: as published, and as the `volume` behind it."""
    numbers = list(numbers)
    return {
        "published": [published_probability(n, m, delta) for m in numbers],
        "volume": [volume_probability(n, m, delta) for m in numbers],
    }


def taylor_rate(delta: float) -> float:
    """(ln(π/δ) − 1)/2, by which each further frequency lowers the logarithm of the failures in `published_bound`."""
    return (log(pi / delta) - 1) / 2


def cramer_rate(delta: float) -> float:
    """sup_t [t(1 − δ) − ln I₀(t)], the rate at which P(Σ_l cos θ_l ≥ (1 − δ)m) falls with m, θ_l uniform (Cramér).

    Put for `taylor_rate`, it makes `published_bound` a theorem for prime n: the mean of e^{t cos} over the nonzero
    multiples of 2π/n is at most I₀(t), as Σ_j I_{jn}(t) ≤ Σ_k I_k(t)/n over j, k ≠ 0. It is smaller by about δ/4.
    """
    from scipy.optimize import minimize_scalar
    from scipy.special import i0e

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
    from scipy.optimize import minimize_scalar
    from scipy.special import logsumexp

    found = minimize_scalar(
        lambda t: delta * t + logsumexp(-t * short) - log(len(short)), bounds=(0, STEEPEST), method="bounded"
    )
    return -float(found.fun)


def crossing(probability: Float[np.ndarray, "m"], rho: float) -> float:
    """Number of frequencies at which the probability first reaches ρ, between whole numbers by a straight line.

    `probability[m − 1]` belongs to m, and 0 to m = 0. NaN if it never does.
    """
    if (probability < rho).all():
        return float("nan")
    m = int(np.argmax(probability >= rho))
    below = probability[m - 1] if m else 0.0
    return m + (rho - below) / (probability[m] - below)


def smallest_numbers(simulated: pd.DataFrame, delta: float, rho: float) -> dict[str, int | float]:
    """Number of frequencies for probability ρ, mod one n: `simulated`, and what the estimates and the proof ask for."""
    n, found = int(simulated.n.iloc[0]), crossing(simulated.probability.to_numpy(), rho)
    return {
        "n": n,
        "ln n": np.log(n),
        "smallest m": found,
        "whole m": np.ceil(found),
        "published": published_bound(n, delta, rho),
        "before Stirling": volume_bound(n, delta, rho),
        "proven": crossing(proven_probabilities(n, 2 * len(simulated), delta), rho),
    }
