"""Further lines of neurons: at which frequencies they stand, and beside which ([C] App. B.3.1 and B.5, Figs. 25, 28).

A line is *in the band* if its magnitude lies between the two that [C] names.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd
from jaxtyping import Int

from modadd.core.statistics import Estimate, mean_of, ratio_of, share
from modadd.networks.initialisation import seed_for
from modadd.populations.cluster_frequencies import Pool, by_modulus, pool_of, tests_of_uniformity
from modadd.populations.frequencies import fold, membership
from modadd.populations.frequency_pairs import (
    adjusted,
    against_random,
    beside,
    detectable_ratio,
    smallest_multiple,
)
from modadd.populations.uniformity import occurrences

Rows = Mapping[str, pd.DataFrame]  # of networks, by population
IN_BAND, BESIDE_OWN, OF_NEURONS = "any line in the band", "beside the own one", "of fine-tuning neurons"
OF_CLUSTERS = "fine-tuning clusters"
COLUMNS = {  # of rows: the frequencies that a network has, by what is counted
    IN_BAND: "fine_tuning_frequencies",
    BESIDE_OWN: "second_lines_at",
    OF_NEURONS: "working_fine_tuning_frequencies",
}
KINDS = {  # of lines beside the own one, by the column that tells
    "elsewhere": "at other clusters",
    "by chance": "by chance",
    "at odd": "at 3f or 5f",
    "at both": "at both",
}


def counts_of(rows: pd.DataFrame) -> dict[str, Int[np.ndarray, "networks"]]:
    """How many frequencies, or clusters, each network has by each of the four counts."""
    n = int(rows.modulus.iloc[0])
    found = {count: membership(rows[column], n).sum(axis=1) for count, column in COLUMNS.items()}
    return found | {OF_CLUSTERS: rows.fine_tuning_clusters.to_numpy()}


def shares_table(networks: Rows) -> pd.DataFrame:
    """Each count over that of all clusters, with its interval, and over that of the other clusters."""
    lines = []
    for name, rows in networks.items():
        clusters = rows.clusters.to_numpy()
        for count, found in counts_of(rows).items():
            over_clusters, over_others = ratio_of(found, clusters), ratio_of(found, clusters - found)
            line = {"population": name, "count": count, "found": found.sum(), "clusters": clusters.sum()}
            line |= {"over clusters": over_clusters.value, "low": over_clusters.low, "high": over_clusters.high}
            lines.append(line | {"over the others": over_others.value})
    return pd.DataFrame(lines)


def pools_of(networks: Rows, count: str) -> dict[int, Pool]:
    """Which frequencies each network has by a count, both regimes of a modulus together."""
    pools = {name: pool_of(rows, int(rows.modulus.iloc[0]), COLUMNS[count]) for name, rows in networks.items()}
    return by_modulus(pools)


def uniformity_table(networks: Rows) -> pd.DataFrame:
    """Whether lines are equally likely at all frequencies, and in all classes of them, by the two wider counts."""
    by_count, lines = {count: pools_of(networks, count) for count in (IN_BAND, BESIDE_OWN)}, []
    for n in by_count[IN_BAND]:
        for count, pools in by_count.items():
            for groups, found in tests_of_uniformity(pools[n]).items():
                lines.append({"n": n, "counted": count, "groups": groups} | found._asdict())
    table = pd.DataFrame(lines)
    return table.assign(q=adjusted(table.p))


def named_table(networks: Rows, named: Mapping[int, Sequence[Sequence[int]]]) -> pd.DataFrame:
    """How often the `named` frequencies of each modulus have lines, against equal likelihood of all.

    detectable: the ratio that would show at p < 0.05, four times in five.
    """
    by_count, lines = {count: pools_of(networks, count) for count in (IN_BAND, BESIDE_OWN)}, []
    for n in by_count[IN_BAND]:
        for count, pools in by_count.items():
            for frequencies in named.get(n, []):
                found = occurrences(pools[n].members, np.array(frequencies), pools[n].seeds)
                line = {"n": n, "counted": count, "frequencies": ", ".join(map(str, frequencies))} | found._asdict()
                lines.append(line | {"detectable": detectable_ratio(found.expected)})
    table = pd.DataFrame(lines)
    return table.assign(q=adjusted(table.p))


def kinds_beside(n: int, given: int, base: int, odd: Sequence[int]) -> pd.DataFrame:
    """Each frequency, whether it is a multiple of `base`, and whether it is an odd multiple or part of the given one."""
    f = np.arange(1, n // 2 + 1)
    places = [fold(place, n) for m in odd for place in (m * given, given * pow(m, -1, n))]
    multiple = (f % base == 0) & (f != given)
    return pd.DataFrame({"given": given, "frequency": f, "multiple": multiple, "odd": np.isin(f, places)})


def pairs_beside(pool: Pool, kinds: pd.DataFrame, draws: int, seed: int) -> pd.DataFrame:
    """How often lines stand beside the given frequency, against random distinct ones: at kinds of frequencies, then at each."""
    given, multiple, odd = int(kinds.given.iloc[0]), kinds.multiple.to_numpy(), kinds.odd.to_numpy()
    groups = np.concatenate([[multiple, odd, multiple & ~odd], np.eye(len(kinds))]).astype(float)
    rng, anything = np.random.default_rng(seed_for(seed, f"given {given}")), np.ones(len(kinds), dtype=int)

    def count(pairs: np.ndarray) -> np.ndarray:
        return groups @ beside(pairs, given, pool.n)

    return against_random(pool.members, anything, count, draws, rng, pool.seeds)


def additive_relations(
    pool: Pool, bases: Mapping[int, int], odd: Sequence[int], noticed: int, draws: int, seed: int
) -> tuple[pd.DataFrame, dict[int, pd.DataFrame]]:
    """`pairs_beside` each given frequency, of all seeds and of those from `noticed` on; and what is drawn of all seeds.

    bases: by the given frequency, the number whose multiples are asked for.
    """
    relations, drawn = [], {}
    for given, base in bases.items():
        kinds = kinds_beside(pool.n, given, base, odd)
        at = [f"multiples of {base}", "odd multiples and parts", f"other multiples of {base}"]
        each = [f"multiple {place}" for place in kinds.frequency[kinds.multiple]]
        for label, chosen in {"all": pool.seeds >= 0, f"from {noticed} on": pool.seeds >= noticed}.items():
            table = pairs_beside(pool.of(chosen), kinds, draws, seed)
            by_kind, by_frequency = table[: len(at)], table[len(at) :].reset_index(drop=True)
            shown = pd.concat([by_kind, by_frequency[kinds.multiple]])
            relations.append(shown.assign(given=given, seeds=label, at=[*at, *each]))
            if label == "all":
                drawn[given] = pd.concat([by_frequency[["count", "expected"]], kinds], axis=1)
    table = pd.concat(relations, ignore_index=True)
    table = table.assign(q=adjusted(table.p))
    return table[["given", "seeds", "at", "count", "expected", "ratio", "low", "high", "p", "q"]], drawn


def second_lines(networks: Rows, odd: Sequence[int]) -> pd.DataFrame:
    """A line for each pair (f, further line) of a network: the smallest `multiple` m with the line at mf, and where it stands.

    elsewhere: at the frequency of another cluster; by chance: as random distinct frequencies would. at odd: m is among
    `odd`. simple: the network has no working fine-tuning neuron. multiple is 0 where there is none.
    """
    lines = []
    for name, rows in networks.items():
        n = int(rows.modulus.iloc[0])
        for row in rows.itertuples():
            shared = {"population": name, "n": n, "seed": row.seed, "simple": row.share_fine_tuning_working == 0}
            shared["by chance"] = (row.clusters - 1) / (n // 2 - 1)
            for f, line in zip(row.second_lines_of.tolist(), row.second_lines_at.tolist(), strict=True):
                own = {"multiple": smallest_multiple(f, line, n), "g": np.gcd(f, n)}
                lines.append(shared | own | {"elsewhere": line in row.cluster_frequencies})
    columns = ["population", "n", "seed", "multiple", "g", "simple", "elsewhere", "by chance"]
    table = pd.DataFrame(lines, columns=columns)
    at_odd = table.multiple.isin(odd)
    return table.assign(**{"at odd": at_odd, "at both": at_odd & table.elsewhere.astype(bool)})


def multiples_table(lines: pd.DataFrame, networks: Rows) -> pd.DataFrame:
    """How many pairs of `second_lines` a network has at each multiple, by population."""
    found = lines.groupby(["population", "multiple"], sort=False).size().rename("pairs").reset_index()
    sizes = {name: len(rows) for name, rows in networks.items()}
    return found.assign(**{"pairs per network": found.pairs / found.population.map(sizes)})


def lines_of_simple_networks(lines: pd.DataFrame, networks: Rows) -> dict[str, pd.DataFrame]:
    """How many `lines` of each of KINDS a network without working fine-tuning neurons has, by population and seed."""
    simple = lines[lines.simple.astype(bool)].assign(lines=1.0).groupby(["population", "seed"])
    sums = simple[["lines", *KINDS]].sum().astype(float)
    return {name: sums[sums.index.get_level_values("population") == name] for name in networks}


def kinds_table(simple: Rows) -> pd.DataFrame:
    """The share of each of KINDS among the lines of simple networks, with its interval."""
    rows = []
    for name, sums in simple.items():
        for column, kind in KINDS.items():
            found = ratio_of(sums[column].to_numpy(), sums.lines.to_numpy())
            row = {"population": name, "lines": int(sums.lines.sum()), "kind": kind, "share": found.value}
            rows.append(row | {"low": found.low, "high": found.high})
    return pd.DataFrame(rows)


def _more(sums: pd.DataFrame, kind: str, other: str) -> Estimate:
    return ratio_of((sums[kind] - sums[other]).to_numpy(), sums.lines.to_numpy(), signed=True)


def share_at_odd(lines: pd.DataFrame) -> Estimate:
    """The share of further lines that stand at 3f or 5f, over networks; those of one seed are one."""
    of_seed = lines["at odd"].groupby([lines.n, lines.seed]).agg(["sum", "size"])
    return ratio_of(of_seed["sum"].to_numpy(), of_seed["size"].to_numpy())


def answers_on_lines(lines: pd.DataFrame, networks: Rows, noticed: int) -> dict[str, Any]:
    """What is recorded of lines beside the own one; odd multiples are judged on the seeds from `noticed` on."""
    simple, shared = lines_of_simple_networks(lines, networks), lines[lines.g > 1]
    on_cosets = (shared.multiple > 0).groupby([shared.n, shared.seed]).all().to_numpy(bool)
    return {
        "second_lines_at_odd": share_at_odd(lines[lines.seed >= noticed]),
        "elsewhere_less_chance": [_more(sums, "elsewhere", "by chance") for sums in simple.values()],
        "odd_less_elsewhere": [_more(sums, "at odd", "elsewhere") for sums in simple.values()],
        "second_lines_on_cosets": share(on_cosets),
    }


def answers_on_counts(networks: Rows) -> dict[str, Any]:
    """What is recorded of the four counts; as printed, over the other clusters, where there are more clusters than lines."""
    counts = {name: counts_of(rows) for name, rows in networks.items()}

    def over_others(name: str, count: str) -> float:
        found = counts[name][count]
        return ratio_of(found, networks[name].clusters.to_numpy() - found).high

    as_counted = [over_others(name, IN_BAND) for name in networks]
    strict = [over_others(name, count) for count in (OF_CLUSTERS, OF_NEURONS) for name in networks]
    each, clusters = [], []
    for name, rows in networks.items():
        lines = membership(rows[COLUMNS[IN_BAND]], int(rows.modulus.iloc[0]))
        each.append(mean_of(100 * lines.mean(axis=1)))  # thousands in 100,000 networks
        clusters.append(ratio_of(counts[name][IN_BAND], rows.clusters.to_numpy()).value)
    return {
        "fine_tuning_as_counted": [high for high in as_counted if np.isfinite(high)],
        "lines_for_each_cluster": clusters,
        "fine_tuning_at_most": strict,
        "lines_in_band_each": each,
        "lines_of_fine_tuning": [ratio_of(found[OF_NEURONS], found[IN_BAND]) for found in counts.values()],
    }


def _recorded(row: pd.Series, networks: int) -> dict[str, Any]:
    return {"value": row.ratio, "of": networks, **row.to_dict()}


def least_likely(relations: pd.DataFrame, given: int) -> pd.Series:
    """The single multiple that is least likely beside its expected number, if this frequency is given."""
    chosen = (relations.given == given) & (relations.seeds == "all") & relations["at"].str.startswith("multiple ")
    multiples = relations[chosen]
    return multiples.loc[multiples.ratio.idxmin()] if multiples.ratio.notna().any() else multiples.iloc[0]


def answers_on_relations(relations: pd.DataFrame, networks: int) -> dict[str, Any]:
    """What is recorded of `additive_relations`, over so many networks."""
    others = relations.set_index(["given", "seeds", "at"]).loc[15, "all", "other multiples of 5"]
    return {
        "additive_given_15": _recorded(least_likely(relations, 15), networks),
        "additive_given_7": _recorded(least_likely(relations, 7), networks),
        "other_multiples_of_5": _recorded(others, networks),
    }


def answers_on_named(named: pd.DataFrame, judged: Sequence[int], networks: Rows) -> dict[str, Any]:
    """What is recorded of the `judged` frequencies in `named_table`, by their name: at_13_26_39."""
    words = ", ".join(map(str, judged))
    of_modulus = {n: len(pool.seeds) for n, pool in pools_of(networks, IN_BAND).items()}
    rows = named[(named.counted == IN_BAND) & (named.frequencies == words)]
    return {f"at_{words.replace(', ', '_')}": _recorded(row, of_modulus[row.n]) for _, row in rows.iterrows()}


def answers(
    networks: Rows,
    named: pd.DataFrame,
    judged: Sequence[int],
    relations: pd.DataFrame,
    lines: pd.DataFrame,
    noticed: int,
) -> dict[str, Any]:
    """What is recorded of further lines.

    named: `named_table`, of which the `judged` frequencies mod 91 count. relations: `additive_relations` mod 91. lines:
    `second_lines`, whose odd multiples are judged on the seeds from `noticed` on.
    """
    mod_91 = sum(len(rows) for rows in networks.values() if rows.modulus.iloc[0] == 91)
    return (
        answers_on_counts(networks)
        | answers_on_named(named, judged, networks)
        | answers_on_relations(relations, mod_91)
        | answers_on_lines(lines, networks, noticed)
    )
