"""Weights that an importer refuses: other files than expected, code in them, and tensors that do not fit the format."""

import hashlib
import os

import pytest
import torch
from state_dicts import imported, saved, transformer_state, two_layer_state
from support import refuses

from modadd.networks.checkpoints import LARGEST
from modadd.networks.importers import read_external
from modadd.networks.store import NetworkError


def test_a_file_with_another_hash_is_refused_before_it_is_opened(tmp_path, monkeypatch):
    path, sha256 = saved(two_layer_state(), tmp_path / "weights.pt")
    monkeypatch.delattr(torch, "load")
    with refuses(str(path), f"expected sha256 {'0' * 64}", f"found {sha256}", error=NetworkError):
        read_external(path, "two_layer_mlp", "0" * 64)


def test_an_absent_file_is_refused(tmp_path):
    with refuses(str(tmp_path / "none.pt"), "no such file", "check the path", error=NetworkError):
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


def test_a_file_larger_than_any_network_is_refused_before_it_is_read(tmp_path):
    with (tmp_path / "huge.pt").open("wb") as file:
        file.truncate(LARGEST + 1)  # takes no room on the disk
    with refuses("huge.pt: expected at most 1.1 GB, found 1.1 GB; save the parameters", error=NetworkError):
        read_external(tmp_path / "huge.pt", "two_layer_mlp", "0" * 64)


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
        ([torch.ones(2)], "two_layer_mlp", ["expected a dict of tensors", "found list"]),
        (MISTYPED, "two_layer_mlp", ["found W_E, W_U, W_ein (missing: W_in; unknown: W_ein (is it W_in?))"]),
        (two_layer(W_U=None), "two_layer_mlp", ["the tensors of 'two_layer_mlp', found W_E, W_in (missing: W_U)"]),
        ({}, "two_layer_mlp", ["expected a dict of tensors", "found (none)"]),
        (
            two_layer_state(),
            "zhong_ones",
            ["unknown: W_E, W_U, W_in)", "write `format: two_layer_mlp`, which reads them"],
        ),
        (
            WITH_A_GAP,
            "zhong_ones",
            ["missing: blocks.1.attn.W_K", "unknown: blocks.2.attn.W_K (is it blocks.1.attn.W_K?)"],
        ),
        (transformer_state(0), "zhong_ones", ["missing: blocks.0.attn.W_K", "docs/formats.md has the tensors"]),
        (two_layer(W_in=3), "two_layer_mlp", ["missing: W_in", "no parameters: W_in (int)"]),
        (
            two_layer(W_in=torch.zeros((5, 9), dtype=torch.complex64)),
            "two_layer_mlp",
            ["missing: W_in", "W_in (complex64)"],
        ),
        (two_layer(W_in=torch.zeros((5, 9), dtype=torch.int64)), "two_layer_mlp", ["missing: W_in", "W_in (int64)"]),
        (two_layer_state(n=1), "two_layer_mlp", ["expected a network on 3 to 1000 numbers, found one on 1"]),
        (two_layer_state(n=1001), "two_layer_mlp", ["expected a network on 3 to 1000 numbers, found one on 1001"]),
    ],
)
def test_what_is_no_network_of_the_format_is_refused_in_one_line(tmp_path, state, format, words):
    with refuses(*words, error=NetworkError):
        imported(state, format, tmp_path)


@pytest.mark.parametrize(
    ("name", "shape", "expected"),
    [
        ("unembed.W_U", (5, 8), "where it has (d_model, n) with d_model = 5, n = 7"),
        ("pos_embed.W_pos", (3, 5), "where it has (2, d_model) with d_model = 5, n = 7"),
        ("blocks.1.attn.W_O", (5, 5), "where it has (d_model, n_heads*d_head) with d_model = 5, n = 7, n_heads = 3"),
        ("blocks.0.mlp.b_in", (9, 1), "where it has (d_mlp) with d_model = 5"),
        ("blocks.1.mlp.W_in", (4, 5), "where it has (d_mlp, d_model) with d_model = 5"),
        ("embed.W_E", (7,), "where it has (d_model, n) with every size at least 1"),
        ("embed.W_E", (0, 7), "where it has (d_model, n) with d_model = 0"),
    ],
)
def test_a_wrong_shape_is_refused_with_the_sizes_read_so_far(tmp_path, name, shape, expected):
    with refuses(f"found '{name}' of shape {shape}", expected, error=NetworkError):
        imported(transformer_state(2) | {name: torch.zeros(shape)}, "zhong_softmax", tmp_path)
