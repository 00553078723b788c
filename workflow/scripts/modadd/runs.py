"""The state of a training run: stacked parameters of an ensemble, optimiser and losses; saved, resumed, read off."""

import hashlib
import os
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import torch
from jaxtyping import Float

from modadd.architectures import ARCHITECTURES
from modadd.initialisation import drawn
from modadd.kernel import Tables
from modadd.networks import Network, NetworkError, read_tensors, write_tensors
from modadd.products import times
from modadd.recipes import Recipe
from modadd.separable import accuracy
from modadd.sources import LIBRARY, modules_behind


class Run:
    """Stacked parameters of an ensemble, optimiser state and losses: everything that a checkpoint holds."""

    def __init__(self, recipe: Recipe, seeds: Sequence[int], device: str) -> None:
        self.recipe, self.seeds, self.device, self.step = recipe, list(seeds), device, 0
        initial = [drawn(recipe, seed) for seed in seeds]
        values = {name: torch.stack([network[name] for network in initial]).to(device) for name in initial[0]}
        self.storage = {name: _aligned(value) for name, value in values.items()}
        self.gradient = {name: torch.zeros_like(storage) for name, storage in self.storage.items()}
        self.parameters = {
            name: _inside(self.storage[name], value.shape).requires_grad_() for name, value in values.items()
        }
        for name, storage in self.storage.items():
            storage.grad = self.gradient[name]
        # The fused optimisers are correctly rounded on every CPU; the plain ones' square root is not.
        optimiser = {"adamw": torch.optim.AdamW, "adam": torch.optim.Adam}[recipe.optimiser]
        self.optimiser = optimiser(
            self.storage.values(),
            lr=recipe.learning_rate,
            betas=(recipe.beta1, recipe.beta2),
            eps=recipe.epsilon,
            weight_decay=recipe.weight_decay,
            fused=True,
            capturable=device != "cpu",  # its step may be recorded and replayed on a GPU
        )
        self.losses = np.full((recipe.steps + 1, len(seeds), 2), np.nan)  # train, held-out; row t is before update t

    def tables(self) -> Tables:
        """The networks in the separable form, attached to the native parameters."""
        return Tables(*ARCHITECTURES[self.recipe.architecture].effective(self.parameters, times))

    def update(self, tables: Tables, gradient: Tables) -> None:
        """One step of the optimiser along the gradient of the tables."""
        attached = [(t, g) for t, g in zip(tables, gradient, strict=True) if t is not None]
        outputs, slopes = zip(*attached, strict=True)
        native = torch.autograd.grad(outputs, list(self.parameters.values()), slopes)
        for name, slope in zip(self.parameters, native, strict=True):
            _inside(self.gradient[name], slope.shape).copy_(slope)
        self.optimiser.step()

    def identity(self) -> dict[str, object]:
        """What a checkpoint must agree in to be continued: recipe, seeds, code, and what decides the bits."""
        modules = ["training", *modules_behind(LIBRARY / "training.py")]
        code = b"".join((LIBRARY / f"{module}.py").read_bytes() for module in modules)
        return {
            "recipe": self.recipe.as_dict(),
            "seeds": self.seeds,
            "libraries": [torch.__version__, np.__version__],
            "device": self.device,
            "instructions": [torch.backends.cpu.get_cpu_capability(), os.environ.get("OPENBLAS_CORETYPE", "")],
            "tf32": torch.backends.cuda.matmul.allow_tf32,
            "code": hashlib.sha256(code).hexdigest(),
        }

    def save(self, path: Path) -> None:
        """Write the state after `step` updates."""
        state = {f"parameter.{name}": value for name, value in self.storage.items()}
        for name, value in self.storage.items():
            state |= {f"{moment}.{name}": tensor for moment, tensor in self.optimiser.state[value].items()}
        arrays = {name: value.cpu().numpy() for name, value in state.items()}
        write_tensors(path, {**arrays, "losses": self.losses}, {**self.identity(), "step": self.step})

    def resume(self, path: Path) -> None:
        """Continue from a checkpoint of the same run; start over if there is none, or it is damaged or of another run."""
        try:
            arrays, metadata = read_tensors(path)
        except NetworkError:
            return
        step = metadata.pop("step", None)
        if metadata != self.identity():
            return
        with torch.no_grad():
            for name, value in self.storage.items():
                value.copy_(torch.from_numpy(arrays[f"parameter.{name}"]))
                self.optimiser.state[value] = {
                    moment: torch.from_numpy(arrays[f"{moment}.{name}"]).to(value.device)
                    for moment in ("step", "exp_avg", "exp_avg_sq")
                }
        self.losses, self.step = arrays["losses"], step

    def networks(self) -> list[Network]:
        """The trained networks, in the order of the seeds, each with its results."""
        return [self._network(index, seed) for index, seed in enumerate(self.seeds)]

    def _network(self, index: int, seed: int) -> Network:
        parameters = {name: value[index].detach().cpu().numpy() for name, value in self.parameters.items()}
        right = accuracy(Network(self.recipe, seed, parameters, {}).separable().logits())
        train_loss, held_out_loss = self.losses[-1, index].tolist()
        results = {"accuracy": right, "train_loss": train_loss, "held_out_loss": held_out_loss}
        return Network(self.recipe, seed, parameters, results)


ALIGNMENT = 64  # numbers: the optimiser treats whole vectors and what is left over by other instructions


def _aligned(values: Float[torch.Tensor, "k *shape"]) -> Float[torch.Tensor, "k padded"]:
    """Each network's values in a row of their own, padded with zeros: no network's bits depend on where it stands."""
    flat = values.flatten(1)
    return torch.nn.functional.pad(flat, (0, -flat.shape[1] % ALIGNMENT)).contiguous()


def _inside(storage: Float[torch.Tensor, "k padded"], shape: torch.Size) -> Float[torch.Tensor, "k *shape"]:
    """The values in a storage of `_aligned`, as a view of the given shape."""
    return storage[:, : shape[1:].numel()].view(shape)
