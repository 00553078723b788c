"""Networks of others: read from a file by its format, checked, kept as safetensors."""

import hashlib
import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import product
from pathlib import Path

import numpy as np
from jaxtyping import Float

from modadd.core.groups import ADDITION, as_addition
from modadd.core.separable import Separable
from modadd.core.wording import unknown
from modadd.networks.architectures import ACTIVATIONS, RELU, Embedded, as_adding
from modadd.networks.checkpoints import Checkpoint, read_checkpoint
from modadd.networks.formats import FORMATS, UNREAD, Format
from modadd.networks.store import Network, NetworkError, read_tensors, write_tensors
from modadd.networks.transformers import Layout, Parameters, Shapes, settings_beside, settings_file


@dataclass(frozen=True)
class External:
    """A network as found: its tensors under the names of its format, in float32 or float64, and the hash of their file.

    `activation` is what its neurons compute if somebody has said so; ReLU is taken for granted otherwise. Its elements
    are put in the order in which the `operation` is addition mod n. `steps` are the sentences of its Checkpoint.
    """

    format: str
    sha256: str
    parameters: Parameters
    activation: str | None = None
    operation: str = ADDITION
    steps: tuple[str, ...] = ()

    @property
    def modulus(self) -> int:
        """n."""
        return self.embedded().modulus

    @property
    def neurons(self) -> str:
        """What its neurons compute, as it is read."""
        return self.activation or RELU

    def embedded(self) -> Embedded:
        """The network as a function of its embeddings, in float64."""
        return as_adding(FORMATS[self.format].embedded(self.parameters, self.neurons), self.operation)

    def embeddings(self) -> Float[np.ndarray, "n d"]:
        """Rows are the tokens' embeddings before position, in float64."""
        return self.embedded().E_a

    def logits(self) -> Float[np.ndarray, "n n n"]:
        """Logits of every input, indices (a, b, c), in float64, not centred."""
        return self.embedded().logits()

    def separable(self) -> Separable | None:
        """The separable form in float64; None if no such form exists (softmax attention, several layers, no ReLUs)."""
        network = FORMATS[self.format].separable(self.parameters) if self.neurons == RELU else None
        return network and as_adding(network, self.operation)

    def preactivations(self) -> Float[np.ndarray, "n n h"]:
        """Inputs of the last layer's neurons where the answer is read, for every input (a, b), in float64."""
        of_all = FORMATS[self.format].preactivations(self.parameters, self.neurons)
        first, second, _ = as_addition(self.operation, len(of_all))
        return of_all[np.ix_(first, second)]


def read_external(
    path: Path | str, format: str, sha256: str, activation: str | None = None, operation: str = ADDITION
) -> External:
    """A network of others from a file of tensors; nothing in it is executed.

    Raises NetworkError naming the file, what was expected and what was found, unless the file has the given hash and,
    unwrapped as `checkpoints` does, exactly the tensors of the format.
    """
    path = Path(path)
    if format not in FORMATS:
        raise NetworkError(unknown(str(path), "format", format, FORMATS))
    if not path.is_file():
        raise NetworkError(f"{path}: no such file; expected a network of format '{format}' with sha256 {sha256}")
    content = path.read_bytes()
    found = hashlib.sha256(content).hexdigest()
    if found != sha256:
        raise NetworkError(f"{path}: expected sha256 {sha256}, found {found}; this is not the file that was meant")
    checkpoint = _laid_out(read_checkpoint(path, content), FORMATS[format])
    external = _checked(path, External(format, sha256, checkpoint.tensors, activation, operation, checkpoint.steps))
    if why := FORMATS[format].refusal(settings_beside(path), external.neurons):
        settings = settings_file(path).name
        raise NetworkError(f"{path}: the settings beside it, {settings}, do not fit format '{format}': {why}")
    return external


def save_external(external: External, path: Path) -> None:
    """Write a checked network as safetensors, for `load_external`."""
    said = {key: getattr(external, key) for key in ("format", "sha256", "activation", "operation")}
    write_tensors(path, external.parameters, said)


def load_external(path: Path | str) -> External:
    """Read a file of `save_external`; raises NetworkError as `read_external` does."""
    tensors, metadata = read_tensors(Path(path))
    try:
        external = External(parameters=tensors, **metadata)
    except TypeError as error:
        raise NetworkError(f"{path}: metadata of another version ({error}); delete it and build it again") from error
    if external.format not in FORMATS:
        raise NetworkError(unknown(str(path), "format", external.format, FORMATS))
    return _checked(path, external)


def beside_published(network: Network, external: Mapping[str, Path | str]) -> dict[str, Separable]:
    """A "retrained" network in the separable form, and "published weights" of its architecture and modulus, if there are any.

    Raises ValueError for several of them: claims are about one.
    """
    read = {name: load_external(file) for name, file in external.items()}
    like = (network.recipe.architecture, network.recipe.modulus, network.recipe.operation, network.recipe.activation)
    fits = [
        name
        for name, weights in read.items()
        if (weights.format, weights.modulus, weights.operation, weights.neurons) == like
    ]
    if len(fits) > 1:
        raise ValueError(f"datasets: expected at most one {like[0]} mod {like[1]}, got {', '.join(fits)}")
    return {"retrained": network.separable()} | {"published weights": read[name].separable() for name in fits}


def _shapes(tensors: Parameters) -> Shapes:
    return {name: value.shape for name, value in tensors.items()}


def _laid_out(checkpoint: Checkpoint, format: Format) -> Checkpoint:
    """The tensors as the format has them, where a common prefix and another layout of its own are all that differs.

    If nothing makes them fit, they keep their prefix.
    """
    for found in map(format.laid_out, checkpoint.without_prefixes()):
        if set(found.tensors) == set(format.layout(_shapes(found.tensors))):
            return found
    return format.laid_out(checkpoint)


def _checked(path: Path | str, external: External) -> External:
    """The same, its tensors in the order of the layout; raises NetworkError unless they fit it, and the operation them."""
    if external.neurons not in ACTIVATIONS:
        raise NetworkError(unknown(str(path), "activation", external.neurons, ACTIVATIONS))
    layout = FORMATS[external.format].layout(_shapes(external.parameters))
    try:
        _require_layout(external, layout)
        external.embedded()
    except ValueError as error:
        raise NetworkError("; ".join([f"{path}: {error}", *external.steps])) from None
    return replace(external, parameters={name: external.parameters[name] for name in layout})


def _require_layout(external: External, layout: Layout) -> None:
    """Raise ValueError, without the file, unless names, shapes and values fit; sizes are read off the tensors."""
    tensors, sizes = external.parameters, {}
    for name, (kind, words) in product(tensors, UNREAD.items()):
        if re.search(kind, name):
            raise ValueError(f"{words} (it has '{name}'), which no format reads; expected a '{external.format}'")
    found = f"found {', '.join(sorted(tensors)) or '(none)'}"
    for extra in sorted(set(tensors) - set(layout)):
        raise ValueError(f"{unknown(external.format, 'tensor', extra, layout)}; {found}")
    for name, dimensions in layout.items():
        if name not in tensors:
            raise ValueError(f"tensor '{name}' is missing; expected {', '.join(layout)}; {found}")
        value = tensors[name]
        if not _fits(value.shape, dimensions, sizes):
            known = ", ".join(f"{size} = {length}" for size, length in sizes.items())
            expected = f"({', '.join(dimensions.split())}) with {known or 'every size at least 1'}"
            raise ValueError(f"tensor '{name}': expected shape {expected}; found {value.shape}")
        if not np.isfinite(value).all():
            raise ValueError(f"tensor '{name}' holds {int((~np.isfinite(value)).sum())} values that are not finite")


def _fits(shape: Sequence[int], dimensions: str, sizes: dict[str, int]) -> bool:
    """Whether a shape has the given dimensions; a size not met before is taken from it into `sizes`.

    A dimension is a product of sizes and numbers, of which the last may be unknown, or a size + 1.
    """
    expected = dimensions.split()
    return len(shape) == len(expected) and all(map(partial(_is_of_length, sizes=sizes), shape, expected))


def _is_of_length(length: int, dimension: str, sizes: dict[str, int]) -> bool:
    factors, _, more = dimension.partition("+")
    length -= int(more or 0)
    *known, last = factors.split("*")
    times = math.prod(int(factor) if factor.isdigit() else sizes[factor] for factor in known)
    if last.isdigit():
        return length == times * int(last) > 0
    return length == times * sizes.setdefault(last, length // times) > 0
