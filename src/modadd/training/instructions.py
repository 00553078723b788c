"""What the compiled step is told: kinds of instructions, and where the loss finds what it needs."""

from typing import NamedTuple

FLOAT = 4  # bytes of a number
BLOCK = 32  # columns that are worked on at once
SQUARE = 16  # rows and columns that are transposed at once, at most
PRODUCT, TURN, PLUS, TIMES, GAINS, SUM, GATHER, SCATTER = range(8)
# Sizes that differ from batch to batch, and stand in shapes: how many rows of the first and of the second embedding it has.
OF_BATCH = (-1, -2)


class Places(NamedTuple):
    """Where the loss finds its tables, their slopes and room to work: addresses and steps down, in bytes.

    C and D are −1 where there is none; their steps are 0 where one row is the same for all. turned: W and its slope,
    transposed. rows_A and rows_B: how many, or sizes OF_BATCH.
    """

    A: int
    A_down: int
    B: int
    B_down: int
    W: int
    W_down: int
    C: int
    C_down: int
    D: int
    D_down: int
    dA: int
    dB: int
    dW: int
    dW_down: int
    dC: int
    dD: int
    turned: int
    d_turned: int
    turned_down: int
    active: int
    back: int
    active_down: int
    logits: int
    logits_down: int
    edge: int
    rows_A: int
    rows_B: int
    n: int
    h: int
    block: int
