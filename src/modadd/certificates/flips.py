"""Sums over the active neurons of every input, exact and with few operations: only neurons that turn on or off change them.

With u = A_i(a) + B_i(b) and ReLU(u) = u·1[u > 0], Σ_i ReLU(u) X_i = Σ_i 1_i(a,b) A_i(a) X_i + Σ_i 1_i(a,b) B_i(b) X_i.
In the first sum only 1_i depends on b. On a walk through b in the order of k b mod n, k the frequency of the neuron, it
changes a few times: each of its flips adds ±A_i(a) X_i to a running sum. The second sum walks through a.
"""

from dataclasses import dataclass
from itertools import pairwise
from math import log2
from typing import NamedTuple

import numpy as np
from jaxtyping import Float, Int

from modadd.certificates.rounding import gamma
from modadd.core.fourier import variance_by_frequency
from modadd.core.separable import Separable

LEAST = 3  # neurons of a walk: to walk for fewer takes more additions than their flips on another walk
_NOTHING = 2.0**-50  # of all that the neurons can add to a logit: the weakest that add less are left out
_LANES = 8  # rows of X are padded to a multiple of so many, for vector units
TINY = float(np.finfo(float).tiny)


class Line(NamedTuple):
    """Flips on walks along one input, for every value of the other: the arguments of `add_along`."""

    walk: Int[np.ndarray, "F n"]
    first: Int[np.ndarray, "bounds"]
    event: Int[np.ndarray, "events"]

    def error(self, most: float, X: Float[np.ndarray, "h r"]) -> float:
        """The most by which roundings move a sum against X, where the terms of its walks add up to `most` in modulus."""
        n = self.walk.shape[1]
        roundings = int(np.diff(self.first[::n]).reshape(-1, n).sum(axis=0).max(initial=0)) + len(self.walk) + 8
        return gamma(roundings) * most + roundings * TINY * (1 + float(np.abs(X).max(initial=0)))


@dataclass(frozen=True)
class Flips:
    """Where the neurons of a network turn on and off. `network` has them in the order of their group.

    frequency: of each group's walk. along_b: lines of fixed a; along_a: lines of fixed b. Dead neurons, which are noise and
    flip everywhere, are not in `network`: left_out is the most that they can add to a logit, and neurons counts them too.
    """

    network: Separable
    group: Int[np.ndarray, "h"]
    frequency: Int[np.ndarray, "F"]
    along_b: Line
    along_a: Line
    left_out: float
    neurons: int

    def groups(self) -> list[slice]:
        """The neurons of each group."""
        ends = np.searchsorted(self.group, np.arange(len(self.frequency) + 1))
        return [slice(*pair) for pair in pairwise(ends.tolist())]

    @property
    def count(self) -> int:
        """Flips on all lines (those along a are those along b if A = B); being on at the start of a walk counts."""
        return sum(len(line.event) for line in self.lines)

    @property
    def lines(self) -> list[Line]:
        """Along b and along a; only one if A = B."""
        return [self.along_b] if self.along_a is self.along_b else [self.along_b, self.along_a]

    def finding(self) -> int:
        """Operations for finding the flips: spectra, largest entries, sorted columns, comparisons."""
        n, h = self.network.A.shape
        return round(self.neurons * n * (log2(n) + 3) + len(self.lines) * n * h * (1 + log2(n))) + self.count

    def adding(self, columns: int, lines: int = 2) -> int:
        """Operations that `add` takes for so many columns of X: the flips, every step of the walks, and putting sums together."""
        walked = self.lines[:lines]
        steps = (len(walked) * len(self.frequency) + lines) * self.network.modulus**2
        return columns * (sum(len(line.event) for line in walked) + steps)

    def add(
        self,
        sums: Float[np.ndarray, "F n n r"],
        along_b: Float[np.ndarray, "n h"],
        along_a: Float[np.ndarray, "n h"],
        X: Float[np.ndarray, "h r"],
    ) -> float:
        """Add Σ_i 1_i(a,b) (along_b_i(a) + along_a_i(b)) X_i of each group at every (a, b); return the most that roundings make.

        A table of zeros costs nothing.
        """
        from modadd.certificates.loops import (
            add_along,
        )  # here: numba takes longer to import than most notebooks compute

        padded, peak = _padded(X)
        lines = [(along_b, self.along_b, (True, False)), (along_a, self.along_a, (False, True))]
        if self.along_a is self.along_b and np.array_equal(along_a, along_b):
            lines = [(along_b, self.along_b, (True, True))]
        error = 0.0
        for table, line, where in lines:
            if table.any():
                T = np.ascontiguousarray(table)
                most = add_along(sums, *where, T, padded, peak, *line)
                error += sum(where) * line.error(most, X)
        return error


def find_flips(network: Separable) -> Flips:
    """The flips of every neuron, on the walk of its own frequency or, if fewer than LEAST share that, of its next best."""
    from modadd.certificates.loops import find_events

    alive, left_out = _alive(network)
    same = np.array_equal(network.A[:, alive], network.B[:, alive])
    power = (variance_by_frequency(network.A) + (0 if same else variance_by_frequency(network.B)))[:, alive]
    own = walked_frequency(power)
    order = np.argsort(own, kind="stable")
    frequency, group = np.unique(own[order], return_inverse=True)
    walk = walks(frequency, network.modulus)
    members = alive[order]
    grouped = Separable(network.A[:, members], network.B[:, members], network.W[members], network.C, network.D)
    A, B = (np.ascontiguousarray(table.T) for table in (grouped.A, grouped.B))
    along_b = along_a = Line(walk, *find_events(A, B, np.argsort(A, axis=1, kind="stable"), group, walk))
    if not same:
        along_a = Line(walk, *find_events(B, A, np.argsort(B, axis=1, kind="stable"), group, walk))
    return Flips(grouped, group, frequency, along_b, along_a, left_out, network.width)


def walked_frequency(power: Float[np.ndarray, "K h"]) -> Int[np.ndarray, "h"]:
    """The frequency of each neuron's walk: its strongest, or the strongest of those that LEAST neurons share, if any are.

    power: of each neuron at each frequency from 0 on.
    """
    shared, sizes = np.unique(1 + np.argmax(power[1:], axis=0), return_counts=True)
    if (sizes >= LEAST).any():
        shared = shared[sizes >= LEAST]
    return shared[np.argmax(power[shared], axis=0)] if len(shared) else shared  # there may be no neurons


def walks(frequency: Int[np.ndarray, "F"], n: int) -> Int[np.ndarray, "F n"]:
    """The residues in the order of k b mod n, for each frequency k."""
    return np.argsort(frequency[:, None] * np.arange(n) % n, axis=1, kind="stable")


def _alive(network: Separable) -> tuple[Int[np.ndarray, "_"], float]:
    """All neurons but the weakest, which together add no more than _NOTHING of what all can; and the most that those add."""
    A, B, W = (np.abs(table).max(axis=0, initial=0) for table in (network.A, network.B, network.W.T))
    weakest = np.argsort((A + B) * W, kind="stable")
    most = np.cumsum(((A + B) * W)[weakest])
    dead = int(np.searchsorted(most, _NOTHING * most[-1])) if len(most) else 0
    return np.sort(weakest[dead:]), float(most[dead - 1] * (1 + gamma(dead + 4)) + dead * TINY) if dead else 0.0


def _padded(X: Float[np.ndarray, "h r"]) -> tuple[Float[np.ndarray, "h padded"], Float[np.ndarray, "h"]]:
    """X with rows of whole vectors, and the largest entry of each row."""
    padded = np.zeros((len(X), -(-X.shape[1] // _LANES) * _LANES))
    padded[:, : X.shape[1]] = X
    return padded, np.abs(padded).max(axis=1, initial=0)


def margins_by_flips(flips: Flips) -> tuple[Float[np.ndarray, "n n"], Int[np.ndarray, "n n"], float]:
    """Margin and nearest wrong answer of every input, as its logits give them, and the most by which errors move a logit."""
    from modadd.certificates.loops import add_lines, margins_along

    network, n, same = flips.network, flips.network.modulus, len(flips.lines) == 1
    padded, peak = _padded(network.W)
    A, B, others = np.ascontiguousarray(network.A), np.ascontiguousarray(network.B), np.zeros((n, n, padded.shape[1]))
    most_a = add_lines(others, B, padded, peak, *flips.along_a)
    margin, runner_up, most_b = margins_along(others, same, A, padded, peak, *flips.along_b, network.C, network.D)
    error = flips.along_a.error(most_a, network.W) + flips.along_b.error(most_a if same else most_b, network.W)
    beside = gamma(8) * float(np.abs(network.C).max() + np.abs(network.D).max())
    return margin, runner_up, flips.left_out + error + beside
