import numpy as np
import pandas as pd
import pytest

from modadd.core.statistics import mean_of
from modadd.populations.paired import paired_difference, paired_ratio

NUMBERS = pd.DataFrame({"before": [1.0, 2.0, 4.0, np.nan], "after": [3.0, 5.0, 5.0, 9.0]})


def test_only_seeds_that_have_both_networks_are_compared():
    found = paired_difference(NUMBERS, "after", "before")
    assert (found.value, found.of) == (pytest.approx(2), 3)
    assert found == mean_of(np.array([2.0, 3.0, 1.0]), signed=True)


def test_a_difference_of_equal_seeds_is_known_better_than_that_of_two_groups():
    seeds = np.random.default_rng(0).normal(size=20)
    found = paired_difference(pd.DataFrame({"a": seeds, "b": seeds + 0.5}), "b", "a")
    assert found.high - found.low < 1e-9


def test_a_ratio_and_its_inverse_have_inverse_intervals():
    one, other = paired_ratio(NUMBERS, "after", "before"), paired_ratio(NUMBERS, "before", "after")
    assert one.value == pytest.approx((3 * 2.5 * 1.25) ** (1 / 3)) and one.of == 3
    assert (one.value, one.low, one.high) == pytest.approx((1 / other.value, 1 / other.high, 1 / other.low))
    assert one.low > 0


@pytest.mark.parametrize("compare", [paired_difference, paired_ratio])
def test_of_a_recipe_without_networks_nothing_is_known(compare):
    found = compare(NUMBERS, "another", "before")
    assert found.of == 0 and np.isnan(found.value)
