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


class Task(NamedTuple):
    """What a network is to learn, the right answer of every pair, and what its neurons compute: ACTIVATIONS."""

    answers: Int[np.ndarray, "n n"]
    activation: str = RELU
