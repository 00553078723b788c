"""Do networks prefer frequencies that share a factor with n, and with how many neurons ([C1] Fig. 9, App. G.3, G.7)?

Clusters are lines with columns frequency, neurons, index (Clark and Evans', NaN where it is not measured), g = gcd(f, n),
and network, the number of their network's row.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd

from modadd.core.statistics import Estimate, Ratio, Share, difference_of_ratios, mean_of, ratio_of, share
from modadd.populations.frequencies import classes

OFTEN, NEURONS, INDEX = "clusters in a network", "neurons", "Clark and Evans' index"  # numbers, by frequency
_CLUSTERS = {"frequency": "cluster_frequencies", "neurons": "cluster_working", "index": "cluster_phase_spread"}
_CHARACTERS = {
    "frequency": "characters",
    "neurons": "character_neurons",
}  # of rows whose networks have no clusters measured
FEWEST_NETWORKS = 32  # that answer every input right, of which anything is judged mod an even n


def clusters_of_rows(rows: pd.DataFrame, n: int) -> pd.DataFrame:
    """A line for each cluster of networks mod n, whose rows are numbered from 0; a character stands for one where none is measured."""
    columns = _CLUSTERS if _CLUSTERS["frequency"] in rows else _CHARACTERS
    lists = pd.DataFrame({name: rows[column] for name, column in columns.items()})
    lines = lists.explode(list(columns)).dropna(subset="frequency").astype({"frequency": int, "neurons": int})
    index = lines["index"].astype(float) if "index" in lines else np.nan
    return lines.assign(index=index, g=np.gcd(lines.frequency, n), network=lines.index)


def numbers_by_frequency(clusters: pd.DataFrame, networks: int, n: int, fewest: int) -> pd.DataFrame:
    """A line for each frequency: g, OFTEN, and the mean NEURONS and INDEX of its clusters.

    fewest: neurons of a cluster whose index counts.
    """
    table = pd.DataFrame({"g": classes(n)}, index=np.arange(1, n // 2 + 1))
    table[OFTEN] = clusters.frequency.value_counts().reindex(table.index, fill_value=0) / max(networks, 1)
    table[NEURONS] = clusters.groupby("frequency").neurons.mean()
    table[INDEX] = clusters[clusters.neurons >= fewest].groupby("frequency")["index"].mean()
    return table


def numbers_by_class(clusters: pd.DataFrame, networks: int, n: int, fewest: int) -> pd.DataFrame:
    """A line for each class of equal g: its frequencies and clusters, and three means, each with its 95 % interval.

    These are clusters a frequency, over networks, and neurons and index of its clusters. Of clusters, those of one network
    are not independent.
    """
    lines = []
    for g, frequencies in zip(*np.unique(classes(n), return_counts=True), strict=True):
        alike = clusters[clusters.g == g]
        often = alike.groupby("network").size().reindex(range(networks), fill_value=0) / frequencies
        neurons, index = sums_by_network(alike, "neurons"), sums_by_network(alike[alike.neurons >= fewest], "index")
        means = {
            "clusters a frequency": mean_of(often.to_numpy(float)),
            "neurons": ratio_of(*_as_ratio(neurons)),
            "index": ratio_of(*_as_ratio(index)),
        }
        line = {"g": int(g), "frequencies": int(frequencies), "clusters": len(alike)}
        for name, mean in means.items():
            line |= {name: mean.value, f"{name}, low": mean.low, f"{name}, high": mean.high}
        lines.append(line)
    return pd.DataFrame(lines)


def preferred(clusters: pd.DataFrame, networks: int, n: int) -> Estimate:
    """How much likelier a frequency that shares a factor with n is than one that does not: the ratio of both."""
    shared = classes(n) > 1
    of_shared, of_coprime = (
        np.bincount(clusters.network[(clusters.g > 1) == kind], minlength=networks) for kind in (True, False)
    )
    return ratio_of(of_shared / shared.sum(), of_coprime / (~shared).sum())


def sums_by_network(clusters: pd.DataFrame, number: str) -> pd.DataFrame:
    """The sum and the count of one number of clusters, a line for each network that has any."""
    return clusters.dropna(subset=number).groupby("network")[number].agg(["sum", "count"])


def _as_ratio(sums: pd.DataFrame) -> Ratio:
    return sums["sum"].to_numpy(float), sums["count"].to_numpy()


def difference_between(clusters: pd.DataFrame, chosen: pd.Series, number: str) -> Estimate:
    """The mean neurons or index of the chosen clusters less that of all others; clusters of one network are not independent."""
    networks = clusters.network.unique()
    one, other = (sums_by_network(clusters[kind], number).reindex(networks, fill_value=0) for kind in (chosen, ~chosen))
    return difference_of_ratios(_as_ratio(one), _as_ratio(other))


def shared_against_coprime(
    clusters: Mapping[str, pd.DataFrame], networks: Mapping[str, int], n_of: Mapping[str, int], fewest: int
) -> dict[str, dict[str, Estimate]]:
    """Four comparisons, each of every population: `preferred`, and differences of the means of clusters.

    fewer_neurons, less_even: neurons and index where g > 1 less where g = 1. fewer_of_largest: neurons of the frequencies
    n/2 and n/3 less of all others. Each name says what [C1] claims: then the number is above 1, or below 0.
    """
    found = {"preferred": {}, "fewer_neurons": {}, "less_even": {}, "fewer_of_largest": {}}
    for name, lines in clusters.items():
        many = lines[lines.neurons >= fewest]
        found["preferred"][name] = preferred(lines, networks[name], n_of[name])
        found["fewer_neurons"][name] = difference_between(lines, lines.g > 1, "neurons")
        found["less_even"][name] = difference_between(many, many.g > 1, "index")
        found["fewer_of_largest"][name] = difference_between(lines, lines.g >= n_of[name] / 3, "neurons")
    return found


def answers_to_fig_9(
    comparisons: Mapping[str, Mapping[str, Estimate]], clusters: Mapping[str, pd.DataFrame], networks: Mapping[str, int]
) -> dict[str, Any]:
    """The comparisons that answer each question: mod 91 in both regimes, and mod 66 by the inputs that can tell.

    Behind an embedding a network has a choice of frequencies; with one-hot inputs it has those of the largest factors.
    """
    of_kind = {
        kind: [found["c91_batch"], found["c91_full"]]
        for kind, found in comparisons.items()
        if kind != "fewer_of_largest"
    }
    frequency = clusters["c1_embedding"].frequency
    return of_kind | {
        "preferred_mod_66": comparisons["preferred"]["c1_embedding"],
        "fewer_neurons_at_22_and_33": comparisons["fewer_of_largest"]["c1_one_hot"],
        "all_of_mod_66": {
            "preferred": comparisons["preferred"]["c1_one_hot"],
            "fewer_neurons": comparisons["fewer_of_largest"]["c1_embedding"],
        },
        "networks_mod_66": networks["c1_embedding"],
        "with_33": int((frequency == 33).sum()),
        "with_22": int((frequency == 22).sum()),
    }


def with_half(rows: pd.DataFrame) -> pd.DataFrame:
    """A line for each even modulus: networks that answer every input right, those with the frequency n/2, and neurons.

    number: of clusters, on average. by_chance: the share of networks with n/2 if all frequencies were equally likely. of_half,
    of_others: neurons of clusters of n/2, and of all others, on average.
    """
    lines = []
    for n, own in rows[rows.modulus % 2 == 0].groupby("modulus"):
        right, clusters = _right(own)
        half = clusters[clusters.frequency == n // 2]
        number = len(clusters) / max(len(right), 1)
        lines.append(
            {
                "modulus": n,
                "networks": len(own),
                "right": len(right),
                "with_half": half.network.nunique(),
                "by_chance": number / (n // 2),
                "number": number,
                "of_half": half.neurons.mean(),
                "of_others": clusters[clusters.frequency != n // 2].neurons.mean(),
            }
        )
    return pd.DataFrame(lines)


def halves(rows: pd.DataFrame) -> dict[str, list[Share | Estimate]]:
    """What the predictions on even moduli are judged by, one number for each; NaN of fewer than FEWEST_NETWORKS.

    half_of_n: the share of networks with the frequency n/2. half_needs_fewer: neurons of its clusters less the mean of the
    others in the same network.
    """
    shares, differences = [], []
    for n, own in rows[rows.modulus % 2 == 0].groupby("modulus"):
        right, clusters = _right(own)
        if len(right) < FEWEST_NETWORKS:
            shares.append(Estimate.without_interval())
            differences.append(Estimate.without_interval())
            continue
        is_half = clusters.frequency == n // 2
        half, others = (clusters[kind].groupby("network").neurons.mean() for kind in (is_half, ~is_half))
        shares.append(share(right.index.isin(half.index)))
        differences.append(mean_of((half - others).dropna().to_numpy(), signed=True))
    return {"half_of_n": shares, "half_needs_fewer": differences}


def _right(rows: pd.DataFrame) -> tuple[pd.DataFrame, pd.DataFrame]:
    """The rows of one modulus whose networks answer every input right, numbered from 0, and their clusters."""
    right = rows[rows.accuracy == 1].reset_index(drop=True)
    return right, clusters_of_rows(right, int(rows.modulus.iloc[0]))
