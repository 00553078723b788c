"""The initial weights of one seed, optionally changed: in their last bit, in a space of functions on Z_n, or in their sizes."""

import numpy as np
from jaxtyping import Float

from modadd.core.fourier import angular_frequency
from modadd.networks.architectures import ARCHITECTURES
from modadd.networks.initialisation import INITIALISATIONS, Parameters, seed_for
from modadd.networks.recipes import DIRECTIONS, FACTORED, FACTORS, FREQUENCY, NOTHING, REST, Recipe

_ROUNDING = 1e-7  # relative size of a perturbation: about the last bit of a float32


def drawn(recipe: Recipe, seed: int) -> Parameters:
    """The initial parameters of one seed, each changed as the recipe's `perturbation`, `scaled` and `scaled_by` say.

    A perturbation is a factor 1 + _ROUNDING · N(0, 1): networks that differ in it alone show what the order of float
    additions may change. Scaled is the part, in one space of functions on Z_n, of what embeds a and b and what reads out c; or
    every factor of A and B, of which there are as many in each, and W by the inverse: the first logits stay as they are.
    """
    import torch

    initial = INITIALISATIONS[recipe.architecture](recipe, seed)
    if recipe.perturbation:
        generator = torch.Generator().manual_seed(seed_for(seed, f"perturbation {recipe.perturbation}"))
        for value in initial.values():
            value *= 1 + _ROUNDING * torch.randn(value.shape, generator=generator, dtype=torch.float64)
    architecture = ARCHITECTURES[recipe.architecture]
    if recipe.scaled == FACTORS:
        factors = FACTORED[recipe.architecture]
        for name in factors:
            initial[name] *= recipe.scaled_by
        initial[architecture.readout] /= recipe.scaled_by ** (len(factors) // 2)
    elif recipe.scaled != NOTHING:
        n, scaled = recipe.modulus, recipe.scaled
        space = torch.from_numpy(rest_of(n, seed) if scaled == REST else plane_of(scaled, n, seed))
        embeddings = [initial[name] for name in sorted(set(architecture.embeddings))]
        for table in (*embeddings, initial[architecture.readout].T):
            table += (recipe.scaled_by - 1) * space @ (space.T @ table.double())
    return initial


def chosen_frequency(n: int, seed: int) -> int:
    """The frequency whose initial weights a seed scales, drawn from those with a plane of their own, 1 ≤ k < n/2."""
    # The labels here and below are those that kept rows were drawn with.
    return 1 + int(np.random.default_rng(seed_for(seed, "competition frequency")).integers((n - 1) // 2))


def plane_of(scaled: str, n: int, seed: int) -> Float[np.ndarray, "n 2"]:
    """An orthonormal basis: of cosine and sine of the chosen frequency, or of as many random directions without mean."""
    if scaled == FREQUENCY:
        angles = angular_frequency(chosen_frequency(n, seed), n) * np.arange(n)
        return np.stack([np.cos(angles), np.sin(angles)], axis=1) * np.sqrt(2 / n)
    directions = np.random.default_rng(seed_for(seed, "competition control")).normal(size=(n, 2))
    return np.linalg.qr(directions - directions.mean(axis=0))[0]


def rest_of(n: int, seed: int) -> Float[np.ndarray, "n d"]:
    """An orthonormal basis of all functions on Z_n that are orthogonal to as many random ones as `DIRECTIONS`."""
    kept = np.random.default_rng(seed_for(seed, "directions kept")).normal(size=(n, DIRECTIONS))
    return np.linalg.qr(kept, mode="complete")[0][:, DIRECTIONS:]
