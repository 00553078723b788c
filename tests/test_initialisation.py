import math

import pytest
import torch
from modadd.architectures import ARCHITECTURES
from modadd.initialisation import INITIALISATIONS, pizza_transformer
from modadd.recipes import RECIPES
from modadd.residues import seed_for

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
    for name in set(stated) - {"W_Q", "W_K"}:
        assert torch.equal(found[name], stated[name]), f"{name}: the order of draws decides the network"


def test_biases_start_at_zero():
    found = pizza_transformer(RECIPES["pizza_transformer"], 0)
    assert not found["b_in"].any()
    assert not found["b_out"].any()


@pytest.mark.parametrize("name", RECIPES)
def test_shapes_and_order_are_those_of_the_architecture(name):
    recipe = RECIPES[name]
    shapes = ARCHITECTURES[recipe.architecture].shapes(recipe.modulus, recipe.sizes)
    found = INITIALISATIONS[recipe.architecture](recipe, 0)
    assert [(key, tuple(value.shape)) for key, value in found.items()] == list(shapes.items())
    assert all(value.dtype == torch.float32 and value.is_contiguous() for value in found.values())


def test_every_architecture_has_an_initialisation():
    assert set(INITIALISATIONS) == set(ARCHITECTURES)


def test_drawing_leaves_the_global_generator_alone(tiny):
    before = torch.random.get_rng_state()
    pizza_transformer(tiny, 0)
    assert torch.equal(torch.random.get_rng_state(), before), "randomness is passed in, never global"


def test_seeds_differ(tiny):
    assert not torch.equal(pizza_transformer(tiny, 0)["W_E"], pizza_transformer(tiny, 1)["W_E"])
