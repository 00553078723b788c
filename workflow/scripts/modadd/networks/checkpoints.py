"""Files of tensors as people save them: told by their first bytes, unwrapped, converted exactly, never executed."""

import io
import re
import zipfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from jaxtyping import Float
from safetensors import SafetensorError

from modadd.networks.store import NetworkError

# What a file is that holds no tensors, by how it begins, and what gets the real one.
NO_TENSORS = {
    b"version https://git-lfs": "a Git LFS pointer, which stands for the file; `git lfs pull` gets the file itself",
    b"<": "a web page; `curl -L -O ADDRESS` gets the file it shows, with /raw/ or /resolve/ in ADDRESS for /blob/",
    b"\x1f\x8b": "a compressed file; `gunzip` or `tar -xzf` unpacks it",
    b"\x89HDF": "an HDF5 file, which is not read; numpy.savez('mine.npz', **tensors) writes one that is",
    b"\x93NUMPY": "one array of NumPy without a name; numpy.savez('mine.npz', **tensors) keeps the names",
}
SAVING = "torch.save(model.state_dict(), 'mine.pt')"  # how an owner exports tensors and nothing else

# Tensors that a module keeps beside its parameters, by the last part of their names; no network is another without them.
BUFFERS = frozenset({"mask", "IGNORE", "causal_mask", "num_batches_tracked", "position_ids"})

EXACT = ("float16", "bfloat16", "float32", "float64")  # every number of these types is one of float64


@dataclass(frozen=True)
class Checkpoint:
    """The tensors of a file, in float32 or float64, and in sentences every step taken to reach them."""

    tensors: Mapping[str, Float[np.ndarray, "..."]]
    steps: tuple[str, ...] = ()

    def renamed(self, names: Mapping[str, str], *steps: str) -> "Checkpoint":
        """The same tensors, in the order and with the names that `names` gives, new by old."""
        return replace(self, tensors={new: self.tensors[old] for old, new in names.items()}, steps=self.steps + steps)

    def without_prefixes(self) -> Iterator["Checkpoint"]:
        """The checkpoint as it is, then with one more part taken off in front of all its names while they share it."""
        found, prefix = self, ""
        yield found
        while len(parts := {name.partition(".")[0] for name in found.tensors}) == 1 and all(
            "." in n for n in found.tensors
        ):
            part = f"{parts.pop()}."
            prefix += part
            found = found.renamed({name: name.removeprefix(part) for name in found.tensors})
            yield replace(found, steps=(*self.steps, f"prefix '{prefix}' taken off all names"))


def read_checkpoint(path: Path, content: bytes) -> Checkpoint:
    """The tensors of a file that torch, NumPy (.npz) or safetensors wrote; `path` is for messages.

    Raises NetworkError, one line, for other files, for several networks in one file, and for tensors whose numbers
    float64 does not hold exactly.
    """
    found = _loaded(path, content)
    if not isinstance(found, Mapping):
        raise NetworkError(
            f"{path}: expected a dict of tensors, found {type(found).__name__}; its owner saves one by {SAVING}"
        )
    tensors, steps = _unwrapped(path, found)
    buffers = [name for name in tensors if name.rpartition(".")[2] in BUFFERS]
    if buffers:
        steps.append(f"buffers left out: {', '.join(buffers)}")
    exact = {name: _exact(path, name, value, steps) for name, value in tensors.items() if name not in buffers}
    return Checkpoint(exact, tuple(dict.fromkeys(steps)))


def _loaded(path: Path, content: bytes) -> Any:
    """What the file holds, its tensors those of torch."""
    if content[8:9] == b"{" and int.from_bytes(content[:8], "little") <= len(content):
        return _of_safetensors(path, content)
    for start, words in NO_TENSORS.items():
        if content.lstrip().startswith(start):
            raise NetworkError(f"{path}: expected a dict of tensors, found {words}")
    if _members(content) and all(name.endswith(".npy") for name in _members(content)):
        return _of_numpy(path, content)
    return _of_torch(path, content)


def _members(content: bytes) -> list[str]:
    """Names in a zip archive; none if it is no such archive. Both `.npz` and the files of torch are."""
    try:
        return zipfile.ZipFile(io.BytesIO(content)).namelist()
    except zipfile.BadZipFile:
        return []


def _of_safetensors(path: Path, content: bytes) -> dict[str, Any]:
    from safetensors.torch import load

    try:
        return load(content)
    except SafetensorError as error:
        raise NetworkError(f"{path}: expected a whole file of safetensors, found a damaged one ({error})") from None


def _of_numpy(path: Path, content: bytes) -> dict[str, Any]:
    import torch

    try:
        with np.load(io.BytesIO(content), allow_pickle=False) as arrays:
            return {name: torch.from_numpy(np.array(arrays[name])) for name in arrays.files}
    except Exception as error:  # a damaged archive fails in any way it likes
        reason = str(error).partition("\n")[0]
        raise NetworkError(f"{path}: expected arrays of numbers, found what NumPy does not read ({reason})") from None


def _of_torch(path: Path, content: bytes) -> Any:
    import torch

    try:
        return torch.load(io.BytesIO(content), weights_only=True, map_location="cpu")
    except Exception as error:  # a damaged or hostile pickle fails in any way it likes
        reason = re.search(r"GLOBAL \S+", str(error)) or [type(error).__name__]
        raise NetworkError(
            f"{path}: expected a dict of tensors, found what torch does not read with weights_only=True ({reason[0]}); "
            f"its owner saves one by {SAVING}"
        ) from None  # torch's own message advises to execute it


def _unwrapped(path: Path, found: Mapping[Any, Any]) -> tuple[dict[str, Any], list[str]]:
    """The tensors of the only dict of tensors, however deep it lies, and the steps to it."""
    import torch

    steps, key = [], ""
    while not any(isinstance(value, torch.Tensor) for value in found.values()):
        below = [name for name, value in found.items() if _holds_tensors(value, 1)]
        below = below or [name for name, value in found.items() if _holds_tensors(value)]
        if not below:
            inside = ", ".join(map(str, found)) or "(none)"
            raise NetworkError(f"{path}: expected a dict of tensors, found {inside}; its owner saves one by {SAVING}")
        key += f"[{below[0]!r}]"
        if len(below) > 1 or not isinstance(found[below[0]], Mapping):
            what = (
                f"several under {', '.join(map(repr, below))}" if len(below) > 1 else f"a list of them in {below[0]!r}"
            )
            key += "" if isinstance(found[below[0]], Mapping) else "[-1]"
            raise NetworkError(
                f"{path}: expected one dict of tensors, found {what}; this line saves one of them: "
                f"torch.save(torch.load('{path.name}', weights_only=True){key}, 'mine.pt')"
            )
        found = found[below[0]]
        steps = [f"tensors taken from {key}"]
    others = [
        f"{name} ({type(value).__name__})" for name, value in found.items() if not isinstance(value, torch.Tensor)
    ]
    if others:
        steps.append(f"entries left out that are no tensors: {', '.join(others)}")
    return {str(name): value for name, value in found.items() if isinstance(value, torch.Tensor)}, steps


def _holds_tensors(value: Any, depth: int | None = None) -> bool:
    """Whether a dict or list holds a tensor; at most so deep, 1 being the dict's own entries."""
    import torch

    if isinstance(value, torch.Tensor):
        return True
    if depth == 0:
        return False
    below = None if depth is None else depth - 1
    if isinstance(value, Mapping):
        return any(_holds_tensors(inner, below) for inner in value.values())
    return depth is None and isinstance(value, list | tuple) and any(map(_holds_tensors, value))


def _exact(path: Path, name: str, value: Any, steps: list[str]) -> Float[np.ndarray, "..."]:
    """A tensor in float32 or float64, which hold all its numbers; says in `steps` what it was before."""
    import torch

    where, kind = f"{path}: tensor '{name}'", str(value.dtype).removeprefix("torch.")
    if (value.layout, value.device.type) != (torch.strided, "cpu") or kind not in EXACT:
        found = ", ".join([kind, *([f"{value.layout} on {value.device.type}"] if kind in EXACT else [])])
        raise NetworkError(f"{where}: expected dense numbers of {', '.join(EXACT)}; found {found}")
    if kind in ("float16", "bfloat16"):
        steps.append(f"{kind} made float32, which is exact")
        value = value.float()
    if kind == "float64":
        steps.append("float64 kept")
    return value.detach().numpy()
