"""How the number of clusters grows with the width and with the modulus ([C] App. B.6, B.7).

A point is a regime of batches, a modulus and a width. `clusters` are those of all alive neurons, `strong_clusters` those
that carry at least a given share of the network's weight Σ r·α.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from modadd.core.growth import best_without_one, fit_laws, r_squared_resampled, weights_resampled
from modadd.core.statistics import difference_of_means, mean_of
from modadd.networks.initialisation import seed_for

BATCH, FULL, SLOW = "batch", "full", "slow"  # regimes; slow: batches with less than the published learning rate
POINT = ["regime", "modulus", "d_mlp"]
KINDS = ("clusters", "strong_clusters")
_WEIGHTS = {"logarithm": "a + b ln n", "levelling": "a − b/n", "root": "a + b √n", "linear": "a + b n"}  # of LAWS


def strong_counts(cluster_weights: pd.Series, least_weight: float) -> list[int]:
    """How many clusters of each network carry at least this share of its weight."""
    return [int((np.asarray(weights) >= least_weight).sum()) for weights in cluster_weights]


def networks_of_points(rows: pd.DataFrame, published_rate: float, least_weight: float, most: int) -> pd.DataFrame:
    """The networks of every point that had the most updates, the first `most` seeds.

    With columns regime, strong_clusters, train_share (of all pairs), and passes: whether every answer is right.
    """
    slow = rows.learning_rate < published_rate
    rows = rows.assign(
        regime=np.where(rows.batch_size == 0, FULL, np.where(slow, SLOW, BATCH)),
        strong_clusters=strong_counts(rows.cluster_weights, least_weight),
        passes=rows.accuracy == 1,
        train_share=rows.train_pairs / rows.modulus**2,
    )
    rows = rows[rows.steps == rows.groupby(POINT).steps.transform("max")]
    return rows.sort_values([*POINT, "seed"]).groupby(POINT).head(most).reset_index(drop=True)


def points_table(rows: pd.DataFrame) -> pd.DataFrame:
    """A line for each point, indexed by POINT: all its networks, and the counts of those that pass."""
    every = rows.groupby(POINT).agg(
        train_share=("train_share", "max"),
        steps=("steps", "max"),
        networks=("passes", "size"),
        kept=("trained", lambda origin: int((origin == "kept").sum())),
        passing=("passes", "sum"),
        lowest_accuracy=("accuracy", "min"),
    )
    passing = rows[rows.passes].groupby(POINT)
    of_passing = passing.agg(
        mean=("clusters", "mean"),
        std=("clusters", "std"),
        fewest=("clusters", "min"),
        most=("clusters", "max"),
        variance_over_mean=("clusters", lambda counts: counts.var() / counts.mean()),
        strong=("strong_clusters", "mean"),
        share_dead=("share_dead", "mean"),
        share_simple_of_alive=("share_simple_of_alive", "mean"),
    )
    return every.join(of_passing)


def shares_by_count(networks: pd.DataFrame, widths: Sequence[int], largest: int) -> pd.DataFrame:
    """The share of networks that have each number of clusters up to `largest`, by width, regime and kind; 0 without any."""
    lines = []
    for width in widths:
        for regime in (BATCH, FULL):
            alike = networks[(networks.d_mlp == width) & (networks.regime == regime)]
            for kind in KINDS:
                for count in range(1, largest + 1):
                    share = (alike[kind] == count).mean() if len(alike) else 0.0
                    lines.append((regime, width, kind, count, share))
    return pd.DataFrame(lines, columns=["regime", "width", "kind", "clusters", "share"])


def evidence_for_laws(networks: pd.DataFrame, seed: int, regime: str) -> dict[str, Any]:
    """How well the laws describe the clusters of networks of one width and regime; names end with the regime.

    seed: of the networks that are drawn again for the intervals.
    """
    rng = np.random.default_rng(seed_for(seed, f"networks drawn again, {regime}"))
    counts = networks.modulus.to_numpy(), networks.clusters.to_numpy(float)
    weights, laws = weights_resampled(*counts, rng), fit_laws(*counts)
    lack_of_fit = {name: laws[name].lack_of_fit if laws else np.nan for name in ("a − b/n", "a + b ln n")}
    return {f"{word}_weight_{regime}": weights[name] for word, name in _WEIGHTS.items()} | {
        f"logarithm_r_squared_{regime}": r_squared_resampled(_WEIGHTS["logarithm"], *counts, rng),
        f"lack_of_fit_{regime}": lack_of_fit,
        f"best_without_one_{regime}": best_without_one(*counts),
    }


def wide_against_narrow(networks: pd.DataFrame, narrow: int) -> dict[str, Any]:
    """Clusters of the wider networks of one modulus and regime beside those of the narrow width.

    largest_ratio: the upper end of the largest mean over the lower end of that of the narrow ones.
    """
    means = {width: mean_of(alike.clusters.to_numpy()) for width, alike in networks.groupby("d_mlp")}
    of_narrow = means.get(narrow, mean_of([]))
    wide = [mean.high for width, mean in means.items() if width > narrow]
    widest = networks.clusters[networks.d_mlp == max(means, default=narrow)].to_numpy()
    return {
        "largest_ratio": max(wide, default=np.nan) / of_narrow.low,
        "difference": difference_of_means(widest, networks.clusters[networks.d_mlp == narrow].to_numpy()),
    }


def growth_of_clusters(passing: pd.DataFrame, modulus: int, width: int, seed: int) -> dict[str, Any]:
    """What is recorded of the growth of clusters: with the modulus at one width, and with the width at one modulus."""
    found: dict[str, Any] = {"moduli": {}}
    for regime in (BATCH, FULL, SLOW):
        networks = passing[(passing.d_mlp == width) & (passing.regime == regime)]
        found["moduli"][regime] = networks.modulus.nunique()
        found |= evidence_for_laws(networks, seed, regime)
    ratios = []
    for regime in (BATCH, FULL):  # no network of a lower learning rate is wider
        networks = passing[(passing.modulus == modulus) & (passing.regime == regime)]
        compared = wide_against_narrow(networks, width)
        ratios.append(compared["largest_ratio"])
        found[f"widest_less_narrow_{regime}"] = compared["difference"]
    return found | {
        "largest_ratio_to_narrow": ratios,
        "logarithm_r_squared": [found[f"logarithm_r_squared_{regime}"] for regime in (BATCH, FULL)],
        "linear_weights": [found[f"linear_weight_{regime}"] for regime in (BATCH, FULL)],
    }


def laws_table(passing: pd.DataFrame, regimes: Sequence[str]) -> pd.DataFrame:
    """A line for each law, fitted to each kind of cluster in each regime; none where there are too few moduli.

    best without one: in how many cases the law is best when each modulus in turn is left out.
    """
    columns = [
        "regime",
        "counted",
        "law",
        "a",
        "b",
        "a_error",
        "b_error",
        "weight",
        "weight_of_networks",
        "lack_of_fit",
    ]
    lines: list[Mapping[str, Any]] = []
    for kind in KINDS:
        for regime in regimes:
            networks = passing[passing.regime == regime]
            counts = networks.modulus.to_numpy(), networks[kind].to_numpy(float)
            best = best_without_one(*counts)
            for name, law in (fit_laws(*counts) or {}).items():
                line = {"regime": regime, "counted": kind, "law": name, **vars(law)}
                lines.append(line | {"best without one": best[name]})
    return pd.DataFrame(lines, columns=[*columns, "best without one"])
