"""Every number that Study C states of each cluster of a network: its size, cosets, phases, answers, rotation planes.

Lists are in the order of the clusters, that of their frequencies.
"""

import numpy as np
import pandas as pd
from jaxtyping import Int

from modadd.core.fourier import plane_ratio
from modadd.crt.clusters import MOSTLY, cluster_table, clusters_of
from modadd.crt.contributions import cluster_ranks
from modadd.crt.simple_neuron_measures import dfts_in, kinds_in
from modadd.networks.architectures import ARCHITECTURES
from modadd.networks.registry import Form, as_separable, measure, once
from modadd.networks.store import Network

CLUSTER = "cluster"


@once
def table_of_clusters(network: Form) -> pd.DataFrame:
    """`cluster_table`: a row for each cluster."""
    return cluster_table(dfts_in(network), kinds_in(network))


@once
def _ranks(network: Form) -> Int[np.ndarray, "clusters n n"]:
    """Rank of the right logit at every input if the network had nothing but one cluster, for each of them."""
    return cluster_ranks(as_separable(network), clusters_of(dfts_in(network)))


@measure("clusters", "1")
def clusters(network: Form) -> int:
    """How many frequencies alive neurons have ([C] §4.1)."""
    return len(table_of_clusters(network))


@measure("frequency of the cluster", "1", CLUSTER)
def cluster_frequencies(network: Form) -> list[int]:
    """The frequency of each cluster, in order ([C] §4.1)."""
    return table_of_clusters(network).frequency.tolist()


@measure("order g = gcd(f, n)", "1", CLUSTER)
def cluster_orders(network: Form) -> list[int]:
    """g = gcd(f, n), more than 1 where the cosets of a cluster are exact ([C] §5.2)."""
    return table_of_clusters(network).order.tolist()


@measure("neurons", "1", CLUSTER)
def cluster_sizes(network: Form) -> list[int]:
    """How many alive neurons a cluster has ([C] §4.1)."""
    return table_of_clusters(network)["size"].tolist()


@measure("working neurons", "1", CLUSTER)
def cluster_working(network: Form) -> list[int]:
    """How many neurons of a cluster are not idle (ours)."""
    return table_of_clusters(network).working.tolist()


@measure("share of Σ r·α", "share", CLUSTER)
def cluster_weights(network: Form) -> list[float]:
    """Share of the alive neurons' Σ r·α that a cluster has (ours)."""
    return table_of_clusters(network).weight.tolist()


@measure("share in fine-tuning neurons", "share", CLUSTER)
def cluster_fine_tuning(network: Form) -> list[float]:
    """Share of a cluster's own Σ r·α that lies in fine-tuning neurons (ours)."""
    return table_of_clusters(network).fine_tuning.tolist()


@measure("spread of phase pairs", "1", CLUSTER)
def cluster_phase_spread(network: Form) -> list[float]:
    """Clark and Evans' index of the pairs of phases of a cluster's working neurons, 1 at random (ours)."""
    return table_of_clusters(network).phase_spread.tolist()


@measure("median rank of the right answer", "1", CLUSTER)
def cluster_rank_median(network: Form) -> list[float]:
    """Median rank of the right answer over the inputs if there were nothing but the cluster ([C] Fig. 5a)."""
    return [float(np.median(rank)) for rank in _ranks(network)]


@measure("share of inputs of rank 0", "share", CLUSTER)
def cluster_rank_zero(network: Form) -> list[float]:
    """Share of the inputs that a cluster alone answers right ([C] Fig. 5a)."""
    return [float((rank == 0).mean()) for rank in _ranks(network)]


@measure("fine-tuning clusters", "1")
def fine_tuning_clusters(network: Form) -> int:
    """How many clusters have at least half of their weight in fine-tuning neurons (ours)."""
    return int((table_of_clusters(network).fine_tuning >= MOSTLY).sum())


@measure("inputs", "1", "rank")
def rank_counts(network: Form) -> list[int]:
    """Inputs by rank of the right answer, 0 … n − 1, all clusters together ([C] Fig. 5a)."""
    return np.bincount(_ranks(network).ravel(), minlength=as_separable(network).modulus).tolist()


def planes(network: Network, which: int) -> list[float]:
    """`plane_ratio` of an embedding at the frequency of every cluster; NaN at n/2, whose rotation turns no plane."""
    name = ARCHITECTURES[network.recipe.architecture].embeddings[which]
    embedding = network.parameters[name].astype(np.float64)
    n = len(embedding)
    return [plane_ratio(embedding, f) if 2 * f != n else float("nan") for f in cluster_frequencies(network)]


@measure("rotation plane of E_a, σ₂/σ₁", "1", CLUSTER)
def cluster_plane_a(network: Network) -> list[float]:
    """How evenly the embedding of a holds the plane that rotations of the cluster's frequency turn ([C] §5.3)."""
    return planes(network, 0)


@measure("rotation plane of E_b, σ₂/σ₁", "1", CLUSTER)
def cluster_plane_b(network: Network) -> list[float]:
    """How evenly the embedding of b holds the plane that rotations of the cluster's frequency turn ([C] §5.3)."""
    return planes(network, 1)
