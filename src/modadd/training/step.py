"""The compiled step: many updates of one network, without Python between them.

An update is a Program: its instructions to the tables, the loss with its slopes in the tables, instructions back to the
parameters, and the optimiser. Matrix products are the chains of `tiles`; all other formulas stand here, in `rows`, `fused` and
`neurons`. Compiled without fast-math: operations are done as they are written, each rounded once, on any processor.
"""

from typing import NamedTuple

import numpy as np
from jaxtyping import Float, Int

from modadd.training.compiling import compiled
from modadd.training.fused import exp64, log1p64
from modadd.training.instructions import (
    BLOCK,
    FLOAT,
    GAINS,
    GATHER,
    PLUS,
    PRODUCT,
    SCATTER,
    SUM,
    TIMES,
    TURN,
)
from modadd.training.neurons import RELUS, activate, gain_slopes
from modadd.training.tiles import call_multiply
from modadd.training.turning import turn
from modadd.training.vectors import (
    number_at,
    put,
    vector_exp,
    vector_fill,
    vector_gains,
    vector_plus,
    vector_relu,
    vector_times,
    vector_top,
    vectors_gain_masked,
)

TOGETHER = 16  # rows of logits that are worked on side by side, since each would wait for itself
_ZERO, _ONE = np.float32(0), np.float32(1)


class Batches(NamedTuple):
    """The pairs of every batch, each batch by a, then b, and the rows of the embeddings that it has.

    a, b: of each pair, the rows of A and of B. right: its answer. often: how many times it stands in the batch. pairs: how
    many there are, and rows are behind them. rows, n_rows: of the first and of the second embedding, which rows and how many.
    size: pairs in a batch, each as often as it stands there.
    """

    a: Int[np.ndarray, "batches m"]
    b: Int[np.ndarray, "batches m"]
    right: Int[np.ndarray, "batches m"]
    often: Int[np.ndarray, "batches m"]
    pairs: Int[np.ndarray, "batches"]
    rows: Int[np.ndarray, "batches 2 n"]
    n_rows: Int[np.ndarray, "batches 2"]
    size: int


class Rates(NamedTuple):
    """What the optimiser is told: of every parameter, where it begins, how long it is, and its two decays; then of every update.

    shrink: what remains of a value by decay apart from the gradient. l2: the decay added to the gradient. rate: the rate over
    1 − β₁ᵗ. root: 1/√(1 − β₂ᵗ). descends: whether updates are the rate times the slope, without moments.
    """

    starts: Int[np.ndarray, "parameters"]
    lengths: Int[np.ndarray, "parameters"]
    apart: int
    shrink: Float[np.ndarray, "parameters"]
    l2: Float[np.ndarray, "parameters"]
    rate: Float[np.ndarray, "updates"]
    root: Float[np.ndarray, "updates"]
    beta1: np.float32
    beta2: np.float32
    epsilon: np.float32
    descends: bool


@compiled
def follow(program, constants, at, rows, n_rows, product):
    """Carry out instructions on the array that lies at an address, with the rows of a batch."""
    for i in range(len(program)):
        kind, p, q, columns, extra = program[i, 0], program[i, 8], program[i, 9], program[i, 10], program[i, 11]
        out, below = at + program[i, 1], program[i, 2]
        x, down, along = at + program[i, 3], program[i, 4], program[i, 5]
        y, onward = at + program[i, 6], program[i, 7]
        blocks = columns // BLOCK
        p = n_rows[-1 - p] if p < 0 else p
        q = n_rows[-1 - q] if q < 0 else q
        if kind == PRODUCT:
            call_multiply(product, x, down, along, y, onward, out, below, p, q, columns, False)
        elif kind == TURN:
            turn(x, down, out, below, p, columns)
        elif kind == PLUS:
            for r in range(p):
                vector_plus(out + r * below, x + r * down, y + r * onward, _ONE, blocks)
        elif kind == TIMES:
            for r in range(p):
                vector_times(out + r * below, x + r * down, x + r * down, constants[extra], blocks)
        elif kind == GAINS:
            for r in range(p):
                vector_gains(out + r * below, x + r * down, y + r * onward, constants[extra], blocks)
        elif kind == SUM:
            vector_fill(out, _ZERO, blocks)
            for r in range(p):
                vector_plus(out, out, x + r * down, _ONE, blocks)
        elif kind == GATHER:
            for r in range(p):
                row = x + rows[extra, r] * down
                vector_times(out + r * below, row, row, _ONE, blocks)
        elif kind == SCATTER:
            for r in range(q):
                vector_fill(out + r * below, _ZERO, blocks)
            for r in range(p):
                vector_times(out + rows[extra, r] * below, x + r * down, x + r * down, _ONE, blocks)


@compiled
def tails(own, others, terms, scales, n_pairs):
    """Of sixteen rows: the cross-entropy in nats, and what their weights are multiplied by.

    own: the logit of the right answer below the largest one. others: the sum of the other answers' weights.
    """
    for r in range(TOGETHER):
        weight = exp64(own[r])
        lost = weight == 0
        logarithm = log1p64(others[r] - 1 if lost else others[r] / weight)
        terms[r] = logarithm - own[r] if lost else logarithm
        scales[r] = 1 / ((others[r] + weight) * n_pairs)


@compiled
def softmax(logits, down, edge, blocks, low, m, C, D, places, a, b, right, often, n_pairs, kept):
    """Logits of m pairs → the loss's slopes in them, in place; returns the sum of their losses.

    Exact in the tail: for the right answer softmax − 1 is minus the sum of the others, and the loss is log1p of their ratio in
    float64, so neither is lost when the network is sure.
    """
    own, others, terms, scales = kept[0], kept[1], kept[2], kept[3]
    loss = 0.0
    for start in range(0, m, TOGETHER):
        some = min(TOGETHER, m - start)
        for r in range(some):
            row, pair = logits + (start + r) * down, low + start + r
            if places.C >= 0:
                vector_plus(row, row, C + a[pair] * places.C_down, _ONE, blocks)
            if places.D >= 0 and places.D_down > 0:
                vector_plus(row, row, D + b[pair] * places.D_down, _ONE, blocks)
            others[r] = vector_top(row, edge, blocks)
        for r in range(some):
            answer = logits + (start + r) * down + right[low + start + r] * FLOAT
            own[r] = number_at(answer) - np.float32(others[r])
            put(answer, np.float32(-np.inf))
        for r in range(some):
            others[r] = vector_exp(logits + (start + r) * down, np.float32(others[r]), blocks)
        tails(own, others, terms, scales, n_pairs)
        for r in range(some):
            row, pair = logits + (start + r) * down, low + start + r
            loss += often[pair] * terms[r]
            scale = often[pair] * scales[r]
            vector_times(row, row, row, np.float32(scale), blocks)
            put(row + right[pair] * FLOAT, np.float32(-others[r] * scale))
    return loss


@compiled
def loss_of(numbers, at, places, a, b, right, often, n_pairs, n_rows, kind, slopes, product, kept):
    """The mean cross-entropy over some pairs in nats; with `slopes` its slope in every table, too."""
    n, h, wide, down = places.n, places.h, places.active_down, places.logits_down
    n_blocks, h_blocks = (n + BLOCK - 1) // BLOCK, (h + BLOCK - 1) // BLOCK
    A, B, W, C, D = at + places.A, at + places.B, at + places.W, at + places.C, at + places.D
    dA, dB, dC, dD = at + places.dA, at + places.dB, at + places.dC, at + places.dD
    active, back, logits, edge = at + places.active, at + places.back, at + places.logits, at + places.edge
    rows_A = n_rows[-1 - places.rows_A] if places.rows_A < 0 else places.rows_A
    rows_B = n_rows[-1 - places.rows_B] if places.rows_B < 0 else places.rows_B
    one_row = places.D >= 0 and places.D_down == 0
    for j in range(n_blocks * BLOCK):
        bias = number_at(D + j * FLOAT) if one_row else _ZERO
        put(edge + j * FLOAT, bias if j < n else np.float32(-np.inf))
    if slopes:
        turn(W, places.W_down, at + places.turned, places.turned_down, h, n)
        for r in range(rows_A):
            vector_fill(dA + r * places.A_down, _ZERO, h_blocks)
            if places.C >= 0:
                vector_fill(dC + r * places.C_down, _ZERO, n_blocks)
        for r in range(rows_B):
            vector_fill(dB + r * places.B_down, _ZERO, h_blocks)
            if places.D >= 0:
                vector_fill(dD + r * places.D_down, _ZERO, n_blocks)
    loss = 0.0
    for low in range(0, len(right), places.block):
        m = min(places.block, len(right) - low)
        for r in range(m):
            first, second = A + a[low + r] * places.A_down, B + b[low + r] * places.B_down
            if kind == RELUS:
                vector_relu(active + r * wide, first, second, _ONE, h_blocks)
            else:
                i, j, k = (first - at) // FLOAT, (second - at) // FLOAT, (active + r * wide - at) // FLOAT
                activate(kind, numbers[i : i + h], numbers[j : j + h], numbers[k : k + h])
        call_multiply(product, active, wide, FLOAT, W, places.W_down, logits, down, m, h, n_blocks * BLOCK, False)
        loss += softmax(logits, down, edge, n_blocks, low, m, C, D, places, a, b, right, often, n_pairs, kept)
        if not slopes:
            continue
        turned, d_turned, d_down = at + places.turned, at + places.d_turned, places.turned_down
        call_multiply(product, logits, FLOAT, down, active, wide, d_turned, d_down, n, m, h_blocks * BLOCK, low > 0)
        call_multiply(product, logits, down, FLOAT, turned, d_down, back, wide, m, n, h_blocks * BLOCK, False)
        for r in range(m):
            of_a, of_b = a[low + r], b[low + r]
            first, second = dA + of_a * places.A_down, dB + of_b * places.B_down
            if kind == RELUS:
                vectors_gain_masked(back + r * wide, active + r * wide, first, second, h_blocks)
            else:
                i, j = (A + of_a * places.A_down - at) // FLOAT, (B + of_b * places.B_down - at) // FLOAT
                k, to_a, to_b = (back + r * wide - at) // FLOAT, (first - at) // FLOAT, (second - at) // FLOAT
                before = numbers[i : i + h], numbers[j : j + h]
                gain_slopes(kind, *before, numbers[k : k + h], numbers[to_a : to_a + h], numbers[to_b : to_b + h])
            if places.C >= 0:
                of_c = dC + of_a * places.C_down
                vector_plus(of_c, of_c, logits + r * down, _ONE, n_blocks)
            if places.D >= 0:
                of_d = dD + of_b * places.D_down
                vector_plus(of_d, of_d, logits + r * down, _ONE, n_blocks)
    if slopes:
        turn(at + places.d_turned, places.turned_down, at + places.dW, places.dW_down, n, h)
    return loss / n_pairs


@compiled
def multiply_again(times, product, x, y, out):
    """out ← x @ y so many times: what a core does at most."""
    (p, q), r, (down, along) = x.shape, y.shape[1], x.strides
    for _ in range(times):
        given = x.ctypes.data, down, along, y.ctypes.data, y.strides[0], out.ctypes.data, out.strides[0]
        call_multiply(product, *given, p, q, r, False)


@compiled
def adam(values, slopes, first, second, shrink, l2, rate, root, beta1, beta2, epsilon):
    """One update of values and of both moments by Adam, with bias correction: see Rates."""
    for i in range(len(values)):
        slope = slopes[i] + l2 * values[i]
        first[i] = beta1 * first[i] + (_ONE - beta1) * slope
        second[i] = beta2 * second[i] + (_ONE - beta2) * slope * slope
        values[i] = shrink * values[i] - rate * first[i] / (np.sqrt(second[i]) * root + epsilon)


@compiled
def descend(values, slopes, shrink, l2, rate):
    """One update of values by plain descent."""
    for i in range(len(values)):
        values[i] = shrink * values[i] - rate * (slopes[i] + l2 * values[i])


@compiled
def optimise(numbers, rates, update):
    """One update of every parameter along its slope."""
    for k in range(len(rates.starts)):
        start, length, apart = rates.starts[k], rates.lengths[k], rates.apart
        values, slopes = numbers[start : start + length], numbers[start + apart : start + apart + length]
        shrink, l2, rate = rates.shrink[k], rates.l2[k], rates.rate[update]
        if rates.descends:
            descend(values, slopes, shrink, l2, rate)
            continue
        first = numbers[start + 2 * apart : start + 2 * apart + length]
        second = numbers[start + 3 * apart : start + 3 * apart + length]
        root = rates.root[update]
        adam(values, slopes, first, second, shrink, l2, rate, root, rates.beta1, rates.beta2, rates.epsilon)


@compiled
def steps(numbers, forward, backward, constants, places, batches, rates, kind, begin, losses, learns, product):
    """Make as many updates as there are losses, from batch `begin` on, and note the loss before each; returns how many were made.

    It stops before the update of a loss that is not finite. Without `learns` it notes the loss on one batch, and updates nothing.
    numbers: the array of a Program, whose first number lies at the start of a line of the cache. product: the address of
    `tiles.multiply`.
    """
    at = numbers.ctypes.data
    kept = np.ones((4, TOGETHER))
    for t in range(len(losses)):
        batch = (begin + t) % len(batches.pairs)
        m, n_rows, rows = batches.pairs[batch], batches.n_rows[batch], batches.rows[batch]
        a, b = batches.a[batch, :m], batches.b[batch, :m]
        right, often = batches.right[batch, :m], batches.often[batch, :m]
        follow(forward, constants, at, rows, n_rows, product)
        loss = loss_of(numbers, at, places, a, b, right, often, batches.size, n_rows, kind, learns, product, kept)
        losses[t] = loss
        if not learns or not np.isfinite(loss):
            return t
        follow(backward, constants, at, rows, n_rows, product)
        optimise(numbers, rates, t)
    return len(losses)
