from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from modadd.core.statistics import difference_of_means, distance_from_zero
from modadd.networks.recipes import RECIPES
from modadd.populations.recipe_changes import (
    after_equal_updates,
    largest_shift,
    numbers_by_change,
    regimes_apart,
    shift,
    stopped_first,
    with_changes,
)

BATCH = RECIPES["embedding_mlp"]
FULL = replace(BATCH, batch_size=0, steps=1500)


def row(recipe, seed, clusters, accuracy=1.0):
    return {**recipe.as_dict(), "seed": seed, "clusters": clusters, "accuracy": accuracy}


RECIPES_OF = {"batch": pd.Series(row(BATCH, 0, 5)), "full": pd.Series(row(FULL, 0, 5))}
OF_RECIPE = [row(recipe, seed, 5 + seed % 2) for recipe in (BATCH, FULL) for seed in range(4)]


def rows_of(*more, most=200):
    return with_changes(pd.DataFrame([*OF_RECIPE, *more]), RECIPES_OF, most)


def test_a_change_is_named_beside_the_recipe_of_its_own_regime():
    changed = [replace(BATCH, steps=28_000), replace(FULL, steps=400, init_scale=2.0), replace(BATCH, reshuffled=True)]
    rows = rows_of(*(row(recipe, 0, 5) for recipe in changed))
    named = {tuple(line) for line in rows[["regime", "changed"]].to_numpy()} - {("batch", ""), ("full", "")}
    assert named == {("batch", "steps 28000"), ("full", "init_scale 2.0, steps 400"), ("batch", "reshuffled True")}


def test_networks_of_another_modulus_have_recipes_of_their_own():
    other = row(replace(BATCH, modulus=89, train_pairs=4717, batch_size=89), 0, 5)
    assert set(rows_of(other).modulus) == {91}


def test_of_each_recipe_the_first_seeds_count():
    assert rows_of(most=2).groupby(["regime", "changed"]).seed.apply(list).tolist() == [[0, 1], [0, 1]]


def test_means_are_of_networks_that_pass_and_shifts_are_from_the_recipe():
    short = replace(BATCH, steps=1400)
    rows = rows_of(row(short, 0, 12), row(short, 1, 10), row(short, 2, 40, accuracy=0.9))
    line = numbers_by_change(rows, ["clusters"]).set_index(["regime", "changed"]).loc[("batch", "steps 1400")]
    assert (line.networks, line.passing, line.clusters, line.clusters_of_all) == (3, 2, 11, pytest.approx(62 / 3))
    assert line.shift_clusters == pytest.approx(11 - 5.5) and 0 < line.p < 1


def test_a_recipe_none_of_whose_networks_passes_has_no_mean():
    rows = rows_of(row(replace(BATCH, steps=60), 0, 12, accuracy=0.5))
    line = numbers_by_change(rows, ["clusters"]).set_index(["regime", "changed"]).loc[("batch", "steps 60")]
    assert line.passing == 0 and np.isnan([line.clusters, line.shift_clusters, line["std"], line.p]).all()
    assert shift(rows[rows.passes], "clusters", "batch", "steps 60").of == 0


def test_the_largest_shift_of_a_key_is_over_its_recipes_in_both_regimes_without_its_sign():
    down = [row(replace(FULL, init_scale=2.0), seed, clusters) for seed, clusters in enumerate((1, 2, 1))]
    up = [row(replace(BATCH, init_scale=0.5), seed, clusters) for seed, clusters in enumerate((6, 6, 7))]
    passing = rows_of(*down, *up)
    found = largest_shift(passing, "clusters", "init_scale")
    assert found == distance_from_zero(difference_of_means([1.0, 2.0, 1.0], [5.0, 6.0, 5.0, 6.0]))
    assert largest_shift(passing, "clusters", "beta2").of == 0


def test_the_fewest_updates_after_which_networks_pass_are_those_of_each_regime():
    early = [replace(BATCH, steps=1400), replace(BATCH, steps=2800), replace(FULL, steps=750)]
    later = replace(BATCH, steps=28_000)
    rows = rows_of(*(row(recipe, 0, 9, accuracy=float(recipe.steps != 1400)) for recipe in (*early, later)))
    assert stopped_first(rows[rows.passes], RECIPES_OF) == [("batch", "steps 2800"), ("full", "steps 750")]


def test_regimes_are_compared_seed_by_seed_after_the_most_updates_that_both_have():
    longer = [row(replace(FULL, steps=BATCH.steps), seed, clusters) for seed, clusters in enumerate((6, 7, 6))]
    updates, by_seed = after_equal_updates(rows_of(*longer), ["clusters"])
    assert updates == BATCH.steps and by_seed["clusters"].to_numpy().tolist() == [[5, 6], [6, 7], [5, 6]]
    found = regimes_apart(by_seed)["clusters"]
    assert (found.value, found.of) == (1, 3)


def test_without_equal_updates_there_is_nothing_to_compare():
    updates, by_seed = after_equal_updates(rows_of(), ["clusters"])
    assert updates == 0 and regimes_apart(by_seed)["clusters"].of == 0


def test_where_no_network_passes_there_is_nothing_to_say():
    rows = rows_of()
    nobody = rows[rows.accuracy < 0]
    assert stopped_first(nobody, RECIPES_OF) == [] and largest_shift(nobody, "clusters", "steps").of == 0
    updates, by_seed = after_equal_updates(nobody, ["clusters"])
    assert updates == 0 and by_seed["clusters"].empty
    assert np.isnan(numbers_by_change(rows.assign(passes=False), ["clusters"]).clusters).all()
