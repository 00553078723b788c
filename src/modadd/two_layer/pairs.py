"""The pairs that a network is trained on and those held out, as [M] prints them."""

from collections.abc import Sequence

from jaxtyping import Int
from numpy import ndarray

PRINTED = 5  # pairs of each set


def numbers_of_pairs(n: int, trained_on: Int[ndarray, "m 2"], held_out: Int[ndarray, "k 2"]) -> list[int]:
    """How many pairs of residues there are mod n, how many are trained on, and how many held out."""
    return [n * n, len(trained_on), len(held_out)]


def first_pairs(n: int, sets: Sequence[Int[ndarray, "_ 2"]]) -> list[int]:
    """a, b and the label a + b mod n of the first PRINTED pairs of each set, one after the other."""
    return [int(x) for pairs in sets for a, b in pairs[:PRINTED] for x in (a, b, (a + b) % n)]
