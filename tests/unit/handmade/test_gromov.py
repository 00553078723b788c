"""Gromov's closed form adds, and the distance from it sees what is changed."""

import numpy as np
import pytest

from modadd.core.fourier import term
from modadd.core.separable import accuracy
from modadd.handmade.gromov import Hidden, closed_form, distance_from_closed_form, drawn_closed_form, squares

N = 13


def evenly(k, m):
    """m² neurons of one frequency, φ and φ' each spread evenly over the circle."""
    phases = 2 * np.pi * np.arange(m) / m
    first, second = (grid.ravel() for grid in np.meshgrid(phases, phases))
    return closed_form(N, np.full(m * m, k), first, second)


@pytest.mark.parametrize("k", [1, 4])
def test_evenly_spread_phases_leave_the_clock_term_alone(k):
    m = 5
    np.testing.assert_allclose(squares(evenly(k, m)), m * m / 2 * term("clock", k, N), atol=1e-9)


def test_many_drawn_neurons_add_and_few_do_not():
    assert accuracy(squares(drawn_closed_form(N, 600, 0))) == 1
    assert accuracy(squares(drawn_closed_form(N, 3, 0))) < 1


def test_distance_of_the_closed_form_is_zero_and_grows_with_what_is_changed():
    frequency = 1 + np.arange(60) % 6
    rng = np.random.default_rng(1)
    exact = closed_form(N, frequency, *rng.uniform(-3, 3, (2, 60)))
    found = distance_from_closed_form(exact, frequency)
    assert found == pytest.approx((0, 0, 0), abs=1e-7)
    noisy = Hidden(exact.U + rng.normal(size=exact.U.shape), exact.V, exact.W)
    assert distance_from_closed_form(noisy, frequency).outside > 0.1
    shuffled = Hidden(exact.U, exact.V, exact.W[rng.permutation(60)])
    assert distance_from_closed_form(shuffled, frequency).mismatch > 1
    scaled = Hidden(exact.U * rng.uniform(0, 2, 60), exact.V, exact.W)
    assert (
        distance_from_closed_form(scaled, frequency).unequal > 0.3
        and distance_from_closed_form(scaled, frequency).outside < 1e-9
    )


def test_a_network_of_nothing_has_no_distance():
    nothing = Hidden(np.zeros((N, 2)), np.zeros((N, 2)), np.zeros((2, N)))
    assert np.isnan(distance_from_closed_form(nothing, np.array([1, 2]))).all()
