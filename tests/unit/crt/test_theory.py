from math import gcd, log, pi

import numpy as np
import pytest
from direct_separations import PUBLISHED_DELTA, direct_probability, direct_separation, sets_of_frequencies
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binom

from modadd.core.separable import centred, margins
from modadd.crt.random_sets import simulate
from modadd.crt.theory import (
    agreement,
    cramer_rate,
    crossing,
    estimates,
    profile,
    profile_of,
    proven_probabilities,
    published_bound,
    published_probability,
    separation,
    shape,
    shortfall,
    smallest_numbers,
    taylor_rate,
    taylor_shortfall,
    volume_bound,
    volume_probability,
    weakest_over_strongest,
)

# Separation of given frequencies


@given(data=st.data(), n=st.integers(2, 60))
def test_separation_is_the_brute_force_one(data, n):
    frequencies = data.draw(sets_of_frequencies(n))
    weights = np.array(data.draw(st.lists(st.floats(-2, 5), min_size=len(frequencies), max_size=len(frequencies))))
    assert separation(frequencies, n) == pytest.approx(direct_separation(frequencies, n), abs=1e-9)
    assert separation(frequencies, n, weights) == pytest.approx(direct_separation(frequencies, n, weights), abs=1e-9)
    assert separation(np.array([], dtype=int), n) == 0
    h = agreement(frequencies, n)
    assert h[0] - h[1:].max() == pytest.approx(separation(frequencies, n), abs=1e-9)


@given(data=st.data(), n=st.integers(2, 60))
def test_separation_is_exactly_0_where_a_factor_is_shared_and_positive_elsewhere(data, n):
    frequencies = data.draw(sets_of_frequencies(n))
    shared = gcd(n, *frequencies.tolist())
    assert (separation(frequencies, n) == 0) == (shared > 1), f"common factor {shared}"


@given(data=st.data(), n=st.integers(2, 200))
def test_taylor_step_never_under_estimates_and_by_at_most_a_quarter_of_pi_squared(data, n):
    f = np.array([data.draw(st.integers(1, n - 1))])
    exact, taylor = shortfall(n, f), taylor_shortfall(n, f)
    assert (taylor >= exact - 1e-15).all()
    assert (taylor <= pi**2 / 4 * exact + 1e-15).all()


@given(data=st.data(), n=st.integers(2, 12))
def test_profile_of_logits_of_the_model_is_the_model(data, n):
    frequencies = data.draw(sets_of_frequencies(n))
    a, b, c = np.ogrid[:n, :n, :n]
    h = agreement(frequencies, n)
    noise = np.random.default_rng(0).normal(size=(n, n, n))
    np.testing.assert_allclose(profile(h[(c - a - b) % n]), h, atol=1e-12)
    direct = [np.mean([noise[x, y, (x + y + d) % n] for x in range(n) for y in range(n)]) for d in range(n)]
    np.testing.assert_allclose(profile(noise), direct, atol=1e-12)


def test_profile_of_logits_of_the_model_is_explained_by_its_frequencies():
    frequencies = np.array([1, 3, 4])
    a, b, c = np.ogrid[:11, :11, :11]
    over_peak, found = profile_of(2 * agreement(frequencies, 11)[(c - a - b) % 11] + a, frequencies)
    np.testing.assert_allclose(over_peak, agreement(frequencies, 11) / 3, atol=1e-12)
    assert found["profile_separation"] == pytest.approx(separation(frequencies, 11) / 3)
    assert found["smallest_margin"] == pytest.approx(found["profile_separation"]), "all inputs are alike in the model"
    assert found["profile_explained"] == pytest.approx(1)
    assert profile_of(agreement(frequencies, 11)[(c - a - b) % 11], np.array([2]))[1]["profile_explained"] < 1e-12


def test_profile_of_noise_is_that_of_its_mean_and_its_worst_input():
    noise = np.random.default_rng(0).normal(size=(7, 7, 7))
    over_peak, found = profile_of(noise, np.array([1]))
    mean = profile(centred(noise))
    peak = np.abs(mean).max()
    np.testing.assert_allclose(over_peak, mean / peak)
    assert found["profile_separation"] == pytest.approx((mean[0] - max(mean[1:])) / peak)
    assert found["smallest_margin"] == pytest.approx(margins(noise).min() / peak)
    over_peak, found = profile_of(0 * noise, np.array([], dtype=int))
    assert (over_peak == 0).all() and set(found.values()) == {0}


@pytest.mark.parametrize(
    ("probability", "rho", "at"),
    [([0.2, 0.6, 0.9], 0.5, 1.75), ([0.8, 1.0], 0.4, 0.5), ([0.0, 0.5], 0.5, 2.0), ([0.1, 0.2], 0.5, np.nan)],
)
def test_crossing_lies_on_the_straight_line_between_whole_numbers(probability, rho, at):
    assert crossing(np.array(probability), rho) == pytest.approx(at, nan_ok=True)


# What is published, and what can be proven


def test_published_bound_is_ln_n_at_the_published_parameters():
    for n in (7, 89, 91, 499):
        assert published_bound(n, PUBLISHED_DELTA, 0.5) == pytest.approx(log(n))
    assert PUBLISHED_DELTA == pytest.approx(0.1564, abs=5e-5)


@given(n=st.integers(3, 1000), delta=st.floats(0.01, 0.9), rho=st.floats(0.05, 0.99))
def test_published_probability_inverts_the_published_bound(n, delta, rho):
    assert published_probability(n, published_bound(n, delta, rho), delta) == pytest.approx(rho, abs=1e-9)


@pytest.mark.parametrize(("n", "m", "delta"), [(91, 4, 0.1564), (31, 3, 0.3)])
def test_volume_is_that_of_the_balls_the_paper_describes(n, m, delta):
    points = np.random.default_rng(0).uniform(-0.5, 0.5, (400_000, m))  # each ball has the same volume for every d
    ball = ((points**2).sum(axis=1) <= delta * m / (2 * pi**2)).mean()
    assert 1 - volume_probability(n, m, delta) == pytest.approx(n / 2 * ball, rel=0.03)


@given(n=st.integers(3, 1000), delta=st.floats(0.01, 0.9), rho=st.floats(0.05, 0.99))
def test_volume_bound_inverts_the_volume_probability_and_asks_for_less(n, delta, rho):
    m = volume_bound(n, delta, rho)
    assert volume_probability(n, m, delta) == pytest.approx(rho, abs=1e-9)
    assert 0 < m < published_bound(n, delta, rho)


@pytest.mark.parametrize("delta", [0.1564, 0.5])
def test_cramer_rate_is_what_a_direct_search_over_the_tilt_finds(delta):
    angle = 2 * pi * np.arange(4000) / 4000
    tilts = np.linspace(0.01, 30, 3000)
    rate = max(-np.log(np.exp(t * (np.cos(angle) - (1 - delta))).mean()) for t in tilts)
    assert cramer_rate(delta) == pytest.approx(rate, abs=1e-4)


@pytest.mark.parametrize(("n", "m"), [(7, 2), (8, 3), (9, 3), (12, 2), (13, 3), (16, 2)])
def test_proven_probability_is_never_above_the_true_one(n, m):
    for delta in (0.01, 0.1, PUBLISHED_DELTA, 0.5, 0.9):
        true = direct_probability(n, m, delta)
        assert proven_probabilities(n, m, delta)[m - 1] <= true + 1e-9, f"delta = {delta}"


def test_smallest_numbers_of_all_kinds_in_their_order():
    simulated = simulate(89, 8, 4000, PUBLISHED_DELTA, np.random.default_rng(0))
    found = smallest_numbers(simulated, PUBLISHED_DELTA, 0.5)
    assert found["n"] == 89 and found["ln n"] == found["published"] == pytest.approx(log(89))
    assert found["smallest m"] == crossing(simulated.probability.to_numpy(), 0.5) <= found["whole m"] == 4
    assert found["before Stirling"] == volume_bound(89, PUBLISHED_DELTA, 0.5) < found["published"]
    proven = proven_probabilities(89, 16, PUBLISHED_DELTA)
    assert found["proven"] == crossing(proven, 0.5) > found["smallest m"]


def test_taylor_step_is_worst_half_way_between_integers():
    assert taylor_shortfall(2, np.array([1])) == pytest.approx(pi**2 / 2)
    assert shortfall(2, np.array([1])) == pytest.approx(2)


def test_shape_runs_from_minus_to_plus_half_of_n_and_has_its_peak_of_1_in_the_middle():
    beside = np.arange(7.0)
    found = shape(np.array([1, 3]), 7, beside=beside)
    assert found.d.tolist() == [-3, -2, -1, 0, 1, 2, 3]
    assert found.h[3] == 1 and found.h[4] == pytest.approx((np.cos(2 * pi / 7) + np.cos(6 * pi / 7)) / 2)
    assert found.beside.tolist() == [4, 5, 6, 0, 1, 2, 3]
    assert (shape(np.array([], dtype=int), 5).h == 0).all()


@given(n=st.integers(3, 1000), m=st.integers(1, 12), delta=st.floats(0.01, 0.9))
def test_stirlings_approximation_makes_the_published_probability_too_low(n, m, delta):
    published, volume = (of(n, m, delta) for of in (published_probability, volume_probability))
    assert (1 - published) / (1 - volume) == pytest.approx(np.sqrt(pi * m), rel=1 / (5 * m))


@given(delta=st.floats(0.01, 0.3))
def test_cramer_rate_is_the_taylor_rate_less_a_quarter_of_delta(delta):
    expansion = delta / 4 + 3 * delta**2 / 16  # of their difference, from ln I₀(t) for large t = 1/(2δ)
    assert taylor_rate(delta) - cramer_rate(delta) == pytest.approx(expansion, abs=delta**3)  # up to the next order


def test_where_nothing_is_proven_every_pair_of_wrong_answers_is_counted_once():
    for n in (12, 91):
        assert proven_probabilities(n, 2, 2.0) == pytest.approx([1 - n // 2] * 2, rel=1e-3)


def test_proven_probability_says_something_and_tends_to_1():
    proven = proven_probabilities(91, 12, PUBLISHED_DELTA)
    assert 0.5 < proven[4] < 0.93
    assert proven[11] > 0.998
    assert (np.diff(proven) > 0).all()


def test_proven_probability_knows_that_even_frequencies_do_not_tell_half_of_n():
    at_most_two_odd = binom.cdf(2, 30, 32 / 63)  # then m − h(32), twice the odd ones, is at most δm = 4.7
    failing = 1 - proven_probabilities(64, 30, PUBLISHED_DELTA)[-1]
    assert at_most_two_odd < failing < 10 * at_most_two_odd


def test_estimates_are_the_published_formula_and_the_volume_behind_it():
    found = estimates(91, [1.5, 4], 0.2)
    assert found["published"] == [published_probability(91, 1.5, 0.2), published_probability(91, 4, 0.2)]
    assert found["volume"] == [volume_probability(91, 1.5, 0.2), volume_probability(91, 4, 0.2)]


def test_weakest_over_strongest_is_1_for_the_equal_weights_of_the_model():
    assert weakest_over_strongest([2.0, 2.0, 2.0]) == 1
    assert weakest_over_strongest([4.0, 1.0, 2.0]) == 0.25
    assert np.isnan(weakest_over_strongest([]))
