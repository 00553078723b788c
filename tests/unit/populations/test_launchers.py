"""Fig. 4 by the launchers: the arms are those that were predicted, by the launchers' numbers, and every prediction can fail."""

import math

import numpy as np
import pandas as pd
import pytest
from support import ROOT

from modadd.populations.launchers import (
    ARMS,
    ENOUGH_NETWORKS,
    answers,
    arm_of,
    launched_and_printed,
    table_of_arms,
    with_arms,
)
from modadd.populations.why_few import COUNTED_FROM
from paper.config import read_config
from paper.datasets import datasets_of
from paper.yaml_files import read_yaml

PREDICTED = read_yaml(ROOT / "data/launchers/predictions.yaml")
POPULATIONS = ("launched_one_hot", "launched_one_embedding", "launched_two_embeddings")
RECIPES = {
    "one_hot": "flax_one_hot_mlp",
    "one_embedding": "flax_one_embedding_mlp",
    "two_embeddings": "flax_two_embedding_mlp",
}


def planned():
    """The recipes that the kept config trains, each with its seeds."""
    config = read_config(*(ROOT / f"config/{name}.yaml" for name in ("config", "paper", "kept")))
    populations = datasets_of(config).populations
    seeds = {}
    for shard in (shard for name in POPULATIONS for shard in populations[name].shards):
        seeds.setdefault(shard.recipe, []).extend(shard.seeds)
    return seeds


def test_the_kept_config_trains_what_was_announced_by_the_launchers_numbers():
    for recipe, seeds in planned().items():
        n, by_fig_9 = recipe.modulus, arm_of(recipe.as_dict()) == "fig_9"
        assert seeds == list(range(16))
        assert (recipe.d_mlp, recipe.learning_rate, recipe.batch_size) == (1024, 0.00075, n)
        assert recipe.weight_decay == (2e-4 if by_fig_9 else 2e-5)
        epochs = 2001 if by_fig_9 else 2500
        assert recipe.train_pairs == (50 if by_fig_9 else 59) * n and recipe.steps == epochs * recipe.train_pairs // n
    arms = {(arm_of(recipe.as_dict()), recipe.modulus) for recipe in planned()}
    assert arms == {(arm, n) for arm in RECIPES for n in (59, 66)} | {("fig_9", 66)}
    assert str(COUNTED_FROM) in PREDICTED["counted_networks"]


def population(arm, n, frequencies, halfway=None, accuracy=1.0, fits=1.0, networks=16):
    """Rows of one arm whose networks have the given number of frequencies, or numbers in turn."""
    at_end = np.resize(frequencies, networks)
    before = np.resize(at_end if halfway is None else halfway, networks)
    rows = pd.DataFrame(
        {
            "architecture": RECIPES.get(arm, "flax_one_embedding_mlp" if arm == "fig_9" else "factored_mlp"),
            "weight_decay": 2e-4 if arm == "fig_9" else 2e-5,
            "modulus": n,
            "seed": range(networks),
            "accuracy": accuracy,
            "held_out_loss": 0.1,
            "accuracy_of_fits": fits,
            "mean_margin": 5.0 + 0.5 * at_end + 0.01 * (np.arange(networks) % 3),
            "spectral_count": 5,
        }
    )
    rows["key_set"] = [list(range(1, many + 1)) for many in at_end]
    rows["halfway_key_set"] = [list(range(1, many + 1)) for many in before]
    rows["characters"] = rows.key_set
    rows["character_neurons"] = [[3] * many for many in at_end]
    return rows


def rows(**changed):
    """Rows of every arm at n = 59 and, of the penalty of Fig. 9, at 66; `changed` are arguments of `population` by arm."""
    usual = {"one_hot": [29], "one_embedding": [5, 6, 7], "two_embeddings": [6], "printed": [9, 10]}
    parts = [population(arm, 59, **({"frequencies": many} | changed.get(arm, {}))) for arm, many in usual.items()]
    parts.append(population("fig_9", 66, **({"frequencies": [6]} | changed.get("fig_9", {}))))
    return with_arms(pd.concat(parts, ignore_index=True))


def test_arms_are_told_by_their_recipe_and_stand_in_their_order():
    table = table_of_arms(rows())
    assert list(table.arm) == ["one_hot", "one_embedding", "two_embeddings", "printed", "fig_9"] == list(ARMS)
    line = table.set_index("arm").loc["one_embedding"]
    assert line["mean"] == pytest.approx((6 * 5 + 5 * 6 + 5 * 7) / 16) and line.counted == 16


def test_what_was_predicted_can_be_told():
    found = answers(rows())
    assert set(found) == {"half", "few", "settled", "sharing", "not_settled_before", "sines", "margin_slope", "cosets"}
    assert found["half"][0].value == 1
    assert min(ratio.value for ratio in found["few"]) >= 2 and len(found["few"]) == 2
    assert [ratio.value for ratio in found["settled"]] == [1, 1, 1]
    assert min(ratio.value for ratio in found["not_settled_before"]) >= 1.25
    assert found["margin_slope"][0].low > 0


@pytest.mark.parametrize(
    ("name", "limit", "changed"),
    [
        ("half", lambda value: value <= 1.25, {"one_hot": {"frequencies": [20]}}),
        ("few", lambda value: value >= 2, {"two_embeddings": {"frequencies": [20]}}),
        ("settled", lambda value: value <= 1.1, {"two_embeddings": {"halfway": [8]}}),
        ("sharing", lambda value: value <= 1.25, {"two_embeddings": {"frequencies": [9]}}),
        ("not_settled_before", lambda value: value >= 1.25, {"printed": {"frequencies": [6]}}),
        ("sines", lambda value: value >= 0.99, {"one_hot": {"fits": 0.9}}),
    ],
)
def test_every_prediction_can_fail(name, limit, changed):
    assert all(limit(ratio.value) for ratio in answers(rows())[name])
    assert not all(limit(ratio.value) for ratio in answers(rows(**changed))[name])


@pytest.mark.parametrize("changed", [{"networks": ENOUGH_NETWORKS - 1}, {"frequencies": [5, 6]}])
def test_a_slope_of_too_few_networks_or_counts_is_undecided(changed):
    (slope,) = answers(rows(one_embedding=changed))["margin_slope"]
    assert math.isnan(slope.value) and slope.of == 0


def test_an_arm_that_mostly_answers_wrong_is_not_judged():
    found = answers(rows(two_embeddings={"accuracy": 0.5}))
    assert math.isnan(found["few"][1].value) and math.isnan(found["sharing"][0].value)


def test_rows_without_a_count_at_half_have_none():
    found = with_arms(population("printed", 59, [9]).drop(columns="halfway_key_set"))
    assert found.halfway.isna().all() and (found.frequencies == 9).all()


def test_frequencies_that_share_a_factor_with_66_are_told_from_others():
    """Of 33 frequencies 23 share a factor with 66. Five of these beside one other are a ratio; six and no other are none."""
    some = rows()
    shared = some.arm == "fig_9"
    some.loc[shared, "characters"] = pd.Series([[2, 3, 4, 6, 8, 9]] * shared.sum(), some.index[shared])
    assert math.isnan(answers(some)["cosets"].value), "no other frequency to compare with"
    some.loc[shared, "characters"] = pd.Series([[1, 3, 4, 6, 8, 9]] * shared.sum(), some.index[shared])
    assert answers(some)["cosets"].value == pytest.approx(5 / 23 / (1 / 10))


def test_the_printed_recipe_stands_beside_the_launched_ones_at_their_moduli():
    printed = pd.concat([population("printed", n, [9], networks=2) for n in (31, 59, 66)])
    tables = {"a": population("one_hot", 59, [29], networks=1), "b": population("fig_9", 66, [6], networks=1)}
    found = launched_and_printed({"c1_embedding": printed, **tables})
    assert found[["modulus", "arm"]].to_numpy().tolist() == [
        [59, "one_hot"],
        [66, "fig_9"],
        *[[59, "printed"]] * 2,
        *[[66, "printed"]] * 2,
    ]
    assert found.frequencies.tolist() == found.halfway.tolist() == [29, 6, 9, 9, 9, 9]
