"""Initial parameters and splits as the published code draws them, from seeds derived from one integer."""

import hashlib
import json
import math
from typing import Any

import numpy as np
from jaxtyping import Float, Int

from modadd.networks.architectures import ARCHITECTURES
from modadd.networks.jax_draws import Key, he_normal, permutation
from modadd.networks.recipes import Recipe


def seed_for(seed: int, label: str) -> int:
    """The sub-seed that `label` draws from one integer seed, in [0, 2³²).

    Little-endian integer of the first four bytes of a zero byte followed by md5 of the JSON list [seed,"label"],
    which is how the quadrature study derives its model and data seeds ([Q]).
    """
    message = json.dumps([seed, label], separators=(",", ":")).encode()
    return int.from_bytes((b"\x00" + hashlib.md5(message, usedforsecurity=False).digest())[:4], "little")


def all_pairs(n: int) -> Int[np.ndarray, "n_squared 2"]:
    """All ordered pairs (a, b) of residues mod n in product order, a major."""
    a, b = np.divmod(np.arange(n * n), n)
    return np.stack([a, b], axis=1)


def shuffled_split(n: int, train_pairs: int, seed: int) -> tuple[Int[np.ndarray, "m 2"], Int[np.ndarray, "q 2"]]:
    """Training and held-out pairs: product order shuffled by NumPy's default generator, the first ones train ([Q])."""
    order = np.arange(n * n)
    np.random.default_rng(seed).shuffle(order)
    everything = all_pairs(n)[order]
    return everything[:train_pairs], everything[train_pairs:]


Parameters = dict[str, Float[Any, "..."]]  # tensors of torch; it takes long to import, so only what draws imports it


def pizza_transformer(recipe: Recipe, seed: int) -> Parameters:
    """N(0, (init_scale/√d_model)²) for every matrix, zero biases, drawn in the order of the original code ([Q]).

    The original vocabulary has an unused token n and its context an unused position 2, and its constant attention makes
    W_Q and W_K idle: all are drawn, to keep the stream of random numbers, and dropped.
    """
    import torch

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
    import torch

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
    import torch

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


def group_mlp(recipe: Recipe, seed: int) -> Parameters:
    """N(0, init_scale²/n) for every coordinate of U, V and W_out ([T])."""
    import torch

    shapes = ARCHITECTURES[recipe.architecture].shapes(recipe.modulus, recipe.sizes)
    generator = torch.Generator().manual_seed(seed_for(seed, "model"))
    std = recipe.init_scale / math.sqrt(recipe.modulus)
    return {name: std * torch.randn(shape, generator=generator) for name, shape in shapes.items()}


def factored_mlp(recipe: Recipe, seed: int) -> Parameters:
    """init_scale · N(0, 1/n) for every row of n numbers, and N(0, 1/d_model) for every matrix behind an embedding (ours).

    So with an init_scale of 1 every coordinate of both products has variance 1/n, as U and V of `group_mlp` have.
    """
    import torch

    n, d_model = recipe.modulus, recipe.d_model
    shapes = ARCHITECTURES[recipe.architecture].shapes(n, recipe.sizes)
    generator = torch.Generator().manual_seed(seed_for(seed, "model"))
    fan_in = {name: n if name in ("E_a", "E_b", "W_out") else d_model for name in shapes}
    return {
        name: recipe.init_scale / math.sqrt(fan_in[name]) * torch.randn(shape, generator=generator)
        for name, shape in shapes.items()
    }


# By parameter, the module of flax that draws it.
_MODULES = {
    "E_a": "embedding_a",
    "E_b": "embedding_b",
    "W_E": "shared_embed",
    "W_in": "dense_1",
    "W_out": "output_dense",
}


def flax_mlp(recipe: Recipe, seed: int) -> Parameters:
    """init_scale · He-normal, truncated, for every kernel and embedding, zero biases, as jax and flax draw them ([L]).

    U and V are halves of one kernel, of a layer that reads both numbers one-hot: their fan-in is 2n.
    """
    import torch

    n, key = recipe.modulus, Key(0, seed)
    shapes = ARCHITECTURES[recipe.architecture].shapes(n, recipe.sizes)
    drawn = {name: np.zeros(shape, np.float32) for name, shape in shapes.items()}
    for name, module in _MODULES.items():
        if name in drawn:
            drawn[name] = he_normal(key.of_parameter(module), *shapes[name])
    if "U" in drawn:
        both = he_normal(key.of_parameter(_MODULES["W_in"]), 2 * n, recipe.d_mlp)
        drawn |= {"U": both[:n], "V": both[n:]}
    return {name: torch.from_numpy(value * np.float32(recipe.init_scale)) for name, value in drawn.items()}


INITIALISATIONS = {
    "pizza_transformer": pizza_transformer,
    "two_layer_mlp": two_layer_mlp,
    "embedding_mlp": embedding_mlp,
    "group_mlp": group_mlp,
    "square_mlp": group_mlp,
    "factored_mlp": factored_mlp,
    "twice_factored_mlp": factored_mlp,
    "flax_one_hot_mlp": flax_mlp,
    "flax_one_embedding_mlp": flax_mlp,
    "flax_two_embedding_mlp": flax_mlp,
}
Split = tuple[Int[np.ndarray, "m 2"], Int[np.ndarray, "q 2"]]


def numpy_split(recipe: Recipe, seed: int) -> Split:
    """Training and held-out pairs by NumPy's shuffle, from the sub-seed of the data ([Q])."""
    return shuffled_split(recipe.modulus, recipe.train_pairs, seed_for(seed, "dataset_seed"))


def torch_split(recipe: Recipe, seed: int) -> Split:
    """Training and held-out pairs by torch's shuffle, from the seed that also draws the weights ([M])."""
    import torch

    order = torch.randperm(recipe.modulus**2, generator=torch.Generator().manual_seed(seed)).numpy()
    ordered = all_pairs(recipe.modulus)[order]
    return ordered[: recipe.train_pairs], ordered[recipe.train_pairs :]


def jax_split(recipe: Recipe, seed: int) -> Split:
    """Training and held-out pairs by jax's permutation, from the seed that also draws the weights ([L])."""
    ordered = all_pairs(recipe.modulus)[permutation(Key(0, seed), recipe.modulus**2)]
    return ordered[: recipe.train_pairs], ordered[recipe.train_pairs :]


SPLITS = {
    "pizza_transformer": numpy_split,
    "two_layer_mlp": torch_split,
    "embedding_mlp": numpy_split,
    "group_mlp": numpy_split,
    "square_mlp": numpy_split,
    "factored_mlp": numpy_split,
    "twice_factored_mlp": numpy_split,
    "flax_one_hot_mlp": jax_split,
    "flax_one_embedding_mlp": jax_split,
    "flax_two_embedding_mlp": jax_split,
}


def split(recipe: Recipe, seed: int) -> Split:
    """Training and held-out pairs of one seed, each in the order of the recipe's shuffle."""
    return SPLITS[recipe.architecture](recipe, seed)


def batches_of(recipe: Recipe, seed: int, epoch: int = 0) -> Int[np.ndarray, "batches m 2"]:
    """The training pairs of one pass in batches; a reshuffled recipe draws a new order for each pass but the first."""
    chosen = split(recipe, seed)[0]
    if recipe.reshuffled and epoch:
        np.random.default_rng(seed_for(seed, f"epoch {epoch}")).shuffle(chosen)
    return chosen.reshape(-1, recipe.pairs_per_update, 2)
