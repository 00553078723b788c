"""Drawings over seeds: what is drawn where."""

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest

from modadd.plots.seeds import draw_counts, draw_numbers, draw_shares


@pytest.fixture(autouse=True)
def closed():
    yield
    plt.close("all")


def test_what_is_printed_and_the_mainline_stand_in_their_panel():
    rows = pd.DataFrame({"one": [0.1, 0.2, 0.3], "other": [1.0, 2.0, np.nan]})
    labels = {"one": "first", "other": "second"}
    first, second = draw_numbers(rows, pd.Series({"one": 0.2, "other": 1.5}), {"one": 0.25}, labels, "").axes
    printed, mainline = first.lines
    assert (printed.get_xdata()[0], mainline.get_xdata()[0]) == (0.25, 0.2)
    assert [line.get_xdata()[0] for line in second.lines] == [1.5]
    assert second.get_xlabel() == "second"


def test_every_claim_has_a_line_with_its_networks():
    table = pd.DataFrame({"claim": ["a", "b"], "holds": [1, 2], "of": 2, "share": [0.5, 1], "low": 0.1, "high": 1.0})
    (ax,) = draw_shares(table, "2 networks").axes
    assert [text.get_text() for text in ax.texts] == ["1 of 2", "2 of 2"]
    assert [text.get_text() for text in ax.get_yticklabels()] == ["a", "b"]


def test_networks_are_counted_and_scattered_by_their_number_of_frequencies():
    summary = pd.DataFrame({"key_frequencies": [3, 4, 4], "weakest": [0.3, 0.2, 0.1], "broken": [1, 2, 5]})
    left, middle, right = draw_counts(summary, np.array([3, 2, 3]), 4).axes
    assert [patch.get_height() for patch in left.patches] == [1, 2]
    assert [patch.get_height() for patch in middle.patches] == [3, 2, 3]
    assert [text.get_text() for text in right.get_legend().get_texts()] == ["3", "4"]
    assert sorted(right.collections[0].get_offsets()[:, 1]) == [1, 2, 5]
