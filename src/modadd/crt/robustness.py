"""What noise on the weights of a cluster, and the removal of its neurons, cost a network ([C] §6, App. B.4).

Groups are neurons by name: those of clusters, named by their frequency, and others to compare with.
"""

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd
from jaxtyping import Int

from modadd.crt.contributions import ablation, noise
from modadd.networks.initialisation import seed_for
from modadd.networks.store import Network

Groups = Mapping[str, Int[np.ndarray, "_"]]


def generator(seed: int, label: str) -> np.random.Generator:
    """The random numbers of one part of an experiment."""
    return np.random.default_rng(seed_for(seed, label))


def _together(columns: Sequence[str], tables: Sequence[pd.DataFrame]) -> pd.DataFrame:
    return pd.concat([pd.DataFrame(columns=[*columns]).astype(float), *tables])


def noise_on_groups(network: Network, groups: Groups, sigmas: Sequence[float], draws: int, seed: int) -> pd.DataFrame:
    """Loss and accuracy under `noise` on the weights of each group, by its name in the column cluster."""
    tables = []
    for name, members in groups.items():
        table = noise(network, members, sigmas, draws, generator(seed, f"noise {name}"))
        tables.append(table.assign(cluster=name))
    return _together(["sigma", "draw", "loss", "accuracy", "cluster"], tables)


def removal_from_groups(
    network: Network, groups: Groups, most: Mapping[str, int], draws: int, seed: int
) -> pd.DataFrame:
    """Loss and accuracy after removing up to `most` random neurons of each group; share: of a group that is removed whole."""
    tables = []
    for name, members in groups.items():
        rng, counts = generator(seed, f"ablation {name}"), range(most[name] + 1)
        table = ablation(network.separable(), members, counts, draws, rng)
        if most[name] == len(members):
            table["share"] = table.removed / max(len(members), 1)
        tables.append(table.assign(cluster=name))
    return _together(["removed", "share", "loss", "accuracy", "cluster"], tables)


def costs_table(
    clusters: Groups,
    noisy: pd.DataFrame,
    removed: pd.DataFrame,
    whole: Mapping[str, float],
    levels: Mapping[str, float],
) -> pd.DataFrame:
    """What each cluster costs: loss and accuracy at two levels of noise, without the cluster, and while removing it.

    whole: loss and accuracy of the untouched network. levels: σ of the noise by the word that names it. relative rise: of
    the loss at a level, over its rise without the cluster.
    """
    lines = []
    for name, members in clusters.items():
        under_noise = noisy[noisy.cluster == name].groupby("sigma")[["loss", "accuracy"]].mean()
        without = removed[removed.cluster == name].groupby("removed")[["loss", "accuracy"]].mean()
        line = {"frequency": int(name), "neurons": len(members)}
        for word, sigma in levels.items():
            line |= {f"{number} at {word}": under_noise[number][sigma] for number in ("loss", "accuracy")}
        line |= {"loss without": without.loss.iloc[-1], "accuracy without": without.accuracy.iloc[-1]}
        lines.append(line | {"worst accuracy while removing": without.accuracy.min()})
    table = pd.DataFrame(lines)
    if len(table):
        rise = table["loss without"] - whole["loss"]
        for word in levels:
            table[f"relative rise at {word}"] = (table[f"loss at {word}"] - whole["loss"]) / rise
    return table
