"""Intervals as the notebooks say them."""

from math import nan

import pandas as pd
import pytest

from modadd.core.statistics import Estimate, Share
from paper.notebook import interval, with_interval

FOUND = Estimate(0.468, 0.4144, 0.5251, 12)


def test_an_estimate_is_said_with_its_interval():
    assert with_interval(FOUND) == "0.47 (95 %: 0.41 to 0.53)"
    assert with_interval(FOUND, ".1f") == "0.5 (95 %: 0.4 to 0.5)"


def test_anything_with_two_ends_has_an_interval_in_words():
    assert interval(Share(holds=9, of=10, low=0.596, high=0.982)) == "95 %: 0.60 to 0.98"
    assert interval(pd.Series({"low": -0.25, "high": 0.5})) == "95 %: -0.25 to 0.50"


def test_shares_can_be_said_in_per_cent():
    assert interval(FOUND, ".0%") == "95 %: 41 % to 53 %"


@pytest.mark.parametrize("found", [Estimate.without_interval(2.0, 1), Estimate(2.0, 2.0, 2.0, 5)])
def test_no_interval_is_said_to_be_none(found):
    assert with_interval(found) == "2.00 (no interval)"


def test_no_number_is_a_dash():
    assert with_interval(Estimate.without_interval()) == "–"
    assert interval(Estimate.without_interval(of=3)) == "no interval"
    assert with_interval(Estimate(nan, 0.1, 0.2, 3)) == "–"
