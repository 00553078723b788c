from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from support import ROOT

from modadd.core.statistics import AsItStands
from modadd.networks.overrides import recipe_of
from modadd.networks.recipes import RECIPES
from modadd.populations.why_few import (
    ARMS,
    COMPARED,
    COUNTED_FROM,
    FACTOR,
    ORDERS,
    answers,
    apart,
    arm_of,
    arms_table,
    by_recipe,
    clear_ratio,
    order_holds,
    orders_in_words,
    ratios_of_arms,
    with_arms,
)
from paper.config import read_config
from paper.datasets import datasets_of
from paper.yaml_files import read_yaml

PREDICTED = read_yaml(ROOT / "data/why_few/predictions.yaml")


def test_judged_is_what_was_predicted():
    assert (FACTOR, COUNTED_FROM) == (PREDICTED["factor"], PREDICTED["counted_from"])
    assert set(ARMS) == {arm["letter"] for arm in PREDICTED["arms"].values()}


def test_the_kept_config_trains_every_arm_at_every_modulus_by_the_stated_numbers():
    config = read_config(*(ROOT / f"config/{name}.yaml" for name in ("config", "paper", "kept")))
    populations = {arm["population"] for arm in PREDICTED["arms"].values()}
    planned = datasets_of(config).populations
    recipes = {shard.recipe for name in populations for shard in planned[name].shards}
    found = {(arm_of(recipe.as_dict()), recipe.modulus) for recipe in recipes}
    pairs = {31: 868, 59: 3127, PREDICTED["added"]["modulus"]: PREDICTED["added"]["training_pairs"]}
    assert found == {(arm, n) for arm in ARMS for n in pairs} and len(recipes) == len(found)
    for recipe in recipes:
        n = recipe.modulus
        assert (recipe.d_mlp, recipe.batch_size, recipe.train_pairs) == (4 * n, n, pairs[n])
        assert (recipe.learning_rate, recipe.steps) == (0.004, PREDICTED["same_in_all_arms"]["updates"])


def test_claims_on_the_printed_recipe_have_the_limits_that_were_set_before():
    assert "1.25" in PREDICTED["fig_4"]["one_hot"] and "twice" in PREDICTED["fig_4"]["embedding"]
    claims = read_yaml(ROOT / "notebooks/crt/why_few.yaml")["claims"]
    assert claims["one_hot_learns_half_by_the_printed_recipe"]["at_most"] == 1.25
    assert claims["embedding_learns_few_by_the_printed_recipe"]["at_least"] == 2
    of_66 = read_yaml(ROOT / "notebooks/crt/shared_factors.yaml")["claims"]
    assert of_66["shared_factors_are_preferred_mod_66"]["at_least"] == 1.1
    assert "at least 1.1 times" in PREDICTED["mod_66"]["preferred"]


def test_arms_are_told_by_their_recipe():
    factored = replace(RECIPES["factored_mlp"], modulus=31)
    recipes = {
        "a": RECIPES["group_mlp"],
        "b": replace(factored, d_model=31),
        "c": replace(factored, decayed="tables"),
        "d": RECIPES["twice_factored_mlp"],
        "e": replace(factored, weight_decay=0.0),
        "f": factored,
    }
    assert {arm: arm_of(recipe.as_dict()) for arm, recipe in recipes.items()} == {arm: arm for arm in ARMS}
    assert arm_of(recipe_of("mine", {"recipe": "factored_mlp"}).as_dict()) == "f"


def rows_of(arm, counts, accuracy=1.0):
    return pd.DataFrame(
        {
            "modulus": 31,
            "arm": arm,
            "frequencies": counts,
            "spectral_count": counts,
            "accuracy": accuracy,
            "held_out_loss": 0.0,
        }
    )


def test_an_order_needs_both_the_ratio_and_intervals_apart():
    spread = rows_of("b", [1, 15, 2, 14] * 2)
    table = arms_table(
        pd.concat([rows_of("a", [10, 10, 11, 9] * 2), spread, rows_of("d", [4, 4, 4, 5] * 2)])
    ).set_index("arm")
    a, b, d = (table.loc[arm] for arm in "abd")
    assert clear_ratio(a, d).value == apart(d, a).value == pytest.approx(10 / 4.25)
    assert clear_ratio(a, b).value == 1.0, "the interval of the one reaches into that of the other"


def test_an_arm_that_mostly_did_not_learn_is_not_judged():
    rows = pd.concat(
        [rows_of("a", [10, 10, 11, 9] * 2), rows_of("e", [3, 3, 3, 3] * 4, [1.0, 1.0, 0.5, 0.5] * 3 + [0.5] * 4)]
    )
    table = arms_table(rows).set_index("arm")
    assert table.loc["e", "counted"] == 6 and np.isnan(table.loc["e", "mean"])
    for found in (clear_ratio(table.loc["a"], table.loc["e"]), apart(table.loc["e"], table.loc["a"])):
        assert np.isnan(found.value) and found.of == 0


def test_too_few_networks_judge_nothing():
    table = arms_table(pd.concat([rows_of("a", [10, 11]), rows_of("f", [4, 4])])).set_index("arm")
    assert clear_ratio(table.loc["a"], table.loc["f"]).of == 0


def arms(**frequencies):
    """A table of arms mod 31, each with ten networks that all have the given number of frequencies."""
    lines = []
    for arm, many in frequencies.items():
        lines.append(
            {"modulus": 31, "arm": arm, "counted": 10, "mean": float(many), "low": many - 0.1, "high": many + 0.1}
        )
    return pd.DataFrame(lines)


def test_ratios_are_of_the_arms_that_there_are():
    ratios = ratios_of_arms(arms(a=15, f=5, c=15))
    assert ratios["product_over_factors"][31].value == 3 and ratios["product_and_one_hot"][31].value == 1
    assert ratios["one_hot_over_linear"] == {}


def test_an_order_can_fail():
    assert order_holds("c > f", 1.3) and not order_holds("c > f", 1.2)
    assert order_holds("a ≈ c", 1.2) and not order_holds("a ≈ c", 1.3)


def test_an_order_that_is_not_judged_is_told_as_that():
    ratios = {"c_f": {31: AsItStands(3.0, 8)}, "a_c": {31: AsItStands(np.nan, 0)}, "a_b": {}}
    told = orders_in_words({"c_f": "c > f", "a_c": "a ≈ c", "a_b": "a > b"}, ratios, 31)
    assert (
        told
        == "c > f: holds, ratio 3.00. Not judged, as too few networks of an arm count or none is kept: a ≈ c, a > b."
    )


def test_the_answers_have_every_prediction_and_both_recipes():
    found = answers(arms(a=15, f=5, e=float("nan")), arms(a=10, f=5))
    assert set(ORDERS) <= set(found)
    assert found["one_hot"] == [15] and np.isnan(found["linear"][0]) and found["unpenalised_and_one_hot"] == []
    assert found["all_over_one_hot"][0].value == 1 and found["fig_4_all_over_one_hot"][0].value == 1.5
    assert found["fig_4_one_hot_over_embedding"][0].value == 2


@pytest.mark.parametrize("name", ORDERS)
def test_a_ratio_is_of_the_arms_that_its_order_names(name):
    one, sign, other = ORDERS[name].split()
    compare, *both = COMPARED[name]
    if sign == ">":
        assert compare is clear_ratio and both == [one, other]
    else:
        assert compare is apart and set(both) == {one, other}


def test_rows_have_their_arm_and_as_many_frequencies_as_are_in_their_set():
    recipes = [RECIPES["group_mlp"].as_dict(), RECIPES["twice_factored_mlp"].as_dict()]
    rows = pd.DataFrame(recipes).assign(key_set=[[1, 5, 9], []])
    found = with_arms(rows)
    assert found[["arm", "frequencies"]].to_numpy().tolist() == [["a", 3], ["d", 0]]
    assert with_arms(rows, lambda recipe: recipe["architecture"]).arm.tolist() == ["group_mlp", "twice_factored_mlp"]


def test_the_networks_of_fig_4_are_those_of_its_recipe():
    names = ["few_one_hot", "c1_one_hot", "few_factored", "c1_embedding"]
    ours, of_fig_4 = by_recipe(pd.DataFrame({"population": names}))
    assert ours.population.tolist() == names[::2] and of_fig_4.population.tolist() == names[1::2]
