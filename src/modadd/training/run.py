"""What a training keeps besides its numbers: losses, snapshots, what trains it; and the checkpoint that holds them all."""

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
from modadd.networks.recipes import Recipe
from modadd.networks.snapshots import Snapshots
from modadd.networks.store import HALF, Network, read_tensors, write_tensors

MOMENTS = ("exp_avg", "exp_avg_sq")  # of every parameter, as a checkpoint names them
HELD_OUT_EVERY = 100  # updates between evaluations of the pairs that are not trained on

Arrays = Mapping[str, Float[np.ndarray, "k *shape"]]


class CheckpointError(ValueError):
    """A checkpoint of the same run, begun on another device or by another arithmetic."""


class TrainingDivergedError(ArithmeticError):
    """The training loss stopped being a finite number."""


def origin_of(device: str) -> dict[str, str]:
    """What trains on this machine: processor, device, versions, arithmetic, checksum of the code."""
    tf32 = torch.backends.cuda.matmul.allow_tf32
    return {
        "processor": processor(),
        "device": "cpu" if device == "cpu" else torch.cuda.get_device_name(),
        **{package: version(package) for package in ("torch", "numpy", "numba")},
        "arithmetic": ARITHMETIC if device == "cpu" else "cublas with tf32" if tf32 else "cublas",
        "code": code_behind(str(Path(__file__).with_name("train.py"))),
    }


def what_decides(origin: Mapping[str, str]) -> dict[str, str]:
    """The part of `origin_of` that decides a network's bits: all but the processor."""
    return {key: value for key, value in origin.items() if key != "processor"}


class Run:
    """The record of a training of k networks: how far it is, their losses and snapshots."""

    def __init__(self, recipe: Recipe, seeds: Sequence[int], device: str, snapshots: Sequence[int] = ()) -> None:
        self.recipe, self.seeds, self.step, self.origin = recipe, list(seeds), 0, origin_of(device)
        self.snapshots = Snapshots(snapshots)
        self.half: dict[str, Float[np.ndarray, "k *shape"]] = {}  # the parameters after half of the updates
        self.losses = np.full((recipe.steps + 1, len(seeds), 2), np.nan)  # train, held-out; row t is before update t

    def identity(self) -> dict[str, object]:
        """What a checkpoint must agree in to be continued: recipe, seeds, and what trains them."""
        recipe = self.recipe.as_dict()
        return {"recipe": recipe, "seeds": self.seeds, "origin": self.origin, "snapshots": self.snapshots.wanted}

    def save(
        self, path: Path, parameters: Arrays, moments: Mapping[str, Sequence[Float[np.ndarray, "k *shape"]]]
    ) -> None:
        """Write the state after `step` updates."""
        arrays = {f"parameter.{name}": value for name, value in parameters.items()}
        for name, both in moments.items():
            arrays |= {f"{moment}.{name}": value for moment, value in zip(MOMENTS, both, strict=True)}
        arrays |= {f"{HALF}{name}": value for name, value in self.half.items()}
        arrays |= self.snapshots.arrays() | {"losses": self.losses}
        write_tensors(path, arrays, {**self.identity(), "step": self.step})

    @property
    def half_way(self) -> int:
        """Half of the updates."""
        return self.recipe.steps // 2

    def keep_half(self, parameters: Arrays) -> None:
        """Keep the parameters after half of the updates."""
        self.half = dict(parameters)

    def keep_snapshot(self, tables: Sequence[Float[np.ndarray, "k _ _"] | None], parameters: Arrays) -> None:
        """Keep these tables of all networks, and the norm of all parameters of each."""
        squares = sum(
            np.square(value.astype(np.float64)).reshape(len(value), -1).sum(1) for value in parameters.values()
        )
        self.snapshots.keep(tables, np.sqrt(squares))

    def resume(self, path: Path) -> Arrays | None:
        """The arrays of a checkpoint of the same run, whose losses and snapshots are taken over.

        None if there is no such checkpoint, or it is damaged or of another run. Raises CheckpointError, and keeps the file, for
        one of the same run on another device or by another arithmetic.
        """
        try:
            arrays, metadata = read_tensors(path)
        except FileError:
            return None
        step, begun = metadata.pop("step", None), metadata.get("origin", {})
        mine = self.identity()
        if metadata | {"origin": what_decides(begun)} != mine | {"origin": what_decides(self.origin)}:
            self._require_same_arithmetic(path, metadata, begun)
            return None
        self.losses, self.step = arrays["losses"], step
        self.half = {name.removeprefix(HALF): value for name, value in arrays.items() if name.startswith(HALF)}
        self.snapshots.load(arrays)
        return arrays

    def _require_same_arithmetic(self, path: Path, metadata: Mapping[str, Any], begun: Mapping[str, str]) -> None:
        keys = ("device", "arithmetic")
        apart = [key for key in keys if begun.get(key) != self.origin[key]]
        if metadata | {"origin": self.origin} == self.identity() and apart:
            differing = "; ".join(f"{key} {begun.get(key)}, here {self.origin[key]}" for key in apart)
            by = ", ".join(f"{key} {begun.get(key)}" for key in ("torch", "numpy", "numba"))
            raise CheckpointError(
                f"{path}: begun otherwise ({differing}), with {by}; continue it there, or delete the file to start over here"
            )

    def require_finite(self, first: int, end: int) -> None:
        """Raise TrainingDivergedError, with seed and step, for a loss in these rows that is not finite."""
        for row, network in np.argwhere(~np.isfinite(self.losses[first:end, :, 0])):
            step, seed = first + row, self.seeds[network]
            value = self.losses[step, network, 0]
            raise TrainingDivergedError(f"seed {seed}: training loss {value} at step {step}; lower learning_rate")

    def networks(self, parameters: Arrays) -> list[Network]:
        """The trained networks, in the order of the seeds, each with its results."""
        of_each = [{name: value[index] for name, value in parameters.items()} for index in range(len(self.seeds))]
        return [self._network(index, own) for index, own in enumerate(of_each)]

    def _network(self, index: int, parameters: Mapping[str, Float[np.ndarray, "..."]]) -> Network:
        seed = self.seeds[index]
        untested = Network(self.recipe, seed, parameters, {})
        right = accuracy(untested.logits(), untested.right_answers())
        train_loss, held_out_loss = self.losses[-1, index].tolist()
        results = {"accuracy": right, "train_loss": train_loss, "held_out_loss": held_out_loss}
        half = {name: value[index] for name, value in self.half.items()}
        return Network(self.recipe, seed, parameters, results, self.origin, half)
