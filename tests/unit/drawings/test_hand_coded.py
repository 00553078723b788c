"""The pictures of the networks built by hand show what their tables say."""

import numpy as np
import pandas as pd

from modadd.handmade.search import turns
from modadd.plots import hand_coded


def test_stars_stand_where_the_trained_network_is():
    table = pd.DataFrame({"neurons per frequency": [5, 5, 8, 8], "s": [0.0, 0.1] * 2, "accuracy": 1.0})
    figure = hand_coded.draw_amplitudes(table.assign(**{"relative margin": [1.0, 2.0, 3.0, 4.0]}), {0.1: 0.05, 0: 0.01})
    *lines, stars, _ = figure.axes[0].lines
    assert [line.get_ydata().tolist() for line in lines] == [[1, 2], [3, 4]]
    assert (list(stars.get_xdata()), list(stars.get_ydata())) == ([0.1, 0], [0.05, 0.01])
    assert [text.get_text() for text in figure.legends[0].get_texts()] == ["5", "8", "trained"]


def test_the_laws_pass_through_the_turns_of_one_frequency():
    needed = pd.DataFrame({"n": [101, 301], "neurons": [5, 7], "formula": [4.6, 6.6]})
    left, right = hand_coded.draw_one_frequency(turns([1001, 3001], range(9, 33)), needed).axes
    odd, even, odd_law, even_law = left.lines[:4]
    np.testing.assert_allclose(odd.get_ydata(), odd_law.get_ydata()[::2], rtol=0.1)
    np.testing.assert_allclose(even.get_ydata()[5:9:2], even_law.get_ydata()[1::2][5:9:2], rtol=0.5)
    assert [text.get_text() for text in left.texts] == ["π/1001", "π/3001"]
    assert right.lines[0].get_ydata().tolist() == [5, 7]
