"""The pictures of the networks built by hand show what their tables say."""

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest

from modadd.core.neurons import neurons_of
from modadd.handmade.build import Wave, hand_coded, second_harmonics
from modadd.handmade.search import turns
from modadd.page import handmade


@pytest.fixture(autouse=True)
def closed():
    """No figure is left open."""
    yield
    plt.close("all")


@pytest.fixture
def cells():
    """Two kinds, two numbers of frequencies, two of neurons; only half of them answer every input right."""
    lines = [
        (kind, m, h_k, m * h_k, 0.1 * m, accuracy)
        for kind, accuracy in (("without harmonic", 0.5), ("with harmonic", 1.0))
        for m in (1, 2)
        for h_k in (5, 7)
    ]
    return pd.DataFrame(lines, columns=["kind", "m", "h_k", "neurons", "relative margin", "accuracy"])


def words(ax):
    """The texts of a panel's legend."""
    return [text.get_text() for text in ax.get_legend().get_texts()]


def test_every_table_and_every_frequency_has_its_own_points():
    network = hand_coded(11, (1, 3), 5, Wave(0.1, 0.2))
    neurons = neurons_of(network)
    parts = second_harmonics(network, neurons, np.ones(10, bool))
    left, right = handmade.draw_second_harmonics(parts, Wave(0.1, 0.2)).axes
    assert words(left) == ["A", "B", "W"] and words(right) == ["k = 1", "k = 3", "read off"]
    np.testing.assert_allclose(left.lines[2].get_xdata(), parts["Re W"])
    np.testing.assert_allclose(right.lines[1].get_ydata(), parts[parts.frequency == 3].c)
    assert (right.lines[2].get_xdata(), right.lines[2].get_ydata()) == ([0.1], [0.2])


def test_every_group_of_networks_has_a_panel_and_every_column_a_line():
    responses = pd.DataFrame({"neither": [1.0, 0.5, 0.0]}, index=[0.0, 0.5, 1.0])
    columns = pd.MultiIndex.from_tuples([("ours", "whole"), ("ours", "less"), ("twin", "whole")])
    margins = pd.DataFrame([[3.0, 2.0, 1.0], [1.0, -1.0, 0.5]], columns=columns)
    axes = handmade.draw_by_difference(responses, margins).axes
    assert [ax.get_title() for ax in axes] == ["one frequency, many neurons", "ours", "twin"]
    assert [words(ax) for ax in axes] == [["neither"], ["whole", "less"], ["whole"]]
    np.testing.assert_array_equal(axes[1].lines[1].get_ydata(), [2, -1])
    assert axes[1].get_ylim()[0] < -1 < 3 < axes[1].get_ylim()[1]


def test_stars_stand_where_the_trained_network_is():
    table = pd.DataFrame({"neurons per frequency": [5, 5, 8, 8], "s": [0.0, 0.1] * 2, "accuracy": 1.0})
    figure = handmade.draw_amplitudes(table.assign(**{"relative margin": [1.0, 2.0, 3.0, 4.0]}), {0.1: 0.05, 0: 0.01})
    *lines, stars, _ = figure.axes[0].lines
    assert [line.get_ydata().tolist() for line in lines] == [[1, 2], [3, 4]]
    assert (list(stars.get_xdata()), list(stars.get_ydata())) == ([0.1, 0], [0.05, 0.01])
    assert [text.get_text() for text in figure.legends[0].get_texts()] == ["5", "8", "trained"]


def test_a_cell_shows_its_margin_or_the_accuracy_where_that_is_not_one(cells):
    upper, lower, _ = handmade.draw_cells(cells).axes
    assert [text.get_text() for text in upper.texts] == ["50 %"] * 4
    assert [text.get_text() for text in lower.texts] == ["0.1", "0.1", "0.2", "0.2"]
    assert [text.get_position() for text in lower.texts] == [(0, 0), (1, 0), (0, 1), (1, 1)]
    assert [text.get_text() for text in lower.get_xticklabels()] == ["5", "7"]


def test_only_networks_of_accuracy_one_are_placed_and_sets_are_ranked(cells):
    sets = pd.DataFrame({"without harmonic": [0.1, 0.2, 0.3], "with harmonic": [0.2, 0.3, 0.5]})
    ranks = pd.DataFrame({"own": [0.2, 0.5], "rank": [2, 1]}, index=list(sets)).rename_axis("1, 5")
    left, right = handmade.draw_place(cells, (512, 0.05), sets, ranks).axes
    assert words(left) == ["m = 1", "m = 2", "trained"]
    assert left.lines[1].get_xdata().tolist() == [10, 14]
    assert words(right) == ["without harmonic: rank 2 of 3", "with harmonic: rank 1 of 3"]
    assert [line.get_xdata()[0] for line in right.lines] == [0.2, 0.5] and right.get_title() == "lines: 1, 5"


def test_the_laws_pass_through_the_turns_of_one_frequency():
    needed = pd.DataFrame({"n": [101, 301], "neurons": [5, 7], "formula": [4.6, 6.6]})
    left, right = handmade.draw_one_frequency(turns([1001, 3001], range(9, 33)), needed).axes
    odd, even, odd_law, even_law = left.lines[:4]
    np.testing.assert_allclose(odd.get_ydata(), odd_law.get_ydata()[::2], rtol=0.1)
    np.testing.assert_allclose(even.get_ydata()[5:9:2], even_law.get_ydata()[1::2][5:9:2], rtol=0.5)
    assert [text.get_text() for text in left.texts] == ["π/1001", "π/3001"]
    assert right.lines[0].get_ydata().tolist() == [5, 7]
