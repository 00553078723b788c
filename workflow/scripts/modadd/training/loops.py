"""The element-by-element work of the CPU kernel, fused into loops that touch each number once.

Compiled by numba without fast-math: sums run in the written order and nothing is contracted, so any CPU gives the same
bits. Tables hold the rows of all networks one below the other; one without rows stands for one that is not there.
"""

import numpy as np
from jaxtyping import Float, Int
from numba import njit

# Rows of logits are padded to a multiple of this, so that folding a row in half again and again keeps vector units busy, in
# an order that no processor changes.
LANES = 32
# So many rows are folded side by side, since each would wait for its own fold before.
TOGETHER = 16


@njit(cache=True, error_model="numpy", inline="always")
def _sum_rows(rows: Float[np.ndarray, "some padded"], folded: Float[np.ndarray, "some half"]) -> None:
    """folded[r, 0] ← Σ rows[r]: the upper half is added to the lower one until an odd number of sums is left."""
    half = rows.shape[1] // 2
    for r in range(len(rows)):
        z, sums = rows[r], folded[r]
        for j in range(half):
            sums[j] = z[j] + z[j + half]
    while half % 2 == 0:
        half //= 2
        for r in range(len(rows)):
            sums = folded[r]
            for j in range(half):
                sums[j] += sums[j + half]
    for r in range(len(rows)):
        sums = folded[r]
        for j in range(1, half):
            sums[0] += sums[j]


@njit(cache=True, error_model="numpy", inline="always")
def _max_rows(rows: Float[np.ndarray, "some padded"], folded: Float[np.ndarray, "some half"]) -> None:
    """folded[r, 0] ← max rows[r], likewise."""
    half = rows.shape[1] // 2
    for r in range(len(rows)):
        z, tops = rows[r], folded[r]
        for j in range(half):
            tops[j] = z[j] if z[j] > z[j + half] else z[j + half]
    while half % 2 == 0:
        half //= 2
        for r in range(len(rows)):
            tops = folded[r]
            for j in range(half):
                tops[j] = tops[j] if tops[j] > tops[j + half] else tops[j + half]
    for r in range(len(rows)):
        tops = folded[r]
        for j in range(1, half):
            tops[0] = tops[j] if tops[j] > tops[0] else tops[0]


@njit(cache=True, error_model="numpy")
def gather_relu(
    A: Float[np.ndarray, "rows_A h"],
    B: Float[np.ndarray, "rows_B h"],
    a: Int[np.ndarray, "m"],
    b: Int[np.ndarray, "m"],
    active: Float[np.ndarray, "m wide"],
) -> None:
    """active ← ReLU(A[a] + B[b]) in the first h columns."""
    for r in range(len(a)):
        first, second, out = A[a[r]], B[b[r]], active[r]
        for i in range(A.shape[1]):
            u = first[i] + second[i]
            out[i] = u if u > 0 else 0 * u


@njit(cache=True, error_model="numpy")
def add_residual(
    logits: Float[np.ndarray, "m padded"],
    n: int,
    C: Float[np.ndarray, "rows_C columns_C"],
    D: Float[np.ndarray, "rows_D columns_D"],
    c: Int[np.ndarray, "m_or_none_C"],
    d: Int[np.ndarray, "m_or_none_D"],
    right: Int[np.ndarray, "m"],
    own: Float[np.ndarray, "block"],
) -> None:
    """logits ← logits + C[c] + D[d] less the row's largest; own ← the right answer's; n columns are answers."""
    folded = np.empty((TOGETHER, logits.shape[1] // 2), logits.dtype)
    for start in range(0, len(logits), TOGETHER):
        rows = logits[start : start + TOGETHER]
        for r in range(len(rows)):
            z = rows[r]
            if len(C) > 0:
                row = C[c[start + r]]
                for j in range(n):
                    z[j] += row[j]
            if len(D) > 0:
                row = D[d[start + r]]
                for j in range(n):
                    z[j] += row[j]
            for j in range(n, len(z)):
                z[j] = z[0]
        _max_rows(rows, folded)
        for r in range(len(rows)):
            z, top = rows[r], folded[r, 0]
            for j in range(len(z)):
                z[j] -= top
            own[start + r] = z[right[start + r]]


@njit(cache=True, error_model="numpy")
def softmax_gradient(
    weights: Float[np.ndarray, "k_m padded"],
    n: int,
    right: Int[np.ndarray, "k m"],
    count: Int[np.ndarray, "k m"],
    own: Float[np.ndarray, "block"],
    n_pairs: int,
    loss: Float[np.ndarray, "k"],
) -> None:
    """exp(logits) → count·(softmax − one-hot)/n_pairs in place; each network's `loss` gains its cross-entropy (nats).

    `own` is the logit of the right answer below the top one, in float64: e^own may underflow in float32, the loss not.
    """
    k, m = right.shape
    folded = np.empty((TOGETHER, weights.shape[1] // 2), weights.dtype)
    for network in range(k):
        for start in range(0, m, TOGETHER):
            first, end = network * m + start, network * m + min(start + TOGETHER, m)
            rows = weights[first:end]
            for r in range(len(rows)):
                z = rows[r]
                z[right[network, start + r]] = 0
                for j in range(n, len(z)):
                    z[j] = 0
            _sum_rows(rows, folded)
            for r in range(len(rows)):
                z, others, below = rows[r], folded[r, 0], own[first + r]
                often = count[network, start + r]
                right_weight = np.exp(below)
                if right_weight > 0:
                    loss[network] += often * np.log1p(others / right_weight)
                else:
                    loss[network] += often * (np.log(others) - below)
                folded[r, 0] = scale = often / ((others + right_weight) * n_pairs)
                rounded = folded[r, 0]  # to the precision of the weights: a vector holds twice as many
                for j in range(len(z)):
                    z[j] *= rounded
                z[right[network, start + r]] = -others * scale


@njit(cache=True, error_model="numpy")
def scatter_masked(
    back: Float[np.ndarray, "m wide"],
    active: Float[np.ndarray, "m wide"],
    a: Int[np.ndarray, "m"],
    b: Int[np.ndarray, "m"],
    dA: Float[np.ndarray, "rows_A h"],
    dB: Float[np.ndarray, "rows_B h"],
) -> None:
    """dA[a] and dB[b] gain `back` wherever the neuron is active."""
    for r in range(len(a)):
        first, second = dA[a[r]], dB[b[r]]
        for i in range(dA.shape[1]):
            g = back[r, i] if active[r, i] > 0 else np.float32(0)
            first[i] += g
            second[i] += g


@njit(cache=True, error_model="numpy")
def scatter_rows(
    change: Float[np.ndarray, "m padded"], rows: Int[np.ndarray, "m_or_none"], table: Float[np.ndarray, "all columns"]
) -> None:
    """table[rows] gains `change`, if the architecture has such a table."""
    for r in range(len(rows)):
        out = table[rows[r]]
        for j in range(len(out)):
            out[j] += change[r, j]


@njit(cache=True, error_model="numpy")
def adam(
    values: Float[np.ndarray, "numbers"],
    slopes: Float[np.ndarray, "numbers"],
    first: Float[np.ndarray, "numbers"],
    second: Float[np.ndarray, "numbers"],
    settings: Float[np.ndarray, "7"],
) -> None:
    """One update of values and of both moments by Adam, with bias correction.

    `settings`: what remains of a value by decay apart from the gradient, the decay added to the gradient, β₁, β₂, the
    rate over 1 − β₁ᵗ, 1/√(1 − β₂ᵗ), ε.
    """
    shrink, l2, beta1, beta2, rate, root, epsilon = settings
    one = np.float32(1)
    for i in range(len(values)):
        slope = slopes[i] + l2 * values[i]
        first[i] = beta1 * first[i] + (one - beta1) * slope
        second[i] = beta2 * second[i] + (one - beta2) * slope * slope
        values[i] = shrink * values[i] - rate * first[i] / (np.sqrt(second[i]) * root + epsilon)
