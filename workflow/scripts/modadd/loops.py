"""The element-by-element work of the CPU kernel, fused into loops that touch each number once.

Compiled by numba without fast-math: sums run in the written order and nothing is contracted, so the same bits on any CPU.
Tables hold the rows of all networks one below the other; one without rows stands for what an architecture has not.
"""

import numpy as np
from jaxtyping import Float, Int
from numba import njit

LANES = 16  # partial sums of a row: enough to keep a vector unit busy, and always the same, so the bits are too


@njit(cache=True, error_model="numpy", inline="always")
def _row_sum(z: Float[np.ndarray, "n"]) -> float:
    """Σ z, as LANES interleaved partial sums that are then added in order."""
    whole = len(z) // LANES * LANES
    partial = z[:LANES].copy() if whole else np.zeros(LANES, z.dtype)
    for start in range(LANES, whole, LANES):
        for lane in range(LANES):
            partial[lane] += z[start + lane]
    total = partial[0]
    for lane in range(1, LANES):
        total += partial[lane]
    for j in range(whole, len(z)):
        total += z[j]
    return total


@njit(cache=True, error_model="numpy", fastmath={"nnan", "nsz"}, inline="always")
def _row_max(z: Float[np.ndarray, "n"]) -> float:
    """max z of a row without NaN; its order is free, so it may be vectorised without changing a bit."""
    top = z[0]
    for j in range(1, len(z)):
        top = max(top, z[j])
    return top


@njit(cache=True, error_model="numpy")
def gather_relu(
    A: Float[np.ndarray, "rows_A h"],
    B: Float[np.ndarray, "rows_B h"],
    a: Int[np.ndarray, "m"],
    b: Int[np.ndarray, "m"],
    active: Float[np.ndarray, "m h"],
) -> None:
    """active ← ReLU(A[a] + B[b])."""
    for r in range(len(a)):
        first, second, out = A[a[r]], B[b[r]], active[r]
        for i in range(len(out)):
            u = first[i] + second[i]
            out[i] = u if u > 0 else 0 * u


@njit(cache=True, error_model="numpy")
def add_residual(
    logits: Float[np.ndarray, "m n"],
    C: Float[np.ndarray, "rows_C columns_C"],
    D: Float[np.ndarray, "rows_D columns_D"],
    c: Int[np.ndarray, "m_or_none_C"],
    d: Int[np.ndarray, "m_or_none_D"],
    right: Int[np.ndarray, "m"],
    own: Float[np.ndarray, "block"],
) -> None:
    """logits ← logits + C[c] + D[d] less the row's largest; own ← that of the right answer."""
    n = logits.shape[1]
    for r in range(len(logits)):
        z = logits[r]
        if len(C) > 0:
            row = C[c[r]]
            for j in range(n):
                z[j] += row[j]
        if len(D) > 0:
            row = D[d[r]]
            for j in range(n):
                z[j] += row[j]
        top = _row_max(z)
        for j in range(n):
            z[j] -= top
        own[r] = z[right[r]]


@njit(cache=True, error_model="numpy")
def softmax_gradient(
    weights: Float[np.ndarray, "k_m n"],
    right: Int[np.ndarray, "k m"],
    own: Float[np.ndarray, "block"],
    n_pairs: int,
    loss: Float[np.ndarray, "k"],
) -> None:
    """exp(logits) → (softmax − one-hot)/n_pairs in place; `loss` of each network gains its summed cross-entropy in nats.

    `own` is the logit of the right answer below the top one, in float64: e^own may underflow in float32, its loss may not.
    """
    k, m = right.shape
    for network in range(k):
        for pair in range(m):
            r, answer = network * m + pair, right[network, pair]
            z = weights[r]
            z[answer] = 0
            others = _row_sum(z)
            right_weight = np.exp(own[r])
            if right_weight > 0:
                loss[network] += np.log1p(others / right_weight)
            else:
                loss[network] += np.log(others) - own[r]
            scale = 1 / ((others + right_weight) * n_pairs)
            for j in range(len(z)):
                z[j] *= scale
            z[answer] = -others * scale


@njit(cache=True, error_model="numpy")
def scatter_masked(
    back: Float[np.ndarray, "m h"],
    active: Float[np.ndarray, "m h"],
    a: Int[np.ndarray, "m"],
    b: Int[np.ndarray, "m"],
    dA: Float[np.ndarray, "rows_A h"],
    dB: Float[np.ndarray, "rows_B h"],
) -> None:
    """dA[a] and dB[b] gain `back` wherever the neuron is active."""
    for r in range(len(a)):
        first, second = dA[a[r]], dB[b[r]]
        for i in range(back.shape[1]):
            g = back[r, i] if active[r, i] > 0 else 0 * back[r, i]
            first[i] += g
            second[i] += g


@njit(cache=True, error_model="numpy")
def scatter_rows(
    change: Float[np.ndarray, "m n"], rows: Int[np.ndarray, "m_or_none"], table: Float[np.ndarray, "all columns"]
) -> None:
    """table[rows] gains `change`, if the architecture has such a table."""
    for r in range(len(rows)):
        out = table[rows[r]]
        for j in range(len(out)):
            out[j] += change[r, j]
