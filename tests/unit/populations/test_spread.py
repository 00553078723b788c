"""Where one network lies among others."""

import numpy as np
import pandas as pd

from modadd.core.statistics import kolmogorov_smirnov
from modadd.populations.spread import spread_over_networks


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
