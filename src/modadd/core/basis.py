"""The orthonormal real Fourier basis on Z_n.

Basis functions stand in the order const, sin 1, cos 1, sin 2, cos 2, …, each of norm 1; for an even n the last,
cos n/2, has no sine beside it.
"""

import numpy as np
from jaxtyping import Float, Int

from modadd.core.fourier import angular_frequency


def names(n: int) -> list[str]:
    """The basis functions in words, in order."""
    return [
        "const",
        *(f"{kind} {k}" for k in range(1, n // 2 + 1) for kind in ("sin", "cos") if 2 * k < n or kind == "cos"),
    ]


def basis_frequencies(n: int) -> Int[np.ndarray, "n"]:
    """Frequency of every basis function, in order."""
    return (np.arange(n) + 1) // 2


def basis(n: int) -> Float[np.ndarray, "n n"]:
    """Row i holds the i-th basis function at x = 0 … n − 1; the rows are orthonormal ([M], Fourier basis)."""
    angle = angular_frequency(basis_frequencies(n), n)[:, None] * np.arange(n)
    sine = np.array([name.startswith("sin") for name in names(n)])
    rows = np.where(sine[:, None], np.sin(angle), np.cos(angle))
    return rows / np.linalg.norm(rows, axis=1, keepdims=True)


def transform(f: Float[np.ndarray, "n *rest"]) -> Float[np.ndarray, "n *rest"]:
    """Coefficients of f along its first axis, in units of f; keeps the sum of squares."""
    return np.tensordot(basis(len(f)), f, axes=1)
