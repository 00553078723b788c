"""Clusters: alive neurons of one frequency, what they add to the logits, and how far one of them alone answers ([C] §4.1)."""

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
import pandas as pd
from jaxtyping import Float, Int
from scipy.stats import chi2

from modadd.cosets import coset_order
from modadd.explained import multiples_of
from modadd.fourier import spectrum
from modadd.separable import Separable
from modadd.simple_neurons import LIMITS, Kinds, Limits, ThreeDFTs, fit_simple, kinds, r_squared, replaced, three_dfts

BAND = (7.5, 30.0)  # |DFT| of a line of a fine-tuning neuron, not normalised ([C] App. B.3.1)
MOSTLY = 0.5  # share of a cluster's weight in fine-tuning neurons from which it is a fine-tuning cluster; our choice
BLOCK = 2**20  # numbers in memory at once, about

Clusters = dict[int, Int[np.ndarray, "members"]]


def clusters_of(dfts: ThreeDFTs, limits: Limits = LIMITS) -> Clusters:
    """The alive neurons of each frequency of the preactivation, in order of frequency."""
    alive = ~kinds(dfts, limits).dead
    return {int(f): np.flatnonzero(alive & (dfts.frequency == f)) for f in np.unique(dfts.frequency[alive])}


def contribution(network: Separable, members: Int[np.ndarray, "members"]) -> Float[np.ndarray, "n n n"]:
    """Σ_{i in cluster} ReLU(A_i(a) + B_i(b)) W_i(c): what some neurons add to the logits, indices (a, b, c)."""
    return np.maximum(network.A[:, None, members] + network.B[:, members], 0) @ network.W[members]


def ranks(values: Float[np.ndarray, "rows n n"], first: int = 0) -> Int[np.ndarray, "rows n"]:
    """How many answers have a strictly higher value than the right one, for every input; 0 where the argmax is right.

    Rows are a = first, first + 1 …
    """
    a, b = np.indices(values.shape[:2])
    right = values[a, b, (first + a + b) % values.shape[2]]
    return (values > right[:, :, None]).sum(axis=2)


def blocks(network: Separable) -> Iterator[slice]:
    """Slices of the residues a, such that activations and logits of one slice's inputs are about BLOCK numbers."""
    n = network.modulus
    rows = max(1, BLOCK // (n * max(n, network.width)))
    return (slice(start, min(start + rows, n)) for start in range(0, n, rows))


def cluster_ranks(network: Separable, clusters: Clusters) -> Int[np.ndarray, "clusters n n"]:
    """Rank of the right logit if the network had nothing but one cluster, for each of them ([C] Fig. 5a)."""
    found = np.empty((len(clusters), network.modulus, network.modulus), dtype=np.int64)
    for rows in blocks(network):
        for index, members in enumerate(clusters.values()):
            active = np.maximum(network.A[rows, None, members] + network.B[:, members], 0)
            found[index, rows] = ranks(active @ network.W[members], rows.start)
    return found


def share_right(network: Separable) -> float:
    """Share of all n² inputs whose right logit is the strict maximum, in little memory however wide the network."""
    right = 0
    for rows in blocks(network):
        active = np.maximum(network.A[rows, None] + network.B, 0)
        logits = active @ network.W + network.C[rows, None] + network.D
        a, b = np.indices(logits.shape[:2])
        answer = (a, b, (rows.start + a + b) % network.modulus)
        best = logits[answer]
        logits[answer] = -np.inf
        right += int((best > logits.max(axis=2)).sum())
    return right / network.modulus**2


def uniformity(phase: Float[np.ndarray, "m"]) -> float:
    """p-value of Rayleigh's test that angles are drawn uniformly from the circle; small where they crowd on one side.

    With R the length of their mean vector, 2mR² is about χ² of two degrees of freedom.
    """
    return float(chi2.sf(2 * len(phase) * np.abs(np.exp(1j * phase).mean()) ** 2, 2))


def cluster_measures(network: Separable, limits: Limits = LIMITS) -> dict[str, Any]:
    """Every number that Study C states of a network, for a row of a population; lists run over its clusters.

    Clusters are in order of frequency; rank_counts counts inputs by rank, all clusters together. Medians over no neuron
    are NaN.
    """
    dfts = three_dfts(network)
    kind, strict = kinds(dfts, limits), kinds(dfts, limits, lines_of_W=True)
    clusters, n = clusters_of(dfts, limits), network.modulus
    rank = cluster_ranks(network, clusters)
    return {
        "clusters": len(clusters),
        "cluster_frequencies": list(clusters),
        "cluster_orders": [coset_order(f, n) for f in clusters],
        "cluster_sizes": [len(members) for members in clusters.values()],
        **_of_clusters(dfts, kind, clusters),
        "cluster_rank_median": [float(np.median(of)) for of in rank],
        "cluster_rank_zero": [float((of == 0).mean()) for of in rank],
        "rank_counts": np.bincount(rank.ravel(), minlength=n).tolist(),
        **_of_kinds(dfts, kind),
        "share_strictly_simple": float(strict.simple.mean()),
        **_of_fits(network, dfts, kind),
        "fine_tuning_frequencies": fine_tuning_frequencies(network, kind),
    }


def _of_clusters(dfts: ThreeDFTs, kind: Kinds, clusters: Clusters) -> dict[str, Any]:
    weight = [float(dfts.weight[members].sum()) for members in clusters.values()]
    tuning = [float(dfts.weight[members[kind.fine_tuning[members]]].sum()) for members in clusters.values()]
    shares = [part / whole if whole else 0.0 for part, whole in zip(tuning, weight, strict=True)]
    phases = ((dfts.A.phase[members], dfts.B.phase[members]) for members in clusters.values())
    return {
        "cluster_weights": [part / (sum(weight) or 1.0) for part in weight],
        "cluster_fine_tuning": shares,
        "fine_tuning_clusters": sum(part >= MOSTLY for part in shares),
        "cluster_phase_p": [min(uniformity(at_a), uniformity(at_b)) for at_a, at_b in phases],
    }


def _of_kinds(dfts: ThreeDFTs, kind: Kinds) -> dict[str, float]:
    doubled = dfts.second_W == multiples_of(dfts.frequency, 2, dfts.modulus)[1]
    return {
        "alive": int(kind.alive.sum()),
        "share_dead": float(kind.dead.mean()),
        "share_simple": float(kind.simple.mean()),
        "share_fine_tuning": float(kind.fine_tuning.mean()),
        "share_other": float(kind.other.mean()),
        "share_idle": float(kind.idle.mean()),
        "share_fine_tuning_working": float((kind.fine_tuning & ~kind.idle).mean()),
        "share_simple_of_alive": _over(kind.simple, kind.alive),
        "share_second_line_doubled": _over(doubled, kind.simple),
    }


def _of_fits(network: Separable, dfts: ThreeDFTs, kind: Kinds) -> dict[str, float]:
    fitted, whole = (replaced(network, fit_simple(dfts, whole)) for whole in (False, True))
    explained = r_squared(network, fitted)
    return {
        "r_squared_preactivation": _median(explained.preactivation[kind.simple]),
        "r_squared_W": _median(explained.W[kind.simple]),
        "accuracy_of_fits": share_right(fitted),
        "accuracy_of_whole_fits": share_right(whole),
    }


def fine_tuning_frequencies(
    network: Separable, kind: Kinds, band: tuple[float, float] = BAND
) -> list[int]:
    """Frequencies at which an alive neuron's A_i or B_i has a DFT line of a magnitude in `band` ([C] Fig. 25).

    An upper bound on those of fine-tuning neurons, as [C] says: weak simple neurons and contaminated ones count too.
    """
    lines = np.abs(np.stack([spectrum(table[:, kind.alive]) for table in (network.A, network.B)]))
    inside = ((lines > band[0]) & (lines < band[1])).any(axis=(0, 2))
    return (1 + np.flatnonzero(inside[1:])).tolist()


def _over(some: np.ndarray, of: np.ndarray) -> float:
    return float((some & of).sum() / of.sum()) if of.any() else float("nan")


def _median(values: np.ndarray) -> float:
    return float(np.median(values)) if values.size else float("nan")
