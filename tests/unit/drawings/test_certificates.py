"""Drawings of certificates: what is drawn where."""

from types import SimpleNamespace

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest

from modadd.certificates.certify import Certificate
from modadd.core.statistics import share
from modadd.plots.certificates import (
    draw_adversaries,
    draw_ladder,
    draw_lengths,
    draw_many,
    draw_maps,
    draw_margins,
)

SHARES = np.array([0.5, 1.0])


@pytest.fixture(autouse=True)
def closed():
    yield
    plt.close("all")


def test_rungs_that_explain_the_same_have_one_colour_and_worst_members_are_open():
    columns = {"operations": [1e6, 2e6, 3e6], "certified share": [0.1, 0.2, 1.0]}
    columns |= {"smallest certified margin": [-1.0, 0.5, 2.0]}
    table = pd.DataFrame({"rung": ["k: direct sums", "k: worst member", "flips"]} | columns)
    left, right = draw_ladder(table, 2.5).axes
    direct, worst, flips = left.lines[:3]
    assert direct.get_color() == worst.get_color() != flips.get_color()
    assert (direct.get_fillstyle(), worst.get_fillstyle()) == ("full", "none")
    assert right.lines[-1].get_ydata()[0] == 2.5


def test_every_rung_has_a_curve_of_margins_and_the_true_one_is_last():
    curves = pd.DataFrame({"share of inputs": SHARES, "flips": [0.0, 1.0], "short": [-1.0, 1.0], "true": [0.5, 2.0]})
    (ax,) = draw_margins(curves).axes
    assert [line.get_label() for line in ax.lines[:3]] == ["flips", "short", "true"]


def test_maps_are_over_difference_and_sum():
    margin = np.arange(9.0).reshape(3, 3)
    certificate = Certificate(margin, margin, np.zeros((3, 3), int), 0.0, 1, "p²")
    image = draw_maps({"one": certificate}).axes[0].images[0].get_array()
    assert image[(1 + 2) % 3, (1 - 2) % 3] == margin[1, 2]


def test_an_adversary_is_drawn_beside_its_bound():
    curve = pd.DataFrame(dict.fromkeys(("factors", "direct sums", "worst member", "random members"), [0.1, 0.2]))
    (ax,) = draw_adversaries([curve.assign(family="k and 2k")]).axes
    assert ax.get_title() == "k and 2k"
    assert len(ax.lines) == 5


def test_a_proof_that_proves_nothing_is_drawn_at_0():
    lengths = pd.DataFrame(
        {"network": "Q", "rung": ["a", "b"], "of brute force": [0.1, 0.2], "tightness": [-3, np.nan]}
    )
    (ax,) = draw_lengths(lengths).axes
    assert [line.get_ydata()[0] for line in ax.lines[:2]] == [0, 0]


def test_shares_of_networks_stand_beside_each_other():
    whole = {"Q": [share([True, False])], "C": [share([False, False])]}
    left, _ = draw_many(whole, ["flips"], np.array([0.4, 0.6])).axes
    points = SimpleNamespace(**{line.get_color()[1:]: line for line in left.lines if len(line.get_xdata())})
    assert sorted(line.get_ydata()[0] for line in vars(points).values()) == [0, 50]
    assert [text.get_text() for text in left.get_legend().get_texts()] == ["Q: 2 networks", "C: 2 networks"]
