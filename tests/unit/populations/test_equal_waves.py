"""Populations of which it is written down how many networks have waves of one amplitude."""

import numpy as np
import pandas as pd
import pytest

from modadd.populations.equal_waves import fits_by_population, numbers_of_fits, with_fits

ALIKE = {"profile_by_equal_waves": 0.9, "cluster_weights": [2.0, 2.0, 2.0]}
UNLIKE = {"profile_by_equal_waves": 0.5, "cluster_weights": [4.0, 1.0]}


def populations():
    return {"some": pd.DataFrame([ALIKE, ALIKE, ALIKE, UNLIKE]), "all": pd.DataFrame([ALIKE, ALIKE])}


def test_networks_pass_from_the_limit_on():
    fits = with_fits(populations(), 0.9)
    assert fits["some"].passes.tolist() == [True, True, True, False]
    assert fits["some"].weakest.tolist() == [1, 1, 1, 0.25]


def test_each_population_has_its_own_line():
    table = fits_by_population(with_fits(populations(), 0.8))
    assert table.index.tolist() == ["some", "all"]
    assert (table.holds.tolist(), table.of.tolist()) == ([3, 2], [4, 2])
    assert table["median R²"].tolist() == [0.9, 0.9]
    assert table["weakest / strongest, pass"].tolist() == [1, 1]
    assert table["weakest / strongest, fail"]["some"] == 0.25 and np.isnan(table["weakest / strongest, fail"]["all"])


def test_numbers_are_over_all_networks_and_the_fewest_of_one_population():
    numbers = numbers_of_fits(with_fits(populations(), 0.8))
    assert (numbers["equal_waves"].holds, numbers["equal_waves"].of) == (5, 6)
    assert (numbers["equal_waves_fewest"].holds, numbers["equal_waves_fewest"].of) == (3, 4)
    assert numbers["equal_waves_r_squared"] == pytest.approx(0.9)
    assert (numbers["weakest_cluster_pass"], numbers["weakest_cluster_fail"]) == (1, 0.25)
