"""The state of a training run: stacked parameters of an ensemble, optimiser and losses; saved, resumed, read off."""

from collections.abc import Mapping, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np
import torch
from jaxtyping import Float

from modadd.core.bits import ARITHMETIC
from modadd.core.code import code_behind
from modadd.core.files import FileError
from modadd.core.processor import processor
from modadd.core.separable import accuracy
from modadd.networks.architectures import ARCHITECTURES
from modadd.networks.recipes import TABLES, Recipe
from modadd.networks.snapshots import Snapshots
from modadd.networks.starts import drawn
from modadd.networks.store import Network, read_tensors, write_tensors
from modadd.training.loops import adam
from modadd.training.products import stacked
from modadd.training.tables import Tables

Tensors = Mapping[str, Float[torch.Tensor, "k *shape"]]
_MOMENTS = ("exp_avg", "exp_avg_sq")


class Optimiser:
    """Moments of every parameter, and the update that the recipe names.

    The CPU's loop rounds every operation correctly and treats each number alike, so no bit depends on the processor,
    nor on where in an ensemble a network stands. A GPU's step is recorded, so there the count of steps is a tensor.
    """

    def __init__(self, recipe: Recipe, parameters: Tensors) -> None:
        self.recipe, self.parameters = recipe, parameters
        self.moments = {name: [torch.zeros_like(value) for _ in _MOMENTS] for name, value in parameters.items()}
        self.count = 0
        self.on_gpu = None
        if any(value.is_cuda for value in parameters.values()):
            kind = {"adamw": torch.optim.AdamW, "adam": torch.optim.Adam}[recipe.optimiser]
            settings = {"lr": recipe.learning_rate, "eps": recipe.epsilon, "betas": (recipe.beta1, recipe.beta2)}
            each = [
                {"params": [value], "weight_decay": recipe.weight_decay * recipe.decays(name)}
                for name, value in parameters.items()
            ]
            self.on_gpu = kind(each, fused=True, capturable=True, **settings)
            self.load(self.moments, 0)
        else:
            # Views, as updates are in place: `view` refuses what only a copy could make flat.
            self.numbers = {
                name: [flat.view(-1).numpy() for flat in (value, *self.moments[name])]
                for name, value in parameters.items()
            }

    def load(self, moments: Mapping[str, Sequence[Float[torch.Tensor, "k *shape"]]], count: int) -> None:
        """Take over the moments after `count` updates."""
        self.count = count
        for name, value in self.parameters.items():
            for mine, theirs in zip(self.moments[name], moments[name], strict=True):
                mine.copy_(theirs)
            if self.on_gpu is not None:
                state = dict(zip(_MOMENTS, self.moments[name], strict=True))
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
        rate, root = r.learning_rate / (1 - r.beta1**self.count), (1 - r.beta2**self.count) ** -0.5
        for name, (values, first, second) in self.numbers.items():
            decay = r.weight_decay * r.decays(name)
            shrink, l2 = (1 - r.learning_rate * decay, 0.0) if apart else (1.0, decay)
            settings = np.array([shrink, l2, r.beta1, r.beta2, rate, root, r.epsilon], np.float32)
            adam(values, slopes[name].reshape(-1).numpy(), first, second, settings)


class CheckpointError(ValueError):
    """A checkpoint of the same run, begun on another device or by another arithmetic."""


def origin_of(device: str) -> dict[str, str]:
    """What trains on this machine: processor, device, versions, arithmetic, fingerprint of the code."""
    tf32 = torch.backends.cuda.matmul.allow_tf32
    return {
        "processor": processor(),
        "device": "cpu" if device == "cpu" else torch.cuda.get_device_name(),
        **{package: version(package) for package in ("torch", "numpy", "numba")},
        "arithmetic": ARITHMETIC if device == "cpu" else "cublas with tf32" if tf32 else "cublas",
        "code": code_behind(definitions=["modadd.training.train.train_ensemble", "modadd.core.bits.job_variables"]),
    }


def what_decides(origin: Mapping[str, str]) -> dict[str, str]:
    """The part of `origin_of` that decides a network's bits: all but the processor."""
    return {key: value for key, value in origin.items() if key != "processor"}


class Run:
    """Stacked parameters of an ensemble, optimiser state and losses: everything that a checkpoint holds."""

    def __init__(self, recipe: Recipe, seeds: Sequence[int], device: str, snapshots: Sequence[int] = ()) -> None:
        self.recipe, self.seeds, self.step, self.origin = recipe, list(seeds), 0, origin_of(device)
        initial = [drawn(recipe, seed) for seed in seeds]
        self.parameters = {name: torch.stack([network[name] for network in initial]).to(device) for name in initial[0]}
        self.optimiser = Optimiser(recipe, self.parameters)
        self.snapshots = Snapshots(snapshots)
        self.losses = np.full((recipe.steps + 1, len(seeds), 2), np.nan)  # train, held-out; row t is before update t

    def tables(self) -> Tables:
        """The networks in the separable form."""
        return Tables(*ARCHITECTURES[self.recipe.architecture].effective(self.parameters, stacked))

    def update(self, tables: Tables, gradient: Tables) -> None:
        """One step of the optimiser along the gradient of the tables, to which a penalty on the tables themselves is added."""
        if self.recipe.decayed == TABLES:
            for slope, table in zip(gradient, tables, strict=True):
                if table is not None:
                    slope.add_(self.recipe.weight_decay * table)
        self.optimiser.step(ARCHITECTURES[self.recipe.architecture].backward(self.parameters, gradient, stacked))

    def identity(self) -> dict[str, object]:
        """What a checkpoint must agree in to be continued: recipe, seeds, and what trains them."""
        recipe = self.recipe.as_dict()
        return {"recipe": recipe, "seeds": self.seeds, "origin": self.origin, "snapshots": self.snapshots.wanted}

    def save(self, path: Path) -> None:
        """Write the state after `step` updates."""
        state = {f"parameter.{name}": value for name, value in self.parameters.items()}
        for name, moments in self.optimiser.moments.items():
            state |= {f"{moment}.{name}": value for moment, value in zip(_MOMENTS, moments, strict=True)}
        arrays = {name: value.cpu().numpy() for name, value in state.items()}
        arrays |= self.snapshots.arrays() | {"losses": self.losses}
        write_tensors(path, arrays, {**self.identity(), "step": self.step})

    def keep_snapshot(self) -> None:
        """Keep the tables and the weight norm of every network, if a snapshot is wanted of this step."""
        if not self.snapshots.due(self.step):
            return
        tables = [None if table is None else table.cpu().numpy() for table in self.tables()]
        squares = sum(value.double().square().flatten(1).sum(1) for value in self.parameters.values())
        # The root by NumPy: torch's has other last bits on another processor.
        self.snapshots.keep(tables, np.sqrt(squares.cpu().numpy()))

    def resume(self, path: Path) -> None:
        """Continue from a checkpoint of the same run; start over if there is none, or it is damaged or of another run.

        Raises CheckpointError, and keeps the file, for one of the same run on another device or by another arithmetic.
        """
        try:
            arrays, metadata = read_tensors(path)
        except FileError:
            return
        step, begun = metadata.pop("step", None), metadata.get("origin", {})
        mine = self.identity()
        if metadata | {"origin": what_decides(begun)} != mine | {"origin": what_decides(mine["origin"])}:
            self._require_same_arithmetic(path, metadata, begun)
            return
        moments = {}
        for name, value in self.parameters.items():
            value.copy_(torch.from_numpy(arrays[f"parameter.{name}"]))
            moments[name] = [torch.from_numpy(arrays[f"{moment}.{name}"]) for moment in _MOMENTS]
        self.optimiser.load(moments, step)
        self.losses, self.step = arrays["losses"], step
        self.snapshots.load(arrays)

    def _require_same_arithmetic(self, path: Path, metadata: Mapping[str, Any], begun: Mapping[str, str]) -> None:
        mine, keys = self.origin, ("device", "arithmetic")
        apart = {key for key in what_decides(mine) if begun.get(key) != mine[key]}
        if metadata | {"origin": mine} == self.identity() and apart and apart <= set(keys):
            differing = "; ".join(f"{key} {begun.get(key)}, here {mine[key]}" for key in keys if key in apart)
            raise CheckpointError(
                f"{path}: begun otherwise ({differing}); continue it there, or delete the file to start over here"
            )

    def networks(self) -> list[Network]:
        """The trained networks, in the order of the seeds, each with its results."""
        return [self._network(index, seed) for index, seed in enumerate(self.seeds)]

    def _network(self, index: int, seed: int) -> Network:
        parameters = {name: value[index].cpu().numpy() for name, value in self.parameters.items()}
        untested = Network(self.recipe, seed, parameters, {})
        right = accuracy(untested.logits(), untested.right_answers())
        train_loss, held_out_loss = self.losses[-1, index].tolist()
        results = {"accuracy": right, "train_loss": train_loss, "held_out_loss": held_out_loss}
        return Network(self.recipe, seed, parameters, results, self.origin)
