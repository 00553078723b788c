"""Measures that follow from others: their values, and what they follow from."""

from inspect import unwrap

import pytest

import modadd.quadrature.following
import modadd.quadrature.neuron_measures
from modadd.networks.registry import MEASURES, measures_in, named
from modadd.quadrature.scheme import INTEGRAL

ROW = {
    "architecture": "pizza_transformer",
    "frequencies": [3, 5],
    "lipschitz_bound": [0.4, 0.9],
    "lipschitz_unfolded": [0.5, 1.0],
    "angle_term": [0.1, 0.3],
    "r2_absolute_pizza": 0.99,
    "r2_absolute_clock": 0.85,
    "r2_full_pizza": 0.86,
    "r2_full_clock": 0.98,
    "smallest_margin_mlp": 8.91,
    "smallest_margin_absolute": -5.63,
    "arc_excess": [1 / 16, 1.0],
    "neurons": [16, 16],
    "spectral_64": [0.1, 0.2],
    "whole_bound": [0.2, 0.5],
    "interval_mean": [0.01, 0.02],
    "interval_std": [0.03, 0.04],
    "r2_mlp_pizza": 0.86,
    "r2_mlp_clock": 0.92,
}
FOLLOWING = measures_in(modadd.quadrature.following) | {"arc_excess_p": named("arc_excess_p")}
EXPECTED = {
    "number_of_key_frequencies": 2,
    "margin_added_by_identity": pytest.approx(14.54),
    "arc_excess_p": pytest.approx([1, 0], abs=1e-9),
    "folded_over_unfolded": pytest.approx([0.8, 0.9]),
    "angle_over_lipschitz": pytest.approx([0.25, 1 / 3]),
    "pizza_leads_absolute": pytest.approx(0.14),
    "clock_leads_full": pytest.approx(0.12),
    "spectral_over_published": pytest.approx([0.1 * INTEGRAL / 0.2, 0.2 * INTEGRAL / 0.5]),
    "intervals": [[0.01, 0.03], [0.02, 0.04]],
    "r2_full": [0.86, 0.98],
    "r2_absolute": [0.99, 0.85],
    "change_without_residual": pytest.approx(0.06),
}


def test_every_one_has_the_value_of_its_formula():
    found = {name: unwrap(one.function)(*map(ROW.get, one.of)) for name, one in FOLLOWING.items()}
    assert found == EXPECTED


def test_what_they_follow_from_are_measures():
    assert {name for one in FOLLOWING.values() for name in one.of} <= set(MEASURES)
