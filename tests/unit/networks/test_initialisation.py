import math
from dataclasses import replace

import numpy as np
import pytest
import torch

from modadd.core.groups import right_answers
from modadd.networks.architectures import ARCHITECTURES
from modadd.networks.initialisation import (
    INITIALISATIONS,
    all_pairs,
    batches_of,
    embedding_mlp,
    pizza_transformer,
    seed_for,
    shuffled_split,
    split,
    two_layer_mlp,
)
from modadd.networks.jax_draws import Key, he_normal, permutation
from modadd.networks.recipes import RECIPES
from modadd.training.network import Learner

STATED_ORDER = {
    "W_E": (60, 128),
    "W_pos": (3, 128),
    "W_Q": (4, 128, 32),
    "W_K": (4, 128, 32),
    "W_V": (4, 128, 32),
    "W_O": (4, 32, 128),
    "W_in": (128, 512),
    "W_out": (512, 128),
    "W_U": (128, 59),
}


def drawn_as_stated(seed):
    """The initial matrices by the words of science.md §3: the global generator, one normal_ after the other."""
    with torch.random.fork_rng():
        torch.manual_seed(seed_for(seed, "model"))
        return {
            name: torch.nn.init.normal_(torch.empty(shape), std=0.8 / math.sqrt(128))
            for name, shape in STATED_ORDER.items()
        }


@pytest.mark.parametrize("seed", [0, 32382])
def test_initial_matrices_are_bit_for_bit_the_stated_draws(seed):
    stated = drawn_as_stated(seed)
    stated["W_E"], stated["W_pos"] = stated["W_E"][:59], stated["W_pos"][:2]
    found = pizza_transformer(RECIPES["pizza_transformer"], seed)
    assert not found["b_in"].any() and not found["b_out"].any()
    for name in set(stated) - {"W_Q", "W_K"}:
        assert torch.equal(found[name], stated[name]), f"{name}: the order of draws decides the network"


@pytest.mark.parametrize("name", RECIPES)
def test_shapes_and_order_are_those_of_the_architecture(name):
    recipe = RECIPES[name]
    shapes = ARCHITECTURES[recipe.architecture].shapes(recipe.modulus, recipe.sizes)
    found = INITIALISATIONS[recipe.architecture](recipe, 0)
    assert [(key, tuple(value.shape)) for key, value in found.items()] == list(shapes.items())
    assert all(value.dtype == torch.float32 and value.is_contiguous() for value in found.values())


@pytest.mark.parametrize("seed", [0, 7])
def test_two_layer_matrices_are_bit_for_bit_those_of_the_notebook(seed):
    with torch.random.fork_rng():
        torch.manual_seed(seed)
        W_E = torch.randn(113, 128) / np.sqrt(128)
        W_in = torch.randn(128, 512) / np.sqrt(128)
        W_U = torch.randn(512, 113) / np.sqrt(512)
    found = two_layer_mlp(RECIPES["two_layer_mlp"], seed)
    for name, stated in {"W_E": W_E, "W_in": W_in, "W_U": W_U}.items():
        assert torch.equal(found[name], stated), f"{name}: the order of draws decides the network"


def test_two_layer_split_is_the_one_of_the_notebook():
    trained_on, held_out = split(RECIPES["two_layer_mlp"], 0)
    assert trained_on[:5].tolist() == [[37, 1], [23, 9], [2, 43], [7, 34], [42, 101]]
    assert (len(trained_on), len(held_out)) == (3830, 113**2 - 3830)


def test_two_layer_loss_before_training_is_the_one_in_the_published_log():
    recipe = RECIPES["two_layer_mlp"]
    learner = Learner(recipe, {name: value.numpy() for name, value in two_layer_mlp(recipe, 0).items()})
    task = learner.task(split(recipe, 0)[0][None], right_answers("addition", recipe.modulus))
    assert learner.loss(task) == pytest.approx(4.731251, abs=2e-6)


def test_embedding_matrices_are_he_normal_and_biases_zero():
    found = embedding_mlp(RECIPES["embedding_mlp"], 0)
    for name, value in found.items():
        if name.startswith("b_"):
            assert not value.any()
        else:
            fan_in = len(value)
            assert value.std().item() == pytest.approx(math.sqrt(2 / fan_in), rel=0.05), name
            assert abs(value.mean().item()) < 4 * math.sqrt(2 / fan_in / value.numel()), name
    assert not torch.equal(found["E_a"], found["E_b"]), "the two numbers have an embedding each"


@pytest.mark.parametrize("name", ["group_mlp", "factored_mlp", "twice_factored_mlp"])
def test_tables_have_the_same_initial_variance_however_they_are_factored(name):
    recipe = RECIPES[name]
    A, B, W, _, _ = ARCHITECTURES[name].effective(INITIALISATIONS[name](recipe, 0))
    for table in (A, B, W):
        assert table.std().item() == pytest.approx(recipe.modulus**-0.5, rel=0.05)


@pytest.mark.parametrize("name", ["flax_one_hot_mlp", "flax_one_embedding_mlp", "flax_two_embedding_mlp"])
def test_networks_of_flax_are_drawn_by_the_names_of_its_modules(small, name):
    recipe, key = small[name], Key(0, 3)
    found = {parameter: value.numpy() for parameter, value in INITIALISATIONS[name](recipe, 3).items()}
    if name == "flax_one_hot_mlp":
        found["W_in"] = np.concatenate([found.pop("U"), found.pop("V")])
    modules = {"E_a": "embedding_a", "E_b": "embedding_b", "W_E": "shared_embed", "W_in": "dense_1"}
    for parameter, value in found.items():
        if value.ndim == 1:
            assert not value.any()
        else:
            module = modules.get(parameter, "output_dense")
            assert np.array_equal(value, he_normal(key.of_parameter(module), *value.shape)), parameter


def test_the_seed_of_the_weights_also_permutes_the_pairs_of_networks_in_flax(small):
    trained_on, held_out = split(small["flax_two_embedding_mlp"], 3)
    order = permutation(Key(0, 3), 169)
    assert (np.concatenate([trained_on, held_out]) == all_pairs(13)[order]).all()


@pytest.mark.parametrize("name", RECIPES)
def test_init_scale_multiplies_every_matrix(small, name):
    scaled = INITIALISATIONS[name](replace(small[name], init_scale=2 * small[name].init_scale), 0)
    for key, value in INITIALISATIONS[name](small[name], 0).items():
        torch.testing.assert_close(scaled[key], 2 * value, rtol=1e-6, atol=0.0)


@pytest.mark.parametrize("name", RECIPES)
def test_split_is_complete_has_no_pair_twice_and_depends_on_the_seed_alone(small, name):
    recipe = small[name]
    trained_on, held_out = split(recipe, 3)
    assert len(trained_on) == recipe.train_pairs
    assert sorted([*trained_on.tolist(), *held_out.tolist()]) == all_pairs(13).tolist()
    assert np.array_equal(split(recipe, 3)[0], trained_on)
    assert not np.array_equal(split(recipe, 4)[0], trained_on)


@pytest.mark.parametrize("name", ["pizza_transformer", "embedding_mlp"])
def test_split_is_numpys_shuffle_where_the_study_uses_it(small, name):
    recipe = small[name]
    stated = shuffled_split(13, recipe.train_pairs, seed_for(3, "dataset_seed"))
    assert all(np.array_equal(found, right) for found, right in zip(split(recipe, 3), stated, strict=True))


@pytest.mark.parametrize("name", RECIPES)
def test_drawing_leaves_the_global_generator_alone(small, name):
    before = torch.random.get_rng_state()
    INITIALISATIONS[name](small[name], 0)
    split(small[name], 0)
    assert torch.equal(torch.random.get_rng_state(), before), "randomness is passed in, never global"


@pytest.mark.parametrize("name", RECIPES)
def test_seeds_differ(small, name):
    first, second = (INITIALISATIONS[name](small[name], seed) for seed in (0, 1))
    assert not any(torch.equal(first[key], second[key]) for key in first if not key.startswith("b_"))


def test_reshuffled_batches_hold_the_same_pairs_in_another_order_in_every_pass(small):
    recipe = replace(small["embedding_mlp"], batch_size=26, reshuffled=True)
    passes = [batches_of(recipe, 3, epoch) for epoch in (0, 1, 2)]
    all_pairs = [{tuple(pair) for pair in batches.reshape(-1, 2)} for batches in passes]
    assert all_pairs[0] == all_pairs[1] == all_pairs[2] and len(all_pairs[0]) == recipe.train_pairs
    cuts = [{frozenset(map(tuple, batch)) for batch in batches} for batches in passes]
    assert not cuts[0] & cuts[1] and not cuts[1] & cuts[2]
    assert (batches_of(recipe, 3, 1) == passes[1]).all(), "drawn twice, two results"
    assert (batches_of(replace(recipe, reshuffled=False), 3, 1) == passes[0]).all()


@pytest.mark.parametrize(("label", "expected"), [("model", 2067119104), ("dataset_seed", 1439707904)])
def test_sub_seeds_of_seed_0_are_the_published_ones(label, expected):
    assert seed_for(0, label) == expected, "sub-seeds must be derived as in [Q], or no published network is regained"


def test_pairs_are_in_product_order_a_major():
    assert all_pairs(3).tolist() == [[0, 0], [0, 1], [0, 2], [1, 0], [1, 1], [1, 2], [2, 0], [2, 1], [2, 2]]


def test_published_split_has_2784_training_pairs_in_the_order_of_numpys_generator():
    trained_on, held_out = shuffled_split(59, 2784, 1439707904)
    assert (len(trained_on), len(held_out)) == (2784, 697)
    order = np.arange(59 * 59)
    np.random.default_rng(1439707904).shuffle(order)
    expected = [divmod(int(index), 59) for index in order]
    assert [tuple(pair) for pair in [*trained_on.tolist(), *held_out.tolist()]] == expected
