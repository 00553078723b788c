"""The loops of sums over active neurons, compiled: find where neurons turn on and off, and walk along.

Neurons are the rows of the tables here. An event is one neuron that turns on or off between two inputs of a line: 2i where
neuron i turns on, 2i + 1 where it turns off.
"""

import numpy as np
from jaxtyping import Float, Int
from numba import njit


@njit(cache=True, error_model="numpy")
def find_events(
    A: Float[np.ndarray, "h n"],
    B: Float[np.ndarray, "h n"],
    rising: Int[np.ndarray, "h n"],
    group: Int[np.ndarray, "h"],
    walk: Int[np.ndarray, "F n"],
) -> tuple[Int[np.ndarray, "bounds"], Int[np.ndarray, "events"]]:
    """Events of every step (group, a, position on the group's walk over b), and where those of each step start.

    Every walk begins with all neurons off. rising: the rows a of each neuron in the order of A_i(a). At b the neuron is
    active in those from rank r on; as b moves, r passes exactly the rows in which the neuron turns.
    """
    h, n = A.shape
    first = np.zeros(len(walk) * n * n + 1, np.int64)
    rank = np.empty((h, n + 1), np.int32)  # at every position, after the beginning of the walk
    for i in range(h):  # count the events of every step …
        count, r = first[1 + group[i] * n * n :], n
        rank[i, 0] = n
        for j in range(n):
            y = B[i, walk[group[i], j]]
            while r > 0 and A[i, rising[i, r - 1]] + y > 0:
                r -= 1
                count[rising[i, r] * n + j] += 1
            while r < n and A[i, rising[i, r]] + y <= 0:
                count[rising[i, r] * n + j] += 1
                r += 1
            rank[i, j + 1] = r
    total = 0
    for step in range(1, len(first)):
        total, first[step] = total + first[step], total
    event = np.empty(total, np.int32)
    for i in range(h):  # … then put them there
        place = first[1 + group[i] * n * n :]  # in the end, where the next step starts
        for j in range(n):
            before, r = rank[i, j], rank[i, j + 1]
            for passed in range(min(before, r), max(before, r)):
                step = rising[i, passed] * n + j
                event[place[step]] = 2 * i + (r > before)
                place[step] += 1
    return first, event


@njit(cache=True, error_model="numpy")
def _walk(
    row: Float[np.ndarray, "n padded"],
    t: Float[np.ndarray, "h"],
    X: Float[np.ndarray, "h padded"],
    peak: Float[np.ndarray, "h"],
    order: Int[np.ndarray, "n"],
    first: Int[np.ndarray, "steps"],
    event: Int[np.ndarray, "events"],
    now: Float[np.ndarray, "padded"],
) -> float:
    """Add Σ_i t_i X_i over the active neurons of one group to row[b], for every b on its walk.

    Returns Σ |t_i| peak_i over the events. Two events share a pass over `now`.
    """
    moved = 0.0
    now[:] = 0
    for j in range(len(order)):
        e, end = first[j], first[j + 1]
        if (end - e) % 2:
            i = event[e] >> 1
            w, x = t[i] * (1 - 2 * (event[e] & 1)), X[i]
            for c in range(len(now)):
                now[c] += w * x[c]
            moved += abs(w) * peak[i]
            e += 1
        while e < end:
            i, k = event[e] >> 1, event[e + 1] >> 1
            w, x = t[i] * (1 - 2 * (event[e] & 1)), X[i]
            v, y = t[k] * (1 - 2 * (event[e + 1] & 1)), X[k]
            for c in range(len(now)):
                now[c] += w * x[c] + v * y[c]
            moved += abs(w) * peak[i] + abs(v) * peak[k]
            e += 2
        here = row[order[j]]
        for c in range(len(now)):
            here[c] += now[c]
    return moved


@njit(cache=True, error_model="numpy")
def add_along(
    sums: Float[np.ndarray, "F n n r"],
    direct: bool,
    swapped: bool,
    T: Float[np.ndarray, "n h"],
    X: Float[np.ndarray, "h padded"],
    peak: Float[np.ndarray, "h"],
    walk: Int[np.ndarray, "F n"],
    first: Int[np.ndarray, "bounds"],
    event: Int[np.ndarray, "events"],
) -> float:
    """Add Σ_i T_i(a) X_i over the active neurons of each group to sums[g, a, b] if `direct`, to sums[g, b, a] if `swapped`.

    peak: the largest entry of X_i. Returns the largest Σ |T_i(a)| peak_i over the events of a row a: the rounding errors of
    its sums are in proportion.
    """
    n, r = sums.shape[2:]
    now, row, most = np.empty(X.shape[1]), np.empty((n, X.shape[1])), 0.0
    for a in range(n):
        moved = 0.0
        for g in range(len(walk)):
            row[:] = 0
            moved += _walk(row, T[a], X, peak, walk[g], first[(g * n + a) * n :], event, now)
            for b in range(n):
                if direct:
                    sums[g, a, b] += row[b, :r]
                if swapped:
                    sums[g, b, a] += row[b, :r]
        most = max(most, moved)
    return most


@njit(cache=True, error_model="numpy")
def add_lines(
    sums: Float[np.ndarray, "n n padded"],
    T: Float[np.ndarray, "n h"],
    X: Float[np.ndarray, "h padded"],
    peak: Float[np.ndarray, "h"],
    walk: Int[np.ndarray, "F n"],
    first: Int[np.ndarray, "bounds"],
    event: Int[np.ndarray, "events"],
) -> float:
    """Add Σ_i T_i(a) X_i over all active neurons to sums[a, b], and return the same as `add_along`."""
    n, now, most = len(T), np.empty(X.shape[1]), 0.0
    for a in range(n):
        moved = 0.0
        for g in range(len(walk)):
            moved += _walk(sums[a], T[a], X, peak, walk[g], first[(g * n + a) * n :], event, now)
        most = max(most, moved)
    return most


@njit(cache=True, error_model="numpy")
def margins_along(
    others: Float[np.ndarray, "n n padded"],
    same: bool,
    T: Float[np.ndarray, "n h"],
    X: Float[np.ndarray, "h padded"],
    peak: Float[np.ndarray, "h"],
    walk: Int[np.ndarray, "F n"],
    first: Int[np.ndarray, "bounds"],
    event: Int[np.ndarray, "events"],
    C: Float[np.ndarray, "n n"],
    D: Float[np.ndarray, "n n"],
) -> tuple[Float[np.ndarray, "n n"], Int[np.ndarray, "n n"], float]:
    """Right logit less the best wrong one, which one that is, and what `add_along` returns.

    The logits of (a, b) are C[a] + D[b] + others[b, a] and Σ_i T_i(a) X_i over the active neurons, which is others[a, b] if
    `same`. Those of one row a stay in the cache.
    """
    n, now, most = len(T), np.empty(X.shape[1]), 0.0
    row, logits = np.empty(others.shape[1:]), np.empty(n)
    margin, runner_up = np.empty((n, n)), np.empty((n, n), np.int64)
    for a in range(n):
        moved = 0.0
        if same:
            row = others[a]
        else:
            row[:] = 0
            for g in range(len(walk)):
                moved += _walk(row, T[a], X, peak, walk[g], first[(g * n + a) * n :], event, now)
        most = max(most, moved)
        for b in range(n):
            one, other, right = row[b], others[b, a], (a + b) % n
            for c in range(n):
                logits[c] = one[c] + other[c] + (C[a, c] + D[b, c])
            margin[a, b], logits[right] = logits[right], -np.inf
            runner_up[a, b] = np.argmax(logits)
            margin[a, b] -= logits[runner_up[a, b]]
    return margin, runner_up, most
