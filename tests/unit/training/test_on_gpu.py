"""Stacks of torch, as GPUs train them, here on torch's CPU device: they are the networks of the compiled step, within rounding."""

import math
import subprocess
import sys
from dataclasses import replace

import numpy as np
import pytest
import torch
from support import native_loss, relative_error

from modadd.core.groups import right_answers
from modadd.networks.initialisation import batches_of
from modadd.networks.recipes import RECIPES
from modadd.training.on_gpu import Stack, StackedLoss, Tables, networks_at_once, train_stack
from modadd.training.run import TrainingDivergedError
from modadd.training.train import train_ensemble

pytestmark = pytest.mark.usefixtures("arithmetic")

UPDATES = 50  # from here on rounding grows into other networks


@pytest.mark.parametrize("batch_size", [0, 26])
@pytest.mark.parametrize("name", RECIPES)
def test_it_trains_the_networks_of_the_compiled_step_within_rounding(small, tmp_path, name, batch_size):
    recipe = replace(small[name], batch_size=batch_size, steps=UPDATES)
    _, compiled = train_ensemble(recipe, [0, 1, 2], tmp_path / "compiled")
    _, stacked = train_stack(recipe, [0, 1, 2], tmp_path / "stack", device="cpu")
    np.testing.assert_allclose(stacked, compiled, rtol=1e-3)


@pytest.mark.parametrize("batch_size", [0, 91])
def test_the_same_at_a_published_size(tmp_path, batch_size):
    recipe = replace(RECIPES["embedding_mlp"], batch_size=batch_size, steps=UPDATES)
    _, compiled = train_ensemble(recipe, [0, 1], tmp_path / "compiled")
    _, stacked = train_stack(recipe, [0, 1], tmp_path / "stack", device="cpu")
    np.testing.assert_allclose(stacked, compiled, rtol=1e-2)


@pytest.mark.parametrize(
    "changes",
    [
        {"optimiser": "descent"},
        {"optimiser": "adamw", "decayed": "kernels"},
        {"optimiser": "adam", "decayed": "tables"},
        *({"activation": activation} for activation in ("abs", "square", "softplus", "gelu")),
    ],
    ids=str,
)
def test_the_same_of_other_recipes(small, tmp_path, changes):
    recipe = replace(small["factored_mlp"], steps=UPDATES, weight_decay=0.1, **changes)
    _, compiled = train_ensemble(recipe, [0, 1], tmp_path / "compiled")
    _, stacked = train_stack(recipe, [0, 1], tmp_path / "stack", device="cpu")
    np.testing.assert_allclose(stacked, compiled, rtol=1e-3)


@pytest.mark.parametrize("name", RECIPES)
def test_gradient_of_every_parameter_of_every_network_is_that_of_autograd(small, name):
    recipe = replace(small[name], activation=small[name].activation, batch_size=26)
    stack = Stack(recipe, [3, 0], "cpu")
    batches = np.stack([batches_of(recipe, seed) for seed in (3, 0)], axis=1)
    loss = StackedLoss(batches, stack.tables(), right_answers("addition", 13), recipe.activation)
    loss.choose(1)
    tables = stack.tables()
    found, gradient = loss(tables)
    slopes = stack.architecture.backward(stack.parameters, gradient)
    for index in range(2):
        own = {key: value[index] for key, value in stack.parameters.items()}
        expected, right = native_loss(own, batches[1, index], 13, name)
        assert found[index].item() == pytest.approx(expected, rel=1e-6)
        for key, slope in right.items():
            assert relative_error(slopes[key][index], slope) <= 1e-5, key


def test_an_interrupted_stack_resumes(small, tmp_path, monkeypatch):
    monkeypatch.setattr("modadd.training.on_gpu.CHECKPOINT_EVERY", 22)
    recipe, seeds = small["embedding_mlp"], [3, 0, 8]

    def interrupt(updates):
        raise KeyboardInterrupt

    monkeypatch.setattr("modadd.training.on_gpu.WAITS_EVERY", 30)
    with pytest.raises(KeyboardInterrupt):
        train_stack(
            recipe, seeds, tmp_path / "run", "cpu", lambda updates: interrupt(updates) if updates < 66 else None
        )
    whole, losses = train_stack(recipe, seeds, tmp_path / "whole", "cpu")
    made = []
    resumed, again = train_stack(recipe, seeds, tmp_path / "run", "cpu", made.append)
    assert sum(made) == len(seeds) * (recipe.steps - 44), "it goes on from its last checkpoint"
    np.testing.assert_array_equal(again, losses)
    for one, other in zip(whole, resumed, strict=True):
        assert all((other.parameters[name] == value).all() for name, value in one.parameters.items())


def test_diverging_member_is_named(small, tmp_path):
    recipe = replace(small["two_layer_mlp"], learning_rate=1e6)
    with pytest.raises(
        TrainingDivergedError, match=r"seed \d: training loss (nan|inf) at step \d+; lower learning_rate"
    ):
        train_stack(recipe, [1, 4, 2], tmp_path / "run", "cpu")


def test_a_sure_network_keeps_its_loss_and_its_gradient():
    n, ahead = 5, 60.0
    zeros = torch.zeros
    logits = torch.zeros(1, 1, n)
    logits[0, 0, 2] = ahead
    tables = Tables(zeros(1, n, 1), zeros(1, n, 1), zeros(1, 1, n), None, logits)
    loss, gradient = StackedLoss(np.array([[[[0, 2]]]]), tables, right_answers("addition", n))(tables)
    others = (n - 1) * math.exp(-ahead)
    assert loss.item() == pytest.approx(math.log1p(others), rel=1e-6)
    assert gradient.D[0, 0, 2].item() == pytest.approx(-others, rel=1e-6)


@pytest.mark.skipif(sys.platform != "linux", reason="reads a process's peak memory from /proc")
def test_networks_at_once_need_the_memory_that_they_are_counted_with():
    """Growth of a process's peak memory by a stack."""
    measure = """
import re, sys, tempfile
from dataclasses import replace
from pathlib import Path
from modadd.networks.recipes import RECIPES
from modadd.training.on_gpu import train_stack
recipe = replace(RECIPES["embedding_mlp"], batch_size=0, steps=2)
peak = lambda: 1024 * int(re.search(r"VmHWM:\\s+(\\d+) kB", Path("/proc/self/status").read_text())[1])
with tempfile.TemporaryDirectory() as folder:
    train_stack(recipe, [0], Path(folder, "checkpoint"), "cpu")
    before = peak()
    train_stack(recipe, list(range(int(sys.argv[1]))), Path(folder, "checkpoint"), "cpu")
print(peak() - before)
"""
    recipe = replace(RECIPES["embedding_mlp"], batch_size=0, steps=2)
    memory = 2**28
    count = networks_at_once(recipe, memory)
    assert networks_at_once(recipe, 0) == 1, "at least one, however little memory is free"
    done = subprocess.run([sys.executable, "-c", measure, str(count)], capture_output=True, text=True, check=True)
    grown = int(done.stdout)
    assert 0.4 * memory < grown < memory, f"{count} networks counted as {memory} bytes take {grown}"
