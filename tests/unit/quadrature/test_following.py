"""Measures that follow from others: their values, and that kept rows get them when they are read."""

import pandas as pd
import pytest

from modadd.networks.measures import MEASURES
from modadd.populations.tables import completed

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
    "smallest_share_preactivation": 0.9,
    "smallest_share_neuron_logit": 0.8,
}
EXPECTED = {
    "number_of_key_frequencies": 2,
    "smallest_share_of_variance": 0.8,
    "folded_over_unfolded": pytest.approx([0.8, 0.9]),
    "angle_over_lipschitz": pytest.approx([0.25, 1 / 3]),
    "pizza_leads_absolute": pytest.approx(0.14),
    "clock_leads_full": pytest.approx(0.12),
}


def test_every_one_has_the_value_of_its_formula():
    assert {name: MEASURES[name].from_row(ROW) for name in EXPECTED} == EXPECTED


def test_kept_rows_have_them_as_far_as_they_follow():
    rows = completed(pd.DataFrame([ROW, ROW | {"angle_term": float("nan")}]).drop(columns="lipschitz_unfolded"))
    assert rows.angle_over_lipschitz[0] == EXPECTED["angle_over_lipschitz"]
    assert pd.isna(rows.angle_over_lipschitz[1]), "one of its numbers was not measured"
    assert "folded_over_unfolded" not in rows
    assert rows.clock_leads_full.tolist() == [EXPECTED["clock_leads_full"]] * 2


def test_what_a_row_has_is_not_computed_again():
    rows = completed(pd.DataFrame([ROW | {"clock_leads_full": 7.0}]))
    assert rows.clock_leads_full.tolist() == [7.0]
