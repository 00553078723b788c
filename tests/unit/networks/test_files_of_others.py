"""Files as people save them: each kind that docs/formats.md lists, with what is said of it."""

import gzip
import hashlib

import numpy as np
import pytest
import safetensors.torch
import torch
from converted import state as converted_state
from state_dicts import chughtai_state, lens_state, linear_state, nanda_state, transformer_state, two_layer_state
from support import refuses
from test_trained_otherwise import N, fitted, fitted_normalised, fitted_two_layers

from modadd.networks.found import found_in
from modadd.networks.importers import load_external, read_external, save_external
from modadd.networks.store import NetworkError
from modadd.page.networks_of_others import READ, REFUSED

STATE = two_layer_state()
ARRAYS = {name: value.numpy() for name, value in STATE.items()}
OPTIMISER = {"state": {0: {"step": 3, "exp_avg": torch.ones(2)}}, "param_groups": [{"lr": 0.1, "params": [0]}]}
SPARSE = STATE | {"W_in": torch.ones(5, 9).to_sparse()}


def numbers(path, **arrays):
    """Arrays in a `.npz`, at a path of any name."""
    with path.open("wb") as file:
        np.savez(file, **arrays)


def saves(state):
    """Writes it as torch does."""
    return lambda path: torch.save(state, path)


def writes(content):
    """Writes the bytes."""
    return lambda path: path.write_bytes(content)


WRITTEN = {
    "a state dict inside a dict, beside an optimiser, a step or a config": saves(
        {"model": STATE, "optimiser": OPTIMISER, "epoch": 3, "config": {"lr": 0.1}}
    ),
    "names with a common prefix (`module.`, `_orig_mod.`, `model.`)": saves(
        {f"module.{name}": value for name, value in STATE.items()}
    ),
    "buffers beside the parameters, such as `attn.mask`": saves(nanda_state()),
    "a number beside the tensors": saves(STATE | {"epoch": 3}),
    "`.npz`": lambda path: numbers(path, **ARRAYS),
    "`.safetensors`": lambda path: safetensors.torch.save_file(STATE, path),
    "float64": saves({name: value.double() for name, value in STATE.items()}),
    "float16 or bfloat16": saves({name: value.bfloat16() for name, value in STATE.items()}),
    "layers of any name (`linear_mlp`)": saves(linear_state(biases=False)),
    "the layout of TransformerLens (`nanda_transformer`)": saves(lens_state()),
    "its biases, where the attention was trained without them": saves(lens_state()),
    "several state dicts in one file": saves({"model": STATE, "ema": STATE}),
    "a list of state dicts": saves({"checkpoints": [STATE, STATE]}),
    "a whole module, or any other object in a pickle": saves(torch.nn.Linear(2, 2)),
    "an optimiser alone, or a dict without tensors": saves({"step": 3}),
    "a Git LFS pointer": writes(b"version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 5\n"),
    "a web page": writes(b"\n<!DOCTYPE html><html></html>"),
    "a compressed file": writes(gzip.compress(b"weights")),
    "HDF5 (Keras)": writes(b"\x89HDF\r\n\x1a\n"),
    "`.npy`": writes(b"\x93NUMPY\x01\x00"),
    "objects in a `.npz`": lambda path: numbers(path, W_E=np.array([{}], dtype=object)),
    "whole or complex numbers, quantised or sparse tensors": saves(SPARSE),
    "NaN or infinity": saves(STATE | {"W_U": torch.tensor([torch.nan, torch.inf, *[1.0] * 61]).view(9, 7)}),
    "a damaged or truncated file": writes(b"PK\x03\x04"),
    "another file than the one that was meant": saves(STATE),
    "tensors of another format": saves(STATE),
    "LayerNorm, also in the layout of TransformerLens": saves(lens_state() | {"ln_final.w": torch.ones(5)}),
    "LayerNorm whose weights are folded into the next layer": saves(fitted_normalised()),
    "a linear model of Zhong et al.": saves({"embed.weight": torch.ones(7, 5), "linear1.weight": torch.ones(9, 5)}),
    "more or fewer positions than a, b and '='": saves(lens_state() | {"pos_embed.W_pos": torch.ones(4, 5)}),
    "ReLUs that answer every input, where u² would have a smaller loss": saves(converted_state("linear_mlp")),
    "neurons of u² or GeLU, where the entry does not say so": saves(fitted_two_layers("square")),
    "another attention than that of the format": saves(fitted(softmax=True)),
    "another operation than that of the entry": saves(fitted(sign=-1)),
    "two vocabularies, of which the second number has its own": saves(fitted(tokens=2 * N)),
}
FORMAT = {
    "buffers beside the parameters, such as `attn.mask`": "nanda_transformer",
    "layers of any name (`linear_mlp`)": "linear_mlp",
    "the layout of TransformerLens (`nanda_transformer`)": "nanda_transformer",
    "its biases, where the attention was trained without them": "nanda_transformer",
    "LayerNorm, also in the layout of TransformerLens": "nanda_transformer",
    "LayerNorm whose weights are folded into the next layer": "nanda_transformer",
    "a linear model of Zhong et al.": "zhong_ones",
    "more or fewer positions than a, b and '='": "nanda_transformer",
    "tensors of another format": "zhong_ones",
    "ReLUs that answer every input, where u² would have a smaller loss": "linear_mlp",
    "another attention than that of the format": "zhong_ones",
    "another operation than that of the entry": "zhong_ones",
    "two vocabularies, of which the second number has its own": "zhong_ones",
}


def read(kind, tmp_path):
    """The network of a file of this kind."""
    path = tmp_path / "mine.pt"
    WRITTEN[kind](path)
    sha256 = hashlib.sha256(b"" if kind.startswith("another file") else path.read_bytes()).hexdigest()
    return read_external(path, FORMAT.get(kind, "two_layer_mlp"), sha256)


def test_every_kind_of_the_page_is_written_here():
    assert WRITTEN.keys() == READ.keys() | REFUSED.keys()


@pytest.mark.parametrize("kind", READ)
def test_a_file_that_is_read_says_how(tmp_path, kind):
    external = read(kind, tmp_path)
    assert READ[kind] in "; ".join(external.steps)
    if kind not in FORMAT:
        kept = {name: value.bfloat16() if "bfloat16" in kind else value for name, value in STATE.items()}
        for name, value in kept.items():
            np.testing.assert_array_equal(external.parameters[name], value.float().numpy())


@pytest.mark.parametrize("kind", REFUSED)
def test_a_file_that_is_refused_says_why(tmp_path, kind):
    with refuses(REFUSED[kind], "mine.pt", error=NetworkError):
        found_in("mine.pt", read(kind, tmp_path))


def test_float64_stays_so(tmp_path):
    path = tmp_path / "mine.pt"
    torch.save({name: value.double() / 3 for name, value in STATE.items()}, path)
    external = read_external(path, "two_layer_mlp", hashlib.sha256(path.read_bytes()).hexdigest())
    save_external(external, tmp_path / "kept")
    for name, value in load_external(tmp_path / "kept").parameters.items():
        np.testing.assert_array_equal(value, (STATE[name].double() / 3).numpy())


def test_prefixes_and_wrappers_may_be_several(tmp_path):
    path = tmp_path / "mine.pt"
    state = {f"_orig_mod.module.{name}": value for name, value in chughtai_state().items()}
    torch.save({"run": {"state_dict": state}}, path)
    external = read_external(path, "chughtai_mlp", hashlib.sha256(path.read_bytes()).hexdigest())
    assert external.steps == (
        "tensors taken from ['run']['state_dict']",
        "prefix '_orig_mod.module.' taken off all names",
    )


def test_a_truncated_file_of_safetensors_and_of_numpy_is_refused(tmp_path):
    for kind in ("`.npz`", "`.safetensors`"):
        WRITTEN[kind](tmp_path / "whole")
        path = tmp_path / "mine.pt"
        path.write_bytes((tmp_path / "whole").read_bytes()[:-40])
        with refuses(f"{path}: expected", error=NetworkError):
            read_external(path, "two_layer_mlp", hashlib.sha256(path.read_bytes()).hexdigest())


LENS_WORDS = "laid out as TransformerLens saves it; axes put in the order of the format"


@pytest.mark.parametrize(
    ("state", "format", "words"),
    [
        (lens_state() | {"pos_embed.W_pos": torch.ones(2, 5)}, "nanda_transformer", ["expected shape (3, d_model)", LENS_WORDS]),
        (lens_state() | {"blocks.0.mlp.W_gate": torch.ones(5, 9)}, "nanda_transformer", ["neurons have gates"]),
        (lens_state(), "zhong_softmax", ["unknown tensor"]),
        (transformer_state() | {"blocks.0.attn.b_Q": torch.zeros(3, 2)}, "zhong_ones", ["unknown tensor 'blocks.0.attn.b_Q'"]),
    ],
    ids=["two positions", "gates", "two positions by name", "biases of attention"],
)  # fmt: skip
def test_what_transformer_lens_saves_besides_is_refused(tmp_path, state, format, words):
    with refuses("mine.pt: ", *words, error=NetworkError):
        read_state(state, format, tmp_path)


def read_state(state, format, tmp_path):
    path = tmp_path / "mine.pt"
    torch.save(state, path)
    return read_external(path, format, hashlib.sha256(path.read_bytes()).hexdigest())
