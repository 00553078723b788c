import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from simple_networks import cosine, random_network, simple_network

from modadd.core.neurons import three_dfts
from modadd.core.separable import Separable
from modadd.crt.cosets import relabelling
from modadd.crt.several_lines import (
    half_period,
    partial_sums,
    periods_table,
    relabelled_half_period,
    second_line,
    strongest_lines,
    with_second_line,
)
from modadd.crt.simple_neurons import fit_simple, replaced


def test_representations_are_the_lines_in_order_of_strength():
    f = 4 + 1.0 * cosine(13, 2, phase=0.5) + 3.0 * cosine(13, 5, phase=-1.0) + 2.0 * cosine(13, 3)
    lines = strongest_lines(f, 3)
    assert lines.frequency.tolist() == [5, 3, 2]
    np.testing.assert_allclose(lines.amplitude, [3, 2, 1])
    np.testing.assert_allclose(lines.phase, [-1, 0, 0.5], atol=1e-12)
    np.testing.assert_allclose(lines.share, [9 / 14, 13 / 14, 1])
    np.testing.assert_allclose(partial_sums(f, 3)[0], 4 + 3 * cosine(13, 5, phase=-1.0))
    np.testing.assert_allclose(partial_sums(f, 3)[-1], f)


@given(st.integers(3, 20), st.integers(0, 99))
def test_all_lines_together_are_the_function(n, seed):
    f = np.random.default_rng(seed).standard_normal(n)
    sums, lines = partial_sums(f, n), strongest_lines(f, n)
    assert len(sums) == n // 2
    np.testing.assert_allclose(sums[-1], f, atol=1e-12)
    explained = 1 - np.var(f - sums, axis=1) / np.var(f)
    np.testing.assert_allclose(lines.share, explained, atol=1e-9)


@given(st.integers(4, 12), st.integers(1, 3), st.integers(0, 99))
def test_half_a_period_is_that_of_least_squares(period, order, seed):
    n = order * period
    f = np.random.default_rng(seed).standard_normal(n)
    found = half_period(f, period)
    least, fits = [], []
    for cut in range(period):
        y = (np.arange(n) - cut) % period
        design = np.stack([np.ones(n), np.cos(np.pi * y / period), np.sin(np.pi * y / period)], axis=1)
        fits.append(design @ np.linalg.lstsq(design, f, rcond=None)[0])
        least.append(np.square(f - fits[-1]).sum())
    np.testing.assert_allclose(found.values, fits[np.argmin(least)], atol=1e-9)
    assert found.r_squared == pytest.approx(1 - min(least) / np.square(f - f.mean()).sum())


def with_line(n, f, gamma):
    """A simple network whose W also has γ cos 2w_f(c − s_A − s_B)."""
    network = simple_network(n, [f] * 3, [0, 1, 4], [2, 2, 5])
    x = np.arange(n)[:, None] - np.array([2, 3, 9])
    W = network.W + (gamma * np.cos(2 * 2 * np.pi * f * x / n)).T
    return Separable(network.A, network.B, W, network.C, network.D)


@pytest.mark.parametrize(("n", "f"), [(13, 2), (13, 5), (12, 3), (12, 5)])
def test_the_second_line_of_W_is_regained(n, f):
    network = with_line(n, f, -0.15)
    fit = fit_simple(three_dfts(network))
    fitted = replaced(network, fit)
    gamma = second_line(network, fitted, fit)
    np.testing.assert_allclose(gamma, -0.15)
    off = with_second_line(fitted, fit, gamma).W - network.W
    np.testing.assert_allclose(off - off.mean(axis=1, keepdims=True), 0, atol=1e-12)


def test_twice_the_nyquist_line_is_a_constant():
    network = with_line(12, 6, -0.15)
    fit = fit_simple(three_dfts(network))
    assert second_line(network, replaced(network, fit), fit).tolist() == [0, 0, 0]


@given(st.integers(4, 14), st.integers(0, 99))
def test_the_second_line_is_that_of_least_squares(n, seed):
    network = random_network(n, 3, seed)
    fit = fit_simple(three_dfts(network))
    fitted = replaced(network, fit)
    gamma = second_line(network, fitted, fit)
    left = lambda coefficient: (network.W - with_second_line(fitted, fit, coefficient).W).var(axis=1)
    for change in (-0.01, 0.01):
        assert (left(gamma + change) >= left(gamma) - 1e-12).all()


@pytest.mark.parametrize(("n", "f"), [(13, 5), (12, 3), (91, 39)])
def test_half_a_period_of_any_frequency_is_found_after_relabelling(n, f):
    period = n // math.gcd(f, n)
    slow = np.tile(np.cos(np.pi * np.arange(period) / period), n // period)
    values = slow[relabelling(f, n) * np.arange(n) % n]
    found = relabelled_half_period(values, f)
    assert found.r_squared == pytest.approx(1) and half_period(values, n).r_squared < 0.99
    np.testing.assert_allclose(found.values, slow, atol=1e-9)


def test_a_constant_has_no_lines_and_is_no_half_period():
    assert half_period(np.full(7, 2.0), 7).r_squared == 0
    assert strongest_lines(np.zeros(7), 3).empty and partial_sums(np.zeros(7), 3).shape == (0, 7)


def test_a_table_of_periods_tells_a_whole_one_from_a_half():
    n = 31
    wave, half = cosine(n, 3), np.cos(np.pi * (relabelling(3, n) * np.arange(n) % n) / n)
    table = periods_table({(0, "a"): wave, (1, "a"): half}, np.array([3, 3]))
    assert table[["neuron", "from"]].to_numpy().tolist() == [[0, "a"], [1, "a"]]
    assert table["one period"][0] == pytest.approx(1) and table["half a period"][0] < 0.99
    assert table["half a period"][1] == pytest.approx(1) and table["one period"][1] < 0.99
