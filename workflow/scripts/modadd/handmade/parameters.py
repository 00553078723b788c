"""The effective parameters of a map: the number of directions in parameter space that change its outputs ([Q] §1)."""

from collections.abc import Callable
from typing import Any

import numpy as np
from jaxtyping import Float


def effective_parameters(outputs: Callable[..., Any], *parameters: Float[np.ndarray, "..."]) -> int:
    """Rank of the Jacobian of all outputs by all entries of the parameters, at the values given; float64.

    outputs: tensors of torch, one for each of the parameters, to one tensor. For a map of inputs it holds the values at
    many of them: at too few the rank is too small.
    """
    import torch  # here: it takes longer to import than most notebooks take to compute

    tensors = tuple(torch.from_numpy(np.asarray(value, np.float64)) for value in parameters)
    blocks = torch.autograd.functional.jacobian(lambda *given: outputs(*given).flatten(), tensors, vectorize=True)
    return int(np.linalg.matrix_rank(np.hstack([block.reshape(len(block), -1).numpy() for block in blocks])))


INPUTS = 200  # random x at which a map with a ReLU is compared with others


def square_maps(n: int, draws: int, seed: int) -> dict[str, int]:
    """`effective_parameters` of four maps made of two random n × n matrices A and B, at random x where there is a ReLU.

    The 2n² entries give n² for A·B and A + B. ReLU(A ReLU(Bx)) loses the n scales of its inner neurons only, and ReLU(Ax)
    + ReLU(Bx) nothing. A neuron that few x reach loses more, so the largest of several draws counts.
    """
    import torch

    rng = np.random.default_rng(seed)
    found = {}
    for _ in range(draws):
        A, B = rng.standard_normal((2, n, n))
        x = torch.from_numpy(rng.standard_normal((n, INPUTS)))
        maps = {
            "A·B": lambda A, B: A @ B,
            "A + B": lambda A, B: A + B,
            "ReLU(A ReLU(Bx))": lambda A, B, x=x: (A @ (B @ x).relu()).relu(),
            "ReLU(Ax) + ReLU(Bx)": lambda A, B, x=x: (A @ x).relu() + (B @ x).relu(),
        }
        for name, outputs in maps.items():
            found[name] = max(found.get(name, 0), effective_parameters(outputs, A, B))
    return found
