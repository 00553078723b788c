"""Numbers of networks whose phases are exactly those of the diagonal or fill the torus."""

from dataclasses import replace

import numpy as np
import pytest
from simple_networks import beside
from support import perfect_network

from modadd.core.separable import Separable
from modadd.networks import registry as measures
from modadd.quadrature.torus_measures import (
    PARTS,
    coherence,
    factor_in_the_hole,
    factor_in_the_hole_without_either,
    factors_in_the_hole,
    mean_coherence,
    r2_better_integrals,
    r2_diagonal_integrals,
    r2_torus_integrals,
    rms_one_phase,
    rms_two_phases,
    weight_below_integral,
)

N = 13
X = 2 * np.pi * np.arange(N)[:, None] / N


@pytest.fixture(scope="module")
def diagonal():
    """64 neurons at each of two frequencies, those of frequency 5 with half the amplitude."""
    return beside(*(perfect_network(N, (k,), m=64, alpha=alpha) for k, alpha in ((2, 1.5), (5, 0.75))))


def on_the_torus(m: int) -> Separable:
    """m² neurons of frequency 2 whose two phases are every pair of m even ones."""
    even = 2 * np.pi * np.arange(m) / m
    a, b = (angle.ravel() for angle in np.meshgrid(even, even))
    nothing = np.zeros((N, N))
    return Separable(np.cos(2 * X + a), np.cos(2 * X + b), np.cos(2 * X + a + b).T, nothing, nothing)


def test_phases_of_one_embedding_are_coherent_and_those_on_the_torus_are_not(diagonal):
    torus = on_the_torus(8)
    assert coherence(diagonal) == pytest.approx([1, 1])
    assert mean_coherence(torus) == pytest.approx(0, abs=1e-12)
    for network in (diagonal, torus):
        assert max(rms_two_phases(network)) < 1e-12
    assert max(rms_one_phase(diagonal)) < 1e-12
    assert rms_one_phase(torus)[0] > 1


def test_averages_are_by_weight(diagonal):
    turned = replace(
        diagonal, B=np.hstack([diagonal.B[:, :64], -diagonal.B[:, 64:]])
    )  # by half a turn, at one frequency
    mixed = replace(diagonal, B=np.where(np.arange(128) % 2 * (np.arange(128) < 64), -1, 1) * diagonal.B)
    assert mean_coherence(turned) == pytest.approx(1), "any one difference of the phases will do"
    assert coherence(mixed) == pytest.approx([0, 1], abs=1e-12)
    assert mean_coherence(mixed) == pytest.approx(1 / 3), "frequency 2 has two thirds of the weight"


def test_each_integral_predicts_its_own_kind_and_less_of_the_other(diagonal):
    torus = on_the_torus(16)
    assert r2_diagonal_integrals(diagonal) > 0.999
    assert r2_torus_integrals(diagonal) == pytest.approx(8 / np.pi**2, abs=0.01)
    assert r2_torus_integrals(torus) > 0.99
    assert r2_diagonal_integrals(torus) == pytest.approx(2 - np.pi**2 / 8, abs=0.01)
    assert r2_better_integrals(torus) == r2_torus_integrals(torus)
    assert r2_better_integrals(diagonal) == r2_diagonal_integrals(diagonal)


def test_weight_below_the_integral_is_that_of_frequencies_with_enough_neurons(diagonal):
    assert weight_below_integral(diagonal) == 1
    few = np.r_[np.arange(64), [64]]  # one neuron is left of the weak frequency, as strong as all 64 were
    W = np.vstack([diagonal.W[:64], 64 * diagonal.W[64:65]])
    lone = Separable(diagonal.A[:, few], diagonal.B[:, few], W, diagonal.C, diagonal.D)
    assert weight_below_integral(lone) == pytest.approx(2 / 3)


def test_the_hole_is_filled_by_twice_the_frequency_and_a_constant_together(diagonal):
    empty = factors_in_the_hole(diagonal)
    assert empty.keys() == {*PARTS, "all"}
    assert empty["all"] == pytest.approx(np.abs(np.cos(np.pi * 6 / N)), abs=0.01), "the least of the diagonal's factor"
    phi = 0.3 + 2 * np.pi * np.arange(64) / 64
    second = 0.5 * np.hstack([np.cos(2 * k * X + 2 * phi) for k in (2, 5)]) + 0.5
    network = replace(diagonal, A=diagonal.A + second, B=diagonal.B + second)
    filled = factors_in_the_hole(network)
    assert factor_in_the_hole(network) == filled["all"] == pytest.approx(filled["constant, k and 2k"])
    others = [filled[part] for part in ("k", "constant and k", "k and 2k")]
    assert abs(filled["all"] - empty["all"]) > 3 * max(abs(np.array(others) - empty["all"]))
    assert factor_in_the_hole_without_either(network) == max(map(abs, others[1:]))


def test_a_network_without_neurons_that_reach_an_answer_has_no_numbers(diagonal):
    nothing = replace(diagonal, W=0 * diagonal.W)
    assert coherence(nothing) == rms_two_phases(nothing) == []
    for number in (mean_coherence, r2_better_integrals, weight_below_integral, factor_in_the_hole):
        assert np.isnan(number(nothing)), number


def test_what_needs_n_cubed_numbers_is_not_measured_of_a_network_that_is_too_large(diagonal, monkeypatch):
    monkeypatch.setattr(measures, "LARGEST_MODULUS", N - 1)
    large = replace(diagonal, C=diagonal.C + 1)  # another one, of which nothing is known yet
    for number in (r2_better_integrals, weight_below_integral, factor_in_the_hole, factor_in_the_hole_without_either):
        assert np.isnan(number(large)), number
    assert mean_coherence(large) == pytest.approx(1)
