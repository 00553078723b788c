"""The second experiment on few frequencies: its arms are those that were predicted, and its orders can fail."""

import math
from dataclasses import replace

import pandas as pd
import pytest
from support import ROOT

from modadd.networks.recipes import DIRECTIONS, RECIPES
from modadd.populations.rich_or_lazy import ARMS, COMPARED, EFFECT, answers, arm_of, ratios, standing
from modadd.populations.why_few import COUNTED_FROM, FACTOR, clear_ratio
from paper.config import read_config
from paper.datasets import datasets_of
from paper.yaml_files import read_yaml

PREDICTED = read_yaml(ROOT / "data/why_few/second.yaml")
LETTERS = {arm: every["letter"] for arm, every in PREDICTED["arms"].items()}


def test_compared_is_what_was_predicted():
    assert set(ARMS) == set(PREDICTED["arms"])
    orders = " ".join(PREDICTED["predicted"].values())
    for compare, one, other in COMPARED.values():
        letters = f"F({LETTERS[one]}) {'>' if compare is clear_ratio else '≈'} F({LETTERS[other]})"
        assert letters in orders
    assert str(FACTOR) in PREDICTED["meaning"] and str(COUNTED_FROM) in PREDICTED["counted_networks"]


def test_the_kept_config_trains_every_arm_at_every_modulus_by_the_stated_numbers():
    config = read_config(*(ROOT / f"config/{name}.yaml" for name in ("config", "paper", "kept")))
    planned = datasets_of(config).populations
    populations = {arm["population"] for arm in PREDICTED["arms"].values()}
    shards = [shard for name in populations for shard in planned[name].shards]
    recipes = {shard.recipe for shard in shards}
    found = {(arm_of(recipe.as_dict()), recipe.modulus) for recipe in recipes}
    assert found == {(arm, n) for arm in ARMS for n in (31, 59)} and len(recipes) == len(found)
    for recipe in recipes:
        n, by_descent = recipe.modulus, recipe.optimiser == "descent"
        assert (recipe.d_mlp, recipe.batch_size, recipe.train_pairs) == (4 * n, n, n * n)
        assert recipe.weight_decay == 0
        assert recipe.learning_rate == ({31: 1.0, 59: 3.0}[n] if by_descent else 0.004)
        assert recipe.steps == (200_000 if by_descent else 8000)
        if arm_of(recipe.as_dict()) == "low_rank":  # of the size of a full start, in the digits of the config
            assert recipe.init_scale == round(math.sqrt(n / DIRECTIONS), 4)
    for name, every in PREDICTED["arms"].items():
        assert name in {arm_of(shard.recipe.as_dict()) for shard in planned[every["population"]].shards}


def test_arms_are_told_by_their_recipe():
    one_hot, factored = (replace(RECIPES[name], modulus=31) for name in ("group_mlp", "factored_mlp"))
    recipes = {
        "one_hot": one_hot,
        "one_hot_by_16": replace(one_hot, scaled="factors", scaled_by=16.0),
        "one_hot_descent": replace(one_hot, optimiser="descent"),
        "low_rank": replace(one_hot, scaled="rest", scaled_by=0.0),
        "embedding": factored,
        "embedding_by_4": replace(factored, scaled="factors", scaled_by=4.0),
        "embedding_by_8": replace(factored, scaled="factors", scaled_by=8.0),
        "embedding_descent": replace(factored, optimiser="descent"),
        "linear": replace(factored, d_model=31),
        "two_linear": RECIPES["twice_factored_mlp"],
    }
    assert {arm: arm_of(recipe.as_dict()) for arm, recipe in recipes.items()} == {arm: arm for arm in ARMS}


def arms(n, **frequencies):
    """A table of arms, each with ten networks that all have the given number of frequencies."""
    return pd.DataFrame(
        [
            {"modulus": n, "arm": arm, "counted": 10, "mean": float(many), "low": many - 0.1, "high": many + 0.1}
            for arm, many in frequencies.items()
        ]
    )


def test_nothing_is_judged_where_an_embedding_learns_no_fewer():
    both = {"embedding_by_4": 12, "embedding_by_8": 14, "one_hot": 14}
    table = pd.concat([arms(31, embedding=13, **both), arms(59, embedding=5, **both)])
    found = ratios(table)
    assert set(found[EFFECT]) == {31, 59} and set(found["by_4_over_embedding"]) == {59}
    values = answers(table)
    assert values["moduli"] == [59] and values["by_8_over_embedding"][0].value == pytest.approx(14 / 5)
    assert values["one_hot_over_linear"] == [], "the arm is not there"


def test_every_order_can_fail():
    """With the two arms of an order the other way around, or far apart, its ratio is beyond the factor."""
    for name, (compare, one, other) in COMPARED.items():
        table = arms(59, **({"one_hot": 28, "embedding": 5} | {one: 4, other: 5 if compare is clear_ratio else 28}))
        ratio = ratios_at(table, name)
        assert ratio <= 1 if compare is clear_ratio else ratio > FACTOR, name


def ratios_at(table, name):
    """The ratio of two arms at n = 59, whether or not the effect is there."""
    compare, one, other = COMPARED[name]
    lines = table.set_index("arm")
    return compare(lines.loc[one], lines.loc[other]).value


@pytest.mark.parametrize(
    ("effect", "by_4", "by_8", "by_descent", "becomes"),
    [
        (1.3, 1.2, 1.3, 1.3, "stands"),
        (1.3, 1.2, 1.2, 1.3, "refuted"),
        (1.3, 1.3, 1.3, 1.2, "refuted"),
        (1.2, 1.0, 1.0, 1.0, "not asked"),
        (1.3, float("nan"), 1.2, 1.3, "undecided"),
        (1.3, 1.3, 1.3, float("nan"), "undecided"),
    ],
)
def test_the_hypothesis_is_refuted_by_the_rule_that_was_set_before(effect, by_4, by_8, by_descent, becomes):
    names = (EFFECT, "by_4_over_embedding", "by_8_over_embedding", "one_hot_over_embedding_by_descent")
    assert standing(dict(zip(names, (effect, by_4, by_8, by_descent), strict=True))) == becomes
