"""The integral, its slope, its band and the rule of two points, where one can see the answer."""

import numpy as np
import pytest

from modadd.quadrature.activations import ABSOLUTE_ACTIVATION, SQUARE_ACTIVATION, Activation
from modadd.quadrature.bounds import Boxes
from modadd.quadrature.identities import (
    PLACES,
    Integrals,
    closed_form_off,
    exponential_over_bound,
    in_band,
    integrals_at,
    share_in_band,
    steepest_slope,
    two_point_rule,
    two_point_rule_off,
)


def box(node, left, right):
    return Boxes(np.array([node]), np.array([left]), np.array([right]), 2 * np.pi)


def test_the_integral_turns_backwards_by_theta_and_is_nothing_without_bars():
    found = integrals_at(np.array([0.0, np.pi / 2]))
    assert found.numeric == pytest.approx(np.array([4 / 3, -4j / 3]))
    assert found.closed == pytest.approx(np.array([4 / 3, -4j / 3]))
    assert np.abs(found.without_bars).max() < 1e-9
    assert max(found.deviations) < 1e-9


def test_the_deviations_are_the_largest_from_the_closed_form_and_from_nothing():
    found = Integrals(np.array([1.0, 2j, 5.0]), np.array([1.0, -1j, 4.0]), np.array([0.1j, -0.2, 0.1]))
    assert found.deviations == pytest.approx([3.0, 0.2])


def test_the_slope_is_steepest_a_quarter_turn_off_and_may_fall():
    """At φ = 0 it is −2 where θ is 0 and the answer's phase π/2; the three other pairs have 0, −1/√2 and −√2."""
    assert steepest_slope(np.array([0.0]), np.array([0.0, np.pi / 2])) == pytest.approx(2)
    assert steepest_slope(np.array([0.0]), np.array([np.pi / 2])) == pytest.approx(np.sqrt(2))


def test_a_band_without_slope_holds_the_node_alone():
    laid = box(0.0, -0.5, 0.5)
    assert np.flatnonzero(in_band(laid, slope=0.0)).tolist() == [PLACES // 2]
    assert in_band(laid).shape == (1, PLACES) and in_band(laid).all()


def test_the_curve_beside_a_kink_leaves_a_band_of_slope_one_half():
    """From 0 to π/2 |cos φ| cos 2φ falls from 1 to 0, and to −√6/9 between: at the end the band of slope s holds it from s = 2/π on."""
    laid = box(0.0, 0.0, np.pi / 2)
    at_end = [bool(in_band(laid, slope)[0, -1]) for slope in (0.6, 2 / np.pi, 0.7)]
    assert at_end == [False, True, True]


def test_every_box_counts_alike_in_the_share():
    wide, far = box(0.0, -0.5, 0.5), box(0.0, 0.2, 0.5)  # without slope: one place of the first, none of the others
    others = Boxes(*(np.repeat(part, 3) for part in (far.node, far.left, far.right)), far.period)
    assert share_in_band([wide, others], slope=0.0) == pytest.approx(1 / (4 * PLACES))
    assert share_in_band([wide, others]) == 1


def test_the_rule_of_two_points_is_right_at_its_ends_and_off_between():
    t = np.array([0.0, np.pi / 8, np.pi / 4, np.pi / 2, np.pi])
    off = np.cos(np.pi / 8) - np.sin(np.pi / 8) - np.sqrt(1 / 2)  # negative: the rule is below the cosine
    assert two_point_rule(t) - np.cos(2 * t) == pytest.approx([0, off, 0, 0, 0])
    assert two_point_rule_off(t) == pytest.approx(-off) and off == pytest.approx(-0.1659, abs=1e-4)


@pytest.mark.parametrize("activation", [ABSOLUTE_ACTIVATION, SQUARE_ACTIVATION])
def test_a_closed_form_is_right_at_every_angle_and_size(activation):
    assert closed_form_off(activation, np.array([0.0, 0.7, np.pi]), (1.0, 2.0)) < 1e-10


def test_a_closed_form_that_is_off_is_seen_where_it_is_worst():
    wrong = Activation("wrong", "", np.abs, lambda order, r: (4 / 3 - 0.01 * r) * r)
    assert closed_form_off(wrong, np.array([0.5, 1.0]), (1.0, 3.0)) == pytest.approx(0.09)


def test_neurons_of_an_exponential_are_off_by_their_worst_x():
    """One neuron is √e · ReLU(x − ½); two at x = 1 are (¾ e^¼ + ¼ e^¾)/2."""
    found = exponential_over_bound(np.array([0.5, 1.0]), [1, 2])
    at_half = np.exp(0.5) - 1.5
    assert found[0] == pytest.approx(at_half / (np.e / 4)), "more than at 1"
    of_two = abs((0.75 * np.exp(0.25) + 0.25 * np.exp(0.75)) / 2 - (np.e - 2))
    assert exponential_over_bound(np.array([1.0]), [1, 2])[1] == pytest.approx(of_two / (np.e / 8))
