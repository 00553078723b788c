from math import gcd

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from schemes import angles, spread_scheme

from modadd.quadrature.kinks import kinks
from modadd.quadrature.scheme import INTEGRAL, one_phase, quadrature_error
from modadd.quadrature.sweep import EPS, error_at, swept_error, worst_case

AFTER_A_QUARTER = np.nextafter(np.pi / 2, 2)  # its kink lies just below 0, and is rounded to π


@st.composite
def schemes_on_a_grid(draw):
    """Any modulus and frequency, with a common factor or without; some kinks lie on half-angles of inputs."""
    n, m = draw(st.integers(1, 400)), draw(st.integers(1, 12))
    on_inputs = st.integers(-n, n).map(lambda j: np.pi / 2 - np.pi * j / n)
    phi = draw(arrays(float, m, elements=angles | on_inputs))
    psi = draw(arrays(float, m, elements=angles))
    weight = draw(arrays(float, m, elements=st.just(0.0) | st.floats(-2, 2)))
    return one_phase(n, draw(st.integers(1, n)), phi, psi, weight)


def scheme_of(n, k, *phi):
    """Equal weights and no output phase."""
    return one_phase(n, k, np.array(phi), np.zeros(len(phi)), np.ones(len(phi)))


def size(scheme):
    """Σ|w| + 4/3, to which every rounding is relative."""
    return np.abs(scheme.weight).sum() + INTEGRAL


def stated_rounding(scheme):
    """The bound in the docstring of `swept_error`."""
    fullest = np.unique(np.floor(kinks(scheme)[0] * scheme.modulus / np.pi), return_counts=True)[1].max()
    return EPS * (fullest + 5 * np.sqrt(scheme.modulus) + 30) * size(scheme)


@given(schemes_on_a_grid())
@example(scheme_of(1, 1, 0.0))
@example(scheme_of(2, 2, 0.0, np.pi / 2, -np.pi / 2))
@example(scheme_of(12, 8, *np.pi / 2 - np.pi * np.arange(-12, 13) / 12))
@example(scheme_of(1, 1, AFTER_A_QUARTER))
@example(scheme_of(400, 150, AFTER_A_QUARTER, AFTER_A_QUARTER))
@example(one_phase(9, 3, np.array([0.5]), np.array([1.0]), np.zeros(1)))
def test_swept_error_is_that_of_brute_force_up_to_both_roundings(scheme):
    brute = EPS * (2 * scheme.thetas.max() + len(scheme.phi) + 20) * size(scheme)
    assert np.abs(swept_error(scheme) - quadrature_error(scheme)).max() <= stated_rounding(scheme) + brute


def test_a_kink_just_below_zero_is_rounded_to_the_last_edge():
    assert kinks(scheme_of(7, 1, AFTER_A_QUARTER))[0] == np.pi, "else the examples above do not try it"


@given(schemes_on_a_grid())
def test_inputs_of_one_angle_have_one_error(scheme):
    period = scheme.modulus // gcd(scheme.frequency, scheme.modulus)
    swept = swept_error(scheme).reshape(-1, period)
    assert (swept == swept[0]).all()


@pytest.mark.skipif(np.finfo(np.longdouble).eps > 1e-18, reason="needs a longer float than float64 as the truth")
@pytest.mark.parametrize(("m", "n", "k"), [(1, 1, 1), (30, 59, 12), (3000, 59, 22), (3000, 4, 1), (300, 10_007, 3803)])
@pytest.mark.parametrize("turn", [1, 1e-3])  # 1e-3: all kinks in a few bins
def test_rounding_error_is_below_its_stated_bound(m, n, k, turn):
    spread = spread_scheme(m, modulus=n, frequency=k, jitter=1.0)
    scheme = one_phase(n, k, turn * spread.phi, spread.psi, spread.weight)
    inputs = np.unique(np.linspace(0, n - 1, 41).astype(int))
    v = 4 * np.arctan(np.longdouble(1)) * (k * inputs % n) / n
    phi, psi, weight = (x.astype(np.longdouble) for x in (scheme.phi, scheme.psi, scheme.weight))
    total = np.abs(np.cos(v[:, None] + phi)) * weight
    truth = (total * np.cos(psi)).sum(axis=1) + 1j * (total * np.sin(psi)).sum(axis=1)
    truth -= np.longdouble(4) / 3 * np.exp(-2j * v)
    assert np.abs(swept_error(scheme)[inputs] - truth).max() <= stated_rounding(scheme) < 1e-10


def test_many_neurons_and_inputs_agree_with_the_sorted_sweep():
    scheme = spread_scheme(2**16, modulus=99_991, frequency=37_993)
    period = scheme.modulus  # θ mod 2π: brute force loses digits where θ is large
    swept, theta = swept_error(scheme), 2 * np.pi * (scheme.frequency * np.arange(period) % period) / period
    assert np.abs(swept - error_at(scheme, theta)).max() <= stated_rounding(scheme) < 1e-11
    some = np.array([0, 1, 12_345, 99_990])
    w = scheme.weight * np.exp(1j * scheme.psi)
    direct = [np.abs(np.cos(t / 2 + scheme.phi)) @ w - INTEGRAL * np.exp(-1j * t) for t in theta[some]]
    np.testing.assert_allclose(swept[some], direct, rtol=0, atol=1e-11)
    assert worst_case(scheme).modulus >= np.abs(swept).max()
