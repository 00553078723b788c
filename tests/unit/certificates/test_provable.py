"""Networks of others as Coq is given them, and why some cannot be."""

import lzma
import subprocess
import sys
from dataclasses import replace

import numpy as np
import pytest
import torch
from state_dicts import chughtai_state, imported, linear_state, transformer_state, two_layer_state
from support import ROOT, perfect_network, refuses

from modadd.certificates.formal import theorem_of
from modadd.certificates.provable import PROVABLE, provable, wrong_answer
from modadd.core.separable import Separable
from modadd.networks.recipes import RECIPES
from modadd.networks.store import Network, save_networks

STATES = {
    "two_layer_mlp": two_layer_state,
    "chughtai_mlp": chughtai_state,
    "linear_mlp": linear_state,
    "zhong_ones": transformer_state,
}


@pytest.mark.parametrize("format", STATES)
def test_the_network_that_is_proven_has_the_tables_of_the_file(format, tmp_path):
    external = imported(STATES[format](), format, tmp_path)
    network = provable(external)
    assert format in PROVABLE and network.recipe.architecture == external.native()[0]
    assert all(value.dtype == np.float32 for value in network.parameters.values())
    np.testing.assert_allclose(network.separable().logits(), external.separable().logits(), atol=1e-9)
    assert "the_trained_network_adds" in theorem_of(network)


def test_numbers_that_float32_does_not_hold_are_not_rounded_in_silence(tmp_path):
    state = {name: value.double() for name, value in two_layer_state().items()}
    assert provable(imported(state, "two_layer_mlp", tmp_path)).parameters["W_E"].dtype == np.float32
    state["W_in"][0, 0] += 1e-12
    with refuses("1 of 45", "'W_in'", "float64"):
        provable(imported(state, "two_layer_mlp", tmp_path))


@pytest.mark.parametrize("bits", [1, 0x007FFFFF, 0x80400000])  # the smallest, the largest, and -2^-127
def test_a_subnormal_weight_is_refused_by_its_tensor_and_entry(bits, tmp_path):
    state = two_layer_state()
    state["W_in"][1, 2] = torch.tensor(np.array(bits, "<u4").view("<f4").item())
    with refuses("W_in[1, 2]", "1.18e-38", "1 such"):
        provable(imported(state, "two_layer_mlp", tmp_path))
    state["W_in"][1, 2] = 2.0**-126
    state["W_in"][1, 1] = -0.0
    provable(imported(state, "two_layer_mlp", tmp_path))


def test_what_no_theorem_can_be_about_is_said_in_a_line(tmp_path):
    with refuses("zhong_softmax", "expected one of"):
        provable(imported(transformer_state(), "zhong_softmax", tmp_path))
    with refuses("several"):
        provable(imported(transformer_state(layers=2), "zhong_ones", tmp_path))
    with refuses("gelu"):
        provable(imported(two_layer_state(), "two_layer_mlp", tmp_path, activation="gelu"))
    with refuses("subtraction"):
        provable(imported(two_layer_state(), "two_layer_mlp", tmp_path, operation="subtraction"))


def test_a_wrong_answer_is_named_with_its_two_logits(tmp_path):
    wrong = wrong_answer(provable(imported(two_layer_state(), "two_layer_mlp", tmp_path)))
    assert "the right answer" in wrong and wrong.count("has") == 2
    right = perfect_network(5, (1, 2), 5)
    state = {"W_E": torch.eye(5), "W_in": torch.tensor(right.A).float(), "W_U": torch.tensor(right.W).float()}
    assert wrong_answer(provable(imported(state, "two_layer_mlp", tmp_path))) is None


@pytest.mark.parametrize("flipped", [False, True])
def test_the_checker_of_bits_sees_one_that_is_flipped(flipped, tmp_path):
    shapes = {"W_E": (7, 4), "W_pos": (2, 4), "W_V": (2, 4, 2), "W_O": (2, 2, 4), "W_in": (4, 9), "b_in": (9,)}
    shapes |= {"W_out": (9, 4), "b_out": (4,), "W_U": (4, 7)}
    rng = np.random.default_rng(0)
    parameters = {name: rng.normal(size=shape).astype(np.float32) for name, shape in shapes.items()}
    changes = {"modulus": 7, "d_model": 4, "n_heads": 2, "d_mlp": 9, "train_pairs": 49, "batch_size": 0}
    results = {"accuracy": 1.0, "train_loss": 0.0, "held_out_loss": 0.0}
    network = Network(replace(RECIPES["pizza_transformer"], **changes), 0, parameters, results)
    assert isinstance(network.separable(), Separable)
    save_networks([network], tmp_path / "seed0.safetensors")
    text = theorem_of(network)
    if flipped:
        bits = parameters["W_V"].view("<u4")[1, 2, 0]
        assert text.count(str(bits)) == 1
        text = text.replace(str(bits), str(bits ^ 1))
    (tmp_path / "seed0.v.xz").write_bytes(lzma.compress(text.encode()))
    command = [sys.executable, ROOT / "data/proofs/bits.py", tmp_path / "seed0.v.xz", tmp_path / "seed0.safetensors"]
    done = subprocess.run(command, capture_output=True, encoding="utf-8")
    assert done.returncode == flipped and ("OTHER BITS" in done.stdout) == flipped, done.stderr
