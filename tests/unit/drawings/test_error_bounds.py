"""Drawings of quadrature errors: what is drawn where."""

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest
from schemes import spread_scheme

from modadd.plots.error_bounds import LOOKS, draw_inputs, draw_terms, draw_work
from modadd.quadrature.bounds import bound_against_work
from modadd.quadrature.scheme import INTEGRAL
from modadd.quadrature.sweep import worst_case


@pytest.fixture(autouse=True)
def closed():
    yield
    plt.close("all")


def test_what_is_printed_stands_in_the_line_of_its_term():
    errors = pd.DataFrame({12: [INTEGRAL, INTEGRAL / 10], 18: [INTEGRAL, INTEGRAL / 2]}, ["naive", "actual"])
    (ax,) = draw_terms(errors, {"actual": 0.2}, 12).axes
    first, second, _, printed = ax.lines
    assert first.get_xdata().tolist() == pytest.approx([1, 0.1])
    assert first.get_ydata()[0] < second.get_ydata()[0]
    assert set(printed.get_xdata()) == {0.2}
    assert np.mean(printed.get_ydata()) == 1
    assert [text.get_text() for text in ax.get_yticklabels()] == ["naive", "actual"]


def test_every_method_is_drawn_against_its_work():
    scheme = spread_scheme(20)
    bounds = bound_against_work(scheme, [1, 4]).assign(frequency=12, neurons=20)
    bounds["over actual"] = bounds.value / bounds.value.min()
    (ax,) = draw_work(bounds, [12], [1, 4]).axes
    assert len(ax.lines) == 1 + len(LOOKS)
    assert ax.get_title() == "k = 12: 20 neurons"
    assert any("M = 1, 4" in line.get_label() for line in ax.lines)


def test_the_star_is_the_supremum():
    worst = worst_case(spread_scheme(20))
    curves = pd.DataFrame({"frequency": 12, "theta": [0.0, 1.0], "modulus": [0.1, 0.2], "cosine": [0.1, 0.1]})
    (ax,) = draw_inputs(curves, {12: 1.0}, {12: 0.5}, {12: worst}, [12]).axes
    (star,) = [line for line in ax.lines if line.get_marker() == "*"]
    assert star.get_ydata()[0] == worst.modulus
