import math

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from simple_networks import cosine

from modadd.core.fourier import (
    coefficient_2d,
    cosine_at,
    power_2d,
    primary_frequency,
    share_of_variance,
    signed_frequency,
    spectrum,
    variance_by_frequency,
    wrap,
)


def beside(x, steps):
    """The float so many floats above x, or below."""
    for _ in range(abs(steps)):
        x = math.nextafter(x, math.copysign(math.inf, steps))
    return x


functions = st.integers(2, 15).flatmap(lambda n: arrays(float, (n, 2), elements=st.floats(-1e3, 1e3)))


@given(functions)
def test_variances_of_the_frequencies_sum_to_the_variance(f):
    shares = variance_by_frequency(f)
    assert shares.shape[0] == f.shape[0] // 2 + 1, "frequencies run from 0 to ⌊n/2⌋"
    np.testing.assert_allclose(shares.sum(axis=0), f.var(axis=0), rtol=1e-9, atol=1e-9)
    assert (shares[0] == 0).all(), "the mean is no variance"


def test_spectrum_is_the_sum_with_the_minus_sign_and_without_normalisation():
    f = np.array([[1.0], [2.0], [4.0]])
    expected = [sum(f[x, 0] * np.exp(-2j * np.pi * k * x / 3) for x in range(3)) for k in range(2)]
    np.testing.assert_allclose(spectrum(f)[:, 0], expected)


@given(n=st.integers(3, 20), data=st.data(), amplitude=st.floats(0.01, 100), phase=st.floats(-3.1, 3.1))
def test_amplitude_and_phase_of_a_cosine_are_regained(n, data, amplitude, phase):
    k = data.draw(st.integers(1, (n - 1) // 2))
    f = np.stack([cosine(n, k, amplitude, phase) + 7.0, cosine(n, 1, 2.0, 0.5)], axis=1)
    found = cosine_at(f, np.array([k, 1]))  # each column at its own frequency
    np.testing.assert_allclose(found.amplitude, [amplitude, 2], rtol=1e-9, err_msg="amplitude is in units of f")
    np.testing.assert_allclose(found.phase, [phase, 0.5], atol=1e-9, err_msg="phase is that of cos(w_k x + φ)")


@pytest.mark.parametrize(
    ("phase", "expected_amplitude", "expected_phase"),
    [(0.0, 3.0, 0.0), (1.0, 3 * math.cos(1), 0.0), (2.5, -3 * math.cos(2.5), math.pi)],
)
def test_at_the_nyquist_line_only_the_even_part_is_left(phase, expected_amplitude, expected_phase):
    found = cosine_at(cosine(8, 4, 3.0, phase)[:, None], np.array([4]))
    assert found.amplitude[0] == pytest.approx(expected_amplitude), (
        "±4 coincide mod 8: the line stands alone, α = |F|/n"
    )
    assert abs(found.phase[0]) == pytest.approx(expected_phase)


def test_primary_frequency_ignores_the_mean_and_takes_the_strongest():
    f = np.stack([50 + cosine(11, 3) + 0.9 * cosine(11, 5), cosine(11, 2) + 1.1 * cosine(11, 5)], axis=1)
    assert primary_frequency(f).tolist() == [3, 5]


def test_primary_frequency_of_a_constant_is_1():
    assert primary_frequency(np.full((6, 1), 2.0)).tolist() == [1]


@pytest.mark.parametrize("n", [7, 8])
def test_share_of_variance_is_the_squared_amplitude_share(n):
    f = (3 * cosine(n, 1, phase=0.4) + 4 * cosine(n, 2, phase=1.0) + 100)[:, None]
    assert share_of_variance(f, np.array([2]))[0] == pytest.approx(16 / 25)
    assert share_of_variance(np.ones((n, 1)), np.array([1]))[0] == 0, "a constant has no variance to share"


@pytest.mark.parametrize("n", [7, 8])
def test_power_2d_puts_a_plane_wave_at_its_two_signed_frequencies(n):
    x, z = np.indices((n, n))
    power = power_2d(np.cos(2 * np.pi * (z - 2 * x) / n + 0.3))
    centre = n // 2
    assert power[centre - 2, centre + 1] == pytest.approx(0.5)
    assert power[centre + 2, centre - 1] == pytest.approx(0.5)
    assert power.sum() == pytest.approx(1)


def test_power_2d_puts_the_mean_in_the_centre_and_of_nothing_is_nothing():
    assert power_2d(np.ones((5, 5)))[2, 2] == pytest.approx(1)
    assert (power_2d(np.zeros((5, 5))) == 0).all()


@given(arrays(float, 4, elements=st.floats(-1e4, 1e4)))
def test_wrapped_angles_are_the_same_angles(angle):
    np.testing.assert_allclose(np.exp(1j * wrap(angle)), np.exp(1j * angle), atol=1e-10)
    assert wrap(np.array([np.pi, -np.pi, 3 * np.pi])).tolist() == [np.pi] * 3


near_turns = st.tuples(st.integers(-1000, 1000), st.integers(-3, 3)).map(lambda at: beside(at[0] * np.pi, at[1]))
tiny = st.floats(-1e-15, 1e-15)


@given(arrays(float, 4, elements=near_turns | tiny | st.floats(allow_nan=False, allow_infinity=False)))
@example(np.array([np.pi, -np.pi, np.nextafter(np.pi, 4), np.nextafter(-np.pi, -4)]))
@example(np.array([np.pi + 4.4e-16, -4.4e-16, -5e-324, 1.7e308]))
def test_a_wrapped_angle_is_never_minus_pi_and_never_above_pi(angle):
    wrapped = wrap(angle)
    assert (wrapped > -np.pi).all(), "wrap promises (−π, π]"
    assert (wrapped <= np.pi).all(), "wrap promises (−π, π]"


def test_what_is_not_a_number_stays_so():
    assert np.isnan(wrap(np.array([np.nan]))).all()


@pytest.mark.parametrize("n", [7, 8, 59])
def test_coefficient_2d_is_the_amplitude_and_phase_of_a_plane_wave(n):
    x, z = np.indices((n, n))
    line = coefficient_2d(3 * np.cos(2 * np.pi * (2 * x - 3 * z) / n + 0.4), 2, -3)
    assert abs(line - 1.5 * np.exp(0.4j)) < 1e-12


@pytest.mark.parametrize("n", [7, 8])
def test_signed_frequencies_are_those_of_the_axis_of_power_2d(n):
    axis = signed_frequency(np.arange(3 * n), n)
    assert set(axis.tolist()) == set(range(-(n // 2), n - n // 2))
    assert ((axis - np.arange(3 * n)) % n == 0).all()
