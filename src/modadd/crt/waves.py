"""What each cluster adds to the logits, as a wave: its shape, its lags, how it moves, and what noise on it costs.

What exists once for each cluster is a list in their order; of no cluster there is no median, but NaN.
"""

from typing import NamedTuple

import numpy as np
from jaxtyping import Float

from modadd.core.separable import centred
from modadd.crt import contributions
from modadd.crt.cluster_measures import CLUSTER, cluster_frequencies, cluster_working
from modadd.crt.clusters import Clusters, clusters_of
from modadd.crt.simple_neuron_measures import dfts_in, kinds_in, median_of
from modadd.crt.theory import equal_waves_r_squared, profile
from modadd.networks.initialisation import seed_for
from modadd.networks.registry import Form, as_separable, measure, once
from modadd.networks.store import Network

SHIFT = 2  # of both inputs ([C] App. C)
FEW_NEURONS = 4  # working neurons, too few to move freely ([C] Fig. 31)
SIGMA = 0.225  # of the noise under which the loss barely changes ([C] Fig. 26)
NOISY_ROWS = 12  # residues a of the inputs that are asked under noise


class ClusterWave(NamedTuple):
    """What a cluster adds: R² of A cos(w_f(c − a − b)), one A for all inputs; shift error; amplitude and lag per input."""

    shape: float
    shift_error: float
    amplitude: Float[np.ndarray, "n n"]
    lag: Float[np.ndarray, "n n"]


@once
def clusters_in(network: Form) -> Clusters:
    """The alive neurons of each frequency."""
    return clusters_of(dfts_in(network))


def cluster_wave(part: Float[np.ndarray, "n n n"], f: int) -> ClusterWave:
    """What a cluster of frequency f adds, centred over c, as a wave; its shape is NaN where it adds nothing."""
    amplitude, lag = contributions.wave(part, f)
    A, variance = (amplitude * np.cos(lag)).mean(), np.square(part).mean()
    shape = float(A**2 / contributions.lines_at(f, len(part)) / variance) if variance > 0 else float("nan")
    return ClusterWave(shape, contributions.shift_error(part, SHIFT), amplitude, lag)


@once
def waves(network: Form) -> dict[int, ClusterWave]:
    """What each cluster adds, by its frequency."""
    tables = as_separable(network)
    return {
        f: cluster_wave(centred(contributions.contribution(tables, members)), f)
        for f, members in clusters_in(network).items()
    }


@measure("R² of one wave", "1", CLUSTER)
def cluster_shape(network: Form) -> list[float]:
    """Share of the variance of what a cluster adds that A cos(w_f(c − a − b)) explains, one A for all inputs ([C] §5.4)."""
    return [wave.shape for wave in waves(network).values()]


@measure("shift error", "1", CLUSTER)
def cluster_shift_error(network: Form) -> list[float]:
    """Distance of what a cluster adds from the same with both inputs moved by 2 and c by 4, over its size ([C] App. C)."""
    return [wave.shift_error for wave in waves(network).values()]


@measure("R² of one wave,\nmedian cluster", "1")
def median_shape(network: Form) -> float:
    """R² of A cos(w_f(c − a − b)) in what the median cluster adds ([C] §5.4)."""
    return median_of(np.array(cluster_shape(network)))


@measure("shift error,\nmedian cluster", "1")
def median_shift_error(network: Form) -> float:
    """Shift error of the median cluster, √2 where nothing moves with the inputs ([C] App. C)."""
    return median_of(np.array(cluster_shift_error(network)))


@measure("shift error,\nbest cluster of few neurons", "1")
def shift_error_of_few(network: Form) -> float:
    """Smallest shift error of the clusters of at most four working neurons, NaN where there is none ([C] Fig. 31)."""
    both = zip(cluster_shift_error(network), cluster_working(network), strict=True)
    return min((error for error, size in both if size <= FEW_NEURONS), default=float("nan"))


@measure("share right by waves\nof one amplitude", "share")
def right_by_waves(network: Form) -> float:
    """Share of the inputs at which waves of one amplitude, with the clusters' lags, are largest at a + b ([C] §5.4)."""
    return contributions.share_right_by_waves({f: wave.lag for f, wave in waves(network).items()})


@measure("R² of the mean logit\nby waves of one amplitude", "1")
def profile_by_equal_waves(network: Form) -> float:
    """R² of the mean logit of the answer a + b + d by h(d), a cosine for each cluster, all of one amplitude ([C] §5.4)."""
    frequencies = np.array(cluster_frequencies(network), dtype=int)
    return equal_waves_r_squared(profile(centred(as_separable(network).logits())), frequencies)


@measure("accuracy under noise,\nworst cluster", "share")
def accuracy_under_noise(network: Network) -> float:
    """Smallest accuracy with noise on one cluster: every weight times e^s, s ~ N(0, 0.225²), one draw ([C] Fig. 26).

    Over the inputs with a below NOISY_ROWS: about an eighth of them.
    """
    tables, working = as_separable(network), ~kinds_in(network).idle
    found, rows = [], slice(NOISY_ROWS)
    rng = np.random.default_rng(seed_for(network.seed, "noise on a cluster"))
    logits = contributions.contribution(tables, np.arange(tables.width), rows) + tables.C[rows, None] + tables.D
    for cluster in clusters_in(network).values():
        members = cluster[working[cluster]]
        own = contributions.native_weights(network, members)
        noisy = contributions.jittered(network, own, contributions.standard_normal(network, own, rng), SIGMA)
        rest = logits - contributions.contribution(tables, members, rows)
        with_noise = rest + contributions.contribution(noisy, np.arange(len(members)), rows)
        found.append(float((contributions.ranks(with_noise) == 0).mean()))
    return min(found, default=float("nan"))
