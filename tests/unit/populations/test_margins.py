import numpy as np
import pandas as pd
import pytest

from modadd.populations.margins import log_odds, means_by_frequencies, slope, slopes_of_margins

ROWS = pd.DataFrame(
    {"clusters": [3, 3, 4, 5], "mean_margin": [1.0, 3.0, np.nan, 6.0], "log_odds": [0.0, 0.0, 1.0, 2.0]}
)


def test_log_odds_are_those_of_the_probability_whose_loss_is_given():
    p = np.array([0.1, 0.5, 0.99])
    assert log_odds(-np.log(p)) == pytest.approx(np.log(p / (1 - p)))


def test_a_mean_leaves_out_networks_that_were_not_measured():
    table = means_by_frequencies({"one": ROWS}, ["mean_margin"]).set_index("frequencies")
    assert table.loc[3, "mean_margin"] == 2 and table.loc[3, "mean_margin, networks"] == 2
    assert table.loc[4, "networks"] == 1 and table.loc[4, "mean_margin, networks"] == 0


def test_the_slope_is_that_of_least_squares():
    known = ROWS.dropna()
    assert slope(ROWS, "mean_margin").value == pytest.approx(np.polyfit(known.clusters, known.mean_margin, 1)[0])


def test_every_population_has_its_slope():
    found = slopes_of_margins({"one": ROWS, "other": ROWS[:2]})
    assert (found["networks"], found["measured"]) == (6, 5)
    assert [estimate.of for estimate in found["log_odds_slope"]] == [4, 2]
