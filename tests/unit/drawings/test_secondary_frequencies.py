"""Drawings of the two parts of the logits: what is drawn where."""

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest

from modadd.plots.secondary_frequencies import (
    KINDS,
    PARTS,
    draw_coefficients,
    draw_margin,
    draw_regressions,
    draw_spectra,
)


@pytest.fixture(autouse=True)
def closed():
    yield
    plt.close("all")


def test_what_is_printed_crosses_its_bar():
    r_squared = {(part, kind): 0.5 for part in PARTS for kind in KINDS}
    (ax,) = draw_regressions(r_squared, {("absolute", "clock"): "0.25"}).axes
    assert len(ax.patches) == len(r_squared)
    (dash,) = [line for line in ax.lines if len(line.get_xdata())]
    assert dash.get_ydata()[0] == 0.25
    assert np.mean(dash.get_xdata()) == pytest.approx(2.21)


def test_only_frequencies_that_are_printed_have_a_dash():
    found = pd.DataFrame({"C": [3.0, 2.0], "D": [-1.0, -0.5]}, [12, 7])
    left, right = draw_coefficients(found, pd.DataFrame({"D": [-0.9]}, [7])).axes
    assert [text.get_text() for text in right.texts] == ["−1.00", "−0.50"]
    dashes = [[line for line in ax.lines if line.get_linestyle() == "--"] for ax in (left, right)]
    assert [len(lines) for lines in dashes] == [0, 1]
    assert np.mean(dashes[1][0].get_xdata()) == pytest.approx(1)


def test_circles_are_drawn_at_the_lines_of_the_frequencies_shown():
    power = {"one": np.full((5, 5), 0.04), "other": np.full((5, 5), 0.04)}
    figure = draw_spectra(power, [(1, 2, -1), (2, -1, -2)], {"one": "first", "other": "second"}, [1])
    ax = figure.axes[0]
    assert ax.get_title() == "first"
    assert [line.get_xydata().tolist() for line in ax.lines] == [[[2, -1]]]
    assert [text.get_text() for text in ax.texts] == ["1"]


def test_the_margin_of_the_coefficients_stands_beside_the_measured_one():
    index = pd.Index([-1, 0, 1], name="difference")
    columns = {f"{part}_{how}": [1.0, 2.0, 1.0] for part in ("full", "absolute") for how in ("mean", "min")}
    predicted = {"full": np.array([3.0, 4.0, 3.0]), "absolute": np.array([1.0, 0.0, 1.0])}
    left, right = draw_margin(pd.DataFrame(columns, index), predicted).axes
    assert left.lines[0].get_ydata().tolist() == [1, 2, 1]
    assert right.lines[0].get_ydata().tolist() == [3, 4, 3]
