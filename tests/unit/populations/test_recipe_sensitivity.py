import numpy as np
import pandas as pd
import pytest

from modadd.crt.embedding_weights import EDGES
from modadd.populations.recipe_changes import BATCH, FULL
from modadd.populations.recipe_sensitivity import (
    LARGEST,
    NEAR_ZERO,
    NUMBERS,
    OUTSIDE,
    OUTSIDE_FULL,
    WEIGHTS,
    acceptance_table,
    agreeing_with_print,
    agreement_with_fig_3,
    by_size,
    compared_regimes,
    fine_tuning_by_penalty,
    numbers_of_fig_3,
    of_updates_alone,
    settled_clusters,
    weights_by_updates,
)

COUNTS = np.ones(len(EDGES) + 1)


def rows(regime="batch", changed="", networks=3, **changes):
    """Networks of one recipe that answer every input right, but for what is changed."""
    own = {"regime": regime, "changed": changed, "steps": 100, "passes": True, "accuracy": 1.0}
    own |= {"clusters": 4.0, "share_simple_of_alive": 0.9, "share_dead": 0.1, "share_fine_tuning": 0.0}
    own |= {"share_fine_tuning_working": 0.0, "embedding_outside_one": 0.05, "embedding_largest": 2.1}
    return pd.DataFrame([own | {"embedding_counts": COUNTS} | changes for _ in range(networks)])


def test_changes_are_sorted_by_their_numbers():
    words = pd.Series(["steps 3000", "", "steps 400"])
    assert words.sort_values(key=by_size).tolist() == ["", "steps 400", "steps 3000"]


def test_only_the_number_of_updates_may_differ():
    every = pd.concat([rows(), rows(changed="steps 50"), rows(changed="steps 50, beta2 0.9")], ignore_index=True)
    found = of_updates_alone(every)
    assert len(found) == 6 and found.near_zero.between(0, 1).all()
    assert len(weights_by_updates(found)) == 3


def test_fig_3_has_three_numbers_of_batches_and_one_of_full_batch():
    every = of_updates_alone(pd.concat([rows(), rows("full"), rows(passes=False, steps=7)], ignore_index=True))
    found = numbers_of_fig_3(every, millions=58.24)
    assert found.number.tolist() == [OUTSIDE, NEAR_ZERO, LARGEST, OUTSIDE_FULL]
    assert set(found.updates) == {100} and found.value.iloc[2] == 2.1
    agreeing = agreement_with_fig_3(found.assign(agrees=[True, False, True, True]))
    assert agreeing["most_of_fig_3"] == 3 and agreeing["by_updates"]["outside"] == "0.05 after 100"


def test_of_no_networks_nothing_agrees():
    nothing = numbers_of_fig_3(of_updates_alone(rows(passes=False)), millions=58.24).assign(agrees=[])
    assert agreement_with_fig_3(nothing)["by_updates"]["largest"] == "none"
    assert agreement_with_fig_3(nothing)["most_of_fig_3"] == 0


def test_networks_are_let_in_from_an_accuracy_on():
    every = pd.concat([rows(), rows(networks=1, accuracy=0.95, clusters=9.0)], ignore_index=True)
    table = pd.DataFrame({"regime": ["batch"], "changed": [""], "passing": [3], "networks": [4]})
    found = acceptance_table(every, table, [0.9, 1.0])
    assert found.networks.tolist() == [4, 3] and found.clusters.tolist() == [21 / 4, 4]


def test_clusters_that_settled_are_compared_with_what_is_printed():
    found = settled_clusters(rows("full", clusters=4.0, steps=3000), [3000, 14000], 4.5)
    settled, unknown = found["clusters_settled_full"]
    assert settled.value == 4 and np.isnan(unknown.value)
    assert found["clusters_from_ln_n_full"][0].value == pytest.approx(0.5)


def test_fine_tuning_is_counted_for_both_penalties():
    half = rows(changed="weight_decay 0.5", share_fine_tuning_working=0.1)
    found = fine_tuning_by_penalty(pd.concat([rows(), half]), penalty=1.0)
    assert (found["printed"].value, found["half"].value) == (0, 1)


def test_regimes_are_compared_full_batch_against_batches():
    both = lambda batch, full: pd.DataFrame({BATCH: batch, FULL: full})
    by_seed = {number: both([0.4, 0.6], [0.8, 1.2]) for number in (*NUMBERS, *WEIGHTS)}
    found = compared_regimes(by_seed | {"clusters": both([4.0, 6.0], [5.0, 8.0])})
    assert found["regimes_clusters"].value == pytest.approx(1.5)
    for name in ("outside_one_ratio", "near_zero_ratio", *(f"regimes_{number}" for number in NUMBERS[1:])):
        assert found[name].value == pytest.approx(0.5), name


def test_a_number_of_fig_3_is_below_a_limit_above_one_or_in_its_interval():
    lines = [  # number, value, low, high, whether it is as printed
        (OUTSIDE_FULL, 0.001, 0.0005, 0.0049, True),
        (OUTSIDE_FULL, 0.001, 0.0005, 0.005, False),
        (LARGEST, 2.01, np.nan, np.nan, True),
        (LARGEST, 2.0, np.nan, np.nan, False),
        (OUTSIDE, 0.04, 0.03, 0.06, True),
        (OUTSIDE, 0.06, 0.055, 0.07, False),
        (NEAR_ZERO, 2.5, 2.3, 2.6, True),
    ]
    table = pd.DataFrame(lines, columns=["number", "value", "low", "high", "expected"]).assign(of=4)
    printed = {OUTSIDE_FULL: "0.005", LARGEST: "2", OUTSIDE: "0.05", NEAR_ZERO: "2.4"}
    found = agreeing_with_print(table, printed, lambda one, number: one["low"] <= float(number) <= one["high"])
    assert found.agrees.tolist() == table.expected.tolist()
    assert agreeing_with_print(table[:0], printed, lambda one, number: True).agrees.tolist() == []
