"""The row of a network in the table of its population, and the witnesses that show what kept rows mean."""

from collections.abc import Iterable, Sequence
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pandas as pd

import modadd.attention.measures
import modadd.certificates.ball
import modadd.certificates.measures
import modadd.certificates.proof_sizes
import modadd.certificates.proofs
import modadd.crt.cluster_measures
import modadd.crt.components
import modadd.crt.coset_measures
import modadd.crt.embedding_weights
import modadd.crt.measures
import modadd.crt.waves
import modadd.handmade.measures
import modadd.populations.characters
import modadd.populations.spectral_measures
import modadd.quadrature.activated_measures
import modadd.quadrature.error_measures
import modadd.quadrature.following
import modadd.quadrature.logit_measures
import modadd.quadrature.measures
import modadd.quadrature.neuron_measures
import modadd.quadrature.square_waves
import modadd.quadrature.transformer
import modadd.two_layer.measures
from modadd.core.parquet import read_table
from modadd.networks.measures import Measure, measured, measures_in, named
from modadd.networks.recipes import Recipe
from modadd.networks.store import Network, load_network, save_networks
from modadd.populations.tables import completed, rows_like

# The modules whose measures make a row. A row of Study C has none of Study Q: its populations are large.
MECHANISM = (
    modadd.quadrature.measures,
    modadd.quadrature.following,
    modadd.certificates.measures,
    modadd.attention.measures,
    modadd.quadrature.square_waves,
)
MODULES: dict[str, tuple[ModuleType, ...]] = {
    "pizza_transformer": (
        *MECHANISM,
        modadd.quadrature.neuron_measures,
        modadd.quadrature.error_measures,
        modadd.quadrature.logit_measures,
        modadd.quadrature.transformer,
        modadd.handmade.measures,
        modadd.certificates.proofs,
        modadd.certificates.proof_sizes,
        modadd.certificates.ball,
    ),
    "two_layer_mlp": (*MECHANISM, modadd.two_layer.measures),
    "embedding_mlp": (
        modadd.crt.measures,
        modadd.crt.cluster_measures,
        modadd.crt.coset_measures,
        modadd.crt.waves,
        modadd.crt.components,
        modadd.crt.embedding_weights,
        modadd.quadrature.square_waves,
        modadd.certificates.proofs,
    ),
    "group_mlp": (modadd.populations.spectral_measures, modadd.populations.characters),
    "square_mlp": (modadd.populations.spectral_measures,),
}


# Measures of ReLU networks that ask only for tables and logits.
ANY_ACTIVATION = (
    "share_one_frequency",
    "smallest_share_preactivation",
    "median_share_preactivation",
    "median_share_preactivation_second",
    "smallest_share_neuron_logit",
    "median_share_neuron_logit",
    "r2_full_pizza",
    "r2_full_clock",
)
OF_BOTH = ("frequencies", "neurons", "secondary_share")  # there of A and B together, as all numbers of a key frequency
RESULTS = ("accuracy", "train_loss", "held_out_loss")  # of training, which every row has


def measures_of(architecture: str) -> dict[str, Measure]:
    """The measures that a row of this architecture has, by name."""
    return measures_in(*MODULES[architecture])


def measures_for(recipe: Recipe) -> dict[str, Measure]:
    """The measures that a row of this recipe has: where the neurons compute something else, those that hold for any."""
    return measures_of(recipe.architecture) if recipe.has_own_activation else measures_of_any_activation()


def measures_of_any_activation() -> dict[str, Measure]:
    """The measures of a network of two tables that ask for no ReLUs, by name."""
    found = {name: named(f"{name}_of_both") for name in OF_BOTH} | {name: named(name) for name in ANY_ACTIVATION}
    activated = measures_in(modadd.quadrature.activated_measures, modadd.attention.measures)
    return found | {name: of for name, of in activated.items() if not name.endswith("_of_both")}


def row_of(network: Network) -> dict[str, Any]:
    """One line of a population's table: recipe, seed, what trained it, its results, all measures of its architecture.

    A measure with one number for each of several things is a list in their order; NaN stands for what cannot be measured.
    """
    recipe = {key: value for key, value in network.recipe.as_dict().items() if key != "source"}
    found = measured(network, measures_for(network.recipe))
    return recipe | {"seed": network.seed, **network.origin, **network.results, **found}


TOLERANCE = 1e-6  # relative: what other orders of float64 sums may change
SEVERAL, LARGE = 2, 36_000  # witnesses of a table; bytes of parameters above which one must do


def folder_of(kept: Path) -> Path:
    """Where the witnesses of a kept table are."""
    return kept.parent / "witnesses" / kept.stem


def keep_witnesses(networks: Sequence[Network], kept: Path) -> None:
    """Keep the first networks, each in a file of its own, as witnesses of a table."""
    size = sum(value.nbytes for value in networks[0].parameters.values())
    for index, network in enumerate(networks[: 1 if size > LARGE else SEVERAL]):
        save_networks([network], folder_of(kept) / f"{index}.safetensors")


def check_witnesses(kept: Path) -> int:
    """Measure a table's witnesses with today's code and return their number.

    A table that has none of its own shares those of other tables whose networks have a row in it, too. Raises
    ValueError naming table, network and column where one is not measured as its row says, or has no row.
    """
    rows, own = completed(read_table(kept)), sorted(folder_of(kept).glob("*.safetensors"))
    networks = {file: load_network(file) for file in own or sorted(kept.parent.glob("witnesses/*/*.safetensors"))}
    files = own or [file for file in networks if rows_like(networks[file], rows).any()]
    for file in files:
        again, same = row_of(networks[file]), rows_like(networks[file], rows)
        if same.sum() != 1:
            raise ValueError(
                f"{kept}: expected one row of the witness {file}, found {same.sum()}; restore both (`git restore "
                f"{kept.parent}`), or move the table away, train its networks and keep them again"
            )
        for name in different(rows[same].iloc[0], again):
            raise ValueError(
                f"{kept}: column '{name}' of the witness {file} is {rows[same].iloc[0].get(name)}, measured today "
                f"{again[name]}: its rows hold another definition; move the table away, train its networks and keep "
                f"them again (`make keep POPULATION={kept.stem}`), or keep the old definition"
            )
    return len(files)


def different(row: pd.Series, again: dict[str, Any]) -> Iterable[str]:
    """Columns whose value is another one by more than TOLERANCE; a row may lack a measure that came after it."""
    for name, value in again.items():
        kept = row.get(name)
        came_later = np.ndim(kept) == 0 and pd.isna(kept)
        if not came_later and not _alike(kept, value):
            yield name


def _alike(one: Any, other: Any) -> bool:
    if isinstance(one, str) or isinstance(other, str):
        return one == other
    one, other = _flat(one), _flat(other)
    return one.shape == other.shape and np.allclose(one, other, rtol=TOLERANCE, atol=1e-9, equal_nan=True)


def _flat(value: Any) -> np.ndarray:
    """The numbers of a value, lists of lists too, in order; NaN for nothing."""
    if isinstance(value, list | tuple | np.ndarray):
        return np.concatenate([np.empty(0), *map(_flat, value)])
    return np.array([np.nan if value is None else value], float)
