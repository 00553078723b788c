"""Trainings that differ by rounding: which are compared with print, and how far they are off."""

import numpy as np
import pandas as pd
import pytest
from simple_networks import initial

from modadd.populations.rounding import (
    FULL_LENGTH,
    PUBLISHED,
    differences_from_printed,
    frequencies_against_printed,
    has_frequencies,
    listed,
    median_difference,
    printed_smallest,
    smallest_fractions,
    trained_in_full,
)

PRINTED = [1, 3, 5]


def population(**columns):
    rows = {
        "steps": [FULL_LENGTH, FULL_LENGTH, 300],
        "modulus": PUBLISHED.modulus,
        "perturbation": [1, 2, 3],
        "trained": "kept",
        "accuracy": 1.0,
        "norm_ratio": 0.98,
        "W_U_frequencies": [[5, 3, 1], [1, 4], [1, 3, 5]],
        "fve_sin": [[0.9, 0.8, 0.7], [0.6, 0.5], [1, 1, 1]],
        "fve_cos": [[0.9, 0.9, 0.9], [0.4, 0.7], [1, 1, 1]],
    }
    return pd.DataFrame(rows | columns)


@pytest.fixture
def rows(small):
    return trained_in_full(initial(small["two_layer_mlp"]), population())


def test_networks_of_fewer_updates_are_not_compared(rows):
    assert rows.perturbation.tolist() == [1, 2]
    assert rows.found.tolist() == [[1, 3, 5], [1, 4]]


def test_a_network_has_the_printed_frequencies_or_misses_some_and_has_more(rows):
    assert has_frequencies(rows, PRINTED).tolist() == [True, False]
    table = frequencies_against_printed(rows, PRINTED)
    assert table.missing.tolist() == ["none", "3, 5"]
    assert table.more.tolist() == ["none", "4"]
    assert listed({17, 3}) == "3, 17"


def test_fractions_are_compared_in_the_order_of_print_and_only_where_something_is_printed(rows):
    alike = rows[has_frequencies(rows, PRINTED)]
    off = differences_from_printed(alike, {"sin": [0.9, 0.7, 0.7], "cos": []})
    assert off == pytest.approx(np.array([[0, 0.1, 0]]))
    assert differences_from_printed(alike, {"sin": [], "cos": []}).shape == (0, 1)
    assert differences_from_printed(alike[:0], {"sin": [0.9, 0.7, 0.7], "cos": []}).shape == (0, 3)


def test_the_smallest_fraction_is_that_of_sine_or_cosine(rows):
    assert smallest_fractions(rows).tolist() == [0.7, 0.4]


def test_the_median_is_taken_of_each_network_and_the_mean_over_networks():
    found = median_difference(np.array([[0.0, 0.1, 0.8], [0.3, 0.3, 0.0], [0.2, 0.2, 0.2]]))
    assert (found.value, found.of) == (pytest.approx(0.2), 3)
    assert found.low < 0.2 < found.high
    assert np.isnan(median_difference(np.empty((0, 1))).high)


def test_the_smallest_printed_fraction_is_of_any_kind():
    assert printed_smallest({"sin": [0.9, 0.84], "cos": [0.83, 0.95]}) == 0.83
    assert printed_smallest({"sin": [0.9], "cos": []}) == 0.9
    assert np.isnan(printed_smallest({"sin": [], "cos": []}))
