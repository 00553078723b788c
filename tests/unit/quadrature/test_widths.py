import numpy as np
from hypothesis import given
from schemes import random_schemes, spread_scheme
from support import perfect_scheme

from modadd.quadrature.bounds import boxes
from modadd.quadrature.scheme import Scheme, even_widths, gap_widths


def test_even_nodes_have_even_widths_either_way():
    scheme = perfect_scheme(9)
    np.testing.assert_allclose(even_widths(scheme).weight, scheme.weight)
    np.testing.assert_allclose(gap_widths(scheme).weight, scheme.weight)


def test_a_node_has_half_of_both_gaps_beside_it_on_the_folded_circle():
    scheme = Scheme(59, 12, np.array([-np.pi / 2, 0.0, 0.3]), np.zeros(3), np.ones(3))
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
