"""One training of the pilot, compiled: forward, gradient, Adam and the stop rule as plain loops in float64.

Compiled by numba without fast-math: sums run in the written order. Weights are the tables u, v and w of every neuron, on
the elements a, b and c.
"""

import numpy as np
from jaxtyping import Float, Int
from numba import njit

RATE, BETA1, BETA2, EPSILON = 1e-3, 0.9, 0.999, 1e-8  # of Adam
STILL, CALM = 1e-7, 500  # relative changes below STILL in CALM updates in a row: converged

Weights = Float[np.ndarray, "3 n m"]


@njit(cache=True, error_model="numpy")
def loss_and_slopes(
    weights: Weights, table: Int[np.ndarray, "n n"], square: bool, penalty: float, slopes: Weights
) -> float:
    """The loss in nats; `slopes` becomes its gradient."""
    _, n, m = weights.shape
    u, v, w = weights
    du, dv, dw = slopes
    x, z = np.empty(m), np.empty(n)
    loss = 0.0
    for part in range(3):
        for g in range(n):
            for i in range(m):
                loss += penalty * weights[part, g, i] ** 2
                slopes[part, g, i] = 2 * penalty * weights[part, g, i]
    for a in range(n):
        for b in range(n):
            for i in range(m):
                x[i] = u[a, i] + v[b, i]
            for c in range(n):
                z[c] = 0.0
                for i in range(m):
                    z[c] += _sigma(x[i], square) * w[c, i]
            loss += _softmax(z, table[a, b]) / n**2  # z becomes the slope of the cross-entropy
            for i in range(m):
                back = 0.0
                for c in range(n):
                    back += z[c] * w[c, i]
                    dw[c, i] += z[c] * _sigma(x[i], square) / n**2
                back *= _sigma_slope(x[i], square) / n**2
                du[a, i] += back
                dv[b, i] += back
    return loss


@njit(cache=True, error_model="numpy", inline="always")
def _sigma(x: float, square: bool) -> float:
    return x * x if square else max(x, 0.0)


@njit(cache=True, error_model="numpy", inline="always")
def _sigma_slope(x: float, square: bool) -> float:
    return 2 * x if square else (1.0 if x > 0 else 0.0)


@njit(cache=True, error_model="numpy")
def _softmax(z: Float[np.ndarray, "n"], right: int) -> float:
    """Cross-entropy of logits z; z becomes softmax − one-hot. Both are exact for a sure and right answer too."""
    top = np.argmax(z)
    loss, highest, others = z[top] - z[right], z[top], 0.0
    for c in range(len(z)):
        z[c] = np.exp(z[c] - highest)
        others += z[c] if c != top else 0.0
    wrong = 0.0
    for c in range(len(z)):
        z[c] /= 1 + others
        wrong += z[c] if c != right else 0.0
    z[right] = -wrong  # softmax − 1 would round to 0
    return loss + np.log1p(others)


@njit(cache=True, error_model="numpy")
def adam_float64(weights: Weights, slopes: Weights, first: Weights, second: Weights, step: int) -> float:
    """The update of number `step`, from 1, in place; returns its size as a share of the weights' norm."""
    moved, size = 0.0, 0.0
    for part, g, i in np.ndindex(weights.shape):
        slope, before = slopes[part, g, i], weights[part, g, i]
        first[part, g, i] = BETA1 * first[part, g, i] + (1 - BETA1) * slope
        second[part, g, i] = BETA2 * second[part, g, i] + (1 - BETA2) * slope**2
        root = np.sqrt(second[part, g, i] / (1 - BETA2**step))
        change = RATE * first[part, g, i] / (1 - BETA1**step) / (root + EPSILON)
        weights[part, g, i] = before - change
        moved += change**2
        size += before**2
    return np.sqrt(moved / size)


@njit(cache=True, error_model="numpy")
def descend(
    weights: Weights, table: Int[np.ndarray, "n n"], square: bool, penalty: float, most: int
) -> tuple[float, int, bool]:
    """Train in place by Adam; returns the last loss, the number of updates, and whether the stop rule ended it."""
    slopes, first, second = np.empty_like(weights), np.zeros_like(weights), np.zeros_like(weights)
    loss, calm = loss_and_slopes(weights, table, square, penalty, slopes), 0
    for step in range(1, most + 1):
        moved = adam_float64(weights, slopes, first, second, step)
        before, loss = loss, loss_and_slopes(weights, table, square, penalty, slopes)
        calm = calm + 1 if moved < STILL and abs(loss - before) < STILL * before else 0
        if calm == CALM:
            return loss, step, True
    return loss, most, False
