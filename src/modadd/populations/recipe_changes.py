"""What the numbers of a recipe decide ([C] §4): networks of a changed recipe beside those of the recipe itself.

Batches of n pairs and full batch are two regimes, each with a recipe of its own. Numbers are those of the rows, in their units.
"""

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd

from modadd.core.statistics import Estimate, difference_of_means, distance_from_zero, kolmogorov_smirnov, mean_of
from modadd.populations.paired import paired_difference
from modadd.populations.tables import recipe_columns

BATCH, FULL = REGIMES = ("batch", "full")
UNCHANGED = ""  # what is changed in the recipe itself


def with_changes(rows: pd.DataFrame, recipes: Mapping[str, pd.Series], most: int) -> pd.DataFrame:
    """Rows with `regime`, what is `changed` in the recipe of that regime, and whether the network `passes`.

    recipes: a row of each regime's recipe. What is changed reads `init_scale 2.0, steps 28000`. Networks of another
    modulus are left out, as they have recipes of their own. Of each recipe the first `most` seeds; a network passes that
    answers every input right.
    """
    rows = rows[rows.modulus == recipes[BATCH].modulus]
    regime = np.where(rows.batch_size > 0, BATCH, FULL)
    keys = [key for key in recipe_columns(rows) if key not in ("architecture", "seed")]
    changed = [
        ", ".join(f"{key} {row[key]}" for key in keys if row[key] != recipes[of][key])
        for of, row in zip(regime, rows[keys].astype(object).to_dict("records"), strict=True)
    ]
    rows = rows.assign(regime=regime, changed=changed, passes=rows.accuracy == 1)
    rows = rows.sort_values(["regime", "changed", "seed"])
    return rows.groupby(["regime", "changed"]).head(most).reset_index(drop=True)


def numbers_by_change(rows: pd.DataFrame, numbers: Sequence[str]) -> pd.DataFrame:
    """A line for each recipe: networks, how many pass, and of these the mean of every number and its shift.

    `clusters_of_all` is the mean over all networks, `std` that of the clusters of those that pass, `p` says whether their
    counts of clusters may come from the distribution of the unchanged recipe (two-sample Kolmogorov–Smirnov).
    """
    group, passing = ["regime", "changed"], rows[rows.passes]
    table = rows.groupby(group).agg(
        networks=("passes", "size"), passing=("passes", "sum"), clusters_of_all=("clusters", "mean")
    )
    of_passing = passing.groupby(group)
    table = table.join(of_passing[[*numbers]].mean()).join(of_passing.clusters.std().rename("std"))
    counts = {recipe: part.clusters.to_numpy(float) for recipe, part in of_passing}
    nothing = np.empty(0)
    table["p"] = [
        kolmogorov_smirnov(counts.get((regime, changed), nothing), counts.get((regime, UNCHANGED), nothing)).p
        if changed
        else np.nan
        for regime, changed in table.index
    ]
    table = table.reset_index()
    recipe = table[table.changed == UNCHANGED].set_index("regime")
    return table.assign(**{f"shift_{number}": table[number] - table.regime.map(recipe[number]) for number in numbers})


def shift(passing: pd.DataFrame, number: str, regime: str, changed: str) -> Estimate:
    """The mean of a number over the networks of a changed recipe less that over those of the recipe itself."""
    of_regime = passing[passing.regime == regime]
    groups = (of_regime[of_regime.changed == of][number].to_numpy(float) for of in (changed, UNCHANGED))
    return difference_of_means(*groups)


def largest_shift(passing: pd.DataFrame, number: str, key: str) -> Estimate:
    """How far the mean of a number moves at most, in either regime, by changes whose first key is this; NaN without any."""
    recipes = passing[passing.changed.str.startswith(key)][["regime", "changed"]].drop_duplicates()
    each = [distance_from_zero(shift(passing, number, *recipe)) for recipe in recipes.itertuples(index=False)]
    return max((found for found in each if found.of), key=lambda found: found.value, default=mean_of([]))


def stopped_first(passing: pd.DataFrame, recipes: Mapping[str, pd.Series]) -> list[tuple[str, str]]:
    """Of each regime the recipes of the fewest updates after which networks pass, fewer than the recipe's own."""
    own = passing.regime.map({regime: recipe.steps for regime, recipe in recipes.items()})
    early = passing[passing.steps < own.astype(float)]  # float, where no network passes, too
    early = early[early.groupby("regime").steps.transform("min") == early.steps]
    return sorted(set(zip(early.regime, early.changed, strict=True)))


def after_equal_updates(rows: pd.DataFrame, numbers: Sequence[str]) -> tuple[int, dict[str, pd.DataFrame]]:
    """The most updates that both regimes were given, and each number then: a line for each seed, a column for each regime.

    Networks of one seed begin with equal weights. 0 and no lines where the regimes have no number of updates in common.
    """
    updates = max(set.intersection(*(set(rows.steps[rows.regime == regime]) for regime in REGIMES)), default=0)
    equal = rows[rows.steps == updates].pivot(index="seed", columns="regime", values=[*numbers])
    both = equal.reindex(columns=pd.MultiIndex.from_product([numbers, REGIMES])).dropna().astype(float)
    return updates, {number: both[number] for number in numbers}


def regimes_apart(by_seed: Mapping[str, pd.DataFrame]) -> dict[str, Estimate]:
    """Of each number of `after_equal_updates` the mean of full batch less that of batches of n, over the seeds."""
    return {number: paired_difference(of, FULL, BATCH) for number, of in by_seed.items()}
