"""Clusters: alive neurons of one frequency ([C] §4.1), in a table of one row each; and lines in a band."""

import numpy as np
import pandas as pd
from jaxtyping import Bool, Float, Int

from modadd.core.fourier import spectrum
from modadd.core.neurons import ThreeDFTs
from modadd.core.separable import Separable
from modadd.crt.cosets import clark_evans_index, coset_order, rayleigh_p, step
from modadd.crt.simple_neurons import LIMITS, Kinds, Limits, kinds

BAND = (7.5, 30.0)  # |DFT| of a line of a fine-tuning neuron, not normalised ([C] App. B.3.1)
SPIKE = 60.0  # |DFT| above which the line of a simple neuron lies (the same place)
NEAR_ZERO = 4.0  # |DFT| below which its other lines usually lie (the same place)
NOT_NEAR_ZERO = 2.0  # |DFT| above which a line is not near 0, half of that; our choice
SEVERAL = 3  # lines that a fine-tuning neuron usually has in BAND (the same place)
MOSTLY = 0.5  # share of a cluster's weight in fine-tuning neurons from which it is a fine-tuning cluster; our choice

Clusters = dict[int, Int[np.ndarray, "members"]]


def clusters_of(dfts: ThreeDFTs, limits: Limits = LIMITS) -> Clusters:
    """The alive neurons of each frequency of the preactivation, in order of frequency."""
    alive = ~kinds(dfts, limits).dead
    return {int(f): np.flatnonzero(alive & (dfts.frequency == f)) for f in np.unique(dfts.frequency[alive])}


def strongest(dfts: ThreeDFTs, clusters: Clusters, most: int) -> Clusters:
    """The clusters of greatest weight Σ r·α, at most `most` of them, in order of frequency."""
    order = sorted(clusters, key=lambda f: -dfts.weight[clusters[f]].sum())
    return {f: clusters[f] for f in sorted(order[:most])}


def cluster_table(dfts: ThreeDFTs, kind: Kinds) -> pd.DataFrame:
    """One row per cluster, in order of frequency.

    order: g = gcd(f, n), more than 1 where cosets are exact; step: d. size, working: neurons, and those not idle.
    weight: share of the network's Σ r·α; fine_tuning: share of the cluster's own that lies in fine-tuning neurons.
    phase_p: the smaller p-value of Rayleigh's test of the phases of A and of B; phase_spread: Clark and Evans' index of
    their pairs, NaN for f = n/2, where each phase is 0 or π.
    """
    total, n = dfts.weight[kind.alive].sum(), dfts.modulus
    rows = []
    for f in np.unique(dfts.frequency[kind.alive]).tolist():
        members = kind.alive & (dfts.frequency == f)
        own, tuning = dfts.weight[members].sum(), dfts.weight[members & kind.fine_tuning].sum()
        at_a, at_b = (cosine.phase[members & ~kind.idle] for cosine in (dfts.A, dfts.B))
        rows.append(
            {
                "frequency": f,
                "order": coset_order(f, n),
                "step": step(f, n),
                "size": int(members.sum()),
                "working": len(at_a),
                "weight": own / total if total else 0.0,
                "fine_tuning": tuning / own if own else 0.0,
                "phase_p": min(rayleigh_p(at_a), rayleigh_p(at_b)),
                "phase_spread": clark_evans_index(at_a, at_b) if 2 * f != n else float("nan"),
            }
        )
    return pd.DataFrame(rows, columns=list(_COLUMNS)).astype(_COLUMNS)


_COLUMNS = {name: int for name in ("frequency", "order", "step", "size", "working")} | {
    name: float for name in ("weight", "fine_tuning", "phase_p", "phase_spread")
}


def lines_in_band(network: Separable, chosen: Bool[np.ndarray, "h"]) -> list[int]:
    """Frequencies at which A_i or B_i of a chosen neuron has a DFT line of a magnitude inside BAND ([C] Fig. 25).

    Of all alive neurons, an upper bound on the frequencies of fine-tuning ones, as [C] says: weak simple ones count.
    """
    return (1 + np.flatnonzero(in_band(network, chosen).any(axis=1))).tolist()


def in_band(
    network: Separable, chosen: Bool[np.ndarray, "h"], band: tuple[float, float] = BAND
) -> Bool[np.ndarray, "k m"]:
    """Whether A_i or B_i of each chosen neuron has a line in `band` at each frequency 1 … ⌊n/2⌋ ([C] App. B.3.1)."""
    lines = np.abs(np.stack([spectrum(table[:, chosen])[1:] for table in (network.A, network.B)]))
    return ((lines > band[0]) & (lines < band[1])).any(axis=0)


def lines_beside(
    network: Separable, dfts: ThreeDFTs, chosen: Bool[np.ndarray, "h"], least: float = NOT_NEAR_ZERO
) -> Int[np.ndarray, "lines"]:
    """The frequency of every line of A_i or B_i of a chosen neuron with |DFT| above `least`, beside the neuron's own."""
    frequency, neuron = np.nonzero(in_band(network, chosen, (least, np.inf)))
    return 1 + frequency[1 + frequency != dfts.frequency[chosen][neuron]]


def largest_beside(dfts: ThreeDFTs) -> Float[np.ndarray, "h"]:
    """|DFT|, not normalised, of the strongest line of A_i or B_i away from the neuron's own ([C] App. B.3.1)."""
    scale = np.where(2 * dfts.frequency == dfts.modulus, dfts.modulus, dfts.modulus / 2)
    return scale * np.maximum(dfts.beside_A * dfts.A.amplitude, dfts.beside_B * dfts.B.amplitude)
