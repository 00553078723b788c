"""The memory that training takes, estimated from the config before it starts."""

import math

from modadd.networks.architectures import ARCHITECTURES
from modadd.networks.overrides import PAIR
from modadd.networks.recipes import Recipe

PROCESS = 490e6  # bytes of a job that trains next to nothing
_BLOCK = 2048  # pairs whose neurons and logits training holds at a time, at most
COPIES = 6  # of the snapshots of a run, at most, while a checkpoint is written


def training_gb(recipe: Recipe, networks: int, snapshots: int = 0) -> float:
    """The largest memory, in GB (10⁹ bytes), of a job that trains so many networks of a recipe at once.

    Counted from the arrays of training: of every network parameters, gradient, moments and checkpoint, three tables
    with their gradients, and the indices of every pair; once, the logits of all inputs at the end, in float64; and the
    snapshots that are kept of every network, with the COPIES of them that a checkpoint takes. On a GPU the networks
    are trained in groups, so the estimate is a limit there.
    """
    n = recipe.modulus
    h = recipe.d_mlp
    pairs = n**2
    table = n * h
    architecture = ARCHITECTURES[recipe.architecture]
    shapes = architecture.shapes(n, recipe.sizes)
    parameters = sum(map(math.prod, shapes.values()))
    losses = 32 * (recipe.steps + 1)
    kept = 40 * parameters + 60 * table + losses
    block = 2 * 4 * _BLOCK * (2 * h + n)
    snapshot = 2 * (3 * table + 2 * pairs)
    logits = 16 * pairs * max(n, h)
    while_pairs_are_sorted = networks * (kept + PAIR * pairs)
    at_the_end = networks * (kept + 40 * pairs) + logits
    while_saved = networks * (kept + COPIES * snapshots * snapshot)
    largest = max(while_pairs_are_sorted, at_the_end, while_saved)
    return (PROCESS + block + largest) / 1e9
