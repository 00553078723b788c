"""Axes that several notebooks draw alike."""

import matplotlib.pyplot as plt
import pytest

from modadd.plots.axes import few_log_ticks


@pytest.mark.parametrize(("limits", "expected"), [((0.9, 20), {1, 3, 10}), ((0.9, 2000), {1, 10, 100, 1000})])
def test_an_axis_that_spans_few_powers_of_ten_has_ticks_between_them(limits, expected):
    figure, ax = plt.subplots()
    ax.set(yscale="log", ylim=limits)
    few_log_ticks(ax.yaxis)
    low, high = limits
    assert {tick for tick in ax.yaxis.get_majorticklocs().tolist() if low <= tick <= high} == expected
    plt.close(figure)
