"""How far the tables of a network move if all tables, or all weights, move by a share of their norms: upper bounds."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from jaxtyping import Float

from modadd.certificates.certify import pairwise_distances
from modadd.certificates.rounding import UNIT, gamma, length
from modadd.core.groups import ADDITION
from modadd.core.separable import Separable
from modadd.networks.architectures import ARCHITECTURES
from modadd.networks.store import Network


@dataclass(frozen=True)
class Reach:
    """How far a ball lets the tables move as one input sees them: Euclidean norms, upper bounds.

    inward: of row a of dA plus row b of dB. outward: of column t of dW less column c, indices (t, c). beside: of what dC
    and dD add to the difference of any two logits. entries: of any entry of dA, dB, dW, dC and dD.
    """

    inward: Float[np.ndarray, "n n"]
    outward: Float[np.ndarray, "n n"]
    beside: Float[np.ndarray, "n n"]
    entries: tuple[float, ...]


def reach_of_tables(network: Separable, size: float) -> Reach:
    """That of the ball of A, B, W, C and D, each by itself even if A = B; `size` is ε."""
    rounded_up = 1 + gamma(network.A.size + network.C.size + 20)
    A, B, W, C, D = norms = tuple(rounded_up * size * float(length(table.ravel())) for table in vars(network).values())
    inward, outward, beside = (np.full(network.C.shape, far) for far in (A + B, np.sqrt(2) * W, np.sqrt(2) * (C + D)))
    return Reach(inward, outward, beside, norms)


def reach_of_weights(network: Network, size: float) -> tuple[Separable, Reach]:
    """The float tables of stored weights, and how far from them those of all weights of the ball are; `size` is ε.

    The rows of A and of B move as if each had the parameters to itself. Raises ValueError for an operation other than
    addition mod n.
    """
    recipe = network.recipe
    if recipe.operation != ADDITION:
        raise ValueError(f"a ball of weights is certified for '{ADDITION}', got '{recipe.operation}'")
    double = {name: value.astype(np.float64) for name, value in network.parameters.items()}
    rounded_up = 1 + gamma(max(value.size for value in double.values()) + 20)
    moved = {name: moving(w, rounded_up * size * float(length(w.ravel()))) for name, w in double.items()}
    n = recipe.modulus
    none = moving(np.zeros((n, n)), 0.0)
    A, B, W, C, D = (t or none for t in ARCHITECTURES[recipe.architecture].effective(moved, moving_product))
    tables = Separable(A.value, B.value, W.value, *(np.broadcast_to(table.value, (n, n)) for table in (C, D)))
    inward, beside = (_each(a.rows, n)[:, None] + _each(b.rows, n) for a, b in ((A, B), (C, D)))
    entries = tuple(float(table.rows.max()) for table in (A, B, W, C, D))
    return tables, Reach(inward, np.broadcast_to(W.apart(), (n, n)), np.sqrt(2) * beside, entries)


def _each(rows: Float[np.ndarray, "rows"], n: int) -> Float[np.ndarray, "n"]:
    """One row for all, repeated."""
    return np.broadcast_to(rows, n)


@dataclass(frozen=True, eq=False)
class Moving:
    """A matrix that is known but for a difference: `value`, and upper bounds on what the true one differs from it by.

    rows: Euclidean norm of every row of the difference. whole: its Frobenius norm. apart(): norm of column t less column
    c of the difference, for every t and c. All bounds hold in exact arithmetic, `value` is computed in float64. Entries
    are floats of 32 bits or products of at most six of these, so that nothing underflows.
    """

    value: Float[np.ndarray, "*batch rows columns"] | Float[np.ndarray, "columns"]
    rows: Float[np.ndarray, "rows"]
    whole: float
    apart: Callable[[], Any]

    def __getitem__(self, key: Any) -> "Moving":
        """A part of a parameter, which may move as far as all of it."""
        return moving(self.value[key], self.whole)

    def chunk(self, parts: int, axis: int) -> list["Moving"]:
        """Equal parts of a parameter, as tensors of torch have them."""
        return [moving(part, self.whole) for part in np.split(self.value, parts, axis)]

    def sum(self, axis: int) -> "Moving":
        """Itself: `moving_product` has summed over the heads already."""
        return self

    def __truediv__(self, two: int) -> "Moving":
        """Half of it, without rounding errors."""
        return Moving(self.value / two, self.rows / two, self.whole / two, lambda: self.apart() / two)

    def __add__(self, other: "Moving") -> "Moving":
        """The sum with a matrix of as many rows, or with one row for all."""
        value = self.value + other.value
        up, size = _up(value), UNIT * length(value.ravel())
        repeated = np.sqrt(len(value) / len(other.value))
        return Moving(
            value,
            up * (self.rows + other.rows + UNIT * length(value)),
            float(up * (self.whole + repeated * other.whole + size)),
            lambda: up * (self.apart() + repeated * other.apart() + 2 * size),
        )


def moving(value: Float[np.ndarray, "..."], whole: float) -> Moving:
    """A parameter that moves by at most `whole` in Frobenius norm, which may all be in one row, or in two columns."""
    return Moving(value, np.full(value.shape[-2] if value.ndim > 1 else 1, whole), whole, lambda: np.sqrt(2) * whole)


def moving_product(X: Moving, Y: Moving) -> Moving:
    """XY, from d(XY) = dX Y + X dY + dX dY and ‖dX Y‖_F ≤ ‖dX‖_F ‖Y‖₂; of stacks of matrices, the sum of their products.

    Of a stack, [X₁ … X_H] times the Y_i on top of each other is the same sum, so that all of its heads share one ‖dX‖.
    """
    x, y = (np.hstack(X.value), np.vstack(Y.value)) if X.value.ndim == 3 else (X.value, Y.value)
    up, most_x, most_y = _up(x) * _up(y), spectral_norm(x), spectral_norm(y)
    lost = gamma(len(y)) * length(y.ravel())  # of the product, for each unit of a row of X
    all_lost = lost * length(x.ravel())
    rows = X.rows if X.value.ndim == 2 else np.full(len(x), X.whole)
    return Moving(
        x @ y,
        up * (rows * (most_y + Y.whole) + length(x) * (Y.whole + lost)),
        float(up * (X.whole * (most_y + Y.whole) + most_x * Y.whole + all_lost)),
        lambda: up * (X.whole * pairwise_distances(y) + (most_x + X.whole) * Y.apart() + 2 * all_lost),
    )


def spectral_norm(X: Float[np.ndarray, "m k"]) -> float:
    """An upper bound on ‖X‖₂, above it by rounding errors alone.

    With computed eigenvectors V of the Gram matrix G, ‖X‖₂² = ‖G‖₂ ≤ ‖VᵀGV‖₂ / σ_min(V)², and σ_min(V)² ≥ 1 − ‖VᵀV − I‖₂; the
    norm of a symmetric matrix is at most its largest row sum. A float product of two matrices is off by at most γ times
    their Frobenius norms, and here no more than four follow each other.
    """
    X = X if len(X) <= X.shape[1] else X.T
    G = X @ X.T
    V = np.linalg.eigh((G + G.T) / 2)[1]
    off = 8 * gamma(sum(X.shape) + len(V)) * len(V) ** 2  # √k a row sum over a Frobenius norm, and ‖V‖_F² = k
    most = np.abs(V.T @ G @ V).sum(axis=1).max(initial=0) + off * np.square(length(X.ravel()))
    least = 1 - np.abs(V.T @ V - np.eye(len(V))).sum(axis=1).max(initial=0) - off
    return float(np.sqrt(most / least) * (1 + off))


def _up(x: Float[np.ndarray, "..."]) -> float:
    """What a bound is multiplied by, so that its own rounding errors, of a norm over all entries of x, cannot lower it."""
    return 1 + gamma(2 * x.size + 20)
