"""Circles and Lissajous curves: principal components of the embeddings, and what neurons receive ([C] §5.5, App. B.1).

Two waves x and y, each of variance 1, draw a circle where ρ² = (x² + y²)/2 does not vary; of two frequencies its standard
deviation is ½. Of no pair, component or cluster all is NaN.
"""

import math
from typing import NamedTuple

import numpy as np
import pandas as pd
from jaxtyping import Bool, Float, Int

from modadd.attention.pizza_measures import principal_components
from modadd.core.fourier import primary_frequency, share_of_variance, variance_by_frequency
from modadd.core.groups import as_addition
from modadd.crt.cluster_measures import cluster_frequencies, cluster_plane_a, cluster_plane_b, cluster_working
from modadd.crt.coset_measures import mean_or_nan, working_simple
from modadd.crt.projections import fourfold, roundness
from modadd.crt.simple_neuron_measures import dfts_in, kinds_in, median_of, working
from modadd.networks.architectures import ARCHITECTURES
from modadd.networks.registry import Form, as_separable, measure, once
from modadd.networks.store import Network

CIRCULAR = 1 / 3  # standard deviation of ρ² below which a pair is circular
PURE = 0.95  # share of its variance at one frequency from which a component or neuron is pure
FEWEST_OF_PLANE = 5  # working neurons of a cluster whose rotation plane is looked at
_FEWEST = 12  # components looked at; more where there are more than half as many clusters


class Components(NamedTuple):
    """Scores of the residues on the strongest principal components, their frequencies, shares of variance there."""

    scores: Float[np.ndarray, "n m"]
    frequency: Int[np.ndarray, "m"]
    share: Float[np.ndarray, "m"]


@once
def embedding(network: Network) -> Float[np.ndarray, "n d"]:
    """E_a and E_b side by side: a row for each pair (a, a) in the order in which the network adds ([C] App. B.1)."""
    names = ARCHITECTURES[network.recipe.architecture].embeddings
    first, second, _ = as_addition(network.recipe.operation, network.recipe.modulus)
    rows = zip(names, (first, second), strict=False)  # one embedding may serve both
    return np.hstack([network.parameters[name][order].astype(np.float64) for name, order in rows])


@once
def components(network: Network) -> Components:
    """The strongest principal components of the embeddings side by side, two for each cluster at least."""
    scores = principal_components(embedding(network))[:, : max(_FEWEST, 2 * len(cluster_frequencies(network)))]
    if not scores.size:
        return Components(scores, np.empty(0, dtype=int), np.empty(0))
    frequency = primary_frequency(scores)
    return Components(scores, frequency, share_of_variance(scores, frequency))


@once
def component_pairs(network: Network) -> pd.DataFrame:
    """Every pair of these components: whether of one frequency, standard deviation of ρ², purity, whether the rule holds."""
    scores, frequency, share = components(network)
    i, j = np.triu_indices(len(frequency), 1)
    table = pd.DataFrame({"first": i + 1, "second": j + 1, "same cluster": frequency[i] == frequency[j]})
    table["std of rho2"], table["smaller share"] = roundness(scores)[i, j], np.minimum(share[i], share[j])
    table["pure"], table["circular"] = table["smaller share"] >= PURE, table["std of rho2"] < CIRCULAR
    return table.assign(**{"rule holds": table.circular == table["same cluster"]})


@measure("pure pairs that keep the rule", "share")
def share_of_pure_pairs_by_rule(network: Network) -> float:
    """Share of the pairs of pure components that draw a circle if and only if they have one frequency ([C] §5.5)."""
    of = component_pairs(network)
    return mean_or_nan(of["rule holds"][of.pure].to_numpy())


@measure("components at frequencies of clusters", "share")
def components_in_clusters(network: Network) -> float:
    """Share of the strongest principal components, two for each cluster, at the frequency of a cluster ([C] App. B.1)."""
    clusters = cluster_frequencies(network)
    return mean_or_nan(np.isin(components(network).frequency[: 2 * len(clusters)], clusters))


@measure("variance at frequencies of clusters", "share")
def variance_in_clusters(network: Network) -> float:
    """Share of the variance of the embeddings at the frequencies of clusters ([C] §5.5)."""
    variance = variance_by_frequency(embedding(network)).sum(axis=1)
    total = variance[1:].sum()
    return float(variance[cluster_frequencies(network)].sum() / total) if total > 0 else float("nan")


@measure("fourfold order of the phases,\nmedian cluster", "1")
def median_fourfold(network: Form) -> float:
    """Median |Σ r e^(4iφ)|/Σ r of the working neurons of a cluster, 1 for phases a quarter turn apart ([C] §5.3)."""
    dfts, chosen = dfts_in(network), kinds_in(network).alive & working(network)
    of_cluster = [chosen & (dfts.frequency == f) for f in cluster_frequencies(network)]
    return median_of(
        np.array(
            [fourfold(side.phase[m], side.amplitude[m]) for m in of_cluster if m.any() for side in (dfts.A, dfts.B)]
        )
    )


class Curves(NamedTuple):
    """Of every pair of working simple neurons of different clusters: is the curve no circle, and are both neurons pure."""

    not_circular: Bool[np.ndarray, "pairs"]
    pure: Bool[np.ndarray, "pairs"]


@once
def curves(network: Form) -> Curves:
    """The curves that pairs of neurons draw with what they receive from a."""
    chosen = working_simple(network)
    received, f = as_separable(network).A[:, chosen], dfts_in(network).frequency[chosen]
    pure, other = share_of_variance(received, f) >= PURE, f != f[:, None]
    return Curves((roundness(received) >= CIRCULAR)[other], (pure & pure[:, None])[other])


@measure("pairs of neurons that draw no circle", "share")
def neurons_not_circular(network: Form) -> float:
    """Share of the pairs of simple neurons of different clusters whose curve is no circle ([C] §5.5)."""
    return mean_or_nan(curves(network).not_circular)


@measure("pairs of neurons that draw a Lissajous curve", "share")
def neurons_draw_lissajous(network: Form) -> float:
    """Share of the pairs of simple neurons of different clusters that are pure and whose curve is no circle ([C] §5.5)."""
    return mean_or_nan(curves(network).not_circular & curves(network).pure)


@measure("least even rotation plane, σ₂/σ₁", "1")
def least_even_plane(network: Network) -> float:
    """Smallest σ₂/σ₁ of a rotation plane in E_a and E_b, of clusters of at least five working neurons ([C] §5.3).

    NaN if no such cluster has a plane, as those of n/2 have none.
    """
    found = zip(cluster_plane_a(network), cluster_plane_b(network), cluster_working(network), strict=True)
    smaller = [min(a, b) for a, b, size in found if size >= FEWEST_OF_PLANE and not math.isnan(a + b)]
    return min(smaller, default=float("nan"))
