"""The row of a network in the table of its population."""

from collections.abc import Mapping
from typing import Any

from modadd.networks.measures import Measure, measured
from modadd.networks.recipes import Recipe
from modadd.networks.store import Network

RESULTS = ("accuracy", "train_loss", "held_out_loss")  # of training, which every row has


def kind_of(recipe: Recipe) -> str:
    """The module of `populations.columns` for networks of this recipe."""
    return recipe.architecture if recipe.has_own_activation else "any_activation"


def row_of(network: Network, columns: Mapping[str, Measure]) -> dict[str, Any]:
    """One line of a population's table: recipe, seed, what trained it, its results, and the columns of its kind.

    A measure with one number for each of several things is a list in their order; NaN stands for what cannot be measured.
    """
    recipe = {key: value for key, value in network.recipe.as_dict().items() if key != "source"}
    return recipe | {"seed": network.seed, **network.origin, **network.results, **measured(network, columns)}
