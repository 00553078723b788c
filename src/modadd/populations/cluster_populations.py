"""What populations of Study C have in common: weights, clusters, ranks, phases, fine-tuning ([C] §4.1, App. B.3)."""

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import pandas as pd
from jaxtyping import Float, Int

from modadd.core.statistics import Estimate, distance_from_zero, mean_of, ratio_of, share
from modadd.crt.cosets import random_spread
from modadd.crt.embedding_weights import EDGES, LEFT_OUT, share_beyond
from modadd.networks.initialisation import seed_for

Rows = Mapping[str, pd.DataFrame]  # of networks, by population
_QUANTILES = {"5 %": 0.05, "median": 0.5, "95 %": 0.95, "best": 1.0}


def _by_population(networks: Rows, line: Callable[[pd.DataFrame], dict[str, Any]]) -> pd.DataFrame:
    return pd.DataFrame([{"population": name} | line(rows) for name, rows in networks.items()])


def _interval(mean: Estimate, name: str) -> dict[str, float]:
    return {name: mean.value, "low": mean.low, "high": mean.high}


def standing_table(tables: Rows) -> pd.DataFrame:
    """How many networks each population has, how many are short of accuracy 1, and how many were trained here."""

    def line(rows: pd.DataFrame) -> dict[str, Any]:
        short = (rows.accuracy < 1).sum()
        here = (rows.trained == "here").sum()
        return {"networks": len(rows), "dropped": short, "worst": rows.accuracy.min(), "trained here": here}

    return _by_population(tables, line)


def shares_of_weights(rows: pd.DataFrame) -> pd.DataFrame:
    """The share of all embedding weights in each bin of two WIDTHs, by the weight at its middle."""
    counts = np.stack(rows.embedding_counts).sum(axis=0)
    return pd.DataFrame({"weight": EDGES[2:-2:2], "share": counts[1:-1].reshape(-1, 2).sum(axis=1) / counts.sum()})


def weights_table(networks: Rows) -> pd.DataFrame:
    """How many embedding weights lie outside ±1, with the interval over networks, outside ±1.5 and ±2, and near 0."""

    def line(rows: pd.DataFrame) -> dict[str, Any]:
        counts = np.stack(rows.embedding_counts).sum(axis=0)
        near_zero = [1 - share_beyond(own, LEFT_OUT) for own in rows.embedding_counts]
        return {
            "networks": len(rows),
            "weights": counts.sum(),
            **_interval(mean_of(rows.embedding_outside_one.to_numpy(float)), "outside 1"),
            "outside 1.5": share_beyond(counts, 1.5),
            "outside 2": share_beyond(counts, 2.0),
            f"inside {LEFT_OUT:g}": mean_of(near_zero).value,
            "largest": rows.embedding_largest.max(),
        }

    return _by_population(networks, line)


def clusters_table(networks: Rows) -> pd.DataFrame:
    """The mean number of clusters with its interval, their spread, and ln n."""

    def line(rows: pd.DataFrame) -> dict[str, Any]:
        mean, spread = mean_of(rows.clusters.to_numpy(float)), rows.clusters.agg(["std", "min", "max"])
        return {"networks": len(rows), **_interval(mean, "mean"), **spread, "ln n": np.log(rows.modulus.iloc[0])}

    return _by_population(networks, line)


def shares_of_ranks(rows: pd.DataFrame) -> Float[np.ndarray, "ranks"]:
    """How often the right answer has each rank, over all inputs and clusters, one cluster alone."""
    ranks = np.stack(rows.rank_counts).sum(axis=0)
    return ranks / max(ranks.sum(), 1)


def right_alone(rows: pd.DataFrame) -> Float[np.ndarray, "clusters"]:
    """The share of inputs that each cluster of every network answers right alone."""
    return np.concatenate(rows.cluster_rank_zero.to_numpy()).astype(float)


def _rank_at(ranks: Int[np.ndarray, "ranks"], quantile: float) -> int:
    return int(np.searchsorted(np.cumsum(ranks), quantile * ranks.sum()))


def _quantile(values: Float[np.ndarray, "clusters"], quantile: float) -> float:
    return float(np.quantile(values, quantile)) if len(values) else float("nan")


def answers_table(networks: Rows) -> pd.DataFrame:
    """What a cluster alone answers: ranks of the right answer, and quantiles of the share of inputs that it answers."""

    def line(rows: pd.DataFrame) -> dict[str, Any]:
        ranks, alone = np.stack(rows.rank_counts).sum(axis=0), right_alone(rows)
        exact = np.concatenate(rows.cluster_orders.to_numpy()).astype(int) > 1
        return {
            "clusters": len(alone),
            "rank 0": shares_of_ranks(rows)[0],
            "median rank": _rank_at(ranks, 0.5),
            "95 % rank": _rank_at(ranks, 0.95),
            **{f"alone, {word}": _quantile(alone, quantile) for word, quantile in _QUANTILES.items()},
            "median, exact cosets": _quantile(alone[exact], 0.5),
        }

    return _by_population(networks, line)


def spreads_of_phases(networks: Rows, fewest: int) -> pd.DataFrame:
    """A line for each cluster of at least `fewest` working neurons, with Clark and Evans' index of its pairs of phases."""
    columns = ["cluster_working", "cluster_phase_spread"]
    lines = [rows[["seed", *columns]].explode(columns).assign(population=name) for name, rows in networks.items()]
    clusters = pd.concat(lines).astype(dict.fromkeys(columns, float))
    return clusters[clusters.cluster_working >= fewest]


def even_from(clusters: pd.DataFrame, quantile: float, draws: int, seed: int) -> pd.Series:
    """The index above which pairs of phases count as evenly spread, by the number of neurons.

    It is this quantile of as many random pairs, over `draws` sets.
    """
    rng = np.random.default_rng(seed_for(seed, "random pairs of phases"))
    neurons = sorted(clusters.cluster_working.astype(int).unique())
    return pd.Series({m: np.quantile(random_spread(int(m), draws, rng), quantile) for m in neurons}, dtype=float)


def evenly_spread(clusters: pd.DataFrame, limit: pd.Series) -> pd.Series:
    """Whether the index of each line of `spreads_of_phases` is above that of its number of neurons by `even_from`."""
    return clusters.cluster_phase_spread > clusters.cluster_working.map(limit)


def numbers_of_population(rows: pd.DataFrame, spreads: pd.DataFrame, ln_n: float) -> dict[str, Estimate]:
    """Estimates of one population: clusters, how far from ln n, thousands of networks of 100,000 that have each frequency,
    the share of its clusters with evenly spread phases, how far that is from a half, and the shares of networks with fine
    tuning, neurons that are not idle or clusters.

    spreads: the population's lines of `spreads_of_phases`, with a column even. ln_n: as [C] prints it.
    """
    even_in = spreads.groupby("seed").even.agg(["sum", "count"]).to_numpy(float)
    even, clusters = ratio_of(even_in[:, 0], even_in[:, 1]), mean_of(rows.clusters.to_numpy(float))
    return {
        "clusters": clusters,
        "from_ln_n": _distance(clusters, ln_n),
        "each_frequency": mean_of((100 * rows.clusters / (rows.modulus // 2)).to_numpy(float)),
        "even": even,
        "even_from_half": _distance(even, 0.5),
        "fine_tuning_neurons": mean_of((rows.share_fine_tuning_working > 0).to_numpy(float)),
        "fine_tuning_clusters": mean_of((rows.fine_tuning_clusters > 0).to_numpy(float)),
    }


def _distance(found: Estimate, number: float) -> Estimate:
    return distance_from_zero(Estimate(found.value - number, found.low - number, found.high - number, found.of))


def numbers_table(numbers: Mapping[str, Mapping[str, Estimate]], networks: Rows) -> pd.DataFrame:
    """The shares and counts of `numbers_of_population`, a line for each."""
    lines = []
    for name, found in numbers.items():
        line = {"population": name, "networks": len(networks[name])}
        line["with fine-tuning neurons"] = (networks[name].share_fine_tuning_working > 0).mean()
        line["with fine-tuning clusters"] = (networks[name].fine_tuning_clusters > 0).mean()
        line["thousand times in 100,000"] = found["each_frequency"].value
        lines.append(line | {"evenly spread": found["even"].value})
    return pd.DataFrame(lines)


def answers(tables: Rows, networks: Rows, numbers: Mapping[str, Mapping[str, Estimate]]) -> dict[str, Any]:
    """What is recorded of populations; numbers that differ between the regimes apart, batches of n and full batch."""
    full = {name for name, rows in networks.items() if rows.batch_size.iloc[0] == 0}
    batches = [name for name in networks if name not in full]
    weights, alone = weights_table(networks), answers_table(networks)
    of_full = weights.population.isin(full)
    working = {name: (rows.share_fine_tuning_working > 0) for name, rows in networks.items()}
    return {
        "share_right": share(np.concatenate([rows.accuracy == 1 for rows in tables.values()])),
        "outside_one_and_a_half_full": weights["outside 1.5"][of_full],
        "outside_two_batch": weights["outside 2"][~of_full],
        "alone_spread": (alone["alone, 95 %"] - alone["alone, 5 %"]) / alone["alone, median"],
        "without_fine_tuning_neurons": [int((~tuning).sum()) for tuning in working.values()],
        "clusters_per_network": [numbers[name]["clusters"] for name in batches],
        "clusters_per_network_full": [numbers[name]["clusters"] for name in networks if name in full],
        "clusters_from_ln_n": [numbers[name]["from_ln_n"] for name in batches],
        "runs_with_fine_tuning": [found["fine_tuning_neurons"] for found in numbers.values()],
        "runs_with_any_fine_tuning": [(rows.share_fine_tuning > 0).mean() for rows in networks.values()],
        "evenly_spread": [found["even"] for found in numbers.values()],
        "evenly_spread_from_half": [numbers[name]["even_from_half"] for name in batches],
        "evenly_spread_from_half_full": [numbers[name]["even_from_half"] for name in networks if name in full],
    }
