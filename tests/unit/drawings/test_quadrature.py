import matplotlib.pyplot as plt
import numpy as np

from modadd.plots.rectangles import WIDEST, draw_continuum, draw_finite
from modadd.quadrature.scheme import one_phase

SCHEME = one_phase(7, 2, np.array([-1.0, 0.5]), np.array([-2.0, 1.0]), np.array([4.0, 2.0]))


def test_every_neuron_is_joined_to_every_logit_as_strongly_as_it_is_trained():
    _, ax = plt.subplots()
    weights = draw_finite(ax, SCHEME, (0, 2, 4))
    np.testing.assert_allclose(weights[0, 1], 4 * np.cos(2 * np.pi * 2 * 2 / 7 - 2))
    joins = [line for line in ax.lines if line.get_xdata()[0] == 1.0 and len(set(line.get_xdata())) == 2]
    assert len(joins) == weights.size
    np.testing.assert_allclose(max(line.get_linewidth() for line in joins), WIDEST)
    dashed = [line.get_linestyle() == "--" for line in joins]
    assert dashed == (weights < 0).ravel().tolist()
    plt.close("all")


def test_the_continuum_has_a_band_for_each_logit_and_no_single_neuron():
    _, ax = plt.subplots()
    draw_continuum(ax, (0, 2, 4))
    assert len(ax.patches) == 4 and len(ax.lines) == 1
    plt.close("all")
