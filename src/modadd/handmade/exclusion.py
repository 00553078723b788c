"""One neuron with C and D excluded for a modulus, exactly: a tree of firing patterns with a rational certificate at each leaf.

Let t be the smallest lead of a right answer, and let the neuron's W fall in some order of the answers. Then it is n − 1
neurons that fire together, whose W are the steps of the order (`steps_of`). For a given pattern of firing, all that is
known of t, A, B, r, C and D are linear inequalities with coefficients −1, 0 and 1. A certificate is a sum of them, with
weights of at least 0, in which all but t cancels, and t is left with a weight below 0: so t > 0 is impossible. Linear
programs in floating point only guess the weights; that the sum cancels is checked in fractions.
"""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import lcm
from typing import Any, NamedTuple

import numpy as np
from jaxtyping import Float, Int

from modadd.handmade.smallest import Order, order_classes, steps_of

DENOMINATORS = (12, 60, 840, 27720)  # weights are guessed with small ones first
_NOTHING = 1e-9  # of a weight or a gap in floating point

Cell = tuple[int, int]
Row = tuple[Cell | None, int]  # which of the inequalities of a decided cell, or of those that always hold
Inequality = Int[np.ndarray, "unknowns"]  # coefficients of a sum that is at least 0; the first one is that of t


class Certificate(NamedTuple):
    """Rows whose sum, with these weights, says that the smallest lead is not positive."""

    weights: dict[Row, Fraction]


class Question(NamedTuple):
    """Do the neurons fire at a cell? What excludes the order if they do, and if they do not."""

    cell: Cell
    firing: "Certificate | Question"
    silent: "Certificate | Question"


Tree = Certificate | Question


class Exclusion(NamedTuple):
    """How many firing patterns were looked at, how many have a certificate, and the tree that excludes the order, if any."""

    patterns: int
    certificates: int
    tree: Tree | None

    @property
    def excluded(self) -> bool:
        """Whether there is a certificate for every pattern."""
        return self.tree is not None


class Inequalities(NamedTuple):
    """What holds for every pattern of firing, and what a cell adds where the neurons fire or are silent.

    at: the places of the unknowns A and B (a row for each neuron) and r (with rows a and columns b).
    """

    always: list[Inequality]
    firing: dict[Cell, list[Inequality]]
    silent: dict[Cell, list[Inequality]]
    at: dict[str, np.ndarray]


def inequalities(order: Order) -> Inequalities:
    """Those of an order of the answers, for the neurons of its steps."""
    n, W = len(order), steps_of(order).astype(int)
    shapes = {"t": (1,), "A": (n - 1, n), "B": (n - 1, n), "r": (n - 1, n, n), "C": (n, n), "D": (n, n)}
    at, size = {}, 0
    for name, shape in shapes.items():
        at[name] = size + np.arange(np.prod(shape)).reshape(shape)
        size += at[name].size
    always, firing, silent = [], {}, {}
    for a, b in np.ndindex(n, n):
        right = (a + b) % n
        for c in (c for c in range(n) if c != right):  # the lead over c is at least t
            lead = _sum(size, {0: -1, at["C"][a, right]: 1, at["C"][a, c]: -1, at["D"][b, right]: 1, at["D"][b, c]: -1})
            lead[at["r"][:, a, b]] = W[:, right] - W[:, c]
            always.append(lead)
        r = [_sum(size, {at["r"][i, a, b]: 1}) for i in range(n - 1)]
        u = [_sum(size, {at["A"][i, a]: 1, at["B"][i, b]: 1}) for i in range(n - 1)]
        always += [*r, *(ri - ui for ri, ui in zip(r, u, strict=True))]
        firing[a, b] = [*u, *(ui - ri for ri, ui in zip(r, u, strict=True))]
        silent[a, b] = [-row for row in (*u, *r)]
    return Inequalities(always, firing, silent, at)


def _sum(size: int, coefficients: Mapping[Any, int]) -> Inequality:
    row = np.zeros(size, dtype=int)
    row[[*coefficients]] = [*coefficients.values()]
    return row


def is_certificate(rows: Sequence[Inequality], weights: dict[int, Fraction]) -> bool:
    """Whether the sum of the rows with these weights, exactly, is t times a number below 0, and no weight is below 0."""
    if not weights or min(weights.values()) < 0:
        return False
    common = lcm(*(weight.denominator for weight in weights.values()))
    whole = [int(weight * common) for weight in weights.values()]  # faster to add than fractions
    used = np.array([rows[k] for k in weights])
    total = [0] * used.shape[1]
    for row, place in np.argwhere(used).tolist():
        total[place] += whole[row] * int(used[row, place])
    return total[0] < 0 and not any(total[1:])


def exclude(order: Order) -> Exclusion:
    """Try patterns of firing for an order of W, cell by cell where the best solution breaks r = ReLU(u) the most.

    A pattern without a certificate, in which a network adds or no weights were found, leaves the order open. What excludes
    all patterns where a cell fires, and does not ask whether it fires, also excludes those where it is silent.
    """
    known, patterns, certificates = inequalities(order), 0, 0

    def asked(pattern: dict[Cell, bool]) -> tuple[Tree, set[Cell]] | None:
        """The tree below a pattern, and the cells that are asked to exclude all that complete it; None if it stays open."""
        nonlocal patterns, certificates
        patterns += 1
        of_cells = {cell: (known.firing if fires else known.silent)[cell] for cell, fires in pattern.items()}
        names: list[Row] = [(None, k) for k in range(len(known.always))]
        names += [(cell, k) for cell, rows in of_cells.items() for k in range(len(rows))]
        rows = sum(of_cells.values(), known.always)
        x, guessed = _largest_lead(np.array(rows))
        if x[0] <= _NOTHING:
            tries = ({k: Fraction(guessed[k]).limit_denominator(d) for k in guessed} for d in DENOMINATORS)
            weights = next((weights for weights in tries if is_certificate(rows, weights)), None)
            if weights is None:
                return None
            certificates += 1
            named = {names[k]: weight for k, weight in weights.items() if weight}
            return Certificate(named), {cell for cell, _ in named} - {None}
        broken = _broken(x, known.at)
        for decided in pattern:
            broken[decided] = -1
        cell = tuple(map(int, np.unravel_index(broken.argmax(), broken.shape)))
        if broken[cell] <= _NOTHING:
            return None
        firing = asked({**pattern, cell: True})
        if firing is None or cell not in firing[1]:
            return firing
        silent = asked({**pattern, cell: False})
        if silent is None or cell not in silent[1]:
            return silent
        return Question(cell, firing[0], silent[0]), (firing[1] | silent[1]) - {cell}

    found = asked({})
    return Exclusion(patterns, certificates, found and found[0])


def exclude_one_neuron(n: int) -> dict[str, int]:
    """How many orders W can have mod n, up to a renaming of the residues, how many are excluded, and what that took."""
    found = [exclude(order) for order in order_classes(n)]
    sums = {name: sum(getattr(one, name) for one in found) for name in ("excluded", "patterns", "certificates")}
    return {"n": n, "orders of W": len(found)} | sums


def _largest_lead(rows: Int[np.ndarray, "rows unknowns"]) -> tuple[Float[np.ndarray, "unknowns"], dict[int, float]]:
    """A solution with the largest t ≤ 1, and the weights of the rows that bound it, by HiGHS in floating point."""
    from scipy.optimize import linprog  # here: slower to import than most notebooks compute
    from scipy.sparse import csr_matrix

    goal = -np.eye(1, rows.shape[1])[0]
    bounds = [(None, 1), *[(None, None)] * (rows.shape[1] - 1)]
    done = linprog(goal, A_ub=csr_matrix(-rows), b_ub=np.zeros(len(rows)), bounds=bounds, method="highs")
    weights = -done.ineqlin.marginals
    return done.x, {int(k): float(weights[k]) for k in np.flatnonzero(np.abs(weights) > _NOTHING)}


def _broken(x: Float[np.ndarray, "unknowns"], at: dict[str, np.ndarray]) -> Float[np.ndarray, "n n"]:
    """By how much r exceeds ReLU(u) at every input, and by how much the neurons disagree on firing, over all neurons."""
    u = x[at["A"]][:, :, None] + x[at["B"]][:, None, :]
    on, off = np.maximum(u, 0), np.maximum(-u, 0)
    return (x[at["r"]] - on).sum(axis=0) + np.minimum(on.sum(axis=0), off.sum(axis=0))
