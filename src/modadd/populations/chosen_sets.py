"""Is the set of frequencies that a network chooses random, given its size (O58 of the MAIS list)?

Three definitions of the set are compared: K, the frequencies with at least KEY_WEIGHT of the squared norm of the centred
logits; those with a larger share of it; and those of the neurons.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd
from jaxtyping import Float

from modadd.core.statistics import ratio_of
from modadd.networks.initialisation import seed_for
from modadd.populations.cluster_frequencies import estimate
from modadd.populations.frequencies import Members, classes, fold, membership
from modadd.populations.frequency_pairs import (
    Effect,
    against_random,
    detectable_ratio,
    multiples,
    multipliers,
    set_aside,
    summed,
)
from modadd.populations.spectra import KEY_WEIGHT

KEY_SET, OF_NEURONS = f"K_{KEY_WEIGHT}", "of neurons"


def sets_of_frequencies(rows: pd.DataFrame, n: int, larger: float) -> dict[str, Members]:
    """Which frequencies each network has, by definition: KEY_SET, that of the share `larger`, and OF_NEURONS."""
    strong = [np.flatnonzero(np.asarray(weights) >= larger) for weights in rows.spectral_weights]
    sets = {KEY_SET: rows.key_set, f"K_{larger}": strong, OF_NEURONS: rows.characters}
    return {name: membership(frequencies, n) for name, frequencies in sets.items()}


def pairs_by_multiple(members: Members, n: int, draws: int, seed: int, label: str) -> pd.DataFrame:
    """`against_random` of the pairs {f, mf}, a line for each `multiple` m; the label tells apart draws of one seed."""
    rng = np.random.default_rng(seed_for(seed, label))
    return against_random(members, classes(n), multiples(n), draws, rng).assign(multiple=multipliers(n))


def shares_beside_strong(weights: Float[np.ndarray, "networks frequencies"], larger: float, n: int) -> pd.DataFrame:
    """For each multiple m from 2 to ⌊n/2⌋: the mean share of the logits at mf, beside an f with at least `larger`.

    weights: shares at f = 1 … ⌊n/2⌋. value, low, high: the mean with its 95 % interval over networks.
    """
    f, strong = np.arange(1, n // 2 + 1), weights >= larger
    lines = []
    for m in f[1:].tolist():
        at_multiple = weights[:, fold(m * f, n) - 1]
        lines.append(vars(ratio_of((strong * at_multiple).sum(axis=1), strong.sum(axis=1))) | {"multiple": m})
    return pd.DataFrame(lines)


def of_multiple(table: pd.DataFrame, m: int) -> Effect:
    """The pairs {f, mf} of a table of `pairs_by_multiple`."""
    return summed(table[table.multiple == m])


def doubling_and_tripling(tables: Mapping[str, pd.DataFrame], larger: float, networks: int) -> dict[str, Any]:
    """Whether pairs {f, 2f} and {f, 3f} are rarer than in random sets, by tables of `pairs_by_multiple` of each set.

    Tripling is compared with what the pairs {f, 2f} leave to all other multiples.
    """
    table = tables[KEY_SET]
    tripled = set_aside(table, 3, aside=2)
    double = table.set_index("multiple").loc[2]
    return {
        "doubled": estimate(of_multiple(table, 2), networks),
        "tripling_p": tripled.p,
        "tripled": estimate(tripled, networks),
        "smallest_q": table.q.min(),
        "detectable_ratio": detectable_ratio(double.expected / double.dispersion),
        "doubled_of_larger": estimate(of_multiple(tables[f"K_{larger}"], 2), networks),
    }
