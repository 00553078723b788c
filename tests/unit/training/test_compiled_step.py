"""The compiled step: its loss and gradient, updates, sizes, batches; and that nothing else decides its bits."""

import json
import os
import subprocess
import sys
from dataclasses import replace

import numpy as np
import pytest
import torch
from support import relative_error

from modadd.core.groups import right_answers
from modadd.networks.architectures import ACTIVATIONS, ARCHITECTURES
from modadd.networks.initialisation import all_pairs, batches_of
from modadd.networks.recipes import OPTIMISERS, RECIPES
from modadd.networks.starts import drawn
from modadd.training import network
from modadd.training.network import Learner

pytestmark = pytest.mark.usefixtures("arithmetic")

SIZES = {"modulus": 13, "d_model": 10, "d_mlp": 19, "steps": 60, "train_pairs": 130}
SUM_OF_BOTH = right_answers("addition", 13)


def recipe_of(name, **changes):
    heads = {"n_heads": 2} if RECIPES[name].n_heads else {}
    return replace(RECIPES[name], **{**SIZES, "batch_size": 0, **heads, **changes})


def begun(recipe, seed=0):
    """A network whose biases are not zero, and its parameters."""
    generator = torch.Generator().manual_seed(1)
    parameters = {
        name: torch.randn(value.shape, generator=generator) if name.startswith("b_") else value
        for name, value in drawn(recipe, seed).items()
    }
    return Learner(recipe, {name: value.numpy() for name, value in parameters.items()}), parameters


def by_autograd(recipe, parameters, pairs, answers):
    """Loss and gradient in float64."""
    p = {name: value.detach().double().requires_grad_() for name, value in parameters.items()}
    a, b = torch.from_numpy(pairs).T
    A, B, W, C, D = ARCHITECTURES[recipe.architecture].effective(p)
    logits = ACTIVATIONS[recipe.activation](A[a] + B[b]) @ W
    for table, rows in ((C, a), (D, b)):
        if table is not None:
            logits = logits + (table[rows] if len(table) > 1 else table)
    loss = torch.nn.functional.cross_entropy(logits, torch.from_numpy(answers)[a, b])
    return loss.item(), dict(zip(p, torch.autograd.grad(loss, list(p.values())), strict=True))


def assert_right(recipe, answers=None):
    """Loss and slopes of the first batch and of the second are those of autograd."""
    answers = right_answers(recipe.operation, recipe.modulus) if answers is None else answers
    for batch in range(min(2, recipe.train_pairs // recipe.pairs_per_update)):
        learner, parameters = begun(recipe)
        pairs = batches_of(recipe, 0)
        expected, slopes = by_autograd(recipe, parameters, pairs[batch], answers)
        task = learner.task(pairs, answers)
        assert learner.loss(task, batch) == pytest.approx(expected, rel=1e-6)
        assert learner.update(task, batch, 1)[0] == pytest.approx(expected, rel=1e-6)
        for name, slope in slopes.items():
            assert relative_error(torch.from_numpy(learner.slope(name).copy()), slope) <= 2e-6, name


@pytest.mark.parametrize("batch_size", [0, 26, 10])
@pytest.mark.parametrize("name", RECIPES)
def test_loss_and_gradient_are_those_of_autograd(name, batch_size):
    assert_right(recipe_of(name, batch_size=batch_size))


@pytest.mark.parametrize("activation", ACTIVATIONS)
@pytest.mark.parametrize("name", ["pizza_transformer", "embedding_mlp", "two_layer_mlp"])
def test_other_neurons_are_differentiated_too(name, activation):
    assert_right(recipe_of(name, activation=activation, batch_size=26))


@pytest.mark.parametrize("n", [3, 4, 31, 32, 33, 64, 97, 251])
@pytest.mark.parametrize("name", ["two_layer_mlp", "embedding_mlp", "pizza_transformer"])
def test_any_modulus(name, n):
    assert_right(recipe_of(name, modulus=n, train_pairs=n, batch_size=n if n % 2 else 0))


@pytest.mark.parametrize(("h", "d"), [(1, 2), (32, 32), (33, 16), (64, 64), (130, 48), (512, 128)])
@pytest.mark.parametrize("name", ["embedding_mlp", "twice_factored_mlp", "pizza_transformer"])
def test_any_widths(name, h, d):
    assert_right(recipe_of(name, d_mlp=h, d_model=d, batch_size=26))


@pytest.mark.parametrize("operation", ["subtraction", "multiplication"])
@pytest.mark.parametrize("name", ["two_layer_mlp", "group_mlp"])
def test_any_table_of_answers(name, operation):
    assert_right(recipe_of(name, operation=operation, modulus=12))
    assert_right(recipe_of(name), np.random.default_rng(0).integers(0, 13, (13, 13)))


def test_pairs_in_several_blocks(monkeypatch):
    monkeypatch.setattr(network, "NEURONS", 0)
    monkeypatch.setattr(network, "LEAST", 50)
    for name in RECIPES:
        assert_right(recipe_of(name))


def by_torch(recipe, parameters, pairs, count):
    """The parameters after so many updates, by autograd and torch's optimisers in float64."""
    p = {name: value.detach().double().requires_grad_() for name, value in parameters.items()}
    each = [{"params": [value], "weight_decay": recipe.weight_decay * recipe.decays(name)} for name, value in p.items()]
    if recipe.optimiser == "descent":
        optimiser = torch.optim.SGD(each, lr=recipe.learning_rate)
    else:
        kind = torch.optim.AdamW if recipe.optimiser == "adamw" else torch.optim.Adam
        optimiser = kind(each, lr=recipe.learning_rate, betas=(recipe.beta1, recipe.beta2), eps=recipe.epsilon)
    answers = right_answers(recipe.operation, recipe.modulus)
    for step in range(count):
        _, slopes = by_autograd(recipe, p, pairs[step % len(pairs)], answers)
        for name, value in p.items():
            value.grad = slopes[name]
        optimiser.step()
    return {name: value.detach() for name, value in p.items()}


@pytest.mark.parametrize("decayed", ["all", "kernels"])
@pytest.mark.parametrize("optimiser", OPTIMISERS)
@pytest.mark.parametrize("name", ["embedding_mlp", "pizza_transformer"])
def test_updates_are_those_of_torchs_optimisers(name, optimiser, decayed):
    changes = {"optimiser": optimiser, "decayed": decayed, "weight_decay": 0.3, "epsilon": 1e-3, "learning_rate": 1e-2}
    recipe = recipe_of(name, batch_size=26, **changes)
    learner, parameters = begun(recipe)
    pairs = batches_of(recipe, 0)
    task = learner.task(pairs, SUM_OF_BOTH)
    learner.update(task, 0, 8)
    for key, value in by_torch(recipe, parameters, pairs, 8).items():
        moved = (value - parameters[key].double()).norm()
        error = (torch.from_numpy(learner.parameter(key).copy()).double() - value).norm()
        assert error <= 1e-3 * moved, f"{key}: the updates differ by {error / moved:.1e} of what they moved"


@pytest.mark.parametrize("batch_size", [0, 26])
@pytest.mark.parametrize("name", RECIPES)
def test_many_updates_in_one_call_have_the_bits_of_as_many_calls(name, batch_size):
    recipe = recipe_of(name, batch_size=batch_size)
    (one, _), (other, _) = begun(recipe), begun(recipe)
    pairs = batches_of(recipe, 0)
    losses = one.update(one.task(pairs, SUM_OF_BOTH), 0, 12)
    task = other.task(pairs, SUM_OF_BOTH)
    singly = [other.update(task, step % len(pairs), 1)[0] for step in range(12)]
    assert losses.tolist() == singly
    assert one.numbers.tobytes() == other.numbers.tobytes()


def test_order_of_the_pairs_does_not_change_a_bit():
    recipe = recipe_of("pizza_transformer")
    (one, _), (other, _) = begun(recipe), begun(recipe)
    pairs = batches_of(recipe, 0)
    for learner, order in ((one, pairs), (other, pairs[:, ::-1].copy())):
        learner.update(learner.task(order, SUM_OF_BOTH), 0, 3)
    assert one.numbers.tobytes() == other.numbers.tobytes()


@pytest.mark.parametrize("name", RECIPES)
def test_what_pads_a_table_stays_zero(name):
    recipe = recipe_of(name, batch_size=26)
    learner, _ = begun(recipe)
    learner.update(learner.task(batches_of(recipe, 0), SUM_OF_BOTH), 0, 5)
    numbers = 0
    for key in learner.names:
        for view in (learner.parameter(key), learner.slope(key), *learner.moments(key)):
            numbers += np.count_nonzero(view)
    assert np.count_nonzero(learner.numbers[: 4 * learner.learning.apart]) == numbers


def test_a_pair_and_its_mirror_image_are_computed_once_where_both_numbers_are_embedded_alike():
    pairs = all_pairs(13)[None]
    for name, alike in (("two_layer_mlp", True), ("group_mlp", False)):
        learner, _ = begun(recipe_of(name))
        task = learner.task(pairs, SUM_OF_BOTH)
        assert task.batches.pairs[0] == (13 * 14 // 2 if alike else 169)
        assert task.batches.often.sum() == 169
        assert learner.task(pairs, right_answers("subtraction", 13)).batches.pairs[0] == 169, "their answers differ"


def test_a_batch_computes_its_own_rows_alone():
    recipe = recipe_of("embedding_mlp", batch_size=26)
    learner, _ = begun(recipe)
    pairs = batches_of(recipe, 0)
    batches = learner.task(pairs, SUM_OF_BOTH).batches
    for batch, of_batch in enumerate(pairs):
        for k in (0, 1):
            used = np.unique(of_batch[:, k])
            assert batches.rows[batch, k, : batches.n_rows[batch, k]].tolist() == used.tolist()


def test_it_stops_before_the_update_of_a_loss_that_is_not_finite():
    recipe = recipe_of("two_layer_mlp", learning_rate=1e6)
    learner, _ = begun(recipe)
    losses = learner.update(learner.task(batches_of(recipe, 0), SUM_OF_BOTH), 0, 60)
    assert len(losses) < 60 and np.isfinite(losses[:-1]).all() and not np.isfinite(losses[-1])
    assert learner.updates == len(losses) - 1


def bias_only(logits, right):
    """A network of one pair whose logits are its output bias; its loss, and the slopes of the bias."""
    n = len(logits)
    recipe = recipe_of("embedding_mlp", modulus=n, train_pairs=1)
    parameters = {name: np.zeros(value.shape, np.float32) for name, value in drawn(recipe, 0).items()}
    learner = Learner(recipe, parameters | {"b_out": np.array(logits, np.float32)})
    task = learner.task(np.zeros((1, 1, 2), int), np.full((n, n), right))
    loss = learner.update(task, 0, 1)[0]
    return loss, learner.slope("b_out").copy()


@pytest.mark.parametrize("n", [5, 37])
@pytest.mark.parametrize("ahead", [20.0, 60.0, 80.0])
def test_a_sure_and_right_network_still_has_loss_and_gradient(n, ahead):
    loss, slope = bias_only(np.eye(n)[2] * ahead, 2)
    others = (n - 1) * np.exp(-ahead)
    assert loss == pytest.approx(np.log1p(others), rel=1e-6), "1 + tail rounds to 1: use log1p of the ratio"
    assert slope[0] == pytest.approx(np.exp(-ahead) / (1 + others), rel=1e-6)
    assert slope[2] == pytest.approx(-others / (1 + others), rel=1e-6), "softmax − 1 rounds to 0"


def test_a_very_confident_mistake_has_a_finite_loss():
    loss, slope = bias_only([0.0, 2000.0, 500.0], 2)
    assert loss == pytest.approx(1500.0, rel=1e-12), "a finite loss must not read as divergence"
    assert slope.tolist() == [0.0, 1.0, -1.0]


@pytest.mark.parametrize(("n", "position"), [(3, 1), (37, 0), (37, 20), (37, 36)])
def test_logits_that_are_not_numbers_give_a_loss_that_is_none(n, position):
    logits = np.random.default_rng(n).normal(size=n)
    logits[position] = np.nan
    assert not np.isfinite(bias_only(logits, 2)[0]), "training must notice that it diverged"


def test_subnormals_are_flushed():
    recipe = recipe_of("group_mlp", optimiser="adamw", learning_rate=0.5, weight_decay=1.0)
    tiny = {name: np.full(value.shape, 1.2e-38, np.float32) for name, value in drawn(recipe, 0).items()}
    learner = Learner(recipe, tiny)
    learner.update(learner.task(batches_of(recipe, 0), SUM_OF_BOTH), 0, 1)
    assert not learner.parameter("U").any(), "a dead neuron's weights must end at zero"


BITS = """
import hashlib, json
from dataclasses import replace
from modadd.core.bits import set_arithmetic
from modadd.core.groups import right_answers
from modadd.networks.initialisation import batches_of
from modadd.networks.recipes import RECIPES
from modadd.networks.starts import drawn
from modadd.training.network import Learner
from modadd.training.tiles import LANES

set_arithmetic()
found = {"lanes": LANES}
for name, recipe in RECIPES.items():
    for activation in ("", "gelu", "softplus"):
        recipe = replace(recipe, **({"activation": activation} if activation else {}))
        learner = Learner(recipe, {key: value.numpy() for key, value in drawn(recipe, 0).items()})
        task = learner.task(batches_of(recipe, 0), right_answers(recipe.operation, recipe.modulus))
        losses = learner.update(task, 0, 3)
        parameters = [learner.parameter(key).tobytes() for key in learner.names]
        found[f"{name} {activation}"] = hashlib.sha256(b"".join([losses.tobytes(), *parameters])).hexdigest()
print(json.dumps(found))
"""
# Vectors of 16 numbers, as with AVX-512, which LLVM cuts to those of this processor.
WIDE = """
import llvmlite.binding
from llvmlite.binding.targets import FeatureMap

own = llvmlite.binding.get_host_cpu_features()

class Told(FeatureMap):
    def get(self, key, default=None):
        return key == "avx512f" or super().get(key, default)

llvmlite.binding.get_host_cpu_features = lambda: Told(own)
"""
MAKES = {  # what numba compiles for
    "this processor": {},
    "vectors of 512 bits": {},
    "Haswell": {"NUMBA_CPU_NAME": "haswell", "NUMBA_CPU_FEATURES": "+avx,+avx2,+fma,+bmi,+bmi2"},
    "vectors of 128 bits": {"NUMBA_CPU_NAME": "haswell", "NUMBA_CPU_FEATURES": "+fma,+avx,-avx2"},
}


def test_bits_are_those_of_any_vectors(tmp_path):
    found = {}
    for make, told in MAKES.items():
        place = {} if make == "this processor" else {"NUMBA_CACHE_DIR": str(tmp_path / make)}
        code = WIDE + BITS if make == "vectors of 512 bits" else BITS
        done = subprocess.run(
            [sys.executable, "-c", code], env=os.environ | told | place, capture_output=True, text=True, check=True
        )
        found[make] = json.loads(done.stdout)
    assert found["Haswell"].pop("lanes") == 8 and found["vectors of 512 bits"].pop("lanes") == 16
    for make in MAKES:
        found[make].pop("lanes", None)
        assert found[make] == found["Haswell"], f"for {make} there are other bits"
