"""Logits regressed on clock and pizza terms: one coefficient per key frequency and an intercept, over all n³ centred logits."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from jaxtyping import Float

from modadd.fourier import angular_frequency
from modadd.separable import centred

Term = Literal["clock", "pizza", "cosine"]


@dataclass(frozen=True)
class Fit:
    """Coefficients in logit units, in the order of the frequencies, and the fraction of variance explained R²."""

    frequencies: tuple[int, ...]
    coefficients: Float[np.ndarray, "k"]
    intercept: float
    r_squared: float


def term(kind: Term, k: int, n: int) -> Float[np.ndarray, "n n n"]:
    """One regressor over (a, b, c), centred over c like the logits it is compared with ([Q] §6).

    clock: cos(w_k(a+b−c)). pizza: |cos(w_k(a−b)/2)| cos(w_k(a+b−c)). cosine: cos(w_k(a−b)) cos(w_k(a+b−c)).
    """
    a, b, c = np.ogrid[:n, :n, :n]
    w = angular_frequency(k, n)
    modulation = {"clock": 1.0, "pizza": np.abs(np.cos(w * (a - b) / 2)), "cosine": np.cos(w * (a - b))}[kind]
    return modulation * np.cos(w * (a + b - c))


def fit(logits: Float[np.ndarray, "n n n"], kind: Term, frequencies: Sequence[int]) -> Fit:
    """Least squares of the centred logits on `kind` terms of the given frequencies and an intercept; R² of none is NaN."""
    n = logits.shape[0]
    target = centred(logits).ravel()
    design = np.stack([term(kind, k, n).ravel() for k in frequencies] + [np.ones(n**3)], axis=1)
    solution = np.linalg.solve(design.T @ design, design.T @ target)
    residual = target - design @ solution
    total = target - target.mean()
    r_squared = 1 - residual @ residual / (total @ total) if total.any() else np.nan
    return Fit(tuple(frequencies), solution[:-1], float(solution[-1]), float(r_squared))


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
