"""The effective parameters of a map: the number of directions in parameter space that change its outputs ([Q] §1)."""

from collections.abc import Callable

import numpy as np
from jaxtyping import Complex, Float, Num

Outputs = Callable[..., Num[np.ndarray, "..."]]
STEP = 1e-30  # of a complex step: no difference is taken, so the smaller the more exact


def effective_parameters(outputs: Outputs, *parameters: Float[np.ndarray, "..."]) -> int:
    """Rank of the Jacobian of all outputs by all entries of the parameters, at the values given.

    outputs: a map of as many arrays to one, which takes complex numbers: f(x + i·STEP) is f(x) + i·STEP·f'(x). For a map of
    inputs it holds the values at many of them: at too few the rank is too small.
    """
    columns = []
    for place, values in enumerate(parameters):
        for entry in np.ndindex(values.shape):
            moved = [value.astype(complex) for value in parameters]
            moved[place][entry] += 1j * STEP
            columns.append(outputs(*moved).ravel().imag / STEP)
    return int(np.linalg.matrix_rank(np.column_stack(columns)))


INPUTS = 200  # random x at which a map with a ReLU is compared with others


def _relu(z: Complex[np.ndarray, "..."]) -> Complex[np.ndarray, "..."]:
    return np.where(z.real > 0, z, 0)


def square_maps(n: int, draws: int, seed: int) -> dict[str, int]:
    """`effective_parameters` of four maps made of two random n × n matrices A and B, at random x where there is a ReLU.

    The 2n² entries give n² for A·B and A + B. ReLU(A ReLU(Bx)) loses the n scales of its inner neurons only, and ReLU(Ax)
    + ReLU(Bx) nothing. A neuron that few x reach loses more, so the largest of several draws counts.
    """
    rng = np.random.default_rng(seed)
    found = {}
    for _ in range(draws):
        A, B = rng.standard_normal((2, n, n))
        x = rng.standard_normal((n, INPUTS))
        maps = {
            "A·B": lambda A, B: A @ B,
            "A + B": lambda A, B: A + B,
            "ReLU(A ReLU(Bx))": lambda A, B, x=x: _relu(A @ _relu(B @ x)),
            "ReLU(Ax) + ReLU(Bx)": lambda A, B, x=x: _relu(A @ x) + _relu(B @ x),
        }
        for name, outputs in maps.items():
            found[name] = max(found.get(name, 0), effective_parameters(outputs, A, B))
    return found


def maps_over_square(n: int, draws: int, seed: int) -> tuple[list[float], list[float]]:
    """The effective parameters of the `square_maps` over n², of the linear maps and of those with a ReLU ([Q] §1)."""
    shares = {name: count / n**2 for name, count in square_maps(n, draws, seed).items()}
    linear = [share for name, share in shares.items() if "ReLU" not in name]
    return linear, [share for name, share in shares.items() if "ReLU" in name]
