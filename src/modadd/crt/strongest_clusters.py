"""What [C] shows of a pizza: the strongest clusters, and the strongest neuron of each (App. B.1.1)."""

import numpy as np
import pandas as pd
from jaxtyping import Float

from modadd.core.fourier import share_of_variance
from modadd.core.separable import centred
from modadd.crt.clusters import clusters_of, strongest
from modadd.crt.contributions import contribution, ranks, wave
from modadd.crt.cosets import step
from modadd.crt.simple_neuron_measures import dfts_in
from modadd.networks.registry import Form, as_separable, measure, once

MOST_CLUSTERS = 3  # clusters, as [C] shows of Model A
STRONGEST_CLUSTER = "strongest cluster"


@once
def strongest_clusters(network: Form) -> pd.DataFrame:
    """A row for each of the strongest clusters, in order of frequency: its strongest neuron, and what it adds to the logits.

    d: the step of its cosets. share at f: of the variance of A of the neuron. a ± d, a ± 1: its activation above the mean at
    both residues one step, or one residue, from the strongest one, over that at the strongest one. lag: median distance of
    the peak of the cluster's wave from a + b, in radians. alone, without: share of inputs that the cluster alone, and that the
    network without it, answers right.
    """
    tables, dfts = as_separable(network), dfts_in(network)
    logits = centred(tables.logits())
    rows = []
    for f, members in strongest(dfts, clusters_of(dfts), MOST_CLUSTERS).items():
        i, d = int(members[dfts.weight[members].argmax()]), step(f, tables.modulus)
        part = centred(contribution(tables, members))
        rows.append(
            {
                "frequency": f,
                "neuron": i,
                "d": d,
                "share at f": share_of_variance(tables.A[:, [i]], np.array([f]))[0],
                "a ± d": _beside_strongest(tables.A[:, i], d),
                "a ± 1": _beside_strongest(tables.A[:, i], 1),
                "lag": np.median(np.abs(wave(part, f)[1])),
                "alone": (ranks(part) == 0).mean(),
                "without": (ranks(logits - part) == 0).mean(),
            }
        )
    return pd.DataFrame(rows)


def _beside_strongest(column: Float[np.ndarray, "n"], d: int) -> float:
    """The mean of what lies d before and d after the largest entry, over that entry, all less the column's mean."""
    above = column - column.mean()
    at = above.argmax()
    return above[[(at + d) % len(above), (at - d) % len(above)]].mean() / above.max()


@measure("share of A at f,\nstrongest neuron", "share", STRONGEST_CLUSTER)
def pizza_shares(network: Form) -> Float[np.ndarray, "clusters"]:
    """Share of the variance of A at its frequency, of the strongest neuron of each strongest cluster ([C] Fig. 18)."""
    return strongest_clusters(network)["share at f"].to_numpy()


@measure("activation one step away\nover the strongest", "1", STRONGEST_CLUSTER)
def one_step_away(network: Form) -> Float[np.ndarray, "clusters"]:
    """Activation one step of the cosets from the strongest one, over that, of the same neurons ([C] App. B.1.1)."""
    return strongest_clusters(network)["a ± d"].to_numpy()


@measure("largest lag of a cluster's wave", "rad")
def largest_lag(network: Form) -> float:
    """How far the wave of a strongest cluster in the logits peaks from a + b, in the median; the largest ([C] App. B.1.1)."""
    return float(strongest_clusters(network)["lag"].max())


@measure("accuracy of the best cluster alone", "share")
def best_alone(network: Form) -> float:
    """Share of the inputs that one of the strongest clusters answers right alone, the largest ([C] App. B.1.1)."""
    return float(strongest_clusters(network)["alone"].max())


@measure("accuracy without one cluster", "share")
def best_without(network: Form) -> float:
    """Share of the inputs that the network answers right without one of the strongest clusters, the largest ([C] App. B.1.1)."""
    return float(strongest_clusters(network)["without"].max())
