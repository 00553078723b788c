"""Trained networks on disk: safetensors with one sorted-JSON metadata key, written whole or not at all, read strictly."""

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from jaxtyping import Float
from safetensors import SafetensorError, safe_open
from safetensors.numpy import save

from modadd.architectures import ARCHITECTURES
from modadd.recipes import Recipe
from modadd.separable import Separable
from modadd.suggestions import unknown

METADATA_KEY = "modadd"  # one key only: safetensors writes several in random order


class NetworkError(ValueError):
    """A network file that cannot be trusted: truncated, of other names, shapes or types, or not finite."""


@dataclass(frozen=True)
class Network:
    """Native float32 parameters of a trained network, with the recipe, the seed and the results of its training.

    `results` holds accuracy (share of all n² inputs), train_loss and held_out_loss (nats, mean).
    """

    recipe: Recipe
    seed: int
    parameters: Mapping[str, Float[np.ndarray, "..."]]
    results: Mapping[str, float]

    def separable(self) -> Separable:
        """The network in the separable form, in float64."""
        double = {name: value.astype(np.float64) for name, value in self.parameters.items()}
        A, B, W, *bypass = ARCHITECTURES[self.recipe.architecture].effective(double)
        n = self.recipe.modulus
        C, D = (np.zeros((n, n)) if table is None else np.broadcast_to(table, (n, n)) for table in bypass)
        return Separable(A, B, W, C, D)


def write_whole(path: Path, content: bytes) -> None:
    """Write `content` so that `path` is either complete or untouched, whatever interrupts."""
    path.parent.mkdir(parents=True, exist_ok=True)
    partial = path.with_name(path.name + ".partial")
    partial.write_bytes(content)
    os.replace(partial, path)


def write_tensors(path: Path, tensors: Mapping[str, np.ndarray], metadata: Mapping[str, Any]) -> None:
    """Tensors and plain metadata as a safetensors file; equal content gives equal bytes."""
    content = {name: np.ascontiguousarray(value) for name, value in tensors.items()}
    write_whole(path, save(content, {METADATA_KEY: json.dumps(metadata, sort_keys=True)}))


def read_tensors(path: Path) -> tuple[dict[str, np.ndarray], dict[str, Any]]:
    """Tensors and metadata of a file of `write_tensors`; raises NetworkError naming the file if it is damaged or not ours."""
    if not path.exists():
        raise NetworkError(f"{path}: no such file; expected a network trained by this project")
    try:
        with safe_open(path, framework="numpy") as file:
            metadata = (file.metadata() or {}).get(METADATA_KEY)
            tensors = {name: file.get_tensor(name) for name in file.keys()}
    except (SafetensorError, OSError) as error:
        raise NetworkError(
            f"{path}: not a complete safetensors file ({error}); delete it and build it again"
        ) from error
    if metadata is None:
        raise NetworkError(
            f"{path}: expected a '{METADATA_KEY}' metadata key, as written by modadd.networks; found none"
        )
    try:
        return tensors, json.loads(metadata)
    except json.JSONDecodeError as error:
        raise NetworkError(f"{path}: metadata is damaged ({error}); delete it and build it again") from error


def save_network(network: Network, path: Path) -> None:
    """Write a network; raises NetworkError rather than write one that `load_network` would refuse."""
    _check(network, path)
    metadata = {"recipe": network.recipe.as_dict(), "seed": network.seed, "results": dict(network.results)}
    write_tensors(path, network.parameters, metadata)


def load_network(path: Path | str) -> Network:
    """Read a network; raises NetworkError naming the file, the tensor, what was expected and what was found."""
    tensors, metadata = read_tensors(Path(path))
    try:
        network = Network(Recipe(**metadata["recipe"]), metadata["seed"], tensors, metadata["results"])
    except (KeyError, TypeError, ValueError) as error:
        raise NetworkError(f"{path}: metadata of another version ({error}); delete it and build it again") from error
    _check(network, path)
    return network


def _check(network: Network, path: Path | str) -> None:
    """Raise NetworkError unless names, shapes, types and values are those of the recipe's architecture."""
    name = network.recipe.architecture
    if name not in ARCHITECTURES:
        raise NetworkError(unknown(str(path), "architecture", name, ARCHITECTURES))
    expected = ARCHITECTURES[name].shapes(network.recipe.modulus, network.recipe.sizes)
    for extra in sorted(set(network.parameters) - set(expected)):
        raise NetworkError(unknown(str(path), "tensor", extra, expected))
    for tensor, shape in expected.items():
        if tensor not in network.parameters:
            raise NetworkError(f"{path}: tensor '{tensor}' is missing; expected {', '.join(expected)}")
        value = network.parameters[tensor]
        if value.shape != shape or value.dtype != np.float32:
            raise NetworkError(
                f"{path}: tensor '{tensor}': expected float32 {shape}, found {value.dtype} {value.shape}"
            )
        if not np.isfinite(value).all():
            raise NetworkError(
                f"{path}: tensor '{tensor}' holds {int((~np.isfinite(value)).sum())} values that are not finite"
            )
