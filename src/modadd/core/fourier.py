"""The discrete Fourier transform on Z_n: spectra, cosines, shares of variance; logits regressed on cosines."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

import numpy as np
from jaxtyping import Complex, Float, Int, Shaped

from modadd.core.separable import centred


class Cosine(NamedTuple):
    """f(x) ≈ α cos(w_k x + φ): amplitude α ≥ 0 in units of f, phase φ in (−π, π]."""

    amplitude: Float[np.ndarray, "*rest"]
    phase: Float[np.ndarray, "*rest"]


def angular_frequency(k: Shaped[np.ndarray, "*k"] | int, n: int) -> Float[np.ndarray, "*k"] | float:
    """w_k = 2πk/n, in radians per step of the residue."""
    return 2 * np.pi * k / n


def spectrum(f: Float[np.ndarray, "n *rest"]) -> Complex[np.ndarray, "n_frequencies *rest"]:
    """F_k = Σ_x f(x) e^{−i w_k x} along the first axis, k = 0 … ⌊n/2⌋, not normalised."""
    return np.fft.rfft(f, axis=0)


def variance_by_frequency(f: Float[np.ndarray, "n *rest"]) -> Float[np.ndarray, "n_frequencies *rest"]:
    """Variance of f over Z_n at each frequency; entry 0 is zero, and the sum is the variance (Parseval)."""
    n = f.shape[0]
    power = np.abs(spectrum(f)) ** 2 / n**2
    power[0] = 0
    power[1 : (n + 1) // 2] *= 2  # k and n − k; the Nyquist line of an even n stands alone
    return power


def primary_frequency(f: Float[np.ndarray, "n *rest"]) -> Int[np.ndarray, "*rest"]:
    """argmax_{k ≥ 1} |F_k| along the first axis; the lowest of equals, and 1 for a constant."""
    return 1 + np.argmax(np.abs(spectrum(f))[1:], axis=0)


def cosine_at(f: Float[np.ndarray, "n h"], k: Int[np.ndarray, "h"]) -> Cosine:
    """Amplitude–phase form of column i at frequency k_i: α = 2|F|/n, φ = arg F, so f ≈ α cos(w_k x + φ) ([Q] §3).

    At the Nyquist line of an even n the two lines ±k coincide and α = |F|/n.
    """
    n = f.shape[0]
    line = spectrum(f)[k, np.arange(f.shape[1])]
    return Cosine(np.where(2 * k == n, 1, 2) * np.abs(line) / n, np.angle(line))


def share_of_variance(f: Float[np.ndarray, "n h"], k: Int[np.ndarray, "h"]) -> Float[np.ndarray, "h"]:
    """Fraction of the variance of column i explained by frequency k_i, in [0, 1]; 0 for a constant column."""
    variance = variance_by_frequency(f)
    total = variance.sum(axis=0)
    return variance[k, np.arange(f.shape[1])] / np.where(total > 0, total, 1)


def with_lines_only(f: Float[np.ndarray, "n h"], lines: Int[np.ndarray, "m h"]) -> Float[np.ndarray, "n h"]:
    """Column i with its constant and the frequencies lines[:, i] only."""
    F = spectrum(f)
    keep = np.zeros(F.shape, bool)
    keep[0] = True
    keep[lines, np.arange(f.shape[1])] = True
    return np.fft.irfft(F * keep, n=f.shape[0], axis=0)


def power_2d(f: Float[np.ndarray, "n n"]) -> Float[np.ndarray, "n n"]:
    """Share of Σ f² at each pair of signed frequencies (u, v), zero in the centre.

    f(x, z) = Σ F_uv e^{i(w_u x + w_v z)}/n². Entry [⌊n/2⌋ + u, ⌊n/2⌋ + v] is for (u, v). The sum is 1, unless f is
    zero.
    """
    power = np.fft.fftshift(np.abs(np.fft.fft2(f)) ** 2)
    return power / max(power.sum(), np.finfo(float).tiny)


def wrap(angle: Float[np.ndarray, "*s"]) -> Float[np.ndarray, "*s"]:
    """The same angle in (−π, π], in radians: never −π, never above π."""
    turned = np.mod(np.pi - angle, 2 * np.pi)
    return np.pi - np.mod(turned, 2 * np.pi)  # 2π is 0: a tiny negative number is rounded to 2π itself


def coefficient_2d(f: Float[np.ndarray, "n n"], u: int, v: int) -> complex:
    """F_uv/n² of f(x, z) = Σ F_uv e^{i(w_u x + w_v z)}/n², in units of f; u and v count mod n.

    The pair of lines ±(u, v) of a real f is 2|F|/n² cos(w_u x + w_v z + arg F).
    """
    n = f.shape[0]
    return complex(np.fft.fft2(f)[u % n, v % n]) / n**2


def signed_frequency(k: Int[np.ndarray, "*k"] | int, n: int) -> Int[np.ndarray, "*k"] | int:
    """The frequency ≡ k (mod n) that stands on an axis of `power_2d`: −⌊n/2⌋ and the n − 1 that follow."""
    return (k + n // 2) % n - n // 2


Term = Literal["clock", "pizza", "cosine"]


@dataclass(frozen=True)
class Fit:
    """Coefficients in logit units, in the order of the frequencies, and the fraction of variance explained R²."""

    frequencies: tuple[int, ...]
    coefficients: Float[np.ndarray, "k"]
    intercept: float
    r_squared: float


def modulation(kind: Term, k: int, n: int) -> Float[np.ndarray, "n n"]:
    """The factor of cos(w_k(a+b−c)) in a term, over (a, b) ([Q] §6).

    clock: 1. pizza: |cos(w_k(a−b)/2)|. cosine: cos(w_k(a−b)).
    """
    a, b = np.ogrid[:n, :n]
    angle = angular_frequency(k, n) * (a - b)
    return {"clock": np.ones_like, "pizza": lambda at: np.abs(np.cos(at / 2)), "cosine": np.cos}[kind](angle)


def term(kind: Term, k: int, n: int) -> Float[np.ndarray, "n n n"]:
    """One regressor over (a, b, c): its `modulation` times cos(w_k(a+b−c)), centred over c like the logits ([Q] §6)."""
    a, b, c = np.ogrid[:n, :n, :n]
    return modulation(kind, k, n)[:, :, None] * np.cos(angular_frequency(k, n) * (a + b - c))


def fit(logits: Float[np.ndarray, "n n n"], kind: Term, frequencies: Sequence[int]) -> Fit:
    """Least squares of the centred logits on `kind` terms of these frequencies and an intercept.

    The frequencies are 1 … ⌊n/2⌋, each at most once. R² is NaN for logits that do not vary. Over c a term is one cosine,
    so terms are orthogonal, and what a term has of the logits is read off their DFT over c.
    """
    n = logits.shape[0]
    target = centred(logits)
    a, b = np.ogrid[:n, :n]
    angles = angular_frequency(np.array(frequencies, int), n) * np.arange(n)[:, None]
    by_cosine, by_sine = target @ np.cos(angles), target @ np.sin(angles)
    found, explained = [], 0.0
    for i, k in enumerate(frequencies):
        factor, w = modulation(kind, k, n), angular_frequency(k, n)
        # Σ_c f(a, b, c) cos(w_k(a+b−c))
        along = np.cos(w * (a + b)) * by_cosine[:, :, i] + np.sin(w * (a + b)) * by_sine[:, :, i]
        size = (factor**2).sum() * (np.cos(angles[:, i]) ** 2).sum()
        found.append((factor * along).sum() / size)
        explained += found[-1] ** 2 * size
    variance = ((target - target.mean()) ** 2).sum()
    r_squared = explained / variance if target.any() else np.nan
    return Fit(tuple(frequencies), np.array(found, float), float(target.mean()), float(r_squared))


def margin_by_difference(
    C: Float[np.ndarray, "k"], D: Float[np.ndarray, "k"], frequencies: Sequence[int], n: int
) -> Float[np.ndarray, "n"]:
    """Margin of Σ_k (C_k |cos(w_k d/2)| + D_k cos(w_k d)) cos(w_k(a+b−c)) at every difference d = a − b mod n ([Q] §6).

    The answer that is wrong by e loses Σ_k m_k(d) (1 − cos w_k e), m_k(d) being the factor in brackets.
    """
    w = angular_frequency(np.array(frequencies), n)[:, None]
    d, e = np.arange(n), np.arange(1, n)
    m = C[:, None] * np.abs(np.cos(w * d / 2)) + D[:, None] * np.cos(w * d)
    return (m.T @ (1 - np.cos(w * e))).min(axis=1)


def overtone(
    table: Float[np.ndarray, "n h"], frequency: Int[np.ndarray, "h"], phase: Float[np.ndarray, "h"], multiple: int
) -> Complex[np.ndarray, "h"]:
    """z_i such that column i holds Re(z_i e^{i·multiple·(w_k x + phase_i)}) at `multiple` times its frequency k.

    |z| is in units of the table, arg z in radians beyond `multiple` times the phase given; multiple 0 is the mean. A
    neuron of `hand_coded` has 1 at multiple 1, −secondary at 2 and the constant at 0.
    """
    n, h = table.shape
    index = signed_frequency(multiple * frequency, n)
    line = spectrum(table)[np.abs(index), np.arange(h)]
    line = np.where(index < 0, line.conj(), line)
    return np.where(2 * index % n == 0, 1, 2) / n * line * np.exp(-1j * multiple * phase)


def plane_ratio(embedding: Float[np.ndarray, "n d"], f: int) -> float:
    """σ₂/σ₁ of [Re F; Im F], F row f of the embedding's DFT: how evenly it holds the plane that rotations by w_f x turn.

    The part of frequency f is Re F cos w_f x − Im F sin w_f x, up to scale: the rotation matrix of w_f x applied to two
    vectors of the embedding's space. The ratio is 1 if these are orthogonal and of one length, in whatever basis, and 0 if
    the embedding holds one projection of the rotation only ([C] §5.3). NaN if it holds nothing of f.
    """
    F = spectrum(embedding)[f]
    first, second = np.linalg.svd(np.stack([F.real, F.imag]), compute_uv=False)
    return float(second / first) if first > 0 else float("nan")
