"""Trained networks on disk: sealed safetensors with one sorted-JSON metadata key, read strictly."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
from jaxtyping import Float, Int
from safetensors import SafetensorError
from safetensors.numpy import load, save

from modadd.core.bits import of_another_version
from modadd.core.files import UNSEALED, FileError, read_sealed, write_sealed
from modadd.core.groups import right_answers
from modadd.core.separable import Separable, TwoTables
from modadd.core.wording import unknown
from modadd.networks.architectures import (
    ACTIVATIONS,
    ARCHITECTURES,
    Embedded,
    as_adding,
    embedded_of,
    require_relu,
    tables_of,
)
from modadd.networks.recipes import Recipe

METADATA_KEY = "modadd"  # one key only: safetensors writes several in random order
HALF = "half."  # begins the names of the parameters after half of the updates


class NetworkError(FileError):
    """A network file of other names, shapes or types than its recipe says, or not finite."""


@dataclass(frozen=True)
class Network:
    """Native float32 parameters of a trained network, with the recipe, the seed and the results of its training.

    `results` holds accuracy (share of all n² inputs), train_loss and held_out_loss (nats, mean; NaN where no pair is
    held out); `origin` says what trained it: processor, device, versions, the choices that decide bits, and the
    checksum of the code. `half`: the parameters after half of its updates, by which one sees what has settled; None where
    they were not kept.
    """

    recipe: Recipe
    seed: int
    parameters: Mapping[str, Float[np.ndarray, "..."]]
    results: Mapping[str, float]
    origin: Mapping[str, str] = field(default_factory=dict)
    half: Mapping[str, Float[np.ndarray, "..."]] | None = None

    def after_half(self) -> "Network | None":
        """The network as it was after half of its updates, without results."""
        return None if self.half is None else replace(self, parameters=self.half, results={}, half=None)

    def separable(self) -> Separable:
        """The network in the separable form, in float64, its elements in the order in which it adds mod n.

        Raises ValueError, with the reason, where no order does that, or the neurons are not ReLUs.
        """
        require_relu(self.recipe.architecture, self.recipe.activation)
        return Separable(*vars(self.tables()).values())

    def tables(self) -> TwoTables:
        """Its tables, whatever its neurons compute, in float64, with elements in the order in which it adds mod n.

        Raises ValueError, with the reason, where no order does that.
        """
        return as_adding(tables_of(self.recipe.architecture, self.parameters), self.recipe.operation)

    def embedded(self) -> Embedded:
        """The network as a function of its embeddings."""
        return embedded_of(self.recipe.architecture, self.parameters, self.recipe.activation)

    def logits(self) -> Float[np.ndarray, "n n n"]:
        """Logits of every input, indices (a, b, c) as the network was trained on them, in float64, not centred."""
        tables = tables_of(self.recipe.architecture, self.parameters)
        return ACTIVATIONS[self.recipe.activation](tables.preactivations()) @ tables.W + tables.residual()

    def right_answers(self) -> Int[np.ndarray, "n n"]:
        """What it is to answer for every (a, b)."""
        return right_answers(self.recipe.operation, self.recipe.modulus)


def write_tensors(path: Path, tensors: Mapping[str, np.ndarray], metadata: Mapping[str, Any]) -> None:
    """Tensors and plain metadata as a sealed safetensors file; equal content gives equal bytes."""
    content = {name: np.ascontiguousarray(value) for name, value in tensors.items()}
    described = json.dumps({**metadata, "checksum": UNSEALED}, sort_keys=True)
    write_sealed(path, save(content, {METADATA_KEY: described}))


def read_tensors(path: Path) -> tuple[dict[str, np.ndarray], dict[str, Any]]:
    """Tensors, in the order of their names, and metadata of a file of `write_tensors`.

    safetensors gives them in another order in every process, and a sum over them would have other last bits each time.
    Raises FileError if the file is damaged or not ours.
    """
    content = read_sealed(path)
    try:
        return dict(sorted(load(content).items())), _metadata(content)
    except (SafetensorError, KeyError, ValueError) as error:
        raise NetworkError(
            f"{path}: expected tensors and '{METADATA_KEY}' metadata of this project ({error!r})"
        ) from error


def metadata_of(path: Path) -> dict[str, Any]:
    """The metadata of a file of `write_tensors` alone; raises FileError likewise."""
    return _metadata(read_sealed(path))


def _metadata(content: bytes) -> dict[str, Any]:
    """safetensors begin with the length of a JSON header, in eight bytes; it has the metadata."""
    header = json.loads(content[8 : 8 + int.from_bytes(content[:8], "little")])
    metadata = json.loads(header["__metadata__"][METADATA_KEY])
    del metadata["checksum"]
    return metadata


def save_networks(networks: Sequence[Network], path: Path) -> None:
    """Write networks of one recipe and origin, stacked; raises NetworkError for what `load_networks` refuses."""
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
    halves = [network.half for network in networks]
    if None not in halves:
        stacked |= {f"{HALF}{name}": np.stack([half[name] for half in halves]) for name in networks[0].parameters}
    results = [dict(network.results) for network in networks]
    write_tensors(
        path, stacked, {"recipe": recipe.as_dict(), "seeds": seeds, "results": results, "origin": dict(origin)}
    )


def load_networks(path: Path | str, kept: bool = False) -> list[Network]:
    """Read a file of networks; raises NetworkError naming file and tensor, what was expected and what was found.

    One of another version's bits is refused, unless it is `kept`: the networks in `data` are of several versions.
    """
    tensors, metadata = read_tensors(Path(path))
    try:
        recipe, origin = Recipe(**metadata["recipe"]), metadata["origin"]
        seeds, results = metadata["seeds"], metadata["results"]
        standing = list(zip(seeds, results, strict=True))
    except (KeyError, TypeError, ValueError) as error:
        raise NetworkError(f"{path}: metadata of another version ({error}); delete it and build it again") from error
    halves = {name.removeprefix(HALF): value for name, value in tensors.items() if name.startswith(HALF)}
    tensors = {name: value for name, value in tensors.items() if not name.startswith(HALF)}
    for parameters in (tensors, halves) if halves else (tensors,):
        _check(recipe, seeds, parameters, path)
    if not kept:
        require_own_bits(path, origin)

    def of_one(stack: Mapping[str, np.ndarray], index: int) -> dict[str, np.ndarray]:
        return {name: value[index] for name, value in stack.items()}

    return [
        Network(recipe, seed, of_one(tensors, index), result, origin, of_one(halves, index) or None)
        for index, (seed, result) in enumerate(standing)
    ]


def load_network(path: Path | str, kept: bool = False) -> Network:
    """Read the only network of a file, as `load_networks` does."""
    networks = load_networks(path, kept)
    if len(networks) != 1:
        raise NetworkError(f"{path}: expected one network, found {len(networks)}")
    return networks[0]


def require_own_bits(path: Path | str, origin: Mapping[str, str]) -> None:
    """Raise NetworkError, one line, for a network that another version trained, whose bits are others."""
    if said := of_another_version(origin):
        raise NetworkError(f"{path}: {said}")


def _check(recipe: Recipe, seeds: Sequence[int], tensors: Mapping[str, np.ndarray], path: Path | str) -> None:
    """Raise NetworkError unless names, shapes, types and values fit the recipe's architecture, for every seed."""
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
