"""Weights that an importer refuses: other files than expected, code in them, and tensors that do not fit the format."""

import hashlib
import os

import pytest
import torch
from state_dicts import imported, saved, transformer_state, two_layer_state
from support import refuses

from modadd.networks.importers import read_external
from modadd.networks.store import NetworkError


def test_a_file_with_another_hash_is_refused_before_it_is_opened(tmp_path, monkeypatch):
    path, sha256 = saved(two_layer_state(), tmp_path / "weights.pt")
    monkeypatch.delattr(torch, "load")
    with refuses(str(path), f"expected sha256 {'0' * 64}", f"found {sha256}", error=NetworkError):
        read_external(path, "two_layer_mlp", "0" * 64)


def test_an_absent_file_is_refused(tmp_path):
    with refuses(str(tmp_path / "none.pt"), "no such file", "two_layer_mlp", error=NetworkError):
        read_external(tmp_path / "none.pt", "two_layer_mlp", "0" * 64)


class Code:
    """Unpickled, it would make a folder."""

    def __init__(self, folder):
        self.folder = folder

    def __reduce__(self):
        return os.mkdir, (self.folder,)


def test_a_pickle_that_holds_code_is_refused_and_the_code_is_not_run(tmp_path):
    with refuses("expected a dict of tensors", "GLOBAL posix.mkdir", error=NetworkError):
        imported(two_layer_state() | {"W_U": Code(str(tmp_path / "made"))}, "two_layer_mlp", tmp_path)
    assert not (tmp_path / "made").exists()


@pytest.mark.parametrize("content", [b"", b"not weights"], ids=["empty", "text"])
def test_a_file_that_is_no_pickle_is_refused(tmp_path, content):
    path = tmp_path / "weights.pt"
    path.write_bytes(content)
    with refuses(str(path), "expected a dict of tensors", error=NetworkError):
        read_external(path, "two_layer_mlp", hashlib.sha256(content).hexdigest())


def two_layer(**changes):
    """The state dict of a two-layer MLP with other tensors; None takes one away."""
    return {name: value for name, value in (two_layer_state() | changes).items() if value is not None}


WITH_A_GAP = {name.replace("blocks.1.", "blocks.2."): value for name, value in transformer_state(2).items()}
MISTYPED = two_layer(W_in=None, W_ein=two_layer_state()["W_in"])


@pytest.mark.parametrize(
    ("state", "format", "words"),
    [
        (transformer_state(), "zhong_one", ["unknown format 'zhong_one'", "did you mean 'zhong_ones'?"]),
        ([torch.ones(2)], "two_layer_mlp", ["expected a dict of tensors, found list"]),
        (
            MISTYPED,
            "two_layer_mlp",
            ["unknown tensor 'W_ein'", "mean 'W_in'?", "expected one of W_E, W_U, W_in", "found W_E, W_U, W_ein"],
        ),
        (two_layer(W_U=None), "two_layer_mlp", ["'W_U' is missing", "expected W_E, W_in, W_U", "found W_E, W_in"]),
        ({}, "two_layer_mlp", ["expected a dict of tensors, found (none)"]),
        (two_layer_state(), "zhong_ones", ["unknown tensor 'W_E'", "did you mean 'embed.W_E'?"]),
        (WITH_A_GAP, "zhong_ones", ["unknown tensor 'blocks.2.attn.W_K'", "did you mean 'blocks."]),
        (transformer_state(0), "zhong_ones", ["'blocks.0.attn.W_K' is missing", "found embed.W_E"]),
        (two_layer(W_in=3), "two_layer_mlp", ["'W_in' is missing", "no tensors: W_in (int)"]),
        (two_layer(W_in=torch.zeros((5, 9), dtype=torch.complex64)), "two_layer_mlp", ["'W_in'", "found complex64"]),
        (two_layer(W_in=torch.zeros((5, 9), dtype=torch.int64)), "two_layer_mlp", ["'W_in'", "found int64"]),
    ],
)
def test_what_is_no_network_of_the_format_is_refused_in_one_line(tmp_path, state, format, words):
    with refuses(*words, error=NetworkError):
        imported(state, format, tmp_path)


@pytest.mark.parametrize(
    ("name", "shape", "expected"),
    [
        ("unembed.W_U", (5, 8), "expected shape (d_model, n) with d_model = 5, n = 7"),
        ("pos_embed.W_pos", (3, 5), "expected shape (2, d_model) with d_model = 5, n = 7"),
        ("blocks.1.attn.W_O", (5, 5), "expected shape (d_model, n_heads*d_head) with d_model = 5, n = 7, n_heads = 3"),
        ("blocks.0.mlp.b_in", (9, 1), "expected shape (d_mlp) with d_model = 5"),
        ("blocks.1.mlp.W_in", (4, 5), "expected shape (d_mlp, d_model) with d_model = 5"),
        ("embed.W_E", (7,), "expected shape (d_model, n) with every size at least 1"),
        ("embed.W_E", (0, 7), "expected shape (d_model, n) with d_model = 0"),
    ],
)
def test_a_wrong_shape_is_refused_with_the_sizes_read_so_far(tmp_path, name, shape, expected):
    with refuses(f"'{name}'", expected, f"found {shape}", error=NetworkError):
        imported(transformer_state(2) | {name: torch.zeros(shape)}, "zhong_softmax", tmp_path)
