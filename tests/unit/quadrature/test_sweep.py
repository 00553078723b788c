import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from schemes import angles, direct_error, spread_scheme, wild_schemes

from modadd.quadrature.scheme import (
    INTEGRAL,
    PIECEWISE_ABSOLUTE,
    PIECEWISE_IDENTITY,
    PIECEWISE_RELU,
    one_phase,
    quadrature_error,
)
from modadd.quadrature.sweep import Pieces, error_at, pieces, supremum, worst_case

GRID = np.linspace(0, 4 * np.pi, 4001)
ACTIVATIONS = {"absolute": PIECEWISE_ABSOLUTE, "ReLU": PIECEWISE_RELU, "identity": PIECEWISE_IDENTITY}


def single(phi=0.0, psi=0.0, weight=1.0):
    """A scheme of one neuron."""
    return one_phase(7, 1, *(np.array([float(value)]) for value in (phi, psi, weight)))


@given(wild_schemes())
@example(single())
@example(one_phase(8, 2, np.full(5, np.pi / 4), np.zeros(5), np.array([1.0, -1.0, 2.0, -2.0, 0.5])))
def test_worst_input_is_that_of_brute_force(scheme):
    error, found = quadrature_error(scheme), worst_case(scheme)
    assert abs(found.modulus_over_inputs - np.abs(error).max()) < 1e-12


@given(wild_schemes(), st.lists(angles, min_size=1, max_size=5).map(np.array))
def test_error_at_any_angle_is_the_sum_written_out(scheme, theta):
    np.testing.assert_allclose(error_at(scheme, 3 * theta), direct_error(scheme, 3 * theta), rtol=0, atol=1e-12)


@pytest.mark.parametrize("activation", ACTIVATIONS.values(), ids=ACTIVATIONS)
@given(scheme=wild_schemes())
def test_supremum_is_above_a_dense_grid_and_within_its_error(activation, scheme):
    found, error = worst_case(scheme, activation), direct_error(scheme, GRID, activation)
    slope = (abs(activation.even) + abs(activation.odd)) * np.abs(scheme.weight).sum() / 2 + activation.even * INTEGRAL
    missed = slope * (GRID[1] - GRID[0]) / 2
    for largest, values in ((found.modulus, np.abs(error)), (found.cosine, np.abs(error.real))):
        assert values.max() <= largest + found.rounding, "no θ may have a larger error than the supremum"
        assert largest <= values.max() + missed + found.rounding, "the supremum must be reached near some θ"


@pytest.mark.parametrize("activation", ACTIVATIONS.values(), ids=ACTIVATIONS)
@given(scheme=wild_schemes())
@example(scheme=single(phi=np.pi, weight=-1))  # ReLU: in the second turn of θ/2
def test_supremum_is_attained_where_it_is_said_to_be(activation, scheme):
    found = worst_case(scheme, activation)
    there = abs(direct_error(scheme, np.array([found.theta]), activation)[0])
    assert there == pytest.approx(found.modulus, abs=1e-12)


@given(wild_schemes())
def test_inputs_of_relu_and_identity_have_both_signs_of_the_half_angle(scheme):
    theta = scheme.thetas[:, None] + 2 * np.pi * np.arange(2)
    for activation in (PIECEWISE_RELU, PIECEWISE_IDENTITY):
        found, error = worst_case(scheme, activation), direct_error(scheme, theta, activation)
        assert found.modulus_over_inputs == pytest.approx(np.abs(error).max(), abs=1e-12)


@pytest.mark.parametrize("activation", ACTIVATIONS.values(), ids=ACTIVATIONS)
@given(scheme=wild_schemes())
def test_curvature_bounds_the_second_difference_of_every_piece(activation, scheme):
    cut, step = pieces(scheme, activation), 1e-3
    row, piece = (index.ravel() for index in np.indices(cut.cosine.shape))
    turned, plain = (bound.ravel() for bound in cut.curvature())
    for v in np.linspace(0, 2 * np.pi, 60):  # each piece is a sine wave that has no end
        at = [cut.at(np.full(len(row), v + d), row, piece) for d in (-step, 0, step)]
        spun = [[np.exp(1j * r * (v + d)) * e for d, e in zip((-step, 0, step), at, strict=True)] for r in (2, 1, -1)]
        second = [np.abs(after - 2 * here + before) / step**2 for before, here, after in (*spun, at)]
        assert (np.min(second[:3], axis=0) <= turned + 1e-8).all()
        assert (second[3] <= plain + 1e-8).all()


@pytest.mark.parametrize("excess", [0.7, 0.99])
def test_a_top_between_the_ends_of_a_piece_is_found_behind_a_higher_end_elsewhere(excess):
    # cos(v − d/2) on [0, d] rises by nearly d²/8 above its ends; another piece holds a value just below that top.
    d = 0.02
    other = np.cos(d / 2) + excess * (1 - np.cos(d / 2))
    cosine = np.array([[np.cos(d / 2), 1, other / np.cos(d)]], complex)
    sine = np.array([[np.sin(d / 2), 0, 0]], complex)
    cut = Pieces(cosine, sine, np.array([0.0, d, d, 2 * d]), 0.0, 1e-14)
    ends = np.array([[np.cos(d / 2), np.cos(d / 2), other, 0]], complex)
    for size, curvature in zip((np.abs, lambda error: np.abs(error.real)), cut.curvature(), strict=True):
        best, where, _ = supremum(cut, size, curvature, ends)
        assert best == pytest.approx(1, abs=1e-13)
        assert where == pytest.approx(d / 2, abs=1e-6)


def test_supremum_of_one_neuron_is_its_closed_form():
    # |error|² = c² + 16/9 − (8/3) c (2c² − 1) with c = |cos θ/2|, largest where 16c² − 2c − 8/3 = 0
    c = (2 + np.sqrt(4 + 64 * 8 / 3)) / 32
    found = worst_case(single())
    assert found.modulus == pytest.approx(np.sqrt(c**2 + 16 / 9 - 8 / 3 * c * (2 * c**2 - 1)), abs=1e-13)
    assert abs(np.cos(found.theta / 2)) == pytest.approx(c, abs=1e-5), "flat at its top: √eps in θ"
    c = 3 / 16  # the real part is c − (4/3) (2c² − 1)
    assert found.cosine == pytest.approx(c - 4 / 3 * (2 * c**2 - 1), abs=1e-13)


@pytest.mark.parametrize("pair", [(0.3, 0.3), (0.3, 0.3 - np.pi)])
def test_neurons_that_cancel_leave_the_integral_as_a_flat_error(pair):
    scheme = one_phase(7, 1, np.array(pair), np.array([1.0, 1.0]), np.array([2.0, -2.0]))
    found = worst_case(scheme)
    assert found.modulus == pytest.approx(4 / 3, abs=1e-12)
    assert found.evaluations < 1000, "a constant modulus must not be searched"


@pytest.mark.skipif(np.finfo(np.longdouble).eps > 1e-18, reason="needs a longer float than float64 as the truth")
@pytest.mark.parametrize("m", [1, 30, 3000])
def test_rounding_error_is_below_its_stated_bound(m):
    scheme, v = spread_scheme(m, jitter=1.0), np.linspace(0, 3, 41)
    phi, psi, weight = (x.astype(np.longdouble) for x in (scheme.phi, scheme.psi, scheme.weight))
    total = np.abs(np.cos(v.astype(np.longdouble)[:, None] + phi)) * weight
    truth = (total * np.cos(psi)).sum(axis=1) + 1j * (total * np.sin(psi)).sum(axis=1)
    truth -= np.longdouble(4) / 3 * np.exp(-2j * v.astype(np.longdouble))
    cut = pieces(scheme)
    assert np.abs(cut.everywhere(v)[0] - truth).max() <= cut.rounding
    assert cut.rounding < 1e-11, "a bound on the rounding that is not small says nothing"


def test_running_sums_of_many_equal_weights_keep_their_digits():
    m = 2**20  # one running sum would round the same way a million times
    scheme = one_phase(59, 1, np.zeros(m), np.zeros(m), np.full(m, 0.1 / m))
    assert error_at(scheme, np.zeros(1))[0].real == pytest.approx(0.1 - 4 / 3, abs=1e-13)
    assert pieces(scheme).rounding < 2e-12


@pytest.mark.parametrize("sign", [1, -1])
def test_a_wave_that_runs_one_way_has_a_flat_modulus(sign):
    scheme = one_phase(7, 1, np.array([0.0, np.pi / 2]), np.array([0.0, sign * np.pi / 2]), np.ones(2))
    found = worst_case(scheme, PIECEWISE_IDENTITY)  # cos v − sign·i sin v
    assert found.modulus == pytest.approx(1, abs=1e-12)
    assert found.evaluations < 1000, "a constant modulus must not be searched"
