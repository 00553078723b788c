"""The map of claims by networks: order, shades, and what is left out."""

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd

from paper.page.claims_map import LINE, broken_by, draw_claims_map, in_words

HOLDS = pd.DataFrame(
    {"always": [True, True, True], "some": [False, True, pd.NA], "rare": [False, False, True]}, dtype="boolean"
)
ABOVE = pd.Series([4, 3, 5], name="key frequencies")
LABELS = {name: f"{name} ≥ 1" for name in HOLDS}


def test_networks_are_sorted_and_claims_that_always_hold_are_left_out():
    figure = draw_claims_map(HOLDS, LABELS, ABOVE, "3 networks", pd.Series([7, 8, 9], name="seed"), [0])
    top, ax = figure.axes
    assert [text.get_text() for text in ax.get_yticklabels()] == ["some ≥ 1", "rare ≥ 1"]
    assert [text.get_text() for text in ax.get_xticklabels()] == ["9", "8", "7"]
    np.testing.assert_array_equal(ax.images[0].get_array(), [[0.35, 0, 1], [0, 1, 1]])
    assert top.patches[0].get_data().values.tolist() == [5, 3, 4]
    assert top.lines[0].get_xdata().tolist() == [2]
    plt.close(figure)


def test_networks_are_counted_by_what_they_break():
    assert broken_by(HOLDS).tolist() == [2, 1, 0]


def test_a_row_says_what_its_claim_says_in_two_lines_at_most():
    claim = {"statement": "The heaviest cluster bears noise better (at most 5 % of 100 draws). A second sentence."}
    assert in_words(claim) == "The heaviest cluster bears noise better."
    lines = in_words({"statement": "a cluster bears noise " * 20}).splitlines()
    assert len(lines) == 2 and max(map(len, lines)) <= LINE and lines[1].endswith("…")
