"""Measures of Study C that follow from others: their values, what they follow from, and that kept rows have them."""

from inspect import unwrap

import numpy as np
import pytest
from simple_networks import beside, embedded, grid_network, silent_network, simple_network
from support import ROOT

from modadd.core.parquet import read_table
from modadd.crt import following, waves
from modadd.crt.simple_neuron_measures import largest_amplitude
from modadd.networks.registry import MEASURES, measured, measures_in
from modadd.populations.witnesses import alike

FOLLOWING = measures_in(following)
ROW = {
    "shift_error_of_few": 0.9,
    "cluster_shift_error": [1.2, 0.2, 0.9, 0.3, 0.7],
    "cluster_working": [3, 20, waves.FEW_NEURONS, 17, 5],
    "cluster_rank_zero": [0.1, 0.15, 0.05],
    "cluster_rank_median": [4, 2.5, 7],
}
EXPECTED = {
    "few_neurons_err_more": pytest.approx(0.9 - 0.3),
    "best_cluster_alone": 0.15,
    "median_rank_alone": 4,
}
KEPT = ["c91_batch", "c91_full", "c89_batch", "c89_full"]


def of_row(row):
    return {name: unwrap(one.function)(*map(row.get, one.of)) for name, one in FOLLOWING.items()}


def test_every_one_has_the_value_of_its_formula():
    assert of_row(ROW) == EXPECTED


def test_what_they_follow_from_are_measures():
    assert {name for one in FOLLOWING.values() for name in one.of} <= set(MEASURES)


@pytest.mark.parametrize("sizes", [[5, 20, 9, 17, 5], [1, 2, 3, 4, 0]], ids=["no small cluster", "no larger one"])
def test_without_clusters_of_both_kinds_there_is_nothing_to_compare(sizes):
    few = [error for error, size in zip(ROW["cluster_shift_error"], sizes, strict=True) if size <= waves.FEW_NEURONS]
    row = ROW | {"cluster_working": sizes, "shift_error_of_few": min(few, default=np.nan)}
    assert np.isnan(of_row(row)["few_neurons_err_more"])


def test_a_cluster_of_three_neurons_moves_worse_than_one_of_all_shifts():
    few = simple_network(13, 5, [0, 1, 4], [2, 2, 7])
    found = measured(beside(grid_network(13, [1]), few), ["few_neurons_err_more"])
    assert found["few_neurons_err_more"] > 0.5


def test_the_largest_amplitude_is_that_of_a_working_neuron():
    network = beside(grid_network(13, [1], r=1.5), simple_network(13, 5, 0, 0, r=2.5))
    assert largest_amplitude(network) == pytest.approx(2.5)
    assert np.isnan(largest_amplitude(silent_network(13)))


def test_a_silent_network_has_none_of_them():
    found = measured(embedded(silent_network(13), [1]), FOLLOWING)
    assert all(np.isnan(value) for value in found.values())


@pytest.mark.parametrize("name", KEPT)
def test_kept_rows_have_what_follows_from_their_numbers(name):
    rows = read_table(ROOT / f"data/populations/{name}.parquet")
    for row in rows.to_dict("records"):
        for measure, value in of_row(row).items():
            assert alike(row[measure], value), (measure, row["seed"])
