"""Frequencies of networks by the recipe that [C1] prints for every modulus (Fig. 3, Table 4), and laws of their growth.

Rows have the columns clusters, the frequencies of all alive neurons, and strong, those that carry enough of the weight.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd

from modadd.core.growth import best_without_one, fit_laws, r_squared_of, r_squared_resampled, weights_resampled
from modadd.core.statistics import AsItStands, Estimate, as_it_stands, mean_of
from modadd.networks.initialisation import seed_for

KINDS = {"clusters": "frequencies", "strong": "strong frequencies"}
FEWEST_MODULI = 6  # of which laws are compared: each in turn is left out, and a weight needs five
LOGARITHM = "a + b ln n"  # of LAWS
LAUNCHED_UPDATES = 147_500  # of a coauthor's launcher for Fig. 4
FEWEST_RIGHT = 4  # networks without a wrong answer, of which a mean is compared with another
_UNSTATED = ("steps", "init_scale", "beta1", "beta2")  # keys of a recipe that Table 4 does not print


def points_table(rows: pd.DataFrame) -> pd.DataFrame:
    """A line for each modulus: networks, those without a wrong answer, and of these the mean of each of KINDS."""
    points = rows.groupby("modulus").agg(
        networks=("accuracy", "size"),
        passing=("accuracy", lambda accuracy: int((accuracy == 1).sum())),
        accuracy=("accuracy", "median"),
        dead=("share_dead", "median"),
    )
    passing = rows[rows.accuracy == 1]
    for kind in KINDS:
        means = {n: mean_of(alike[kind].to_numpy()) for n, alike in passing.groupby("modulus")}
        points[f"{kind}_mean"] = pd.Series({n: mean.value for n, mean in means.items()}, dtype=float)
        points[f"{kind}_low"] = pd.Series({n: mean.low for n, mean in means.items()}, dtype=float)
        points[f"{kind}_high"] = pd.Series({n: mean.high for n, mean in means.items()}, dtype=float)
    return points


def with_changes(rows: pd.DataFrame, tried: pd.DataFrame) -> pd.DataFrame:
    """The networks whose unstated numbers were varied, beside those of the same moduli as chosen; `change` in words.

    A change reads `steps 28000`; that of the networks as chosen is `none`.
    """
    chosen = rows.drop_duplicates("modulus").set_index("modulus")
    tried = tried[tried.modulus.isin(chosen.index)]
    changes = []
    for recipe in tried[["modulus", *_UNSTATED]].astype(object).to_dict("records"):
        own = chosen.loc[recipe["modulus"]]
        changes.append(", ".join(f"{key} {recipe[key]}" for key in _UNSTATED if recipe[key] != own[key]))
    as_chosen = rows[rows.modulus.isin(tried.modulus)].assign(change="none")
    return pd.concat([as_chosen, tried.assign(change=changes)])


def changes_table(networks: pd.DataFrame) -> pd.DataFrame:
    """A line for each modulus and change: the means of KINDS, with intervals, over the networks without a wrong answer."""
    lines = []
    for (n, change), alike in networks.groupby(["modulus", "change"], sort=False):
        right = alike[alike.accuracy == 1]
        line = {"modulus": n, "change": change, "networks": len(alike), "passing": len(right)}
        for kind, words in KINDS.items():
            mean = mean_of(right[kind].to_numpy())
            line |= {words: mean.value, f"{words}, low": mean.low, f"{words}, high": mean.high}
        lines.append(line | {"share_dead": alike.share_dead.median()})
    return pd.DataFrame(lines).sort_values(["modulus", "change"], ignore_index=True)


def logarithm_in(networks: pd.DataFrame) -> dict[str, Any]:
    """How well a + b ln n describes the mean frequencies of some networks: R², and its weight of evidence."""
    means = networks.groupby("modulus").clusters.mean()
    laws = fit_laws(networks.modulus.to_numpy(), networks.clusters.to_numpy(float))
    found = {"moduli": len(means), "r_squared": np.nan, "logarithm_weight": np.nan}
    if laws:
        found["r_squared"] = r_squared_of(LOGARITHM, means.index.to_numpy(), means.to_numpy(float))
        found["logarithm_weight"] = laws[LOGARITHM].weight
    return found


def with_twice_the_updates(networks: pd.DataFrame) -> pd.DataFrame:
    """The networks of `with_changes` that had twice the updates chosen and answer every input right."""
    chosen = networks.steps[networks.change == "none"]
    twice = networks.change == (f"steps {2 * chosen.iloc[0]}" if len(chosen) else "")
    return networks[twice & (networks.accuracy == 1)]


def twice_and_once(networks: pd.DataFrame) -> dict[str, dict[str, Any]]:
    """`logarithm_in` the networks with twice the updates, and in those with the updates chosen at the same moduli."""
    twice = with_twice_the_updates(networks)
    once = networks[(networks.accuracy == 1) & (networks.change == "none") & networks.modulus.isin(twice.modulus)]
    return {"twice_updates": logarithm_in(twice), "once_updates": logarithm_in(once)}


def settled_before(networks: pd.DataFrame) -> dict[str, list[AsItStands] | list[int]]:
    """Of each modulus that was trained for LAUNCHED_UPDATES, the larger of its means there and as chosen over the smaller.

    networks: of `with_changes`; their frequencies count where every input is answered right. Too few of them are no number.
    """
    right = networks[networks.accuracy == 1]
    means = right.groupby(["modulus", "change"]).clusters.agg(["mean", "size"])
    long = f"steps {LAUNCHED_UPDATES}"
    moduli = sorted(set(networks.modulus[networks.change == long]))
    ratios = []
    for n in moduli:
        both = means.reindex([(n, "none"), (n, long)])
        ratio = float(both["mean"].max() / both["mean"].min())
        ratios.append(as_it_stands(ratio, int(both["size"].fillna(0).min()), FEWEST_RIGHT))
    judged = [not np.isnan(ratio.value) for ratio in ratios]
    return {
        "settled": [ratio for ratio, told in zip(ratios, judged, strict=True) if told],
        "settled_moduli": [n for n, told in zip(moduli, judged, strict=True) if told],
    }


def logarithm_of_readings(readings: Mapping[str, pd.DataFrame], seed: int) -> dict[str, list[list[Estimate]]]:
    """R² and weight of evidence of the logarithm, for each reading of the printed penalty and each of KINDS.

    readings: all networks, by the reading in words. seed: of the networks drawn again for the intervals.
    """
    found: dict[str, list[list[Estimate]]] = {"r_squared": [], "logarithm_weight": []}
    for reading, rows in readings.items():
        right = rows[rows.accuracy == 1]
        explained, weights = [], []
        for kind in KINDS:
            if right.modulus.nunique() < FEWEST_MODULI:
                explained.append(Estimate.without_interval())
                weights.append(Estimate.without_interval())
                continue
            rng = np.random.default_rng(seed_for(seed, f"networks drawn again, {reading}, {kind}"))
            counts = right.modulus.to_numpy(), right[kind].to_numpy(float)
            weights.append(weights_resampled(*counts, rng)[LOGARITHM])
            explained.append(r_squared_resampled(LOGARITHM, *counts, rng))
        found["r_squared"].append(explained)
        found["logarithm_weight"].append(weights)
    return found


def growth_by_published_recipe(
    readings: Mapping[str, pd.DataFrame], changed: pd.DataFrame, seed: int
) -> dict[str, Any]:
    """What is recorded of the growth of frequencies; our networks are those of the first of the `readings`.

    changed: networks of `with_changes`.
    """
    rows = next(iter(readings.values()))
    right = rows[rows.accuracy == 1]
    counts = {kind: (right.modulus.to_numpy(), right[kind].to_numpy(float)) for kind in KINDS}
    laws = {kind: fit_laws(*of_kind) for kind, of_kind in counts.items()}
    at_59 = [own.accuracy[own.modulus == 59] for own in readings.values()]
    weights = {}
    for word, law in {"linear": "a + b n", "root": "a + b √n", "levelling": "a − b/n"}.items():
        weights[f"{word}_weight"] = [laws[kind][law].weight if laws[kind] else np.nan for kind in KINDS]
    return (
        logarithm_of_readings(readings, seed)
        | weights
        | {
            "best_without_one": [best_without_one(*of_kind)[LOGARITHM] for of_kind in counts.values()],
            "at_59": {"networks": [len(own) for own in at_59], "passing": [int((own == 1).sum()) for own in at_59]},
            "moduli": right.modulus.nunique(),
        }
        | twice_and_once(changed)
        | settled_before(changed)
    )
