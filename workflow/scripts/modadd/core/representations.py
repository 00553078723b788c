"""Irreducible representations of a cyclic group and of S3: characters, projectors, shares of the logits."""

from itertools import permutations
from typing import NamedTuple

import numpy as np
from jaxtyping import Complex, Float, Int

from modadd.core.groups import ADDITION, S3, right_answers
from modadd.core.separable import centred
from modadd.core.wording import unknown


class Representation(NamedTuple):
    """An irreducible representation with its complex conjugate, where that is another one.

    name: what the field calls it; ±k on a cyclic group. dimension: d of each of them. characters: one row each, on the
    elements in the order of `right_answers`.
    """

    name: str
    dimension: int
    characters: Complex[np.ndarray, "conjugates n"]


def representations(operation: str, n: int) -> list[Representation]:
    """All of them, the trivial one first; raises ValueError for another operation than addition and S3."""
    if operation == S3:
        elements = np.array(list(permutations(range(3))))
        fixed = (elements == np.arange(3)).sum(axis=1)
        sign = np.linalg.det(np.eye(3)[elements]).round()
        rows = [("trivial", 1, np.ones(len(elements))), ("sign", 1, sign), ("standard", 2, fixed - 1.0)]
        return [Representation(name, d, character[None].astype(complex)) for name, d, character in rows]
    if operation != ADDITION:
        raise ValueError(unknown("operation with representations", "operation", operation, (ADDITION, S3)))
    wave = np.exp(2j * np.pi * np.outer(np.arange(n), np.arange(n)) / n)
    own = [Representation("trivial" if k == 0 else f"±{k}", 1, wave[sorted({k, -k % n})]) for k in range(n // 2 + 1)]
    return own


def inverses(table: Int[np.ndarray, "n n"]) -> Int[np.ndarray, "n"]:
    """The inverse of every element of a group with this Cayley table."""
    one = int(np.flatnonzero((table == np.arange(len(table))).all(axis=1))[0])
    return np.argmax(table == one, axis=1)


def projector(of: Representation, table: Int[np.ndarray, "n n"]) -> Float[np.ndarray, "n n"]:
    """P[g, h] = d/|G| · Σ χ(g h⁻¹): from functions on the group to their part in the representation."""
    quotients = table[:, inverses(table)]
    return of.dimension / len(table) * of.characters.sum(axis=0).real[quotients]


def shares_along(logits: Float[np.ndarray, "n n n"], operation: str) -> Float[np.ndarray, "representations"]:
    """b²: share of the squared norm of the centred logits along χ(a b c⁻¹) of each representation; 0 for the trivial one.

    All are 0 if the logits do not vary.
    """
    n, target = len(logits), centred(logits)
    table = right_answers(operation, n)
    quotients = table[table[:, :, None], inverses(table)]
    total = np.square(target).sum() * n**3  # the squared norm of χ(a b c⁻¹) is n³
    shares = []
    for of in representations(operation, n):
        along = sum(abs(np.vdot(character[quotients], target)) ** 2 for character in of.characters)
        shares.append(along / total if total else 0.0)
    return np.array(shares) * (np.arange(len(shares)) > 0)  # centring removes the trivial one up to rounding


def energies_in(functions: Float[np.ndarray, "n h"], operation: str) -> Float[np.ndarray, "representations h"]:
    """Squared norm of the part of each function on the group in each representation; a constant is all in the trivial one."""
    table = right_answers(operation, len(functions))
    parts = [projector(of, table) @ functions for of in representations(operation, len(functions))]
    return np.square(parts).sum(axis=1)
