"""What a seed decides: the initial parameters of each architecture, drawn in the original order, and the train split."""

import math

import numpy as np
import torch
from jaxtyping import Float, Int

from modadd.architectures import ARCHITECTURES
from modadd.recipes import Recipe
from modadd.residues import pairs, seed_for, shuffled_split

Parameters = dict[str, Float[torch.Tensor, "..."]]


def pizza_transformer(recipe: Recipe, seed: int) -> Parameters:
    """N(0, (init_scale/√d_model)²) for every matrix, zero biases, drawn on the CPU in the order of the original code ([Q]).

    The original vocabulary has an unused token n and its context an unused position 2, and its constant attention makes
    W_Q and W_K idle: all are drawn, to keep the stream of random numbers, and dropped.
    """
    n, d_model, d_mlp = recipe.modulus, recipe.d_model, recipe.d_mlp
    heads = (recipe.n_heads, d_model, d_model // recipe.n_heads)
    generator = torch.Generator().manual_seed(seed_for(seed, "model"))
    std = recipe.init_scale / math.sqrt(d_model)

    def draw(*shape: int) -> Float[torch.Tensor, "..."]:
        return torch.empty(shape).normal_(0.0, std, generator=generator)

    W_E, W_pos = draw(n + 1, d_model), draw(3, d_model)
    draw(*heads), draw(*heads)  # W_Q, W_K
    W_V, W_O = draw(*heads), draw(heads[0], heads[2], d_model)
    W_in, W_out, W_U = draw(d_model, d_mlp), draw(d_mlp, d_model), draw(d_model, n)
    return {
        "W_E": W_E[:n].clone(),
        "W_pos": W_pos[:2].clone(),
        "W_V": W_V,
        "W_O": W_O,
        "W_in": W_in,
        "b_in": torch.zeros(d_mlp),
        "W_out": W_out,
        "b_out": torch.zeros(d_model),
        "W_U": W_U,
    }


def two_layer_mlp(recipe: Recipe, seed: int) -> Parameters:
    """init_scale · N(0, 1)/√fan-in for W_E (whose "fan-in" is d_model), W_in and W_U, drawn in this order ([M])."""
    n, d_model, d_mlp = recipe.modulus, recipe.d_model, recipe.d_mlp
    generator = torch.Generator().manual_seed(seed)

    def draw(rows: int, columns: int, fan_in: int) -> Float[torch.Tensor, "..."]:
        return torch.randn(rows, columns, generator=generator) / math.sqrt(fan_in) * recipe.init_scale

    return {
        "W_E": draw(n, d_model, d_model),
        "W_in": draw(d_model, d_mlp, d_model),
        "W_U": draw(d_mlp, n, d_mlp),
    }


def embedding_mlp(recipe: Recipe, seed: int) -> Parameters:
    """init_scale · He-normal, N(0, 2/fan-in), for every matrix, zero biases; the paper does not state it ([C] §4)."""
    shapes = ARCHITECTURES["embedding_mlp"].shapes(recipe.modulus, recipe.sizes)
    generator = torch.Generator().manual_seed(seed_for(seed, "model"))
    return {
        name: (
            torch.zeros(shape)
            if len(shape) == 1
            else torch.randn(shape, generator=generator) * math.sqrt(2 / shape[0]) * recipe.init_scale
        )
        for name, shape in shapes.items()
    }


INITIALISATIONS = {
    "pizza_transformer": pizza_transformer,
    "two_layer_mlp": two_layer_mlp,
    "embedding_mlp": embedding_mlp,
}
ROUNDING = 1e-7  # relative size of a perturbation: about the last bit of a float32


def drawn(recipe: Recipe, seed: int) -> Parameters:
    """The initial parameters of one seed; with recipe.perturbation p > 0 each times 1 + ROUNDING · N(0, 1), by the p-th draw.

    Networks that differ in p alone show what the order of float additions may change.
    """
    initial = INITIALISATIONS[recipe.architecture](recipe, seed)
    if recipe.perturbation:
        generator = torch.Generator().manual_seed(seed_for(seed, f"perturbation {recipe.perturbation}"))
        for value in initial.values():
            value *= 1 + ROUNDING * torch.randn(value.shape, generator=generator, dtype=torch.float64)
    return initial


Split = tuple[Int[np.ndarray, "m 2"], Int[np.ndarray, "q 2"]]


def numpy_split(recipe: Recipe, seed: int) -> Split:
    """Training and held-out pairs by NumPy's shuffle, from the sub-seed of the data ([Q])."""
    return shuffled_split(recipe.modulus, recipe.train_share, seed_for(seed, "dataset_seed"))


def torch_split(recipe: Recipe, seed: int) -> Split:
    """Training and held-out pairs by torch's shuffle, from the seed that also draws the weights ([M])."""
    order = torch.randperm(recipe.modulus**2, generator=torch.Generator().manual_seed(seed)).numpy()
    ordered = pairs(recipe.modulus)[order]
    return ordered[: recipe.n_train], ordered[recipe.n_train :]


SPLITS = {"pizza_transformer": numpy_split, "two_layer_mlp": torch_split, "embedding_mlp": numpy_split}


def split(recipe: Recipe, seed: int) -> Split:
    """Training and held-out pairs of one seed, each in the order of the recipe's shuffle."""
    return SPLITS[recipe.architecture](recipe, seed)
