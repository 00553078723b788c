import numpy as np
import pytest
from hypothesis import given
from schemes import direct_error, random_schemes, spread_scheme
from support import perfect_scheme

from modadd.quadrature.bounds import between, boxes, relu_bound
from modadd.quadrature.scheme import INTEGRAL, RELU, Scheme, integrand


@given(random_schemes())
def test_whole_relu_stays_below_its_bound_at_every_angle(scheme):
    worst = np.abs(direct_error(scheme, np.linspace(0, 4 * np.pi, 200), RELU)).max()
    assert worst <= relu_bound(scheme) + 1e-9


def test_relu_bound_of_the_perfect_scheme_is_half_that_of_the_absolute_value():
    scheme = perfect_scheme(12)
    assert relu_bound(scheme) == pytest.approx(boxes(scheme, folded=True).lipschitz_bound / 2)


def test_relu_bound_charges_for_an_identity_part_that_does_not_cancel():
    lopsided = Scheme(59, 12, np.array([0.0, 0.1]), np.array([0.0, 0.2]), np.full(2, np.pi))
    assert relu_bound(lopsided) > boxes(lopsided, folded=True).lipschitz_bound / 2 + 3


@pytest.mark.parametrize("m", [3, 8, 60])
@pytest.mark.parametrize("seed", range(3))
def test_the_step_lies_between_the_error_and_the_lipschitz_bound(m, seed):
    scheme = spread_scheme(m, seed)
    cosine = [scheme.weight @ integrand(scheme.phi, theta, 0.0) - INTEGRAL * np.cos(theta) for theta in scheme.thetas]
    step = between(scheme)
    assert max(map(abs, cosine)) <= step * 1.01 + 1e-3, "the midpoint rule is not exact"
    assert step <= boxes(scheme, folded=True).lipschitz_bound * 1.001


def test_more_points_change_the_step_little():
    scheme = spread_scheme(20)
    assert between(scheme) == pytest.approx(between(scheme, points=512), rel=0.01)
