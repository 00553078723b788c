"""Exact initial parameters of each architecture: which tensors are drawn, in which order, from which seed."""

import math

import torch
from jaxtyping import Float

from modadd.recipes import Recipe
from modadd.residues import seed_for

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


INITIALISATIONS = {"pizza_transformer": pizza_transformer}
