"""The memory that training takes, estimated from the config before it starts."""

import math

from modadd.networks.architectures import ARCHITECTURES
from modadd.networks.overrides import PAIR
from modadd.networks.recipes import Recipe

PROCESS = 430e6  # bytes of a job that trains next to nothing
COPIES = 6  # of the snapshots of a run, at most, while a checkpoint is written


def training_gb(recipe: Recipe, networks: int, snapshots: int = 0) -> float:
    """The largest memory, in GB (10⁹ bytes), of a job that trains so many networks of a recipe.

    Counted: of the network in training its numbers, tables, slopes and the pairs in order; of every network the parameters at
    the end and after half of its updates, with what their file takes while it is written, and its losses; once, the logits of
    all inputs at the end, in float64; and the snapshots that are kept, with the COPIES of them that a checkpoint takes. The
    pairs are counted of every network, as a GPU trains many at once.
    """
    n = recipe.modulus
    h = recipe.d_mlp
    pairs = n**2
    table = n * h
    architecture = ARCHITECTURES[recipe.architecture]
    shapes = architecture.shapes(n, recipe.sizes)
    parameters = sum(map(math.prod, shapes.values()))
    losses = 32 * (recipe.steps + 1)
    in_training = 24 * parameters + 60 * table
    of_each = 24 * parameters + losses + PAIR * pairs
    logits = 16 * pairs * max(n, h)
    snapshot = 2 * (3 * table + 2 * pairs)
    while_saved = COPIES * snapshots * snapshot
    largest = max(logits, while_saved)
    return (PROCESS + in_training + networks * of_each + largest) / 1e9
