"""The pictures of the networks built by hand show what their tables say."""

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest

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


def test_a_cell_shows_its_margin_or_the_accuracy_where_that_is_not_one(cells):
    upper, lower, _ = handmade.draw_cells(cells).axes
    assert [text.get_text() for text in upper.texts] == ["50 %"] * 4
    assert [text.get_text() for text in lower.texts] == ["0.1", "0.1", "0.2", "0.2"]
    assert [text.get_position() for text in lower.texts] == [(0, 0), (1, 0), (0, 1), (1, 1)]
    assert [text.get_text() for text in lower.get_xticklabels()] == ["5", "7"]


def test_the_laws_pass_through_the_turns_of_one_frequency():
    needed = pd.DataFrame({"n": [101, 301], "neurons": [5, 7], "formula": [4.6, 6.6]})
    left, right = handmade.draw_one_frequency(turns([1001, 3001], range(9, 33)), needed).axes
    odd, even, odd_law, even_law = left.lines[:4]
    np.testing.assert_allclose(odd.get_ydata(), odd_law.get_ydata()[::2], rtol=0.1)
    np.testing.assert_allclose(even.get_ydata()[5:9:2], even_law.get_ydata()[1::2][5:9:2], rtol=0.5)
    assert [text.get_text() for text in left.texts] == ["π/1001", "π/3001"]
    assert right.lines[0].get_ydata().tolist() == [5, 7]
