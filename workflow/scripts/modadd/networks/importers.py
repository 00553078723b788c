"""Networks of others: read from a file by its format, checked, kept as safetensors."""

import difflib
import hashlib
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
from jaxtyping import Float

from modadd.core.groups import ADDITION, as_addition
from modadd.core.separable import Separable
from modadd.core.wording import unknown
from modadd.networks.architectures import ACTIVATIONS, RELU, Embedded, as_adding
from modadd.networks.checkpoints import Checkpoint, read_checkpoint, read_file, refused
from modadd.networks.formats import FORMATS, UNREAD, Format
from modadd.networks.settings import settings_beside, settings_file
from modadd.networks.store import Network, NetworkError, read_tensors, write_tensors
from modadd.networks.transformers import COEFFICIENT, Parameters, Shapes, coefficient_in

SMALLEST, LARGEST = 3, 1000  # numbers that a network adds: the logits of every input take n³ · 8 bytes
TAKEN = {"zhong_ones": "0 is taken, which is ones alone", "zhong_softmax": "1 is taken, which is softmax alone"}


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
    content = read_file(path)
    found = hashlib.sha256(content).hexdigest()
    if found != sha256:
        another = "this is not the file that was meant; name its own hash, or get it"
        raise refused(path, found, f"sha256 {sha256}", another)
    read = read_checkpoint(path, content)
    settings = settings_beside(path)
    checkpoint = _laid_out(read, FORMATS[format])
    reason = _does_not_fit(format, checkpoint.tensors)
    if reason:
        found = "; ".join([reason, *checkpoint.steps])
        raise refused(path, found, f"the tensors of '{format}'", _advice(read, format))
    tensors = dict(checkpoint.tensors)
    steps = checkpoint.steps
    if format == "zhong_softmax":
        tensors |= coefficient_in(settings)
    if format in TAKEN:
        steps += (_attention_in_words(path, format, settings),)
    external = _checked(path, External(format, sha256, tensors, activation, operation, steps))
    said = FORMATS[format].refusal(settings, external.neurons)
    if said:
        found, remedy = said
        raise refused(path, found, f"settings of '{format}' beside it, in {settings_file(path).name}", remedy)
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
        found = f"that of another version ({error})"
        raise refused(path, found, "metadata of this version", "delete it and build it again") from error
    if external.format not in FORMATS:
        raise NetworkError(unknown(str(path), "format", external.format, FORMATS))
    return _checked(path, external)


def beside_published(network: Network, external: Mapping[str, Path | str]) -> dict[str, Separable]:
    """A "retrained" network in the separable form, and "published weights" of its architecture and modulus, if there are any.

    Raises ValueError for several of them: claims are about one.
    """
    read = {name: load_external(file) for name, file in external.items()}
    recipe = network.recipe
    like = (recipe.architecture, recipe.modulus, recipe.operation, recipe.activation)
    fits = {}
    for name, weights in read.items():
        if (weights.format, weights.modulus, weights.operation, weights.neurons) == like:
            fits[name] = weights.separable()
    if len(fits) > 1:
        raise ValueError(f"datasets: expected at most one {like[0]} mod {like[1]}, got {', '.join(fits)}")
    return {"retrained": network.separable()} | {"published weights": separable for separable in fits.values()}


def _attention_in_words(path: Path, format: str, settings: Mapping[str, Any]) -> str:
    """Which share of softmax was taken, and from where: no tensor tells it."""
    beside = settings_file(path).name
    if COEFFICIENT in settings:
        return f"{COEFFICIENT} {settings[COEFFICIENT]} taken from {beside}"
    saying = f'for one between, write {{"{COEFFICIENT}": 0.39}} into {beside} beside it, and `format: zhong_softmax`'
    return f"no settings say its {COEFFICIENT}, so {TAKEN[format]}; {saying}"


def _shapes(tensors: Parameters) -> Shapes:
    return {name: value.shape for name, value in tensors.items()}


def _laid_out(checkpoint: Checkpoint, format: Format) -> Checkpoint:
    """The tensors as the format has them, where a common prefix, copies and another layout are all that differs.

    If nothing makes them fit, they keep their prefix.
    """
    for found in checkpoint.without_prefixes():
        laid_out = format.laid_out(_without_copies(found, format))
        if set(laid_out.tensors) == set(format.layout(_shapes(laid_out.tensors))):
            return laid_out
    return format.laid_out(_without_copies(checkpoint, format))


def _without_copies(checkpoint: Checkpoint, format: Format) -> Checkpoint:
    """Without tensors of other names that repeat one of the format, number by number: tied weights are saved twice."""
    layout = format.layout(_shapes(checkpoint.tensors))
    tensors = checkpoint.tensors
    own = [tensors[name] for name in tensors if name in layout]
    copies = []
    for name, value in tensors.items():
        if name not in layout and any(np.array_equal(value, kept) for kept in own):
            copies.append(name)
    return checkpoint.without(copies, "which repeat another tensor")


def _checked(path: Path | str, external: External) -> External:
    """The same, its tensors in the order of the layout; raises NetworkError unless they fit it, and the operation them."""
    if external.neurons not in ACTIVATIONS:
        raise NetworkError(unknown(str(path), "activation", external.neurons, ACTIVATIONS))
    if reason := _does_not_fit(external.format, external.parameters):
        raise refused(path, reason, f"the tensors of '{external.format}'", "delete it and build it again")
    layout = FORMATS[external.format].layout(_shapes(external.parameters))
    ordered = {name: external.parameters[name] for name in layout}
    for name, value in ordered.items():
        infinite = np.count_nonzero(~np.isfinite(value))
        if infinite:
            found = f"{infinite} that are not in '{name}'"
            raise refused(path, found, "finite numbers", "take a checkpoint from before its training broke")
    external = replace(external, parameters=ordered)
    try:
        n = external.modulus
    except ValueError as error:
        raise NetworkError(f"{path}: {error}") from None
    if not SMALLEST <= n <= LARGEST:
        read = f"a network on {SMALLEST} to {LARGEST} numbers"
        raise refused(path, f"one on {n}", read, "the logits of every input, n³ of them, are computed at once")
    return external


def _advice(checkpoint: Checkpoint, format: str) -> str:
    """What to write for the format that has these tensors; else where all are described."""
    fits = []
    for name, other in FORMATS.items():
        if name != format and not _does_not_fit(name, _laid_out(checkpoint, other).tensors):
            fits.append(f"`format: {name}`")
    if fits:
        return f"write {' or '.join(fits)}, which reads them"
    return "docs/formats.md has the tensors of every format"


def _does_not_fit(format: str, tensors: Parameters) -> str | None:
    """What of names and shapes is not as the format has it, in words; None if all fits. Sizes are read off the tensors."""
    for name, (kind, words) in product(tensors, UNREAD.items()):
        if re.search(kind, name):
            return f"{words} (it has '{name}'), which no format reads"
    layout = FORMATS[format].layout(_shapes(tensors))
    missing = [name for name in layout if name not in tensors]
    further = [_with_the_nearest(name, missing) for name in sorted(tensors) if name not in layout]
    if missing:
        unknown_too = f"; unknown: {', '.join(further)}" if further else ""
        return f"{', '.join(sorted(tensors)) or '(none)'} (missing: {', '.join(missing)}{unknown_too})"
    if further:
        return f"them and {', '.join(further)}"
    sizes = {}
    for name, dimensions in layout.items():
        shape = tensors[name].shape
        if not _fits(shape, dimensions, sizes):
            known = ", ".join(f"{size} = {length}" for size, length in sizes.items())
            expected = f"({', '.join(dimensions.split())}) with {known or 'every size at least 1'}"
            return f"'{name}' of shape {shape}, where it has {expected}"
    return None


def _with_the_nearest(name: str, missing: Sequence[str]) -> str:
    """A name, and in brackets the missing one that it resembles."""
    near = difflib.get_close_matches(name, missing, n=1, cutoff=0.7)
    return f"{name} (is it {near[0]}?)" if near else name


def _fits(shape: Sequence[int], dimensions: str, sizes: dict[str, int]) -> bool:
    """Whether a shape has the given dimensions; a size not met before is taken from it into `sizes`.

    A dimension is a product of sizes and numbers, of which the last may be unknown, or a size + 1.
    """
    expected = dimensions.split()
    if len(shape) != len(expected):
        return False
    for length, dimension in zip(shape, expected, strict=True):
        if not _is_of_length(length, dimension, sizes):
            return False
    return True


def _is_of_length(length: int, dimension: str, sizes: dict[str, int]) -> bool:
    factors, _, more = dimension.partition("+")
    length -= int(more or 0)
    *known, last = factors.split("*")
    times = 1
    for factor in known:
        times *= int(factor) if factor.isdigit() else sizes[factor]
    if last.isdigit():
        return length == times * int(last) > 0
    return length == times * sizes.setdefault(last, length // times) > 0
