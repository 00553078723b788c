"""Sums over the active neurons of every input, exact and with few operations: only neurons that turn on or off change them.

With u = A_i(a) + B_i(b) and ReLU(u) = u·1[u > 0], Σ_i ReLU(u) X_i = Σ_i 1_i(a,b) A_i(a) X_i + Σ_i 1_i(a,b) B_i(b) X_i.
In the first sum only 1_i depends on b. On a walk through b in the order of k b mod n, k the frequency of the neuron, it
changes a few times: each of its flips adds ±A_i(a) X_i to a running sum. The second sum walks through a.
"""

from dataclasses import dataclass
from itertools import pairwise
from math import log2

import numpy as np
from jaxtyping import Float, Int

from modadd.certificates.loops import add_along, find_events
from modadd.certificates.rounding import gamma
from modadd.core.fourier import variance_by_frequency
from modadd.core.separable import Separable

LEAST = 3  # neurons of a walk: to walk for fewer takes more additions than their flips on another walk
NOTHING = 2.0**-50  # of all that the neurons can add to a logit: the weakest that add less are left out
LANES = 16  # rows of X are padded to a multiple of so many, for vector units
TINY = float(np.finfo(float).tiny)


@dataclass(frozen=True)
class Line:
    """Flips on walks along one input, for every value of the other: the arguments of `add_along`."""

    walk: Int[np.ndarray, "F n"]
    first: Int[np.ndarray, "bounds"]
    neuron: Int[np.ndarray, "events"]
    sign: Float[np.ndarray, "events"]


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
        """Number of flips on all lines, those along a being those along b if A = B; to be on where a walk begins counts."""
        return sum(len(line.neuron) for line in self.lines)

    @property
    def lines(self) -> list[Line]:
        """Along b and along a; only one if A = B."""
        return [self.along_b] if self.along_a is self.along_b else [self.along_b, self.along_a]

    def finding(self) -> int:
        """Operations that finding them takes: spectra and largest entries, sorted columns, a comparison for every entry and flip."""
        n, h = self.network.A.shape
        return round(self.neurons * n * (log2(n) + 3) + len(self.lines) * n * h * (1 + log2(n))) + self.count

    def adding(self, columns: int, lines: int = 2) -> int:
        """Operations that `add` takes for so many columns of X: the flips, every step of the walks, and putting sums together."""
        walked = self.lines[:lines]
        steps = (len(walked) * len(self.frequency) + lines) * self.network.modulus**2
        return columns * (sum(len(line.neuron) for line in walked) + steps)

    def add(
        self,
        sums: Float[np.ndarray, "parts n n r"],
        along_b: Float[np.ndarray, "n h"],
        along_a: Float[np.ndarray, "n h"],
        X: Float[np.ndarray, "h r"],
    ) -> float:
        """Add Σ_i 1_i(a,b) (along_b_i(a) + along_a_i(b)) X_i at every (a, b); return the most that rounding errors make there.

        The groups are added up if there is one part; else each has its own. A table of zeros costs nothing.
        """
        n, r = self.network.modulus, X.shape[1]
        padded = np.zeros((len(X), -(-r // LANES) * LANES))
        padded[:, :r] = X
        lines = [(along_b, self.along_b, (True, False)), (along_a, self.along_a, (False, True))]
        if self.along_a is self.along_b and np.array_equal(along_a, along_b):
            lines = [(along_b, self.along_b, (True, True))]
        error = 0.0
        for table, line, where in lines:
            if table.any():
                T = np.ascontiguousarray(table)
                most = add_along(sums, *where, T, padded, line.walk, line.first, line.neuron, line.sign)
                roundings = int(np.diff(line.first[::n]).reshape(-1, n).sum(axis=0).max(initial=0)) + len(line.walk) + 8
                error += sum(where) * (
                    gamma(roundings) * most + roundings * TINY * (1 + float(np.abs(X).max(initial=0)))
                )
        return error


def find_flips(network: Separable) -> Flips:
    """The flips of every neuron, on the walk of its own frequency or, if fewer than LEAST share that, of its next best."""
    alive, left_out = _alive(network)
    network, neurons = _neurons(network, alive), network.width
    power = variance_by_frequency(network.A) + variance_by_frequency(network.B)
    shared, sizes = np.unique(1 + np.argmax(power[1:], axis=0), return_counts=True)
    if (sizes >= LEAST).any():
        shared = shared[sizes >= LEAST]
    best = np.argmax(power[shared], axis=0) if len(shared) else shared  # there may be no neurons
    members = np.argsort(best, kind="stable")
    frequency, group = np.unique(shared[best[members]], return_inverse=True)
    walk = np.argsort(frequency[:, None] * np.arange(network.modulus) % network.modulus, axis=1, kind="stable")
    grouped = _neurons(network, members)
    A, B = (np.ascontiguousarray(table.T) for table in (grouped.A, grouped.B))
    along_b = along_a = Line(walk, *find_events(A, B, np.argsort(A, axis=1), group, walk))
    if not np.array_equal(A, B):
        along_a = Line(walk, *find_events(B, A, np.argsort(B, axis=1), group, walk))
    return Flips(grouped, group, frequency, along_b, along_a, left_out, neurons)


def _alive(network: Separable) -> tuple[Int[np.ndarray, "_"], float]:
    """All neurons but the weakest, which together add no more than NOTHING of what all can; and the most that those add."""
    A, B, W = (np.abs(table).max(axis=0, initial=0) for table in (network.A, network.B, network.W.T))
    weakest = np.argsort((A + B) * W, kind="stable")
    most = np.cumsum(((A + B) * W)[weakest])
    dead = int(np.searchsorted(most, NOTHING * most[-1])) if len(most) else 0
    return np.sort(weakest[dead:]), float(most[dead - 1] * (1 + gamma(dead + 4)) + dead * TINY) if dead else 0.0


def _neurons(network: Separable, chosen: Int[np.ndarray, "_"]) -> Separable:
    """The network of some of its neurons, in this order."""
    return Separable(network.A[:, chosen], network.B[:, chosen], network.W[chosen], network.C, network.D)


def exact_logits(flips: Flips) -> tuple[Float[np.ndarray, "n n n"], float]:
    """Logits of every input as `Separable.logits` gives them, and the most by which rounding errors can move one."""
    network = flips.network
    logits = network.residual()
    error = flips.add(logits[None], network.A, network.B, network.W)
    return logits, flips.left_out + error + gamma(8) * float(np.abs(network.C).max() + np.abs(network.D).max())
