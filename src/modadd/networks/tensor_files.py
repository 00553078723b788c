"""Files of tensors as people save them: told by their first bytes, and read so that nothing in them is executed."""

import io
import pickle
import re
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
NAMED = 12  # of what is passed over
LARGEST = 2**30  # bytes of a file that is read; the published ones have at most a few million

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

# Tensors that a module keeps beside its parameters, by the last part of their names; no network is another without them.
BUFFERS = frozenset({"mask", "IGNORE", "causal_mask", "num_batches_tracked", "position_ids", "basis"})

SHORT = ("bfloat16", "float16")  # every number of these types is one of float32
EXACT = (*SHORT, "float32", "float64")  # and of these one of float64


def refused(path: Path | str, found: str, read: str, remedy: str) -> NetworkError:
    """The one sentence of every refusal: what is read, what was found, what its user can do."""
    return NetworkError(f"{path}: expected {read}, found {found}; {remedy}")


def read_file(path: Path) -> bytes:
    """The bytes of a file; raises NetworkError if it is none, one of several, or larger than any network that is read."""
    if path.is_dir():
        raise refused(path, "a folder", READ, "name the file of tensors in it")
    if not path.is_file():
        raise refused(path, "no such file", READ, "check the path")
    if (part := re.search(r"\d-of-0*(\d+)", path.name)) and part[1] != "1":
        raise refused(path, f"one of {part[1]} shards", READ, "save the tensors of all as one file")
    size = path.stat().st_size / 1e9
    if size > LARGEST / 1e9:
        raise refused(
            path, f"{size:.1f} GB", f"at most {LARGEST / 1e9:.1f} GB", "save the parameters of one network alone"
        )
    return path.read_bytes()


def tensors_in(path: Path, content: bytes) -> tuple[dict[str, Float[np.ndarray, "..."]], list[str]]:
    """The tensors of the only network in a file, in float32 or float64, and in sentences how they were found.

    What is no tensor of numbers with an axis (a step, a loss, an object of any class) is passed over, and named. Raises
    NetworkError, one line, for other files, and for several networks in one file; `path` is for messages.
    """
    stood_in: set[str] = set()
    way, state = _one_network(path, _loaded(path, content, stood_in))
    arrays = {}
    passed_over = []
    for name, value in state.items():
        array = _numbers(value)
        if array is None or name.rpartition(".")[2] in BUFFERS:
            passed_over.append(f"{name} ({_kind(value)})")
        else:
            arrays[name] = array
    steps = {"tensors taken from": way, "objects passed over, of which nothing is run": ", ".join(sorted(stood_in))}
    more = f" and {len(passed_over) - NAMED} more" if len(passed_over) > NAMED else ""
    steps["passed over, which are no parameters"] = ", ".join(passed_over[:NAMED]) + more
    return arrays, [f"{step}: {which}" for step, which in steps.items() if which]


def _loaded(path: Path, content: bytes, stood_in: set[str]) -> Any:
    """What a file holds; into `stood_in` go the classes in it of which nothing is run."""
    ends = content[:512] + content[-65536:]  # a zip archive has the names of its files at its end
    try:
        if content[8:9] == b"{" and int.from_bytes(content[:8], "little") <= len(content):
            from safetensors.torch import load

            return load(content)
        for begins, (what, remedy) in NOT_READ.items():
            if re.match(begins, ends, re.DOTALL):
                raise refused(path, what, READ, remedy)
        if content.startswith(b"PK") and b"data.pkl" not in ends:
            with np.load(io.BytesIO(content), allow_pickle=False) as arrays:
                return dict(arrays)
        return _unpickled(content, stood_in)
    except NetworkError:
        raise
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


def _unpickled(content: bytes, stood_in: set[str]) -> Any:
    """What torch or pickle saved. No class or function is looked up but those that make tensors, arrays and dicts."""
    import torch
    from torch import _tensor, _utils

    makers = [getattr(_utils, name) for name in vars(_utils) if re.match("_rebuild_(tensor|parameter)", name)]
    makers += [_tensor._rebuild_from_type_v2, np.empty(0).__reduce__()[0], np.ndarray, np.dtype, OrderedDict]
    allowed = {f"{maker.__module__}.{maker.__name__}": maker for maker in makers}
    allowed |= {"torch.Tensor": torch.Tensor, "torch.nn.parameter.Parameter": torch.nn.Parameter}
    allowed |= {"_codecs.encode": lambda text, _: text.encode("latin1")}  # bytes of arrays, as old protocols write them

    class Unpickler(pickle.Unpickler):
        def find_class(self, module: str, name: str) -> Any:
            called = f"{module}.{name}".replace("numpy.core", "numpy._core")
            if called in allowed:
                return allowed[called]
            stood_in.add(called)
            return type(called, (StandIn,), {})

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


def _one_network(path: Path, found: Any) -> tuple[str, Mapping[str, Any]]:
    """The dict of parameters that lies least deep, and the way to it as Python writes it.

    It holds two matrices at least. So a loss or the indices of a split, kept as tensors beside it, do not hide it. If no
    dict holds two, it is all that lies in any of them, but for an optimiser's.
    """
    dicts = list(_dicts(found))
    networks = [(way, inside) for way, inside in dicts if sum(map(_is_matrix, inside.values())) > 1]
    ways = ["".join(f"[{key!r}]" for key in way) for way, _ in networks if len(way) == len(networks[0][0])]
    if len(ways) > 1:
        saving = f"torch.save(torch.load('{path.name}'){ways[-1]}, 'mine.pt')"
        what = f"{len(ways)} of them, {ways[0]} to {ways[-1]}"
        raise refused(path, what, "one dict of tensors", f"this line saves the last one: {saving}")
    if networks:
        dicts = [((), networks[0][1])]
    state = {}
    for way, inside in dicts:
        if not any(str(key).startswith("opt") for key in way):
            state |= {_named(*way, key): value for key, value in inside.items()}
    if all(_numbers(value) is None for value in state.values()):
        raise refused(path, ", ".join(state) or _kind(found), READ, SAVE)
    return "".join(ways), state


def _named(*way: Any) -> str:
    """The keys on the way to a tensor, with dots between them; those that a module keeps its parameters under left out."""
    name = ".".join(map(str, way)).replace("/", ".")
    return re.sub(r"(^|(?<=\.))_(modules|parameters|buffers)\.", "", name)


def _dicts(found: Any) -> Iterator[tuple[tuple[Any, ...], Mapping[Any, Any]]]:
    """Every dict in what a file holds, those that lie less deep before others, by the keys on the way to it."""
    values: list[tuple[tuple[Any, ...], Any]] = [((), found)]
    seen = set()
    for way, value in values:  # which grow
        if isinstance(value, Mapping | list | tuple) and id(value) not in seen:
            seen.add(id(value))
            if isinstance(value, Mapping):
                yield way, value
            inside = value.items() if isinstance(value, Mapping) else enumerate(value)
            values += [((*way, key), each) for key, each in inside]


def _is_matrix(value: Any) -> bool:
    return _kind(value) in EXACT and value.ndim > 1


def _numbers(value: Any) -> Float[np.ndarray, "..."] | None:
    """The numbers of a dense tensor with an axis, exactly, in float32 or float64; None for all else."""
    kind = _kind(value)
    if kind not in EXACT:
        return None
    if not isinstance(value, np.ndarray):
        value = (value.float() if kind in SHORT else value).detach().numpy()
    return value.astype(np.float32) if kind in SHORT else value


def _kind(value: Any) -> str:
    """One of EXACT for dense numbers with an axis; else what it is, in words."""
    if not hasattr(value, "dtype") or not hasattr(value, "ndim"):
        return type(value).__name__
    dense = isinstance(value, np.ndarray) or (str(value.layout), value.device.type) == ("torch.strided", "cpu")
    kind = str(value.dtype).removeprefix("torch.")
    return kind if value.ndim and dense else f"one {kind}" if dense else f"{kind}, {value.layout}"
