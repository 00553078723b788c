"""How evenly the embeddings of many networks hold the planes of their clusters' rotations ([C] §4.1, §5.3)."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd

from modadd.core.statistics import share
from modadd.crt.components import FEWEST_OF_PLANE

PLANES = ("cluster_plane_a", "cluster_plane_b")  # measures: σ₂/σ₁ of a cluster's plane, one for each embedding


def clusters_with_planes(networks: Mapping[str, pd.DataFrame], even_from: float) -> pd.DataFrame:
    """A line for each cluster of at least FEWEST_OF_PLANE working neurons, with the ratio σ₂/σ₁ of both its planes.

    less_even: the smaller ratio; even: whether it is at least `even_from`.
    """
    columns = ["cluster_frequencies", "cluster_working", "cluster_weights", *PLANES]
    lines = []
    for name, rows in networks.items():
        lines.append(rows[["seed", *columns]].explode(columns).assign(population=name))
    types = {"cluster_working": int, "cluster_weights": float} | dict.fromkeys(PLANES, float)
    clusters = pd.concat(lines).astype(types)
    clusters = clusters[clusters.cluster_working >= FEWEST_OF_PLANE].reset_index(drop=True)
    less_even = clusters[[*PLANES]].min(axis=1)
    return clusters.assign(less_even=less_even, even=less_even >= even_from)


def evenness_of_planes(clusters: pd.DataFrame, even_from: float) -> dict[str, Any]:
    """How many networks hold all planes of `clusters_with_planes` evenly, how many planes are held so, and their median."""
    every_even = clusters.groupby(["population", "seed"]).even.all().to_numpy(bool)
    ratios = clusters[[*PLANES]]
    return {
        "every_plane_even": share(every_even),
        "some_plane_uneven": share(~every_even),
        "planes_even": int((ratios.to_numpy() >= even_from).sum()),
        "planes": int(ratios.size),
        "median_ratio": float(ratios.stack().median()) if len(clusters) else np.nan,
    }
