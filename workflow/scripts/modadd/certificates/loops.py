"""The loops of sums over active neurons, compiled: find where neurons turn on and off, and walk along.

Neurons are the rows of the tables here. An event is one neuron that turns on or off between two inputs of a line.
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
) -> tuple[Int[np.ndarray, "bounds"], Int[np.ndarray, "events"], Float[np.ndarray, "events"]]:
    """Events of every step (group, a, position on the group's walk over b): where they start, their neurons, ±1 for on and off.

    Every walk begins with all neurons off. rising: the rows a of each neuron in the order of A_i(a). At b the neuron is
    active in those from rank r on; as b moves, r passes exactly the rows in which the neuron turns.
    """
    h, n = A.shape
    first = np.zeros(len(walk) * n * n + 1, np.int64)
    neuron, sign = np.empty(0, np.int32), np.empty(0)
    for filling in (False, True):  # count the events of every step, then put them there
        if filling:
            total = 0
            for step in range(1, len(first)):
                total, first[step] = total + first[step], total
            neuron, sign = np.empty(total, np.int32), np.empty(total)
        for i in range(h):
            place = first[1 + group[i] * n * n :]  # when filled, each holds where the next step starts
            r = n
            for j in range(n):
                y = B[i, walk[group[i], j]]
                while r > 0 and A[i, rising[i, r - 1]] + y > 0:
                    r -= 1
                    step = rising[i, r] * n + j
                    if filling:
                        neuron[place[step]], sign[place[step]] = i, 1.0
                    place[step] += 1
                while r < n and A[i, rising[i, r]] + y <= 0:
                    step = rising[i, r] * n + j
                    if filling:
                        neuron[place[step]], sign[place[step]] = i, -1.0
                    place[step] += 1
                    r += 1
    return first, neuron, sign


@njit(cache=True, error_model="numpy")
def add_along(
    sums: Float[np.ndarray, "parts n n r"],
    direct: bool,
    swapped: bool,
    T: Float[np.ndarray, "n h"],
    X: Float[np.ndarray, "h padded"],
    walk: Int[np.ndarray, "F n"],
    first: Int[np.ndarray, "bounds"],
    neuron: Int[np.ndarray, "events"],
    sign: Float[np.ndarray, "events"],
) -> float:
    """Add Σ_i T_i(a) X_i over the neurons active at (a, b) to sums[part, a, b] if `direct`, to sums[part, b, a] if `swapped`.

    Groups are added up into one part, or have one each. Returns the largest Σ |sign T_i(a)| max|X_i| over the events of
    a row a: the rounding errors of its sums are in proportion. Two events share a pass over the row that they change.
    """
    n, h = T.shape
    parts, r, padded = len(sums), sums.shape[3], X.shape[1]
    peak = np.zeros(h)
    for i in range(h):
        for c in range(padded):
            peak[i] = max(peak[i], abs(X[i, c]))
    now, row, most = np.empty(padded), np.empty((parts, n, padded)), 0.0
    for a in range(n):
        t, moved = T[a], 0.0
        row[:] = 0
        for g in range(len(walk)):
            now[:] = 0
            part = row[g % parts]
            for j in range(n):
                step = (g * n + a) * n + j
                e, end = first[step], first[step + 1]
                if (end - e) % 2:
                    i = neuron[e]
                    w, x = sign[e] * t[i], X[i]
                    for c in range(padded):
                        now[c] += w * x[c]
                    moved += abs(w) * peak[i]
                    e += 1
                while e < end:
                    i, k = neuron[e], neuron[e + 1]
                    w, x, v, y = sign[e] * t[i], X[i], sign[e + 1] * t[k], X[k]
                    for c in range(padded):
                        now[c] += w * x[c] + v * y[c]
                    moved += abs(w) * peak[i] + abs(v) * peak[k]
                    e += 2
                here = part[walk[g, j]]
                for c in range(padded):
                    here[c] += now[c]
        most = max(most, moved)
        for p in range(parts):
            for b in range(n):
                here = row[p, b]
                if direct:
                    for c in range(r):
                        sums[p, a, b, c] += here[c]
                if swapped:
                    for c in range(r):
                        sums[p, b, a, c] += here[c]
    return most
