"""Files as people save them: of each kind, what is said of it."""

import gzip
import hashlib

import numpy as np
import pytest
import safetensors.torch
import torch
from state_dicts import chughtai_state, lens_state, linear_state, nanda_state, transformer_state, two_layer_state
from support import refuses

from modadd.networks.importers import load_external, read_external, save_external
from modadd.networks.store import NetworkError

STATE = two_layer_state()
ARRAYS = {name: value.numpy() for name, value in STATE.items()}
OPTIMISER = {
    "state": {0: {"step": 3, "exp_avg": torch.ones(5, 7), "exp_avg_sq": torch.ones(5, 7)}},
    "param_groups": [{"lr": 0.1, "params": [0]}],
}
BIASES = ", ".join(f"blocks.0.attn.b_{name}" for name in "QKVO")


def saves(state):
    """Writes it as torch does."""
    return lambda path: torch.save(state, path)


def writes(content):
    """Writes the bytes."""
    return lambda path: path.write_bytes(content)


def numbers(**arrays):
    """Writes a `.npz`, at a path of any name."""

    def write(path):
        with path.open("wb") as file:
            np.savez(file, **arrays)

    return write


READ = {
    "beside an optimiser": (
        saves({"model": STATE, "optimiser": OPTIMISER, "epoch": 3}),
        "tensors taken from ['model']",
    ),
    "a common prefix": (saves({f"module.{k}": v for k, v in STATE.items()}), "prefix 'module.' taken off all names"),
    "a number beside": (saves(STATE | {"epoch": 3}), "no parameters: epoch (int)"),
    "npz": (numbers(**ARRAYS), ""),
    "safetensors": (lambda path: safetensors.torch.save_file(STATE, path), ""),
    "float64": (saves({name: value.double() for name, value in STATE.items()}), "float64 kept"),
    "bfloat16": (saves({name: value.bfloat16() for name, value in STATE.items()}), "bfloat16 made float32"),
}
AS_A_FORMAT = {
    "buffers": ("nanda_transformer", nanda_state(), "buffers: blocks.0.attn.mask"),
    "layers of any name": (
        "linear_mlp",
        linear_state(biases=False),
        "0.weight is first.weight, 2.weight is second.weight",
    ),
    "TransformerLens": (
        "nanda_transformer",
        lens_state(),
        "laid out as TransformerLens saves it; axes put in the order",
    ),
    "biases of 0": ("nanda_transformer", lens_state(), f"biases left out, which are 0: {BIASES}, unembed.b_U"),
}
REFUSED = {
    "several": (saves({"model": STATE, "ema": STATE}), ["2 of them, ['model'] to ['ema']", "weights_only=True)['ema'], 'mine.pt')"]),
    "a list": (saves({"kept": [STATE, STATE]}), ["['kept'][0] to ['kept'][1]", "['kept'][1], 'mine.pt')"]),
    "a module": (saves(torch.nn.Linear(2, 2)), ["torch does not read with weights_only=True", "model.state_dict()"]),
    "no tensors": (saves({"step": 3}), ["a dict of tensors", "found step", "model.state_dict()"]),
    "Git LFS": (writes(b"version https://git-lfs.github.com/spec/v1\noid sha256:0\n"), ["a Git LFS pointer; `git lfs pull`"]),
    "a web page": (writes(b"\n<!DOCTYPE html><html></html>"), ["found a web page; `curl -L -O ADDRESS`"]),
    "compressed": (writes(gzip.compress(b"weights")), ["found a compressed file; `gunzip`"]),
    "HDF5": (writes(b"\x89HDF\r\n\x1a\n"), ["found an HDF5 file; numpy.savez"]),
    "npy": (writes(b"\x93NUMPY\x01\x00"), ["one array without a name; numpy.savez"]),
    "objects": (numbers(W_E=np.array([{}], dtype=object)), ["found what NumPy does not read"]),
    "sparse": (saves(STATE | {"W_in": torch.ones(5, 9).to_sparse()}), ["missing: W_in", "W_in (float32, torch.sparse_coo"]),
    "not finite": (
        saves(STATE | {"W_U": torch.tensor([torch.nan, torch.inf, *[1.0] * 61]).view(9, 7)}),
        ["finite numbers, found 2 that are not in 'W_U'"],
    ),
    "damaged": (writes(b"PK\x03\x04"), ["found what torch does not read"]),
}  # fmt: skip


def read(path, format="two_layer_mlp"):
    """The network of a file."""
    return read_external(path, format, hashlib.sha256(path.read_bytes()).hexdigest())


@pytest.mark.parametrize("kind", READ)
def test_a_file_that_is_read_says_how_and_has_its_numbers(tmp_path, kind):
    write, said = READ[kind]
    write(tmp_path / "mine.pt")
    external = read(tmp_path / "mine.pt")
    assert said in "; ".join(external.steps)
    for name, value in STATE.items():
        kept = value.bfloat16() if kind == "bfloat16" else value
        np.testing.assert_array_equal(external.parameters[name], kept.float().numpy())


@pytest.mark.parametrize("kind", AS_A_FORMAT)
def test_a_file_in_another_layout_of_its_format_says_how_it_was_read(tmp_path, kind):
    format, state, said = AS_A_FORMAT[kind]
    torch.save(state, tmp_path / "mine.pt")
    assert said in "; ".join(read(tmp_path / "mine.pt", format).steps)


@pytest.mark.parametrize("kind", REFUSED)
def test_a_refusal_says_what_is_read_what_was_found_and_what_to_do(tmp_path, kind):
    write, words = REFUSED[kind]
    write(tmp_path / "mine.pt")
    with refuses("mine.pt: expected ", ", found ", "; ", *words, error=NetworkError):
        read(tmp_path / "mine.pt")


def test_float64_stays_so(tmp_path):
    path = tmp_path / "mine.pt"
    torch.save({name: value.double() / 3 for name, value in STATE.items()}, path)
    save_external(read(path), tmp_path / "kept")
    for name, value in load_external(tmp_path / "kept").parameters.items():
        np.testing.assert_array_equal(value, (STATE[name].double() / 3).numpy())


def test_prefixes_and_wrappers_may_be_several(tmp_path):
    state = {f"_orig_mod.module.{name}": value for name, value in chughtai_state().items()}
    torch.save({"run": {"state_dict": state}}, tmp_path / "mine.pt")
    steps = ("tensors taken from ['run']['state_dict']", "prefix '_orig_mod.module.' taken off all names")
    assert read(tmp_path / "mine.pt", "chughtai_mlp").steps == steps


def test_a_truncated_file_of_safetensors_and_of_numpy_is_refused(tmp_path):
    for kind in ("npz", "safetensors"):
        READ[kind][0](tmp_path / "whole")
        path = tmp_path / "mine.pt"
        path.write_bytes((tmp_path / "whole").read_bytes()[:-40])
        with refuses(f"{path}: expected", error=NetworkError):
            read(path)


@pytest.mark.parametrize(
    ("state", "format", "words"),
    [
        (lens_state() | {"blocks.0.mlp.W_gate": torch.ones(5, 9)}, "nanda_transformer", "neurons have gates"),
        (lens_state() | {"ln_final.w": torch.ones(5)}, "nanda_transformer", "LayerNorm (it has 'ln_final.w')"),
        (lens_state(), "zhong_softmax", "write `format: nanda_transformer`, which reads them"),
        (
            transformer_state() | {"blocks.0.attn.b_Q": torch.ones(3, 2)},
            "zhong_ones",
            "found them and blocks.0.attn.b_Q",
        ),
    ],
    ids=["gates", "LayerNorm", "two positions by name", "biases of attention"],
)
def test_what_transformer_lens_saves_besides_is_refused(tmp_path, state, format, words):
    torch.save(state, tmp_path / "mine.pt")
    with refuses("mine.pt: ", words, error=NetworkError):
        read(tmp_path / "mine.pt", format)
