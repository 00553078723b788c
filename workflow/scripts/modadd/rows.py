"""The row of a network in the table of its population."""

from collections.abc import Callable
from typing import Any

from modadd.attention_measures import attention_measures, embedded_of
from modadd.clusters import cluster_measures
from modadd.embedding_weights import embedding_measures
from modadd.fourier_basis import readout_measures
from modadd.measures import measures
from modadd.networks import Network


def row_of(network: Network) -> dict[str, Any]:
    """One line of a population's table: the recipe, the seed, what trained it, its results, and the measures of its study.

    Those of Study Q and of [Z] for transformers and two-layer MLPs, for the latter those of [M] too; the clusters and
    embedding weights of Study C for embedding MLPs, whose populations are large. A measure with one number per key
    frequency, or per cluster, is a list in their order; NaN stands for what cannot be measured.
    """
    recipe = {key: value for key, value in network.recipe.as_dict().items() if key != "source"}
    found = MEASURES[network.recipe.architecture](network)
    return recipe | {"seed": network.seed, **network.origin, **network.results, **found}


def _of_mechanism(network: Network) -> dict[str, Any]:
    embedded = embedded_of(network.recipe.architecture, network.parameters)
    return measures(network.separable()) | attention_measures(embedded)


def _of_mechanism_and_readout(network: Network) -> dict[str, Any]:
    return _of_mechanism(network) | readout_measures(network.separable())


def _of_clusters(network: Network) -> dict[str, Any]:
    return cluster_measures(network.separable()) | embedding_measures(network)


MEASURES: dict[str, Callable[[Network], dict[str, Any]]] = {
    "pizza_transformer": _of_mechanism,
    "two_layer_mlp": _of_mechanism_and_readout,
    "embedding_mlp": _of_clusters,
}
