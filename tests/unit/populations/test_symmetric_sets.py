"""Networks on symmetric sets of pairs: the sets are what was stated before, and what is measured can fail."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from support import ROOT

from modadd.networks.initialisation import all_pairs, split
from modadd.populations.symmetric_sets import (
    ARMS,
    BROKEN,
    COUNTED_FROM,
    EMBEDDING,
    FREE_TABLES,
    IDENTITY,
    LONGEST,
    MANY,
    MODULI,
    NETWORKS,
    ONE_TABLE,
    RANDOM,
    SEEN,
    SMALL,
    STEPS,
    SYMMETRIC,
    N,
    answers,
    apart,
    arms_table,
    caught,
    counted,
    measured,
    pairs_of,
    recipe_of,
    share_right,
    symmetric_sets_rows,
    trained_on,
    whole,
)
from paper.yaml_files import read_yaml

PREDICTED = read_yaml(ROOT / "data/symmetric_sets/predictions.yaml")
trains = pytest.mark.usefixtures("arithmetic")


def smaller(name, n=7):
    """A network of the experiment mod n, of few updates."""
    return replace(recipe_of(name, n), steps=20)


def as_set(pairs):
    return set(map(tuple, pairs.tolist()))


def swapped(pairs):
    return {(b, a) for a, b in pairs}


@pytest.mark.parametrize("network", NETWORKS)
@pytest.mark.parametrize("seed", [0, 1])
def test_the_sets_are_symmetric_or_broken_by_one_pair_or_random(network, seed):
    recipe = recipe_of(network, N)
    everything = as_set(all_pairs(N))
    sets = {arm: tuple(map(as_set, pairs_of(recipe, arm, seed))) for arm in ARMS}
    for trained, held_out in sets.values():
        assert trained | held_out == everything and not trained & held_out
    trained, held_out = sets[SYMMETRIC]
    assert held_out == {(a, a) for a in range(N)} and trained == swapped(trained)
    broken, more = sets[BROKEN]
    (moved,) = more - held_out
    assert trained - broken == {moved} and swapped(broken) - broken == {moved}
    trained, held_out = sets[RANDOM]
    assert len(held_out) == N and trained != swapped(trained)


@pytest.mark.parametrize("network", NETWORKS)
def test_the_broken_arm_differs_in_one_place_of_the_batches(network):
    recipe = recipe_of(network, N)
    orders = {arm: pairs_of(recipe, arm, 3)[0] for arm in ARMS}
    assert {len(order) for order in orders.values()} == {recipe.train_pairs} == {3660}
    (place,) = np.flatnonzero((orders[SYMMETRIC] != orders[BROKEN]).any(axis=1))
    mirror = orders[SYMMETRIC][place, ::-1]
    assert (orders[BROKEN][place] == mirror).all()
    assert (orders[BROKEN] == mirror).all(axis=1).sum() == 2
    random = [pair for pair in orders[RANDOM].tolist() if pair[0] != pair[1]]
    assert orders[SYMMETRIC].tolist()[: len(random)] == random, "both are in the order of the seed's shuffle"
    np.testing.assert_array_equal(orders[RANDOM], split(recipe, 3)[0])


def test_recipes_and_counts_are_those_stated_before():
    assert PREDICTED["modulus"] == N and tuple(PREDICTED["networks"]) == NETWORKS
    assert tuple(PREDICTED["arms"]) == ARMS and PREDICTED["counted_from"] == COUNTED_FROM
    for name in NETWORKS:
        recipe = recipe_of(name, N)
        assert (recipe.modulus, recipe.train_pairs, recipe.batch_size, recipe.weight_decay) == (61, 3660, 61, 2e-4)
        numbers = (recipe.d_mlp, recipe.learning_rate, recipe.steps)
        assert numbers == ((244, 0.004, 8000) if name == FREE_TABLES else (128, 0.008, 14_000))
    assert recipe_of(EMBEDDING, N).d_model == recipe_of(ONE_TABLE, N).d_model == 32
    assert set(MODULI) == {N, *PREDICTED["added"]["moduli"]}


def test_the_claims_have_the_limits_that_were_set_before():
    claims = read_yaml(ROOT / "notebooks/crt/symmetric_sets.yaml")["claims"]
    assert claims["networks_answer_fixed_points"]["at_least"] == PREDICTED["least_right"]
    assert str(PREDICTED["least_right"]) in PREDICTED["predicted"]["no_trap"]
    assert claims["breaking_the_symmetry_changes_nothing"]["at_most"] == PREDICTED["most_apart"]
    assert claims["small_networks_are_caught"]["at_least"] == 0
    assert PREDICTED["added"]["seeds_seen"] == SEEN


def test_a_config_cannot_ask_for_more_updates_than_there_are():
    schema = read_yaml(ROOT / "workflow/schemas/config.schema.yaml")
    updates = schema["properties"]["datasets"]["properties"]["symmetric_sets"]["properties"]["updates"]
    assert updates["maximum"] == updates["default"] == LONGEST


def test_a_made_up_network_in_the_trap_is_told():
    n = 7
    a, b = np.indices((n, n))
    logits = 3.0 * np.eye(n)[(a + b) % n]
    trained, held_out = pairs_of(smaller(EMBEDDING), BROKEN, 0)
    found = measured(logits, trained, held_out)
    assert (found["held_out"], found["held_out_right"], found["fixed"], found["fixed_right"]) == (8, 8, 7, 7)
    logits[range(n), range(n)] = np.roll(logits[range(n), range(n)], 1, axis=1)
    trapped = measured(logits, trained, held_out)
    assert (trapped["held_out_right"], trapped["fixed_right"], trapped["train_accuracy"]) == (1, 0, 1)
    assert trapped["loss"] == pytest.approx(np.log(np.exp(3) + n - 1) - 3) == found["held_out_loss"]
    assert trapped["held_out_loss"] > 3 * found["held_out_loss"]
    assert measured(np.zeros((n, n, n)), trained, held_out)["train_accuracy"] == 0, "equal logits answer nothing"


@trains
@pytest.mark.parametrize("network", NETWORKS)
def test_a_network_is_trained_on_its_arm(network):
    recipe = smaller(network)
    found = {arm: trained_on(recipe, arm, 0) for arm in ARMS}
    assert [found[arm]["fixed"] for arm in (SYMMETRIC, BROKEN)] == [7, 7] and found[RANDOM]["fixed"] < 7
    losses = [found[arm]["loss"] for arm in ARMS]
    cannot_tell = network == ONE_TABLE  # (a, b) from (b, a)
    assert len(set(losses)) == (2 if cannot_tell else 3)
    assert (found[SYMMETRIC]["fixed_right"] == found[BROKEN]["fixed_right"]) or not cannot_tell


@trains
def test_rows_tell_networks_arms_seeds_and_updates():
    rows = pd.DataFrame(symmetric_sets_rows([0, 1], updates=1))
    assert len(rows) == len(rows.drop_duplicates(IDENTITY)) == 2 * sum(MANY.values()) * len(ARMS) * len(NETWORKS)
    assert (
        rows[rows.modulus == SMALL].seed.max() == 2 * MANY[SMALL] - 1 == 31 and rows[rows.modulus == N].seed.max() == 1
    )
    assert (rows.updates == 1).all() and whole(rows).empty
    more = (rows.held_out - rows.modulus).groupby(rows.arm).unique().map(list)
    assert more.to_dict() == {SYMMETRIC: [0], BROKEN: [1], RANDOM: [0]}


def made_up(network, arm, fixed_right, train_accuracy=1.0, n=N):
    """Rows of networks that were trained whole, a seed each."""
    rows = pd.DataFrame({"fixed_right": fixed_right, "train_accuracy": train_accuracy})
    numbers = {"fixed": n, "held_out": n, "held_out_right": rows.fixed_right, "loss": 0.0, "held_out_loss": 0.0}
    which = {"modulus": n, "network": network, "arm": arm, "updates": STEPS[network], "seed": range(len(rows))}
    return rows.assign(**which, **numbers)


def every_arm(**fixed_right):
    """Rows of every network mod N in every arm, all 61 pairs right but where an arm of `embedding` is given others."""
    found = []
    for network in NETWORKS:
        for arm in ARMS:
            found.append(made_up(network, arm, (network == EMBEDDING and fixed_right.get(arm)) or [N] * 16))
    return pd.concat(found, ignore_index=True)


def test_predictions_mod_n_can_hold_and_fail():
    least, most = PREDICTED["least_right"], PREDICTED["most_apart"]
    held = answers(every_arm())
    assert all(found.value == 1 and least < found.low < 1 for found in held[SYMMETRIC])
    assert held["breaking_changes"].value == 0 and 0 < held["breaking_changes"].high < most
    trapped = answers(every_arm(symmetric=[0] * 16))
    assert trapped[SYMMETRIC][0].value == 0 < trapped[SYMMETRIC][0].high < least
    assert trapped[SYMMETRIC][1].value == trapped[BROKEN][0].value == 1
    assert trapped["breaking_changes"].value == 1 and trapped["breaking_changes"].low > most
    between = answers(every_arm(symmetric=[61, 58, 60, 59] * 4))[SYMMETRIC][0]
    assert between.value == pytest.approx(59.5 / 61)
    assert between.low < between.value < least and between.high <= 1


def small_arms(symmetric, broken):
    """What is caught of networks mod SMALL, with as many seeds before them as had been seen, of which all were caught."""
    before = [0] * SEEN
    arms = {SYMMETRIC: symmetric, BROKEN: broken}
    return caught(pd.concat([made_up(EMBEDDING, arm, before + right, n=SMALL) for arm, right in arms.items()]))


def test_networks_are_caught_more_often_where_the_interval_of_the_difference_says_so():
    found = small_arms([13, 13, 6, 2] * 10, [13, 13, 7, 13] * 10)
    assert (found["caught_symmetric"].holds, found["caught_symmetric"].of) == (20, 40)
    assert found["caught_broken"].holds == 0 and found["caught_more"].value == 0.5 and found["caught_more"].low > 0
    as_often = small_arms([13, 2, 13, 2] * 10, [2, 13, 2, 13] * 10)["caught_more"]
    assert as_often.value == 0 and as_often.low < 0 < as_often.high
    assert small_arms([13, 13], [2, 13])["caught_more"].value == -0.5


def test_arms_are_compared_over_seeds_that_count_in_both():
    symmetric = made_up(EMBEDDING, SYMMETRIC, [61, 0, 61], [1.0, 0.5, 1.0])
    broken = made_up(EMBEDDING, BROKEN, [61, 61, 60])
    found = apart(pd.concat([symmetric, broken]))
    assert (found.value, found.of) == (pytest.approx(0.5 / 61), 2)


def test_an_arm_that_mostly_does_not_fit_its_pairs_is_not_judged():
    rows = made_up(EMBEDDING, SYMMETRIC, [61, 61, 61], [1.0, 0.5, 0.5])
    assert counted(rows).empty and len(counted(rows[:2])) == 1
    (line,) = arms_table(rows).query("networks > 0").itertuples()
    assert (line.networks, line.counted) == (3, 0) and np.isnan(line.right)
    found = answers(rows)
    assert np.isnan(found[SYMMETRIC][0].value) and found[SYMMETRIC][0].of == found["caught_more"].of == 0


@pytest.mark.parametrize("right", [[0, 0, 1, 0], [1, 0, 0, 2], [1, 1, 1, 0], [2, 2, 2, 2], [0, 0, 0, 0], [2, 2, 0, 2]])
def test_the_interval_of_a_share_has_the_share_within_0_and_1(right):
    right = np.array(right)
    found = share_right(right, np.full(4, 2))
    assert 0 <= found.low <= found.value == right.sum() / 8 <= found.high <= 1 and found.low < found.high


def test_the_interval_of_no_right_answer_ends_at_1():
    assert share_right(np.array([0]), np.array([3])).high == 1
