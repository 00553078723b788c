"""What a training step works on: the tables of an ensemble, and the task that it learns."""

from typing import NamedTuple

import numpy as np
import torch
from jaxtyping import Float, Int

from modadd.networks.architectures import RELU


class Tables(NamedTuple):
    """k separable networks, or the gradient of the loss in them.

    A, B (k × n × h), W (k × h × n). C and D bypass the ReLU, rows a and b: k × n × n, or k × 1 × n for one that is the
    same for every row (an output bias), or None for one that the architecture lacks.
    """

    A: Float[torch.Tensor, "k n h"]
    B: Float[torch.Tensor, "k n h"]
    W: Float[torch.Tensor, "k h n"]
    C: Float[torch.Tensor, "k rows n"] | None
    D: Float[torch.Tensor, "k rows n"] | None

    def detached(self) -> "Tables":
        """The same tables, cut off from the native parameters."""
        return Tables(*(None if table is None else table.detach() for table in self))


class Task(NamedTuple):
    """What a network is to learn, the right answer of every pair, and what its neurons compute: ACTIVATIONS."""

    answers: Int[np.ndarray, "n n"]
    activation: str = RELU


class _Along(torch.autograd.Function):
    @staticmethod
    def forward(ctx, gradient, *tables):
        ctx.gradient = gradient
        return gradient.A.new_zeros(())

    @staticmethod
    def backward(ctx, _):
        return None, *ctx.gradient


def along(gradient: Tables, tables: Tables) -> Float[torch.Tensor, ""]:
    """A number whose gradient in the tables is the given one.

    So autograd carries it on from one number; from several tables it would import a compiler, in most of a second.
    """
    return _Along.apply(gradient, *tables)
