"""Published weights: state dicts read without executing what a pickle may hold, checked tensor by tensor, kept as safetensors."""

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
import torch
from jaxtyping import Float

from modadd.core.separable import Separable
from modadd.core.wording import unknown
from modadd.networks.architectures import Embedded, embedded_of, separable_of
from modadd.networks.store import NetworkError, read_tensors, write_tensors

Parameters = Mapping[str, Float[np.ndarray, "..."]]
Layout = dict[str, str]  # of each tensor, the dimensions: names of sizes, products of them, or numbers


@dataclass(frozen=True)
class Format:
    """A kind of state dict: its tensors, given the names found (they tell the number of layers), and how it is read.

    `separable` gives None for a network that is not a sum of two tables before its only ReLU.
    """

    layout: Callable[[Iterable[str]], Layout]
    embedded: Callable[[Parameters], Embedded]
    separable: Callable[[Parameters], Separable | None]


@dataclass(frozen=True)
class External:
    """Published weights as they were found: float32 tensors under their own names, and the hash of the file they came in."""

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
        """The separable form in float64; None of a network that has none (softmax attention, or several layers)."""
        return FORMATS[self.format].separable(self.parameters)


def _layers(names: Iterable[str]) -> int:
    return len({match[1] for match in map(re.compile(r"blocks\.(\d+)\.").match, names) if match})


def _zhong_layout(names: Iterable[str]) -> Layout:
    """Two positions and no '=' token; the mask is stored by [Z]'s code and never applied by it."""
    attention = {f"attn.{name}": "n_heads d_head d_model" for name in ("W_K", "W_Q", "W_V")}
    block = attention | {
        "attn.W_O": "d_model n_heads*d_head",
        "attn.mask": "2 2",
        "mlp.W_in": "d_mlp d_model",
        "mlp.b_in": "d_mlp",
        "mlp.W_out": "d_model d_mlp",
        "mlp.b_out": "d_model",
    }
    ends = {"embed.W_E": "d_model n", "pos_embed.W_pos": "2 d_model", "unembed.W_U": "d_model n"}
    layers = range(max(1, _layers(names)))
    return ends | {f"blocks.{layer}.{name}": shape for layer in layers for name, shape in block.items()}


def _zhong_embedded(softmax: bool, parameters: Parameters) -> Embedded:
    double = {name: torch.from_numpy(value.astype(np.float64)) for name, value in parameters.items()}
    E = double["embed.W_E"].T.contiguous().numpy()
    return Embedded(E, E, partial(_zhong_logits, double, softmax))


def _zhong_logits(
    p: Mapping[str, torch.Tensor], softmax: bool, a: Float[torch.Tensor, "m d"], b: Float[torch.Tensor, "m d"]
) -> Float[torch.Tensor, "m n"]:
    """Logits at the position of b of a transformer without LayerNorm; both positions attend to both, as in [Z]'s code."""
    stream = torch.stack([a, b], dim=1) + p["pos_embed.W_pos"]  # m × 2 positions × d
    for layer in range(_layers(p)):
        attn, mlp = f"blocks.{layer}.attn.", f"blocks.{layer}.mlp."
        q, k, v = (stream[:, None] @ p[attn + name].mT for name in ("W_Q", "W_K", "W_V"))  # m × heads × 2 × d_head
        scores = q @ k.mT / math.sqrt(k.shape[-1])
        pattern = torch.softmax(scores, dim=-1) if softmax else torch.ones_like(scores)
        stream = stream + (pattern @ v).transpose(1, 2).flatten(2) @ p[attn + "W_O"].T
        activations = torch.relu(stream @ p[mlp + "W_in"].T + p[mlp + "b_in"])
        stream = stream + activations @ p[mlp + "W_out"].T + p[mlp + "b_out"]
    return stream[:, -1] @ p["unembed.W_U"]


def _zhong_separable(softmax: bool, parameters: Parameters) -> Separable | None:
    """The pizza transformer with W_O doubled: attention is 1, 1 here and ½, ½ there."""
    if softmax or _layers(parameters) > 1:
        return None
    p = {name.removeprefix("blocks.0."): value for name, value in parameters.items()}
    n_heads, d_head, d_model = p["attn.W_V"].shape
    native = {
        "W_E": p["embed.W_E"].T,
        "W_pos": p["pos_embed.W_pos"],
        "W_V": p["attn.W_V"].transpose(0, 2, 1),
        "W_O": 2 * p["attn.W_O"].reshape(d_model, n_heads, d_head).transpose(1, 2, 0),
        "W_in": p["mlp.W_in"].T,
        "b_in": p["mlp.b_in"],
        "W_out": p["mlp.W_out"].T,
        "b_out": p["mlp.b_out"],
        "W_U": p["unembed.W_U"],
    }
    return separable_of("pizza_transformer", native)


def _zhong(softmax: bool) -> Format:
    return Format(_zhong_layout, partial(_zhong_embedded, softmax), partial(_zhong_separable, softmax))


def _ours(architecture: str, layout: Layout) -> Format:
    return Format(lambda names: layout, partial(embedded_of, architecture), partial(separable_of, architecture))


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
    return _checked(path, format, sha256, {str(name): value for name, value in state.items()})


def save_external(external: External, path: Path) -> None:
    """Write checked weights as safetensors, for `load_external`."""
    write_tensors(path, external.parameters, {"format": external.format, "sha256": external.sha256})


def load_external(path: Path | str) -> External:
    """Read a file of `save_external`; raises NetworkError as `read_external` does."""
    tensors, metadata = read_tensors(Path(path))
    try:
        format, sha256 = metadata["format"], metadata["sha256"]
    except (KeyError, TypeError) as error:
        raise NetworkError(f"{path}: metadata of another version ({error}); delete it and build it again") from error
    return _checked(path, format, sha256, {name: torch.from_numpy(value) for name, value in tensors.items()})


def _checked(path: Path | str, format: str, sha256: str, tensors: Mapping[str, Any]) -> External:
    """Raise NetworkError unless names, types, shapes and values are those of the format; sizes are read off the file."""
    if format not in FORMATS:
        raise NetworkError(unknown(str(path), "format", format, FORMATS))
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
