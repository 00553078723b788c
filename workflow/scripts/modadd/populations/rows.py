"""The row of a network in the table of its population, and the witnesses that show what kept rows mean."""

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from jaxtyping import Shaped

from modadd.attention.measures import attention_measures
from modadd.core.neurons import neurons_of
from modadd.core.parquet import read_table
from modadd.crt.clusters import cluster_measures
from modadd.crt.projections import plane_ratio
from modadd.networks.architectures import ARCHITECTURES
from modadd.networks.store import Network, load_network, save_networks
from modadd.populations.characters import character_measures
from modadd.populations.measures import measures, variance
from modadd.populations.proofs import proof_measures, radius_measures
from modadd.populations.spectra import spectral_measures
from modadd.populations.tables import LATER, PLANES, completed, rows_like
from modadd.quadrature.activated import activated_measures
from modadd.two_layer.readout import readout_measures

WIDTH = 0.025  # of a bin: the interval that [C] leaves out, (−0.025, 0.025), is two of them
LARGEST = 3.0  # what lies further out is counted in the outermost bins; [C] sees weights up to 2
EDGES = WIDTH * np.arange(-round(LARGEST / WIDTH), round(LARGEST / WIDTH) + 1)


def embedding_measures(network: Network) -> dict[str, Any]:
    """For a row of a population: of all 2·n·d_model weights, counts between EDGES, share outside [−1, 1], largest size.

    Raises KeyError for an architecture that has one embedding for both numbers.
    """
    weights = np.concatenate([network.parameters[name].ravel() for name in ("E_a", "E_b")]).astype(np.float64)
    return {
        "embedding_counts": np.histogram(np.clip(weights, EDGES[0], EDGES[-1]), EDGES)[0].tolist(),
        "embedding_outside_one": float((np.abs(weights) > 1).mean()),
        "embedding_largest": float(np.abs(weights).max()),
    }


def plane_measures(network: Network, clusters: Sequence[int]) -> dict[str, list[float]]:
    """For a row of a population: `plane_ratio` of E_a and of E_b at the frequency of every cluster, in their order."""
    return {
        name: [plane_ratio(network.parameters[E].astype(np.float64), f) for f in clusters]
        for name, E in zip(PLANES, ARCHITECTURES[network.recipe.architecture].embeddings, strict=True)
    }


def share_beyond(counts: Shaped[np.ndarray, "bins"], size: float) -> float:
    """Share of binned weights of a magnitude above `size`, which must be an edge; NaN of none.

    Raises ValueError for a size inside a bin.
    """
    inner = size / WIDTH
    if abs(inner - round(inner)) > 1e-9:
        raise ValueError(f"size: expected a multiple of {WIDTH:g}, the width of a bin, got {size:g}")
    middle, steps = len(counts) // 2, round(inner)
    total = counts.sum()
    return float(1 - counts[middle - steps : middle + steps].sum() / total) if total else float("nan")


def row_of(network: Network) -> dict[str, Any]:
    """One line of a population's table: recipe, seed, what trained it, its results, the measures of its study.

    Spectral measures for the networks of [T], of those with ReLU also the schemes of their characters. Those of Study Q
    and of [Z] for transformers, with what is proven of them, and for two-layer MLPs, with those of [M]. The clusters and
    embedding weights of Study C, and what is proven, for embedding MLPs, whose populations are large. Networks with
    another activation than their architecture's have measures that hold for any, instead. A measure with one number per
    key frequency, or per cluster, is a list in their order; NaN stands for what cannot be measured.
    """
    recipe = {key: value for key, value in network.recipe.as_dict().items() if key != "source"}
    own = network.recipe.has_own_activation
    found = (MEASURES[network.recipe.architecture] if own else _of_any_activation)(network)
    return recipe | {"seed": network.seed, **network.origin, **network.results, **found}


def _of_mechanism(network: Network) -> dict[str, Any]:
    return measures(network.separable()) | attention_measures(network.embedded())


def _of_mechanism_and_proofs(network: Network) -> dict[str, Any]:
    return _of_mechanism(network) | proof_measures(network.separable()) | radius_measures(network)


def _of_mechanism_and_readout(network: Network) -> dict[str, Any]:
    return _of_mechanism(network) | readout_measures(network.separable())


def _of_clusters(network: Network) -> dict[str, Any]:
    separable = network.separable()
    found = cluster_measures(separable)
    planes = plane_measures(network, found["cluster_frequencies"])
    return found | planes | embedding_measures(network) | proof_measures(separable)


def _of_any_activation(network: Network) -> dict[str, Any]:
    tables = network.tables()
    found = variance(neurons_of(tables)) | activated_measures(tables, network.recipe.activation)
    return found | attention_measures(network.embedded())


def _of_characters(network: Network) -> dict[str, Any]:
    return spectral_measures(network) | character_measures(network)


MEASURES: dict[str, Callable[[Network], dict[str, Any]]] = {
    "pizza_transformer": _of_mechanism_and_proofs,
    "two_layer_mlp": _of_mechanism_and_readout,
    "embedding_mlp": _of_clusters,
    "group_mlp": _of_characters,
    "square_mlp": spectral_measures,
}


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
    """Columns that a row lacks, or whose value is another one by more than TOLERANCE; not those of LATER that it lacks."""
    for name, value in again.items():
        kept = row.get(name)
        if name in LATER and np.ndim(kept) == 0 and pd.isna(kept):
            continue
        if name not in row or not _alike(row[name], value):
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
