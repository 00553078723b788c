"""Numbers of Study C that follow from others of a row: how a cluster of few neurons moves, and how far one cluster answers."""

from collections.abc import Sequence

import numpy as np
from jaxtyping import Float, Int

from modadd.crt.simple_neuron_measures import median_of
from modadd.crt.waves import FEW_NEURONS
from modadd.networks.registry import following

OfCluster = Sequence[float] | Float[np.ndarray, "cluster"]
CountOfCluster = Sequence[int] | Int[np.ndarray, "cluster"]


@following("shift error of few neurons,\nless that of more", "1")
def few_neurons_err_more(
    shift_error_of_few: float, cluster_shift_error: OfCluster, cluster_working: CountOfCluster
) -> float:
    """Shift error of the best cluster of at most four working neurons, less that of the median larger one ([C] Fig. 31).

    NaN where there is no cluster of one of the two kinds.
    """
    larger = np.asarray(cluster_working) > FEW_NEURONS
    return float(shift_error_of_few - median_of(np.asarray(cluster_shift_error, float)[larger]))


@following("accuracy of the best cluster alone", "share")
def best_cluster_alone(cluster_rank_zero: OfCluster) -> float:
    """Share of the inputs that one cluster answers right alone, the largest; NaN without clusters ([C] Fig. 5a)."""
    return float(max(cluster_rank_zero, default=float("nan")))


@following("median rank of the right answer,\nmedian cluster alone", "1")
def median_rank_alone(cluster_rank_median: OfCluster) -> float:
    """How many other answers the median cluster alone puts no lower than the right one, at its median input ([C] §5.4).

    NaN without clusters.
    """
    return median_of(np.asarray(cluster_rank_median, float))
