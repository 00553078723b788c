"""Where one network lies among others."""

import numpy as np
import pandas as pd

from modadd.attention.pizza_measures import CLOCK_FROM
from modadd.core.statistics import kolmogorov_smirnov
from modadd.populations.spread import share_of_pizzas, share_with_frequencies, spread_over_networks


def test_spread_takes_medians_over_key_frequencies_and_places_the_exhibit():
    rows = pd.DataFrame({"neurons": [[16], [4, 12]], "held_out_loss": [1.0, 3.0], "other": [0, 0]})
    found = spread_over_networks(rows, rows.iloc[1:], ["held_out_loss", "neurons"], np.array([True, False])).set_index(
        "number"
    )
    assert list(found.index) == ["held_out_loss", "neurons"]
    quantiles = ["least", "quarter", "median", "three quarters", "most"]
    assert found.loc["neurons", quantiles].tolist() == [8, 10, 12, 14, 16]
    assert found.loc["held_out_loss", ["mainline", "below"]].tolist() == [3, 0.5]
    expected = kolmogorov_smirnov(np.array([1.0]), np.array([3.0]))
    assert found.loc["held_out_loss", ["distance", "p"]].tolist() == [expected.distance, expected.p]


def test_a_pizza_lies_below_the_limit_from_which_a_network_is_a_clock():
    found = share_of_pizzas(pd.DataFrame({"distance_irrelevance": [CLOCK_FROM, CLOCK_FROM - 1e-9, 0.1, 0.9, np.nan]}))
    assert (found.holds, found.of) == (2, 5)


def test_a_number_of_frequencies_is_met_exactly():
    found = share_with_frequencies(pd.DataFrame({"number_of_key_frequencies": [3, 4, 5, 4, 8]}), 4)
    assert (found.holds, found.of) == (2, 5)
