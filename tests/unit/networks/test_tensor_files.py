"""Files of tensors as people save them: of each kind, what is read, what is said of it, and that nothing in it is run."""

import argparse
import dataclasses
import gzip
import io
import pathlib
import pickle
import tarfile
import zipfile
from collections import defaultdict
from datetime import date

import numpy as np
import pytest
import safetensors.torch
import torch
from state_dicts import nanda_run, two_layer_state
from support import refuses

from modadd.networks.store import NetworkError
from modadd.networks.tensor_files import LARGEST, read_file, tensors_in

STATE = two_layer_state()
ARRAYS = {name: value.numpy() for name, value in STATE.items()}
OPTIMISER = {
    "state": {0: {"step": 3, "exp_avg": torch.ones(5, 7), "exp_avg_sq": torch.ones(5, 7)}},
    "param_groups": [{"lr": 0.1, "params": [0]}],
}
RAN = []  # what code that lies in a file has run


class Settings:
    """An object of a class of one's own."""

    def __init__(self):
        self.layers = 1

    def __setstate__(self, state):
        RAN.append(state)


@dataclasses.dataclass
class Recipe:
    """Another, with a network as its field."""

    rate: float = 0.1


def note(word):
    """A harmless function of this module: a pickle that names it would run it."""
    RAN.append(word)


class Call:
    """Unpickled, it would call a harmless function."""

    def __reduce__(self):
        return note, ("called",)


BESIDE = {
    "an object": Settings(),
    "a dataclass": Recipe(),
    "a call": Call(),
    "a number of NumPy": np.float64(0.5),
    "an array of NumPy": np.ones(3),
    "a random state": np.random.default_rng(0).bit_generator.state,
    "a namespace": argparse.Namespace(lr=0.1),
    "a path": pathlib.PurePosixPath("runs"),
    "a defaultdict": defaultdict(list, loss=[0.5]),
    "a date": date(2026, 1, 1),
    "a set": {1, 2},
    "a type": torch.float32,
    "a device": torch.device("cpu"),
    "a class": Settings,
}


def tensors(state, protocol=2, **options):
    """What is read of a file that torch saved of it."""
    file = io.BytesIO()
    torch.save(state, file, pickle_protocol=protocol, **options)
    return tensors_in(pathlib.Path("mine.pt"), file.getvalue())


def same(arrays):
    """Whether these are the tensors of STATE."""
    return arrays.keys() == STATE.keys() and all(np.array_equal(arrays[name], ARRAYS[name]) for name in arrays)


@pytest.mark.parametrize("protocol", [2, 4])
@pytest.mark.parametrize("beside", BESIDE)
def test_what_lies_beside_the_parameters_does_not_decide_whether_they_are_read(beside, protocol):
    RAN.clear()
    for state in ({"model": STATE, "beside": BESIDE[beside]}, {**STATE, "beside": BESIDE[beside]}):
        arrays, _ = tensors(state, protocol)
        arrays.pop("beside", None)
        assert same(arrays) and not RAN


def test_a_file_that_would_call_a_function_instead_of_holding_tensors_calls_none():
    RAN.clear()
    for content in (pickle.dumps(Call()), pickle.dumps({"W_E": Call(), "W_in": Call()})):
        with refuses("mine.pt: expected tensors by name", error=NetworkError):
            tensors_in(pathlib.Path("mine.pt"), content)
    assert not RAN and pickle.loads(pickle.dumps(Call())) is None and RAN == ["called"]  # as Python itself does


def test_objects_are_passed_over_by_the_name_of_their_class():
    _, steps = tensors({"model": STATE, "config": Settings(), "args": argparse.Namespace(lr=0.1)})
    assert "nothing is run: argparse.Namespace, test_tensor_files.Settings" in "; ".join(steps)
    _, steps = tensors({**STATE, "config": Settings(), "epoch": 3})
    assert "no parameters: config, epoch" in "; ".join(steps)


def test_an_object_that_holds_itself_ends():
    settings = Settings()
    settings.parent = {"of": settings}
    assert same(tensors({"model": STATE, "config": settings})[0])


def numbers(**arrays):
    """A `.npz`."""
    file = io.BytesIO()
    np.savez(file, **arrays)
    return file.getvalue()


def archive(**files):
    """A zip archive."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as written:
        for name, content in files.items():
            written.writestr(name, content)
    return file.getvalue()


def tar():
    """A tar archive with a file in it."""
    file = io.BytesIO()
    with tarfile.open(fileobj=file, mode="w") as written:
        written.addfile(tarfile.TarInfo("model.pt"), io.BytesIO())
    return file.getvalue()


@pytest.mark.parametrize("protocol", [2, 4])
def test_numpy_arrays_that_pickle_or_torch_saved_are_read(protocol):
    assert same(tensors_in(pathlib.Path("mine.pkl"), pickle.dumps(ARRAYS, protocol))[0])
    assert same(tensors({"params": ARRAYS}, protocol)[0])


@pytest.mark.parametrize("content", [numbers(**ARRAYS), safetensors.torch.save(STATE)], ids=["npz", "safetensors"])
def test_files_of_numpy_and_safetensors_are_read_and_refused_if_they_are_cut(content):
    assert same(tensors_in(pathlib.Path("mine"), content)[0])
    with refuses("mine: expected tensors by name", "; ", error=NetworkError):
        tensors_in(pathlib.Path("mine"), content[:-40])


def test_the_old_format_of_torch_is_read():
    assert same(tensors({"model": STATE, "config": Settings()}, _use_new_zipfile_serialization=False)[0])


@pytest.mark.parametrize("kind", [torch.bfloat16, torch.float16, torch.float64, torch.nn.Parameter])
def test_numbers_keep_their_values(kind):
    state = {name: kind(value) if kind is torch.nn.Parameter else value.to(kind) for name, value in STATE.items()}
    for name, value in tensors(state)[0].items():
        assert value.dtype == (np.float64 if kind is torch.float64 else np.float32)
        np.testing.assert_array_equal(value, state[name].detach().double().numpy())


def test_a_dict_of_parameters_is_found_at_any_depth():
    arrays, steps = tensors({"run": {"state_dict": STATE, "optimiser": OPTIMISER, "epoch": 3}})
    assert same(arrays) and steps == ["tensors taken from: ['run']['state_dict']"]


@pytest.mark.parametrize(
    "beside",
    [
        {},
        {"indices": {"train_indices": torch.arange(30), "test_indices": torch.arange(19)}},
        {"curve": {"train_losses": torch.ones(100), "test_losses": torch.ones(100)}},
        {"dataset": {"dataset": torch.ones((49, 3), dtype=torch.int64), "labels": torch.arange(49)}},
    ],
)
def test_tensors_beside_a_state_dict_do_not_hide_it(beside):
    arrays, steps = tensors(nanda_run(**beside))
    assert steps[0] == "tensors taken from: ['model']" and "unembed.W_U" in arrays


def test_dicts_of_single_layers_are_one_network():
    layers = {name: {"kernel": value, "bias": torch.ones(2)} for name, value in STATE.items()}
    arrays, _ = tensors({"params": layers, "opt_state": {"mu": layers}})
    assert list(arrays)[:2] == ["params.W_E.kernel", "params.W_E.bias"] and len(arrays) == 6
    assert "Dense_0.kernel" in tensors({"Dense_0/kernel": torch.ones(2, 2)})[0]


def test_a_module_that_was_saved_whole_has_the_names_of_its_state_dict():
    module = torch.nn.Sequential(torch.nn.Embedding(3, 2), torch.nn.Sequential(torch.nn.Linear(2, 3)))
    arrays, steps = tensors({"model": module, "epoch": 3})
    assert arrays.keys() == {f"model.{name}" for name in module.state_dict()}
    for name, value in module.state_dict().items():
        np.testing.assert_array_equal(arrays[f"model.{name}"], value)
    assert "torch.nn.modules.linear.Linear" in steps[0] and steps[1].endswith(" …")


def test_what_is_no_parameter_is_named():
    state = STATE | {
        "mask": torch.ones(3, 3),
        "indices": torch.arange(9),
        "loss": torch.tensor(0.5),
        "z": STATE["W_E"].to_sparse(),
    }
    arrays, steps = tensors(state)
    assert same(arrays) and steps[-1].endswith(": mask, indices, loss, z")
    assert ": W" in tensors(STATE | {"W": torch.ones(2, 2, dtype=torch.complex64)})[1][-1]


NOT_READ = {
    "Git LFS": (b"version https://git-lfs.github.com/spec/v1\noid sha256:0\n", "a Git LFS pointer; `git lfs pull`"),
    "a web page": (b"\n<!DOCTYPE html><html></html>", "a web page; `curl -L -O ADDRESS`"),
    "JSON": (b'{"weight_map": {}}', "JSON; name the file"),
    "compressed": (gzip.compress(b"weights"), "a compressed file; `gunzip`"),
    "tar": (tar(), "a tar archive; `tar -xf`"),
    "HDF5": (b"\x89HDF\r\n\x1a\n", "an HDF5 file, as Keras writes; numpy.savez"),
    "npy": (b"\x93NUMPY\x01\x00", "one array without a name; numpy.savez"),
    "ONNX": (b"\x08\x08\x12\x07pytorch\x1a\x052.1.0", "an ONNX model; onnx.numpy_helper"),
    "msgpack": (b"\x82\xa6params\x80", "a msgpack file; flax.serialization"),
    "TorchScript": (
        archive(**{"m/data.pkl": "", "m/code/m.py": "", "m/constants.pkl": ""}),
        "a TorchScript module; torch.save(torch.jit.load",
    ),
    "Keras": (archive(**{"config.json": "{}", "model.weights.h5": ""}), "a Keras model; numpy.savez"),
    "zip": (archive(**{"model.pt": "PK", "readme.md": ""}), "a zip archive of other files, or a part of one; `unzip`"),
    "cut": (b"PK\x03\x04", "or a part of one"),
    "empty": (b"", "damaged, or none of these (EOFError); torch.save"),
    "text": (b"not weights", "damaged, or none of these"),
    "objects": (numbers(W_E=np.array([{}], dtype=object)), "damaged, or none of these (ValueError)"),
}


@pytest.mark.parametrize("kind", NOT_READ)
def test_a_refusal_says_what_a_file_is_and_what_to_do(kind):
    content, words = NOT_READ[kind]
    with refuses("mine.pt: expected tensors by name", ", found ", words, error=NetworkError):
        tensors_in(pathlib.Path("mine.pt"), content)


@pytest.mark.parametrize(
    ("state", "words"),
    [
        (
            {"model": STATE, "ema": {**STATE}},
            ["2 of them, ['model'] to ['ema']", "torch.load('mine.pt')['ema'], 'mine.pt')"],
        ),
        ({"kept": [STATE, {**STATE}]}, ["['kept'][0] to ['kept'][1]", "['kept'][1], 'mine.pt')"]),
        ({"step": 3, "config": {"lr": 0.1}}, ["found step, config, config.lr; torch.save(model.state_dict()"]),
        ([torch.ones(2)], ["found list; torch.save"]),
        ({}, ["found dict; torch.save"]),
    ],
    ids=["several", "a list", "no tensors", "a list of tensors", "empty"],
)
def test_a_file_without_one_dict_of_tensors_is_refused(state, words):
    with refuses("mine.pt: expected ", *words, error=NetworkError):
        tensors(state)


def test_what_is_no_file_is_refused(tmp_path):
    (tmp_path / "folder").mkdir()
    (tmp_path / "model-00001-of-00003.safetensors").touch()
    with (tmp_path / "huge.pt").open("wb") as file:
        file.truncate(LARGEST + 1)  # takes no room on the disk
    for name, words in {
        "none.pt": "no such file; check the path",
        "folder": "a folder; name the file of tensors in it",
        "model-00001-of-00003.safetensors": "one of 3 shards; save the tensors of all",
        "huge.pt": "at most 1.1 GB, found 1.1 GB; save the parameters",
    }.items():
        with refuses(str(tmp_path / name), words, error=NetworkError):
            read_file(tmp_path / name)
    (tmp_path / "model-00001-of-00001.safetensors").write_bytes(b"whole")
    assert read_file(tmp_path / "model-00001-of-00001.safetensors") == b"whole"
