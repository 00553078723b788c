"""Trained networks on disk: safetensors with one sorted-JSON metadata key, written whole or not at all, read strictly."""

import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from jaxtyping import Float
from safetensors import SafetensorError, safe_open
from safetensors.numpy import save

from modadd.core.separable import Separable
from modadd.core.wording import unknown
from modadd.networks.architectures import ARCHITECTURES, separable_of
from modadd.networks.recipes import Recipe

METADATA_KEY = "modadd"  # one key only: safetensors writes several in random order


class NetworkError(ValueError):
    """A network file that cannot be trusted: truncated, of other names, shapes or types, or not finite."""


@dataclass(frozen=True)
class Network:
    """Native float32 parameters of a trained network, with the recipe, the seed and the results of its training.

    `results` holds accuracy (share of all n² inputs), train_loss and held_out_loss (nats, mean; NaN where no pair is held out); `origin` says what trained
    it: processor, device, versions, the choices that decide bits, and the fingerprint of the code.
    """

    recipe: Recipe
    seed: int
    parameters: Mapping[str, Float[np.ndarray, "..."]]
    results: Mapping[str, float]
    origin: Mapping[str, str] = field(default_factory=dict)

    def separable(self) -> Separable:
        """The network in the separable form, in float64."""
        return separable_of(self.recipe.architecture, self.parameters)


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
    return _read(path, tensors=True)


def metadata_of(path: Path) -> dict[str, Any]:
    """The metadata of a file of `write_tensors` alone; raises NetworkError likewise."""
    return _read(path, tensors=False)[1]


def _read(path: Path, tensors: bool) -> tuple[dict[str, np.ndarray], dict[str, Any]]:
    if not path.exists():
        raise NetworkError(f"{path}: no such file; expected a network trained by this project")
    try:
        with safe_open(path, framework="numpy") as file:
            metadata = (file.metadata() or {}).get(METADATA_KEY)
            values = {name: file.get_tensor(name) for name in file.keys()} if tensors else {}
    except (SafetensorError, OSError) as error:
        raise NetworkError(
            f"{path}: not a complete safetensors file ({error}); delete it and build it again"
        ) from error
    if metadata is None:
        raise NetworkError(
            f"{path}: expected a '{METADATA_KEY}' metadata key, as written by modadd.networks; found none"
        )
    try:
        return values, json.loads(metadata)
    except json.JSONDecodeError as error:
        raise NetworkError(f"{path}: metadata is damaged ({error}); delete it and build it again") from error


def save_networks(networks: Sequence[Network], path: Path) -> None:
    """Write networks of one recipe and origin, stacked; raises NetworkError rather than write what `load_networks` refuses."""
    recipe, origin = networks[0].recipe, networks[0].origin
    if any((network.recipe, network.origin) != (recipe, origin) for network in networks):
        raise NetworkError(f"{path}: expected networks of one recipe, trained by one job")
    for network in networks[1:]:  # the first, and what all have in common, is checked below
        if {k: v.shape for k, v in network.parameters.items()} != {
            k: v.shape for k, v in networks[0].parameters.items()
        }:
            raise NetworkError(f"{path}: expected networks of equal shapes; seed {network.seed} differs")
    stacked = {name: np.stack([network.parameters[name] for network in networks]) for name in networks[0].parameters}
    seeds = [network.seed for network in networks]
    _check(recipe, seeds, stacked, path)
    results = [dict(network.results) for network in networks]
    write_tensors(
        path, stacked, {"recipe": recipe.as_dict(), "seeds": seeds, "results": results, "origin": dict(origin)}
    )


def load_networks(path: Path | str) -> list[Network]:
    """Read a file of networks; raises NetworkError naming the file, the tensor, what was expected and what was found."""
    tensors, metadata = read_tensors(Path(path))
    try:
        recipe, origin = Recipe(**metadata["recipe"]), metadata["origin"]
        seeds, results = metadata["seeds"], metadata["results"]
        standing = list(zip(seeds, results, strict=True))
    except (KeyError, TypeError, ValueError) as error:
        raise NetworkError(f"{path}: metadata of another version ({error}); delete it and build it again") from error
    _check(recipe, seeds, tensors, path)
    return [
        Network(recipe, seed, {name: value[index] for name, value in tensors.items()}, result, origin)
        for index, (seed, result) in enumerate(standing)
    ]


def load_network(path: Path | str) -> Network:
    """Read the only network of a file."""
    networks = load_networks(path)
    if len(networks) != 1:
        raise NetworkError(f"{path}: expected one network, found {len(networks)}")
    return networks[0]


def _check(recipe: Recipe, seeds: Sequence[int], tensors: Mapping[str, np.ndarray], path: Path | str) -> None:
    """Raise NetworkError unless names, shapes, types and values are those of the recipe's architecture, for every seed."""
    name = recipe.architecture
    if name not in ARCHITECTURES:
        raise NetworkError(unknown(str(path), "architecture", name, ARCHITECTURES))
    expected = ARCHITECTURES[name].shapes(recipe.modulus, recipe.sizes)
    for extra in sorted(set(tensors) - set(expected)):
        raise NetworkError(unknown(str(path), "tensor", extra, expected))
    for tensor, shape in expected.items():
        if tensor not in tensors:
            raise NetworkError(f"{path}: tensor '{tensor}' is missing; expected {', '.join(expected)}")
        value, shape = tensors[tensor], (len(seeds), *shape)
        if value.shape != shape or value.dtype != np.float32:
            raise NetworkError(
                f"{path}: tensor '{tensor}': expected float32 {shape}, found {value.dtype} {value.shape}"
            )
        if not np.isfinite(value).all():
            raise NetworkError(
                f"{path}: tensor '{tensor}' holds {int((~np.isfinite(value)).sum())} values that are not finite"
            )
