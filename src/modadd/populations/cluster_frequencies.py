"""Which frequencies the clusters of populations have, and which they have together ([C] §4.1, Fig. 4).

The populations of one modulus are pooled. Networks of one seed, one of each regime, begin with equal weights, so wherever
they are counted together they are one block.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from jaxtyping import Int

from modadd.networks.initialisation import seed_for
from modadd.populations.frequencies import Members, classes, in_common, membership
from modadd.populations.frequency_pairs import (
    Effect,
    adjusted,
    against_random,
    beside,
    multiples,
    multipliers,
    summed,
)
from modadd.populations.uniformity import Uniformity, occurrences, uniformity


class Pool(NamedTuple):
    """Networks of one modulus n: which frequencies each has, a row for each, and its seed."""

    n: int
    members: Members
    seeds: Int[np.ndarray, "networks"]

    def of(self, chosen: np.ndarray) -> "Pool":
        """The pool of the chosen networks alone."""
        return Pool(self.n, self.members[chosen], self.seeds[chosen])


def pool_of(rows: pd.DataFrame, n: int, column: str = "cluster_frequencies") -> Pool:
    """The networks of one population; `column` has the frequencies of each."""
    return Pool(n, membership(rows[column], n), rows.seed.to_numpy())


def by_modulus(pools: Mapping[str, Pool]) -> dict[int, Pool]:
    """The pools of each modulus as one, in their order."""
    found = {}
    for n in dict.fromkeys(pool.n for pool in pools.values()):
        alike = [pool for pool in pools.values() if pool.n == n]
        members, seeds = (np.concatenate(parts) for parts in zip(*((p.members, p.seeds) for p in alike), strict=True))
        found[n] = Pool(n, members, seeds)
    return found


def tests_of_uniformity(pool: Pool) -> dict[str, Uniformity]:
    """Whether all classes of frequencies, and all frequencies, are equally likely."""
    groups = {"classes": classes(pool.n), "frequencies": None}
    return {name: uniformity(pool.members, of_class, pool.seeds) for name, of_class in groups.items()}


def uniformity_table(samples: Mapping[str, Pool]) -> pd.DataFrame:
    """`tests_of_uniformity` of every sample, with q over all of them."""
    lines = []
    for name, pool in samples.items():
        for groups, found in tests_of_uniformity(pool).items():
            line = {"sample": name, "groups": groups, "networks": len(pool.members), "clusters": pool.members.sum()}
            lines.append(line | found._asdict())
    table = pd.DataFrame(lines)
    return table.assign(q=adjusted(table.p))


def classes_table(samples: Mapping[str, Pool]) -> pd.DataFrame:
    """How often frequencies of each class that shares a factor with n occur, against equal likelihood."""
    lines = []
    for name, pool in samples.items():
        of_class = classes(pool.n)
        for shared in np.unique(of_class)[1:]:
            found = occurrences(pool.members, np.flatnonzero(of_class == shared) + 1, pool.seeds)
            lines.append({"sample": name, "multiples of": shared} | found._asdict())
    table = pd.DataFrame(lines)
    return table.assign(q=adjusted(table.p))


def common_table(pools: Mapping[str, Pool]) -> pd.DataFrame:
    """How many frequencies two networks of one seed have in common, one of each regime, and two of unequal seeds."""
    lines = []
    for n in dict.fromkeys(pool.n for pool in pools.values()):
        pair = [pool for pool in pools.values() if pool.n == n]
        if len(pair) == 2:
            both, *rows = np.intersect1d(*(pool.seeds for pool in pair), return_indices=True)
            lines.append((n, len(both), *in_common(*(pool.members[own] for pool, own in zip(pair, rows, strict=True)))))
    table = pd.DataFrame(lines, columns=["n", "seeds", "common", "by chance"])
    return table.assign(ratio=table.common / table["by chance"].where(table["by chance"] > 0))


def compared(pool: Pool, count: Callable, draws: int, seed: int, label: str) -> pd.DataFrame:
    """`against_random` sets with as many frequencies of every class; the label tells apart draws of one seed."""
    rng = np.random.default_rng(seed_for(seed, label))
    return against_random(pool.members, classes(pool.n), count, draws, rng, pool.seeds).assign(n=pool.n)


def pairs_given(pool: Pool, f: int, draws: int, seed: int) -> pd.DataFrame:
    """A line for each frequency: how often networks have it beside f, which stands for its class (`beside`)."""
    table = compared(pool, lambda pairs: beside(pairs, f, pool.n), draws, seed, f"beside {f} {pool.n}")
    return table.assign(frequency=np.arange(1, pool.n // 2 + 1), given=f)


def named_bins(tables: pd.DataFrame, named: Mapping[tuple[int, int], Sequence[int]]) -> pd.DataFrame:
    """The lines of `pairs_given`, of several given frequencies, at some others: named by modulus and given frequency."""
    return pd.concat(
        tables[(tables.n == n) & (tables.given == f) & tables.frequency.isin(others)]
        for (n, f), others in named.items()
    )


def pairs_by_multiple(pool: Pool, draws: int, seed: int, label: str) -> pd.DataFrame:
    """A line for each multiple m: how often networks have {f, mf}."""
    table = compared(pool, multiples(pool.n), draws, seed, f"{label} {pool.n}")
    return table.assign(multiple=multipliers(pool.n))


def small_multiples(tables: Mapping[str, pd.DataFrame], multiples: Sequence[int]) -> pd.DataFrame:
    """The pairs {f, mf} of some m, over all moduli, for each choice of seeds."""
    lines = []
    for seeds, table in tables.items():
        lines += [(seeds, m, *summed(table[table.multiple == m])) for m in multiples]
    return pd.DataFrame(lines, columns=["seeds", "multiple", *Effect._fields])


def estimate(effect: Effect, networks: int) -> dict[str, Any]:
    """A ratio of counts as it is recorded, with its interval."""
    return {"value": effect.ratio, "low": effect.low, "high": effect.high, "of": networks}


def unevenness_if_halved(n: int) -> float:
    """The unevenness if frequencies that share a factor with n were half as likely as others."""
    likelihoods = np.where(classes(n) > 1, 0.5, 1.0)
    return float(likelihoods.std() / likelihoods.mean())


def answers(
    pools: Mapping[int, Pool], uniform: pd.DataFrame, common: pd.DataFrame, every: pd.DataFrame, bins: pd.DataFrame
) -> dict[str, Any]:
    """What is recorded: whether frequencies are equally likely, and whether networks avoid {f, 2f}.

    uniform: `uniformity_table` with a sample for each pool, in their order. every: `pairs_by_multiple` of all pools. bins:
    chosen lines of `pairs_given`. Uniformity is judged over classes where there are several, else over frequencies.
    """
    networks = {n: len(pool.seeds) for n, pool in pools.items()}
    judged = ["classes" if classes(n).max() > 1 else "frequencies" for n in pools]
    high = uniform.set_index(["sample", "groups"]).high
    doubled = summed(every[every.multiple == 2])
    beside_7 = bins[(bins.n == 91) & (bins.given == 7)].set_index("frequency")
    for_each = beside_7.expected.reindex([42]).sum() / networks.get(91, 1)
    return {
        "frequencies_counted": [n // 2 for n in pools],
        "unevenness_high": [high[pooled(n), groups] for n, groups in zip(pools, judged, strict=True)],
        "unevenness_if_halved": unevenness_if_halved(91),
        "common_over_chance": common.ratio,
        "residue_of_the_slip": (2 * 43 + 7) % 91,
        # a pair {f, 2f} stands once in each of its two bins, so one of them has all pairs
        "beside_7": estimate(summed(beside_7.loc[beside_7.index == 14]), networks.get(91, 0)),
        "networks_for_one_bin": doubled.count_for_80_percent_power / for_each if for_each > 0 else np.nan,
        "doubled": estimate(doubled, sum(networks.values())),
        "smallest_q": every.q.min(),
    }


def pooled(n: int) -> str:
    """The name of the sample of all networks of a modulus."""
    return f"n = {n}, both regimes"
