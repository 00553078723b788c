"""Files of tensors as people save them: told by their first bytes, unwrapped, converted exactly, never executed."""

import io
import re
import zipfile
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from jaxtyping import Float
from safetensors import SafetensorError

from modadd.networks.store import NetworkError

READ = "a dict of tensors, as torch, NumPy (.npz) or safetensors save one"
SAVE = "its owner saves one by torch.save(model.state_dict(), 'mine.pt')"

# What a file is that holds no tensors, by how it begins, and what to do about it.
NO_TENSORS = {
    b"version https://git-lfs": ("a Git LFS pointer", "`git lfs pull` gets the file that it stands for"),
    b"<": ("a web page", "`curl -L -O ADDRESS` gets the file, with /raw/ or /resolve/ in ADDRESS for /blob/"),
    b"\x1f\x8b": ("a compressed file", "`gunzip` or `tar -xzf` unpacks it"),
    b"\x89HDF": ("an HDF5 file", "numpy.savez('mine.npz', **tensors) writes a file that is read"),
    b"\x93NUMPY": ("one array without a name", "numpy.savez('mine.npz', **tensors) keeps the names"),
}
LARGEST = 2**30  # bytes of a file that is read; the published ones have at most a few million

# Tensors that a module keeps beside its parameters, by the last part of their names; no network is another without them.
BUFFERS = frozenset({"mask", "IGNORE", "causal_mask", "num_batches_tracked", "position_ids", "basis"})

SHORT = ("bfloat16", "float16")  # every number of these types is one of float32
EXACT = (*SHORT, "float32", "float64")  # and of these one of float64


def refused(path: Path | str, found: str, read: str, remedy: str) -> NetworkError:
    """The one sentence of every refusal: what is read, what was found, what its user can do."""
    return NetworkError(f"{path}: expected {read}, found {found}; {remedy}")


@dataclass(frozen=True)
class Checkpoint:
    """The tensors of a file, in float32 or float64, and in sentences every step taken to reach them."""

    tensors: Mapping[str, Float[np.ndarray, "..."]]
    steps: tuple[str, ...] = ()

    def renamed(self, names: Mapping[str, str], *steps: str) -> "Checkpoint":
        """The same tensors, in the order and with the names that `names` gives, new by old."""
        return replace(self, tensors={new: self.tensors[old] for old, new in names.items()}, steps=self.steps + steps)

    def without(self, names: Iterable[str], why: str) -> "Checkpoint":
        """The same without some tensors, and why in a step; itself if there are none."""
        gone = sorted(names)
        if not gone:
            return self
        kept = {name: name for name in self.tensors if name not in gone}
        return self.renamed(kept, f"left out, {why}: {', '.join(gone)}")

    def without_prefixes(self) -> Iterator["Checkpoint"]:
        """The checkpoint as it is, then with one more part taken off in front of all its names while they share it."""
        found = self
        prefix = ""
        yield found
        while part := _shared_part(found.tensors):
            prefix += part
            names = {name: name.removeprefix(prefix) for name in self.tensors}
            found = self.renamed(names, f"prefix '{prefix}' taken off all names")
            yield found


def _shared_part(names: Iterable[str]) -> str:
    """What stands before the first dot, and the dot, if all names begin with it; else nothing."""
    parts = set()
    for name in names:
        part, dot, _ = name.partition(".")
        parts.add(part + dot)
    (part, *others) = parts or {""}
    return part if part.endswith(".") and not others else ""


def read_file(path: Path) -> bytes:
    """The bytes of a file; raises NetworkError if it is not there, or is larger than any network that is read."""
    if not path.is_file():
        raise refused(path, "no such file", READ, "check the path")
    size = path.stat().st_size
    if size > LARGEST:
        found = f"{size / 1e9:.1f} GB"
        most = f"at most {LARGEST / 1e9:.1f} GB"
        raise refused(path, found, most, "save the parameters of one network alone")
    return path.read_bytes()


def read_checkpoint(path: Path, content: bytes) -> Checkpoint:
    """The tensors of a file that torch, NumPy (.npz) or safetensors wrote; `path` is for messages.

    What is no tensor of numbers with an axis (a step, a loss, indices) is left out, and named. Raises NetworkError, one
    line, for other files, and for several networks in one file.
    """
    found = _loaded(path, content)
    if not isinstance(found, Mapping):
        raise refused(path, type(found).__name__, READ, SAVE)
    way, state = _state_dict(path, found)
    tensors = {}
    others = []
    kinds = set()
    for key, value in state.items():
        name = str(key)
        kind = _kind(value)
        if kind not in EXACT:
            others.append(f"{name} ({kind})")
            continue
        kinds.add(kind)
        exact = value.float() if kind in SHORT else value
        tensors[name] = exact.detach().numpy()
    steps = []
    if way:
        steps.append(f"tensors taken from {way}")
    if others:
        steps.append(f"left out, which are no parameters: {', '.join(others)}")
    for kind in SHORT:
        if kind in kinds:
            steps.append(f"{kind} made float32, which is exact")
    if "float64" in kinds:
        steps.append("float64 kept")
    buffers = [name for name in tensors if _last_part(name) in BUFFERS]
    return Checkpoint(tensors, tuple(steps)).without(buffers, "which are buffers")


def _last_part(name: str) -> str:
    return name.rpartition(".")[2]


def _loaded(path: Path, content: bytes) -> Any:
    """What the file holds, its tensors those of torch."""
    header = int.from_bytes(content[:8], "little")
    if content[8:9] == b"{" and header <= len(content):
        return _of_safetensors(path, content)
    for start, (what, remedy) in NO_TENSORS.items():
        if content.lstrip().startswith(start):
            raise refused(path, what, READ, remedy)
    members = _members(content)
    if members and all(name.endswith(".npy") for name in members):
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
        raise refused(path, f"a damaged file of safetensors ({error})", READ, "get the file once more") from None


def _of_numpy(path: Path, content: bytes) -> dict[str, Any]:
    import torch

    try:
        with np.load(io.BytesIO(content), allow_pickle=False) as arrays:
            return {name: torch.from_numpy(np.array(arrays[name])) for name in arrays.files}
    except Exception as error:  # a damaged archive fails in any way it likes
        reason = str(error).partition("\n")[0]
        raise refused(path, f"what NumPy does not read ({reason})", READ, "keep arrays of numbers alone") from None


def _of_torch(path: Path, content: bytes) -> Any:
    import torch

    try:
        return torch.load(io.BytesIO(content), weights_only=True, map_location="cpu")
    except Exception as error:  # a damaged or hostile pickle fails in any way it likes
        reason = re.search(r"GLOBAL \S+", str(error)) or [type(error).__name__]
        found = f"what torch does not read with weights_only=True ({reason[0]})"
        raise refused(path, found, READ, SAVE) from None  # torch's own message advises to execute it


def _state_dict(path: Path, found: Mapping[Any, Any]) -> tuple[str, Mapping[Any, Any]]:
    """The dict of parameters that lies least deep, and the way to it as Python writes it.

    It holds two matrices at least. So a loss or the indices of a split, kept as tensors beside it, do not hide it. If no
    dict holds two, it is the first that holds one, or any tensor.
    """
    levels = list(_levels(found))
    for least, axes in ((2, 2), (1, 2), (1, 0)):
        for level in levels:
            networks = {way: inside for way, inside in level.items() if _count(inside, axes) >= least}
            if not networks:
                continue
            first, *others = networks
            if not others:
                return first, networks[first]
            last = others[-1]
            saving = f"torch.save(torch.load('{path.name}', weights_only=True){last}, 'mine.pt')"
            what = f"{len(networks)} of them, {first} to {last}"
            raise refused(path, what, "one dict of tensors", f"this line saves the last one: {saving}")
    raise refused(path, ", ".join(map(str, found)) or "(none)", READ, SAVE)


def _levels(found: Mapping[Any, Any]) -> Iterator[dict[str, Mapping[Any, Any]]]:
    """The dicts in a dict, level by level, each by the way to it as Python writes it."""
    level: dict[str, Any] = {"": found}
    while level:
        yield {way: inside for way, inside in level.items() if isinstance(inside, Mapping)}
        below = {}
        for way, inside in level.items():
            entries = inside.items() if isinstance(inside, Mapping) else enumerate(inside)
            for key, value in entries:
                if isinstance(value, Mapping | list | tuple):
                    below[f"{way}[{key!r}]"] = value
        level = below


def _count(found: Mapping[Any, Any], axes: int) -> int:
    """How many tensors of a dict are parameters with so many axes at least; with 0, how many are tensors at all."""
    import torch

    count = 0
    for value in found.values():
        if axes == 0:
            count += isinstance(value, torch.Tensor)
        else:
            count += _kind(value) in EXACT and value.ndim >= axes
    return count


def _kind(value: Any) -> str:
    """One of EXACT for dense numbers with an axis; else what it is, in words."""
    import torch

    if not isinstance(value, torch.Tensor):
        return type(value).__name__
    kind = str(value.dtype).removeprefix("torch.")
    device = value.device.type
    if value.layout != torch.strided or device != "cpu":
        return f"{kind}, {value.layout} on {device}"
    return kind if value.ndim else f"one {kind}"
