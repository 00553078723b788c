import numpy as np
import pytest
from hypothesis import given
from schemes import random_schemes, spread_scheme
from support import perfect_scheme

from modadd.quadrature.bounds import boxes
from modadd.quadrature.evenness import arc_excess, interval_ratio, share_less_even
from modadd.quadrature.scheme import even_widths, gap_widths, gaps, one_phase


@pytest.mark.parametrize("m", [1, 2, 7, 100])
def test_even_angles_have_equal_intervals_and_the_least_excess(m):
    phi = 0.3 + 2 * np.pi * np.arange(m) / m
    assert interval_ratio(phi) == pytest.approx(0, abs=1e-9)
    assert arc_excess(phi) == pytest.approx(1 / m)


def test_ratio_is_that_of_the_gaps_of_a_scheme_wherever_the_circle_is_cut():
    scheme = perfect_scheme(9)
    phi = scheme.phi + np.random.default_rng(0).uniform(-0.2, 0.2, 9)
    assert interval_ratio(scheme.phi) == pytest.approx(gaps(scheme).std() / gaps(scheme).mean(), abs=1e-9)
    assert interval_ratio(phi) == pytest.approx(interval_ratio(phi[::-1] + 5.0))
    assert arc_excess(phi) == pytest.approx(arc_excess(phi - 2.0))


def test_angles_in_half_of_the_circle_exceed_it_by_a_half():
    assert arc_excess(np.linspace(0, np.pi, 1001)) == pytest.approx(0.5, abs=1e-3)
    assert arc_excess(np.zeros(5)) == pytest.approx(1)


def test_random_angles_rank_anywhere_and_even_ones_first():
    rng = np.random.default_rng(2)
    ranks = [share_less_even(rng.uniform(0, 2 * np.pi, 50)) for _ in range(10)]
    assert 0.3 < np.mean(ranks) < 0.7
    assert share_less_even(2 * np.pi * np.arange(50) / 50) == 1
    assert share_less_even(np.zeros(50)) == 0


def test_even_nodes_have_even_widths_either_way():
    scheme = perfect_scheme(9)
    np.testing.assert_allclose(even_widths(scheme).weight, scheme.weight)
    np.testing.assert_allclose(gap_widths(scheme).weight, scheme.weight)


def test_a_node_has_half_of_both_gaps_beside_it_on_the_folded_circle():
    scheme = one_phase(59, 12, np.array([-np.pi / 2, 0.0, 0.3]), np.zeros(3), np.ones(3))
    np.testing.assert_allclose(gap_widths(scheme).weight, [np.pi - 0.3, np.pi / 2 + 0.3, np.pi / 2])


@given(random_schemes())
def test_gap_widths_fill_the_circle(scheme):
    weight = gap_widths(scheme).weight
    assert abs(weight.sum() - 2 * np.pi) < 1e-12
    assert (weight >= -1e-15).all()


def test_no_widths_have_a_smaller_lipschitz_bound_than_the_gaps():
    scheme = spread_scheme(40)
    least = boxes(gap_widths(scheme), folded=True).lipschitz_bound
    assert least <= boxes(scheme, folded=True).lipschitz_bound
    assert least <= boxes(even_widths(scheme), folded=True).lipschitz_bound
