"""Adam and AdamW on the stacked parameters of an ensemble: one fused pass on the CPU, torch's fused optimisers on a GPU."""

from collections.abc import Mapping, Sequence

import numpy as np
import torch
from jaxtyping import Float

from modadd.loops import adam
from modadd.recipes import Recipe

Tensors = Mapping[str, Float[torch.Tensor, "k *shape"]]
MOMENTS = ("exp_avg", "exp_avg_sq")


class Optimiser:
    """Moments of every parameter, and the update that the recipe names.

    The CPU's loop rounds every operation correctly and treats each number alike, so no bit depends on the processor, nor on
    where in an ensemble a network stands. A GPU's step is recorded, so there the count of steps is a tensor.
    """

    def __init__(self, recipe: Recipe, parameters: Tensors) -> None:
        self.recipe, self.parameters = recipe, parameters
        values = {name: value.detach() for name, value in parameters.items()}
        self.moments = {name: [torch.zeros_like(value) for _ in MOMENTS] for name, value in values.items()}
        self.count = 0
        self.on_gpu = None
        if any(value.is_cuda for value in values.values()):
            kind = {"adamw": torch.optim.AdamW, "adam": torch.optim.Adam}[recipe.optimiser]
            settings = {"lr": recipe.learning_rate, "eps": recipe.epsilon, "weight_decay": recipe.weight_decay}
            betas = (recipe.beta1, recipe.beta2)
            self.on_gpu = kind(parameters.values(), betas=betas, fused=True, capturable=True, **settings)
            self.load(self.moments, 0)

    def load(self, moments: Mapping[str, Sequence[Float[torch.Tensor, "k *shape"]]], count: int) -> None:
        """Take over the moments after `count` updates."""
        self.count = count
        for name, value in self.parameters.items():
            for mine, theirs in zip(self.moments[name], moments[name], strict=True):
                mine.copy_(theirs)
            if self.on_gpu is not None:
                state = dict(zip(MOMENTS, self.moments[name], strict=True))
                self.on_gpu.state[value] = {"step": torch.full((), float(count), device=value.device), **state}

    def step(self, slopes: Tensors) -> None:
        """One update along the gradient, in place."""
        self.count += 1
        if self.on_gpu is not None:
            for name, value in self.parameters.items():
                if value.grad is None:
                    value.grad = torch.zeros_like(value)  # at a fixed place: a recorded step reads it there
                value.grad.copy_(slopes[name])
            self.on_gpu.step()
            return
        r = self.recipe
        apart = r.optimiser == "adamw"  # decay apart from the gradient, or added to it
        shrink, l2 = (1 - r.learning_rate * r.weight_decay, 0.0) if apart else (1.0, r.weight_decay)
        rate, root = r.learning_rate / (1 - r.beta1**self.count), (1 - r.beta2**self.count) ** -0.5
        numbers = np.array([shrink, l2, r.beta1, r.beta2, rate, root, r.epsilon], np.float32)
        for name, value in self.parameters.items():
            adam(*map(_flat, (value, slopes[name], *self.moments[name])), numbers)


def _flat(value: Float[torch.Tensor, "k *shape"]) -> Float[np.ndarray, "numbers"]:
    return value.detach().numpy().reshape(-1)
