"""Clusters: alive neurons of one frequency ([C] §4.1); every number that Study C states of them, and of a network."""

from typing import Any

import numpy as np
import pandas as pd
from jaxtyping import Bool, Float, Int

from modadd.core.fourier import spectrum
from modadd.core.neurons import ThreeDFTs, multiples_of, three_dfts
from modadd.core.separable import Separable
from modadd.crt.contributions import cluster_ranks, share_right
from modadd.crt.cosets import coset_order, rayleigh_p, spread, step
from modadd.crt.several_lines import second_line, with_second_line
from modadd.crt.simple_neurons import LIMITS, Kinds, Limits, fit_simple, kinds, r_squared, replaced

BAND = (7.5, 30.0)  # |DFT| of a line of a fine-tuning neuron, not normalised ([C] App. B.3.1)
SPIKE = 60.0  # |DFT| above which the line of a simple neuron lies (the same place)
NEAR_ZERO = 4.0  # |DFT| below which its other lines usually lie (the same place)
SEVERAL = 3  # lines that a fine-tuning neuron usually has in BAND (the same place)
LINES = ("share_near_zero", "share_with_several_lines")  # of the neurons: columns of a row on the two lines above
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


def cluster_measures(network: Separable, limits: Limits = LIMITS) -> dict[str, Any]:
    """All of them, for a row of a population; lists run over the clusters in order of frequency.

    cluster_*: columns of `cluster_table`. rank_counts: inputs by rank of the right logit, all clusters together.
    second_lines_of, _at: pairs of a working neuron's frequency and another one at which it has a line in the band, each
    pair once. Shares and medians of no neuron are NaN.
    """
    dfts = three_dfts(network)
    kind = kinds(dfts, limits)
    rank = cluster_ranks(network, clusters_of(dfts, limits))
    table = cluster_table(dfts, kind).assign(
        rank_median=[float(np.median(of)) for of in rank], rank_zero=[float((of == 0).mean()) for of in rank]
    )
    return {
        "clusters": len(table),
        **{f"cluster_{name}": column.tolist() for name, column in table.rename(columns=_PLURAL).items()},
        "fine_tuning_clusters": int((table.fine_tuning >= MOSTLY).sum()),
        "rank_counts": np.bincount(rank.ravel(), minlength=network.modulus).tolist(),
        **_of_kinds(dfts, kind, kinds(dfts, limits, lines_of_W=True)),
        **_of_lines(network, dfts, kind),
        **_of_fits(network, dfts, kind),
        "fine_tuning_frequencies": lines_in_band(network, kind.alive),
        "working_fine_tuning_frequencies": lines_in_band(network, kind.fine_tuning & ~kind.idle),
        **_second_lines(network, dfts, kind.alive & ~kind.idle),
    }


def cluster_table(dfts: ThreeDFTs, kind: Kinds) -> pd.DataFrame:
    """One row per cluster, in order of frequency.

    order: g = gcd(f, n), more than 1 where cosets are exact; step: d. size, working: neurons, and those not idle.
    weight: share of the network's Σ r·α; fine_tuning: share of the cluster's own that lies in fine-tuning neurons.
    phase_p: the smaller p-value of Rayleigh's test of the phases of A and of B; phase_spread: Clark and Evans' index of
    their pairs.
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
                "phase_spread": spread(at_a, at_b),
            }
        )
    return pd.DataFrame(rows, columns=list(_COLUMNS)).astype(_COLUMNS)


_PLURAL = {name: name + "s" for name in ("order", "step", "size", "weight")} | {"frequency": "frequencies"}
_COLUMNS = {name: int for name in ("frequency", "order", "step", "size", "working")} | {
    name: float for name in ("weight", "fine_tuning", "phase_p", "phase_spread")
}


def _of_kinds(dfts: ThreeDFTs, kind: Kinds, strict: Kinds) -> dict[str, float | int]:
    """Shares of kinds; strictly simple neurons have no second line of W, of the other simple ones: is it at 2f?"""
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
        "share_strictly_simple_of_alive": _over(strict.simple, kind.alive),
        "share_second_line_doubled": _over(doubled, kind.simple & ~strict.simple),
        "share_spike_of_simple": _over(_lines(dfts) > SPIKE, kind.simple & ~kind.idle),
    }


def _of_lines(network: Separable, dfts: ThreeDFTs, kind: Kinds) -> dict[str, float]:
    """Of neurons that are not idle: simple ones with all other lines near zero, fine-tuning ones with several in BAND."""
    near_zero = largest_beside(dfts) < NEAR_ZERO
    several = in_band(network, np.ones_like(kind.idle)).sum(axis=0) >= SEVERAL
    shares = _over(near_zero, kind.simple & ~kind.idle), _over(several, kind.fine_tuning & ~kind.idle)
    return dict(zip(LINES, shares, strict=True))


def _lines(dfts: ThreeDFTs) -> Float[np.ndarray, "h"]:
    """|DFT| of A_i and of B_i at the neuron's frequency, the smaller of both."""
    n = dfts.modulus
    return np.minimum(dfts.A.amplitude, dfts.B.amplitude) * np.where(2 * dfts.frequency == n, n, n / 2)


def _of_fits(network: Separable, dfts: ThreeDFTs, kind: Kinds) -> dict[str, float]:
    fit = fit_simple(dfts)
    fitted, whole = replaced(network, fit), replaced(network, fit_simple(dfts, whole=True))
    gamma = second_line(network, fitted, fit)
    explained, doubled = (r_squared(network, of) for of in (fitted, with_second_line(fitted, fit, gamma)))
    return {
        "r_squared_preactivation": _median(explained.preactivation[kind.simple]),
        "r_squared_W": _median(explained.W[kind.simple]),
        "r_squared_W_two_lines": _median(doubled.W[kind.simple]),
        "second_line_of_W": _median(gamma[kind.simple] / fit.alpha[kind.simple]),
        "accuracy_of_fits": share_right(fitted),
        "accuracy_of_whole_fits": share_right(whole),
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


def largest_beside(dfts: ThreeDFTs) -> Float[np.ndarray, "h"]:
    """|DFT|, not normalised, of the strongest line of A_i or B_i away from the neuron's own ([C] App. B.3.1)."""
    scale = np.where(2 * dfts.frequency == dfts.modulus, dfts.modulus, dfts.modulus / 2)
    return scale * np.maximum(dfts.beside_A * dfts.A.amplitude, dfts.beside_B * dfts.B.amplitude)


def _second_lines(network: Separable, dfts: ThreeDFTs, chosen: Bool[np.ndarray, "h"]) -> dict[str, list[int]]:
    pairs = [
        (f, line)
        for f in np.unique(dfts.frequency[chosen]).tolist()
        for line in lines_in_band(network, chosen & (dfts.frequency == f))
        if line != f
    ]
    return {"second_lines_of": [f for f, _ in pairs], "second_lines_at": [line for _, line in pairs]}


def _over(some: Bool[np.ndarray, "h"], of: Bool[np.ndarray, "h"]) -> float:
    return float((some & of).sum() / of.sum()) if of.any() else float("nan")


def _median(values: Float[np.ndarray, "m"]) -> float:
    return float(np.median(values)) if values.size else float("nan")
