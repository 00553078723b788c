"""The final formula of [Q] §6 for the logits: both kinds of term together, and what the identity part adds where.

Its logits are Σ_k (C_k |cos(w_k(a−b)/2)| + D_k cos(w_k(a−b))) cos(w_k(a+b−c)).
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from jaxtyping import Float

from modadd.core.fourier import angular_frequency, term
from modadd.core.separable import centred


class Formula(NamedTuple):
    """C_k and D_k in logits, in the order of the frequencies, and the fraction of variance R² that they explain."""

    C: Float[np.ndarray, "k"]
    D: Float[np.ndarray, "k"]
    r_squared: float


def fit_formula(logits: Float[np.ndarray, "n n n"], frequencies: Sequence[int]) -> Formula:
    """Least squares of the centred logits on the pizza and the cosine terms together, and an intercept ([Q] §6)."""
    n = logits.shape[0]
    found, r_squared = _least_squares(logits, [term(kind, k, n) for kind in ("pizza", "cosine") for k in frequencies])
    return Formula(found[: len(frequencies)], found[len(frequencies) :], r_squared)


def squares_of(logits: Float[np.ndarray, "n n n"], frequencies: Sequence[int]) -> Float[np.ndarray, "k"]:
    """Coefficients of cos²(w_k(a−b)/2) cos(w_k(a+b−c)), fitted beside cos(w_k(a+b−c)) and an intercept, in logits.

    The double angle makes them 2D_k for D_k cos(w_k(a−b)) cos(w_k(a+b−c)); [Q] §6 prints 2D_k².
    """
    n = logits.shape[0]
    clocks = [term("clock", k, n) for k in frequencies]
    squares = [(clock + term("cosine", k, n)) / 2 for k, clock in zip(frequencies, clocks, strict=True)]
    return _least_squares(logits, squares + clocks)[0][: len(frequencies)]


def explained(logits: Float[np.ndarray, "n n n"], model: Float[np.ndarray, "n n n"]) -> float:
    """R² of a model without free coefficients; both are centred over c. NaN where the logits do not vary."""
    target = centred(logits)
    total = np.square(target).sum()  # of numbers whose mean is 0
    return float(1 - np.square(target - centred(model)).sum() / total) if total else float("nan")


def formula(
    C: Float[np.ndarray, "k"], D: Float[np.ndarray, "k"], frequencies: Sequence[int], n: int
) -> Float[np.ndarray, "n n n"]:
    """The logits of the formula over (a, b, c), from given coefficients ([Q] §6)."""
    parts = (c * term("pizza", k, n) + d * term("cosine", k, n) for c, d, k in zip(C, D, frequencies, strict=True))
    return sum(parts, np.zeros((n, n, n)))


def strength_by_difference(C: Float[np.ndarray, "k"], frequencies: Sequence[int], n: int) -> Float[np.ndarray, "n"]:
    """Σ_k C_k |cos(w_k d/2)| / Σ_k C_k at d = a − b = 0 … n − 1: 1 at d = 0, small where several cosines are small."""
    w = angular_frequency(np.array(frequencies), n)
    return np.abs(np.cos(np.arange(n)[:, None] * w / 2)) @ C / C.sum()


def _least_squares(
    logits: Float[np.ndarray, "n n n"], terms: Sequence[Float[np.ndarray, "n n n"]]
) -> tuple[Float[np.ndarray, "terms"], float]:
    """Coefficients of the terms, fitted to the centred logits beside an intercept, and R²; NaN for logits that do not vary."""
    target = centred(logits).ravel()
    design = np.stack([one.ravel() for one in terms] + [np.ones(target.size)], axis=1)
    solution = np.linalg.lstsq(design.T @ design, design.T @ target, rcond=None)[0]
    residual, total = target - design @ solution, target - target.mean()
    return solution[:-1], float(1 - residual @ residual / (total @ total)) if total.any() else float("nan")
