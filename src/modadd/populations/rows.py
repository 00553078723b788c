"""The row of a network in the table of its population."""

from collections.abc import Mapping
from typing import Any

from modadd.networks.recipes import Recipe
from modadd.networks.registry import Measure, measured
from modadd.networks.store import Network

# What is also measured after half of the updates: a number that is the same at both has settled. In one text, as a name that
# stands alone would make every row depend on the code of its measure.
COUNTS = (
    "frequencies neurons key_set number_of_key_frequencies W_U_frequencies spectral_count character_neurons working_neurons "
    "clusters cluster_frequencies cluster_sizes cluster_working fine_tuning_clusters "
    "share_dead share_simple share_fine_tuning share_other share_idle share_pure"
).split()
HALF = "halfway_"  # begins the names of the columns of these
RESULTS = ("accuracy", "train_loss", "held_out_loss")  # of training, which every row has


def kind_of(recipe: Recipe) -> str:
    """The module of `populations.columns` for networks of this recipe."""
    return recipe.architecture if recipe.has_own_activation else "any_activation"


def row_of(network: Network, columns: Mapping[str, Measure]) -> dict[str, Any]:
    """One line of a population's table: recipe, seed, what trained it, its results, and the columns of its kind.

    A measure with one number for each of several things is a list in their order; NaN stands for what cannot be measured.
    Those of COUNTS stand there a second time, of the network after half of its updates.
    """
    recipe = {key: value for key, value in network.recipe.as_dict().items() if key != "source"}
    row = recipe | {"seed": network.seed, **network.origin, **network.results, **measured(network, columns)}
    if before := network.after_half():
        counts = {name: columns[name] for name in COUNTS if name in columns}
        row |= {f"{HALF}{name}": value for name, value in measured(before, counts).items()}
    return row
