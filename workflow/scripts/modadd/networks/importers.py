"""Published weights: state dicts read without executing what a pickle holds, checked, kept as safetensors."""

import hashlib
import io
import math
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from jaxtyping import Float

from modadd.core.separable import Separable
from modadd.core.wording import unknown
from modadd.networks import zhong
from modadd.networks.architectures import Embedded, embedded_of, separable_of
from modadd.networks.store import Network, NetworkError, read_tensors, write_tensors
from modadd.networks.zhong import Layout, Parameters


@dataclass(frozen=True)
class Format:
    """A kind of state dict: its tensors, given the names found (they tell the number of layers), and how it is read.

    `separable` gives None for a network that is not a sum of two tables before its only ReLU. `preactivations` are those
    of the last layer at the position of b, for every input. `otherwise` gives what else
    the tensors may have been trained as, by the difference; `refusal` why settings beside the file exclude the format.
    """

    layout: Callable[[Iterable[str]], Layout]
    embedded: Callable[[Parameters], Embedded]
    separable: Callable[[Parameters], Separable | None]
    preactivations: Callable[[Parameters], Float[np.ndarray, "n n h"]]
    otherwise: Callable[[Parameters], dict[str, Embedded]] = lambda parameters: {}
    refusal: Callable[[Mapping[str, Any]], str | None] = lambda settings: None


@dataclass(frozen=True)
class External:
    """Published weights as found: float32 tensors under their own names, and the hash of their file."""

    format: str
    sha256: str
    parameters: Parameters

    @property
    def modulus(self) -> int:
        """n."""
        return self.embedded().modulus

    def embedded(self) -> Embedded:
        """The network as a function of its embeddings, in float64."""
        return FORMATS[self.format].embedded(self.parameters)

    def embeddings(self) -> Float[np.ndarray, "n d"]:
        """Rows are the tokens' embeddings before position, in float64."""
        return self.embedded().E_a

    def logits(self) -> Float[np.ndarray, "n n n"]:
        """Logits of every input, indices (a, b, c), in float64, not centred."""
        return self.embedded().logits()

    def separable(self) -> Separable | None:
        """The separable form in float64; None if no such form exists (softmax attention, or several layers)."""
        return FORMATS[self.format].separable(self.parameters)

    def preactivations(self) -> Float[np.ndarray, "n n h"]:
        """Inputs of the last layer's ReLUs at the position of b, for every input (a, b), in float64."""
        return FORMATS[self.format].preactivations(self.parameters)


def _zhong(softmax: bool) -> Format:
    read = (zhong.embedded, zhong.separable, zhong.preactivations, zhong.otherwise, zhong.refusal)
    return Format(zhong.layout, *(partial(function, softmax) for function in read))


def _ours(architecture: str, layout: Layout) -> Format:
    separable = partial(separable_of, architecture)
    embedded = partial(embedded_of, architecture)
    return Format(lambda names: layout, embedded, separable, lambda parameters: separable(parameters).preactivations())


# A state dict says neither which attention it was trained with nor the activation: ReLU is taken for granted.
FORMATS = {
    "two_layer_mlp": _ours("two_layer_mlp", {"W_E": "n d_model", "W_in": "d_model d_mlp", "W_U": "d_mlp n"}),
    "zhong_ones": _zhong(softmax=False),
    "zhong_softmax": _zhong(softmax=True),
}


def read_external(path: Path | str, format: str, sha256: str) -> External:
    """Published weights from a PyTorch state dict; nothing in it is executed.

    Raises NetworkError naming the file, what was expected and what was found, unless the file has the given hash and
    exactly the tensors of the format.
    """
    import torch

    path = Path(path)
    if not path.is_file():
        raise NetworkError(f"{path}: no such file; expected a state dict of format '{format}' with sha256 {sha256}")
    content = path.read_bytes()
    found = hashlib.sha256(content).hexdigest()
    if found != sha256:
        raise NetworkError(f"{path}: expected sha256 {sha256}, found {found}; this is not the file that was meant")
    try:
        state = torch.load(io.BytesIO(content), weights_only=True, map_location="cpu")
    except Exception as error:  # a damaged or hostile pickle fails in any way it likes
        reason = re.search(r"GLOBAL \S+", str(error)) or [type(error).__name__]
        raise NetworkError(
            f"{path}: expected a dict of tensors, found what torch does not read with weights_only=True ({reason[0]})"
        ) from None  # torch's own message advises to execute it
    if not isinstance(state, dict):
        raise NetworkError(f"{path}: expected a dict of tensors, found {type(state).__name__}")
    external = _checked(path, format, sha256, {str(name): value for name, value in state.items()})
    if why := FORMATS[format].refusal(zhong.settings_beside(path)):
        settings = zhong.settings_file(path).name
        raise NetworkError(f"{path}: the settings beside it, {settings}, do not fit format '{format}': {why}")
    return external


def save_external(external: External, path: Path) -> None:
    """Write checked weights as safetensors, for `load_external`."""
    write_tensors(path, external.parameters, {"format": external.format, "sha256": external.sha256})


def load_external(path: Path | str) -> External:
    """Read a file of `save_external`; raises NetworkError as `read_external` does."""
    import torch

    tensors, metadata = read_tensors(Path(path))
    try:
        format, sha256 = metadata["format"], metadata["sha256"]
    except (KeyError, TypeError) as error:
        raise NetworkError(f"{path}: metadata of another version ({error}); delete it and build it again") from error
    return _checked(path, format, sha256, {name: torch.from_numpy(value) for name, value in tensors.items()})


def beside_published(network: Network, external: Mapping[str, Path | str]) -> dict[str, Separable]:
    """A "retrained" network in the separable form, and "published weights" of its architecture and modulus, if there are any.

    Raises ValueError for several of them: claims are about one.
    """
    read = {name: load_external(file) for name, file in external.items()}
    like = (network.recipe.architecture, network.recipe.modulus)
    fits = [name for name, weights in read.items() if (weights.format, weights.modulus) == like]
    if len(fits) > 1:
        raise ValueError(f"external_networks: expected at most one {like[0]} mod {like[1]}, got {', '.join(fits)}")
    return {"retrained": network.separable()} | {"published weights": read[name].separable() for name in fits}


def _checked(path: Path | str, format: str, sha256: str, tensors: Mapping[str, Any]) -> External:
    """Raise NetworkError unless names, types, shapes and values fit the format; sizes are read off the file."""
    import torch

    if format not in FORMATS:
        raise NetworkError(unknown(str(path), "format", format, FORMATS))
    if "embed.weight" in tensors:
        raise NetworkError(f"{path}: a linear model of Zhong et al. (it has 'embed.weight'); expected a '{format}'")
    layout, sizes = FORMATS[format].layout(tensors), {}
    found = f"found {', '.join(sorted(tensors)) or '(none)'}"
    for extra in sorted(set(tensors) - set(layout)):
        raise NetworkError(f"{unknown(str(path), 'tensor', extra, layout)}; {found}")
    for name, dimensions in layout.items():
        if name not in tensors:
            raise NetworkError(f"{path}: tensor '{name}' is missing; expected {', '.join(layout)}; {found}")
        value, where = tensors[name], f"{path}: tensor '{name}'"
        if not isinstance(value, torch.Tensor):
            raise NetworkError(f"{where}: expected a float32 tensor, found {type(value).__name__}")
        if (value.dtype, value.layout, value.device.type) != (torch.float32, torch.strided, "cpu"):
            kind = f"{value.dtype}, {value.layout}, on {value.device.type}"
            raise NetworkError(f"{where}: expected torch.float32, torch.strided, on cpu; found {kind}")
        if not _fits(value.shape, dimensions, sizes):
            known = ", ".join(f"{size} = {length}" for size, length in sizes.items())
            raise NetworkError(
                f"{where}: expected shape ({', '.join(dimensions.split())}) with {known or 'every size at least 1'}; "
                f"found {tuple(value.shape)}"
            )
        if not torch.isfinite(value).all():
            raise NetworkError(f"{where} holds {int((~torch.isfinite(value)).sum())} values that are not finite")
    return External(format, sha256, {name: tensors[name].detach().numpy() for name in layout})


def _fits(shape: Sequence[int], dimensions: str, sizes: dict[str, int]) -> bool:
    """Whether a shape has the given dimensions; a size not met before is taken from it into `sizes`."""
    factors = [dimension.split("*") for dimension in dimensions.split()]
    return len(shape) == len(factors) and all(
        length == math.prod(int(f) if f.isdigit() else sizes.setdefault(f, length) for f in names) > 0
        for length, names in zip(shape, factors, strict=True)
    )
