"""Shares of two regimes compared by the smaller mean over the larger."""

import numpy as np
import pytest

from modadd.core.statistics import smaller_over_larger


def test_the_smaller_mean_over_the_larger_whichever_comes_first():
    few, many = [0.0, 0.1, 0.2, 0.1], [1.0, 1.1, 0.9, 1.0]
    one, other = smaller_over_larger(few, many), smaller_over_larger(many, few)
    assert one == other and one.value == pytest.approx(0.1) and one.low < 0.1 < one.high < 0.3


def test_an_interval_around_one_ends_there():
    found = smaller_over_larger([1.0, 2.0, 3.0], [3.0, 1.0, 2.1])
    assert found.high == 1 and found.low < found.value < 1
    assert np.isnan(smaller_over_larger([0.0, 0.0], [0.0, 0.0]).value)
