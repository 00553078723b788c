"""Files of tensors as people save them: told by their first bytes, and read so that nothing in them is executed."""

import io
import pickle
import re
import textwrap
import warnings
from collections import OrderedDict
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
from jaxtyping import Float

from modadd.networks.store import NetworkError

READ = "tensors by name, as torch, NumPy (.npz), safetensors and pickle save them"
SAVE = "torch.save(model.state_dict(), 'mine.pt') saves them"
NPZ = "numpy.savez('mine.npz', **tensors) saves what is read"
LARGEST = 2**30  # bytes of a file that is read; the published ones have at most a few million
LONGEST = 300  # characters of a list of what is passed over

# What a file is that is not read, by how it begins (a zip archive: by the names in it), and what to do about it.
NOT_READ = {
    rb"version https://git-lfs": ("a Git LFS pointer", "`git lfs pull` gets the file that it stands for"),
    rb"\s*<": ("a web page", "`curl -L -O ADDRESS` gets the file, with /raw/ or /resolve/ in ADDRESS for /blob/"),
    rb"\s*[\[{]": ("JSON", "name the file of tensors that it describes"),
    rb"\x1f\x8b|BZh|\xfd7zXZ|\x28\xb5\x2f\xfd|7z\xbc\xaf": ("a compressed file", "`gunzip` or `tar -xf` unpacks it"),
    rb".{257}ustar": ("a tar archive", "`tar -xf` unpacks it; name the file of tensors in it"),
    rb"\x89HDF": ("an HDF5 file, as Keras writes", NPZ),
    rb"\x93NUMPY": ("one array without a name", NPZ),
    rb"\x08[\x01-\x7f][\x12\x1a\x3a\x42]": ("an ONNX model", f"onnx.numpy_helper.to_array reads its tensors; {NPZ}"),
    rb"[\x81-\x8f\xde\xdf][\xa0-\xbf\xd9]": ("a msgpack file", f"flax.serialization.msgpack_restore reads it; {NPZ}"),
    rb"PK.*constants\.pkl": ("a TorchScript module", "torch.save(torch.jit.load('it.pt').state_dict(), 'mine.pt')"),
    rb"PK.*\.weights\.h5": ("a Keras model", NPZ),
    rb"PK(?!.*(data\.pkl|\.npy))": ("a zip archive of other files, or a part of one", "`unzip` unpacks it"),
}

# Tensors that modules keep beside their parameters, by the last part of their names; no network is another without them.
BUFFERS = frozenset({"mask", "causal_mask", "basis"})


def refused(path: Path | str, found: str, read: str, remedy: str) -> NetworkError:
    """The one sentence of every refusal: what is read, what was found, what its user can do."""
    return NetworkError(f"{path}: expected {read}, found {found}; {remedy}")


def read_file(path: Path) -> bytes:
    """The bytes of a file; raises NetworkError if it is none, one of several, or larger than any network that is read."""
    if path.is_dir():
        raise refused(path, "a folder", READ, "name the file of tensors in it")
    if not path.is_file():
        raise refused(path, "no such file", READ, "check the path")
    shard = re.search(r"\d-of-0*(\d+)", path.name)
    if shard and shard[1] != "1":
        raise refused(path, f"one of {shard[1]} shards", READ, "save the tensors of all as one file")
    size = path.stat().st_size
    if size > LARGEST:
        few = f"at most {LARGEST / 1e9:.1f} GB"
        raise refused(path, f"{size / 1e9:.1f} GB", few, "save the parameters of one network alone")
    return path.read_bytes()


def tensors_in(path: Path, content: bytes) -> tuple[dict[str, Float[np.ndarray, "..."]], list[str]]:
    """The tensors of the only network in a file, in float32 or float64, and in sentences how they were found.

    What is no tensor of numbers with an axis (a step, a loss, an object of any class) is passed over, and named. Raises
    NetworkError, one line, for other files, and for several networks in one file; `path` is for messages.
    """
    stood_in: set[str] = set()
    loaded = _loaded(path, content, stood_in)
    way, state = _only_network(path, loaded)
    arrays = {}
    passed_over = []
    for name, value in state.items():
        array = _numbers(value)
        if array is None or name.rpartition(".")[2] in BUFFERS:
            passed_over.append(name)
        else:
            arrays[name] = array
    if not arrays:
        raise refused(path, ", ".join(state) or type(loaded).__name__, READ, SAVE)
    steps = {
        "tensors taken from": "".join(f"[{key!r}]" for key in way),
        "objects passed over, of which nothing is run": ", ".join(sorted(stood_in)),
        "passed over, which are no parameters": textwrap.shorten(", ".join(passed_over), LONGEST, placeholder=" …"),
    }
    return arrays, [f"{step}: {which}" for step, which in steps.items() if which]


def _loaded(path: Path, content: bytes, stood_in: set[str]) -> Any:
    """What a file holds; into `stood_in` go the classes in it of which nothing is run."""
    ends = content[:512] + content[-65536:]  # a zip archive has the names of its files at its end
    is_safetensors = content[8:9] == b"{" and int.from_bytes(content[:8], "little") <= len(content)
    if not is_safetensors:
        for begins, (what, remedy) in NOT_READ.items():
            if re.match(begins, ends, re.DOTALL):
                raise refused(path, what, READ, remedy)
    try:
        if is_safetensors:
            from safetensors.torch import load

            return load(content)
        if content.startswith(b"PK") and b"data.pkl" not in ends:
            with np.load(io.BytesIO(content), allow_pickle=False) as arrays:
                return dict(arrays)
        return _unpickled(content, stood_in)
    except Exception as error:  # a damaged file fails in any way it likes
        raise refused(path, f"what is damaged, or none of these ({type(error).__name__})", READ, SAVE) from None


class StandIn(dict):
    """Stands for an object of any class, of which nothing is run: the state that a pickle gives it, as a dict."""

    __hash__ = object.__hash__  # an object may be the key of a dict

    def __init__(self, *given: Any, **named: Any) -> None:
        super().__init__()

    def __setstate__(self, state: Any) -> None:
        self.update(state if isinstance(state, Mapping) else {})

    def __call__(self, *given: Any, **named: Any) -> "StandIn":
        """Itself: nothing is called, and nothing is added."""
        return self

    append = extend = add = __call__


def _latin1(text: str, _: str) -> bytes:
    """The bytes of an array, which old protocols write as text."""
    return text.encode("latin1")


def _unpickled(content: bytes, stood_in: set[str]) -> Any:
    """What torch or pickle saved. No class or function is looked up but those that make tensors, arrays and dicts."""
    import torch
    from numpy._core.multiarray import _reconstruct
    from torch import _tensor, _utils

    makers = [
        _utils._rebuild_tensor,
        _utils._rebuild_tensor_v2,
        _utils._rebuild_tensor_v3,
        _tensor._rebuild_from_type_v2,
    ]
    makers += [_utils._rebuild_parameter, _utils._rebuild_parameter_with_state]
    makers += [_reconstruct, np.ndarray, np.dtype, OrderedDict]
    allowed = {f"{maker.__module__}.{maker.__name__}": maker for maker in makers}
    allowed |= {"torch.Tensor": torch.Tensor, "torch.nn.parameter.Parameter": torch.nn.Parameter}
    allowed |= {"_codecs.encode": _latin1}

    class Unpickler(pickle.Unpickler):
        def find_class(self, module: str, name: str) -> Any:
            called = f"{module}.{name}".replace("numpy.core", "numpy._core")
            if called not in allowed:
                stood_in.add(called)
            return allowed.get(called, StandIn)

    def load(file: Any, **said: Any) -> Any:
        return Unpickler(file, **said).load()

    # Its own restriction, weights_only, refuses the whole file for what lies beside the tensors; ours stands in its place.
    torchs = SimpleNamespace(Unpickler=Unpickler, load=load, __name__="pickle")
    with warnings.catch_warnings(action="ignore"):
        try:
            return torch.load(io.BytesIO(content), map_location="cpu", pickle_module=torchs, weights_only=False)
        except RuntimeError as error:
            if "magic number" not in str(error):
                raise
            return load(io.BytesIO(content))  # no file of torch, but of pickle alone


def _only_network(path: Path, found: Any) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """The keys on the way to the dict of parameters that lies least deep, and what is in it by name.

    It holds two matrices at least. So a loss or the indices of a split, kept as tensors beside it, do not hide it. If no
    dict holds two, it is all that lies in any of them, but for an optimiser's: layers may have a dict each.
    """
    dicts = list(_dicts(found))
    networks = [
        (way, inside) for way, inside in dicts if sum(np.ndim(_numbers(value)) > 1 for value in inside.values()) > 1
    ]
    ways = [way for way, _ in networks if len(way) == len(networks[0][0])]
    if len(ways) > 1:
        first, *_, last = ("".join(f"[{key!r}]" for key in way) for way in ways)
        saving = f"torch.save(torch.load('{path.name}'){last}, 'mine.pt')"
        what = f"{len(ways)} of them, {first} to {last}"
        raise refused(path, what, "one dict of tensors", f"this line saves the last one: {saving}")
    if networks:
        way, inside = networks[0]
        return way, {_dotted(key): value for key, value in inside.items()}
    state = {}
    for way, inside in dicts:
        if not any(str(key).startswith("opt") for key in way):
            state |= {_dotted(*way, key): value for key, value in inside.items()}
    return (), state


def _dotted(*keys: Any) -> str:
    """Keys as one name, with dots; those under which a module keeps its parameters are left out."""
    name = ".".join(map(str, keys)).replace("/", ".")
    return re.sub(r"\b_(modules|parameters|buffers)\.", "", name)


def _dicts(found: Any) -> Iterator[tuple[tuple[Any, ...], Mapping[Any, Any]]]:
    """Every dict in what a file holds, those that lie less deep before others, by the keys on the way to it."""
    values: list[tuple[tuple[Any, ...], Any]] = [((), found)]
    seen = set()
    for way, value in values:  # which grow
        if isinstance(value, Mapping | list | tuple) and id(value) not in seen:
            seen.add(id(value))
            is_dict = isinstance(value, Mapping)
            if is_dict:
                yield way, value
            values += [((*way, key), each) for key, each in (value.items() if is_dict else enumerate(value))]


def _numbers(value: Any) -> Float[np.ndarray, "..."] | None:
    """The numbers of a dense tensor of real numbers with an axis, exactly, in float32 or float64; None for all else."""
    import torch

    if isinstance(value, torch.Tensor) and value.is_floating_point() and value.layout == torch.strided:
        value = (value if value.dtype == torch.float64 else value.float()).detach().numpy()
    if not isinstance(value, np.ndarray) or not value.ndim or value.dtype not in ("float16", "float32", "float64"):
        return None
    return value if value.dtype == np.float64 else value.astype(np.float32)
