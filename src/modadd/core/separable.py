"""The one equation behind all networks: logits(a,b,c) = Σ_i ReLU(A[a,i] + B[b,i]) W[i,c] + C[a,c] + D[b,c]."""

from dataclasses import dataclass

import numpy as np
from jaxtyping import Float, Int


@dataclass(frozen=True)
class TwoTables:
    """A network of two residues mod n whose neurons read a sum of two tables; their activation is left open.

    A, B: preactivation tables, rows a and b. W: neuron–logit map (W_L). C, D: what bypasses the neurons, rows a and b.
    """

    A: Float[np.ndarray, "n h"]
    B: Float[np.ndarray, "n h"]
    W: Float[np.ndarray, "h n"]
    C: Float[np.ndarray, "n n"]
    D: Float[np.ndarray, "n n"]

    @property
    def modulus(self) -> int:
        """n."""
        return self.A.shape[0]

    @property
    def width(self) -> int:
        """Number of neurons h."""
        return self.A.shape[1]

    def preactivations(self) -> Float[np.ndarray, "n n h"]:
        """A[a] + B[b] of every input (a, b)."""
        return self.A[:, None, :] + self.B[None, :, :]

    def residual(self) -> Float[np.ndarray, "n n n"]:
        """C[a] + D[b]: the part of the logits that never meets a neuron, indices (a, b, c)."""
        return self.C[:, None, :] + self.D[None, :, :]

    def reordered(
        self, first: Int[np.ndarray, "n"], second: Int[np.ndarray, "n"], answers: Int[np.ndarray, "n"]
    ) -> "TwoTables":
        """The same network with its first numbers, second numbers and answers in these orders."""
        return type(self)(
            self.A[first],
            self.B[second],
            self.W[:, answers],
            self.C[np.ix_(first, answers)],
            self.D[np.ix_(second, answers)],
        )


@dataclass(frozen=True)
class Separable(TwoTables):
    """Two tables whose sum meets ReLUs, the only nonlinearity."""

    def logits(self) -> Float[np.ndarray, "n n n"]:
        """Logits of every input, indices (a, b, c), not centred."""
        return np.maximum(self.preactivations(), 0) @ self.W + self.residual()

    def absolute_part(self) -> Float[np.ndarray, "n n n"]:
        """The |u|/2 of ReLU(u) = |u|/2 + u/2, carried to the logits ([Q] §3)."""
        return np.abs(self.preactivations()) @ self.W / 2

    def identity_part(self) -> Float[np.ndarray, "n n n"]:
        """The u/2 of ReLU(u) = |u|/2 + u/2, carried to the logits: linear in the tables ([Q] §6)."""
        return (self.A @ self.W / 2)[:, None, :] + (self.B @ self.W / 2)[None, :, :]


def centred(logits: Float[np.ndarray, "*rest c"]) -> Float[np.ndarray, "*rest c"]:
    """Logits less their mean over the answers c, which softmax does not see."""
    return logits - logits.mean(axis=-1, keepdims=True)


def margins(
    logits: Float[np.ndarray, "n n n"], right: Int[np.ndarray, "n n"] | None = None
) -> Float[np.ndarray, "n n"]:
    """Right logit less the best wrong one, for every (a, b): positive where the answer is right.

    `right` is the right answer of every input, a + b mod n unless it is given.
    """
    n = logits.shape[0]
    a, b = np.indices((n, n))
    right = (a + b) % n if right is None else right
    wrong = logits.copy()
    wrong[a, b, right] = -np.inf
    return logits[a, b, right] - wrong.max(axis=-1)


def accuracy(logits: Float[np.ndarray, "n n n"], right: Int[np.ndarray, "n n"] | None = None) -> float:
    """Share of all n² inputs whose right logit is the strict maximum, as `margins` has it."""
    return float((margins(logits, right) > 0).mean())
