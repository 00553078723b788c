from itertools import combinations, product
from math import comb, gcd, log, pi, prod

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binom
from support import refuses

from modadd.core.separable import centred, margins
from modadd.crt.cosets import crt_frequencies, crt_gap, crt_sum, crt_sum_as_printed, share_solved
from modadd.crt.random_sets import (
    beside_exact,
    best_set,
    confusable,
    draw,
    every_set,
    exact_probability,
    expected,
    range_of_shares,
    separations,
    simulate,
    steps,
    with_best,
)
from modadd.crt.theory import (
    agreement,
    cramer_rate,
    crossing,
    estimates,
    exact_theorem,
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
)

PUBLISHED_DELTA = pi / np.e**3
coprime = st.sets(st.sampled_from([2, 3, 4, 5, 7, 9, 11, 13]), min_size=1, max_size=4).filter(
    lambda q: all(gcd(a, b) == 1 for a, b in combinations(q, 2)) and prod(q) <= 2000
)


def direct_separation(frequencies, n, weights=None):
    """Σ w − max_{d≠0} Σ w cos(2πfd/n), term by term."""
    weights = [1.0] * len(frequencies) if weights is None else weights
    h = [sum(w * np.cos(2 * pi * f * d / n) for f, w in zip(frequencies, weights, strict=True)) for d in range(1, n)]
    return sum(weights) - max(h)


def direct_probability(n, m, delta, distinct=False):
    """Share of all draws that separate, one by one: all (n − 1)^m tuples, or all sets of 1 … ⌊n/2⌋."""
    draws = list(combinations(range(1, n // 2 + 1), m) if distinct else product(range(1, n), repeat=m))
    return np.mean([direct_separation(draw, n) > delta * m for draw in draws])


def sets_of_frequencies(n, most=6):
    return st.lists(st.integers(1, n - 1), min_size=1, max_size=most).map(np.array)


# The Chinese remainder theorem


@given(moduli=coprime, seed=st.integers(0, 10**6))
def test_sum_of_cosines_is_largest_exactly_at_the_solution_of_the_congruences(moduli, seed):
    moduli = sorted(moduli)
    residues = [int(np.random.default_rng(seed).integers(-q, 2 * q)) for q in moduli]
    solution = [k for k in range(prod(moduli)) if all((k - m) % q == 0 for q, m in zip(moduli, residues, strict=True))]
    height = crt_sum(moduli, residues)
    assert np.flatnonzero(height > height.max() - 1e-9).tolist() == solution
    assert height.max() == pytest.approx(len(moduli)), "every cosine is 1 at the solution"


@given(moduli=coprime)
def test_gap_is_the_closed_form_and_the_separation_of_the_frequencies_n_over_q(moduli):
    moduli = sorted(moduli)
    runner_up, winner = np.sort(crt_sum(moduli, [0] * len(moduli)))[-2:]
    assert crt_gap(moduli) == pytest.approx(winner - runner_up, abs=1e-12)
    assert crt_gap(moduli) == pytest.approx(separation(crt_frequencies(moduli), prod(moduli)), abs=1e-12)
    assert crt_gap(moduli) == pytest.approx(1 - np.cos(2 * pi / max(moduli)))


def test_remark_as_printed_exchanges_the_two_congruences():
    asked = crt_sum_as_printed([7, 13], [3, 5])
    assert int(asked.argmax()) % 13 == 3
    assert int(asked.argmax()) % 7 == 5
    np.testing.assert_allclose(asked, crt_sum([13, 7], [3, 5]), atol=1e-12)


def test_remark_as_printed_is_not_1_on_the_solutions_of_its_congruence():
    one_term = (
        crt_sum_as_printed([7, 13], [3, 0]) - crt_sum_as_printed([7, 13], [0, 0]) + np.cos(2 * pi / 13 * np.arange(91))
    )
    assert one_term[3] == pytest.approx(1)
    assert one_term[3 + 7] == pytest.approx(np.cos(2 * pi * 7 / 13)), "k = 10 solves k ≡ 3 (mod 7)"


def test_share_of_systems_solved_by_the_corrected_and_by_the_printed_sum():
    for moduli in ([7, 13], [2, 3, 5], [4, 9], [5]):
        assert share_solved(crt_sum, moduli) == 1
    # exchanged congruences have the same solution only where m_1 ≡ m_2 as integers, that is for k = 0 … 6
    assert share_solved(crt_sum_as_printed, [7, 13]) == pytest.approx(7 / 91)
    assert share_solved(lambda moduli, residues: np.zeros(6), [2, 3]) == 0, "a tie solves nothing"


def test_table_of_the_exact_theorem():
    row = exact_theorem([7, 13])
    assert (row["n"], row["factors"], row["frequencies"]) == (91, "7·13", "13, 7")
    assert row["gap, closed form"] == pytest.approx(row["gap, over all answers"], abs=1e-12)
    assert row["separation / m"] == pytest.approx(direct_separation([13, 7], 91) / 2)
    assert row["with f = q"] == pytest.approx(row["separation / m"]), "of two factors each is n over the other"
    assert (row["solved"], row["solved as printed"]) == (1, pytest.approx(1 / 13))
    three = exact_theorem([2, 3, 5])
    assert three["frequencies"] == "15, 10, 6"
    assert three["with f = q"] == pytest.approx(direct_separation([2, 3, 5], 30) / 3)


@pytest.mark.parametrize("call", [crt_gap, crt_frequencies, lambda q: crt_sum(q, [0] * len(q))])
def test_moduli_that_are_not_coprime_are_refused(call):
    with refuses("moduli", "pairwise coprime", "6", "9", "factor 3"):
        call([6, 9])
    with refuses("moduli", "at least 2", "[1, 5]"):
        call([1, 5])
    with refuses("moduli", "one or more"):
        call([])


# Separation of given frequencies


@given(data=st.data(), n=st.integers(2, 60))
def test_separation_is_the_brute_force_one(data, n):
    frequencies = data.draw(sets_of_frequencies(n))
    weights = np.array(data.draw(st.lists(st.floats(-2, 5), min_size=len(frequencies), max_size=len(frequencies))))
    assert separation(frequencies, n) == pytest.approx(direct_separation(frequencies, n), abs=1e-9)
    assert separation(frequencies, n, weights) == pytest.approx(direct_separation(frequencies, n, weights), abs=1e-9)
    h = agreement(frequencies, n, weights)
    assert h[0] - h[1:].max() == pytest.approx(separation(frequencies, n, weights), abs=1e-9)


@given(data=st.data(), n=st.integers(3, 60))
def test_separation_does_not_change_under_units_and_signs(data, n):
    frequencies = data.draw(sets_of_frequencies(n))
    unit = data.draw(st.sampled_from([u for u in range(1, n) if gcd(u, n) == 1]))
    signs = np.array(
        data.draw(st.lists(st.sampled_from([1, -1]), min_size=len(frequencies), max_size=len(frequencies)))
    )
    moved = (signs * unit * frequencies) % n
    assert separation(moved, n) == pytest.approx(separation(frequencies, n), abs=1e-12)


@given(data=st.data(), n=st.integers(2, 60))
def test_separation_is_exactly_0_where_a_factor_is_shared_and_positive_elsewhere(data, n):
    frequencies = data.draw(sets_of_frequencies(n))
    shared = gcd(n, *frequencies.tolist())
    assert (separation(frequencies, n) == 0) == (shared > 1), f"common factor {shared}"


def test_separation_of_no_frequencies_is_0():
    assert separation(np.array([], dtype=int), 7) == 0


@given(data=st.data(), n=st.integers(2, 200))
def test_taylor_step_never_under_estimates_and_by_at_most_a_quarter_of_pi_squared(data, n):
    f = np.array([data.draw(st.integers(1, n - 1))])
    exact, taylor = shortfall(n, f), taylor_shortfall(n, f)
    assert (taylor >= exact - 1e-15).all()
    assert (taylor <= pi**2 / 4 * exact + 1e-15).all()


def test_taylor_step_is_worst_half_way_between_integers():
    assert taylor_shortfall(2, np.array([1])) == pytest.approx(pi**2 / 2)
    assert shortfall(2, np.array([1])) == pytest.approx(2)


@given(data=st.data(), n=st.integers(2, 12))
def test_profile_of_logits_of_the_model_is_the_model(data, n):
    frequencies = data.draw(sets_of_frequencies(n))
    a, b, c = np.ogrid[:n, :n, :n]
    h = agreement(frequencies, n)
    noise = np.random.default_rng(0).normal(size=(n, n, n))
    np.testing.assert_allclose(profile(h[(c - a - b) % n]), h, atol=1e-12)
    direct = [np.mean([noise[x, y, (x + y + d) % n] for x in range(n) for y in range(n)]) for d in range(n)]
    np.testing.assert_allclose(profile(noise), direct, atol=1e-12)


def test_shape_runs_from_minus_to_plus_half_of_n_and_has_its_peak_of_1_in_the_middle():
    beside = np.arange(7.0)
    found = shape(np.array([1, 3]), 7, beside=beside)
    assert found.d.tolist() == [-3, -2, -1, 0, 1, 2, 3]
    assert found.h[3] == 1 and found.h[4] == pytest.approx((np.cos(2 * pi / 7) + np.cos(6 * pi / 7)) / 2)
    assert found.beside.tolist() == [4, 5, 6, 0, 1, 2, 3]
    assert (shape(np.array([], dtype=int), 5).h == 0).all()


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


def test_profile_of_a_dead_network_is_0():
    over_peak, found = profile_of(np.zeros((5, 5, 5)), np.array([], dtype=int))
    assert (over_peak == 0).all() and set(found.values()) == {0}


# The random model


@pytest.mark.parametrize("distinct", [False, True])
@pytest.mark.parametrize(("n", "m"), [(7, 1), (7, 3), (9, 2), (12, 3), (15, 3), (8, 4)])
def test_enumeration_up_to_units_is_the_brute_force_over_all_draws(n, m, distinct):
    for delta in (0.05, PUBLISHED_DELTA, 0.4):
        exact = expected(n, m, lambda sets: (separations(sets, n)[:, -1] > delta * m).astype(float), distinct)
        assert exact == pytest.approx(direct_probability(n, m, delta, distinct), abs=1e-12)


@pytest.mark.parametrize("distinct", [False, True])
@pytest.mark.parametrize("n", [7, 12, 30])
def test_enumeration_weighs_all_draws_to_1(n, distinct):
    assert sum(weights.sum() for _, weights in every_set(n, 3, distinct)) == pytest.approx(1)


@pytest.mark.parametrize("distinct", [False, True])
@pytest.mark.parametrize("n", [12, 91])
def test_simulation_agrees_with_the_enumeration(n, distinct):
    trials = 20_000
    simulated = simulate(n, 4, trials, PUBLISHED_DELTA, np.random.default_rng(0), distinct).set_index("m")
    for m in (1, 2, 3, 4):
        exact = expected(n, m, lambda s: (separations(s, n)[:, -1] > PUBLISHED_DELTA * m).astype(float), distinct)
        error = 4 * np.sqrt(exact * (1 - exact) / trials)
        assert simulated.probability[m] == pytest.approx(exact, abs=error + 1e-12), f"m = {m}: beyond 4 standard errors"
        assert simulated.low[m] <= simulated.probability[m] <= simulated.high[m]


def test_known_probabilities_mod_91_are_those_of_independent_frequencies():
    of = lambda m: lambda s: (separations(s, 91)[:, -1] > PUBLISHED_DELTA * m).astype(float)
    assert expected(91, 4, of(4)) == pytest.approx(0.8147840877914952, abs=1e-12)
    assert expected(91, 4, of(4), distinct=True) == pytest.approx(0.8664854525319642, abs=1e-12)


@pytest.mark.parametrize("distinct", [False, True])
@pytest.mark.parametrize("n", [7, 12])
def test_every_frequency_is_drawn_as_often_as_the_model_says(n, distinct):
    drawn = draw(n, 3, 20_000, np.random.default_rng(1), distinct)
    f = np.arange(1, n // 2 + 1)
    likely = np.full(len(f), 1 / len(f)) if distinct else np.where(2 * f == n, 1, 2) / (n - 1)
    for column in drawn.T:
        share = (column[:, None] == f).mean(axis=0)
        np.testing.assert_allclose(share, likely, atol=4 * np.sqrt(0.25 / 20_000))
    repeated = (np.diff(np.sort(drawn, axis=1), axis=1) == 0).any()
    assert repeated != distinct


def test_more_distinct_frequencies_than_there_are_is_refused():
    with refuses("m", "at most the 3 frequencies", "mod 7", "got 4"):
        draw(7, 4, 10, np.random.default_rng(0), distinct=True)
    with refuses("m", "4 frequencies mod 7"):
        list(every_set(7, 4, distinct=True))


def test_enumeration_that_would_take_forever_is_refused():
    with refuses("8 frequencies mod 499", "expected 1 to"):
        list(every_set(499, 8))


@given(data=st.data(), n=st.integers(2, 40), m=st.integers(1, 5))
def test_separations_of_growing_sets_are_those_of_each(data, n, m):
    rows = np.array(
        data.draw(st.lists(st.lists(st.integers(1, n // 2), min_size=m, max_size=m), min_size=1, max_size=4))
    )
    found = separations(rows, n)
    for row, values in zip(rows, found, strict=True):
        np.testing.assert_allclose(values, [direct_separation(row[: m + 1], n) for m in range(len(row))], atol=1e-9)


def test_confusable_answers_are_counted_once_a_pair():
    # f = 1, n = 12: 1 − cos(2πd/12) is 0.134 for d = 1 and 0.5 for d = 2
    assert confusable(np.array([[1], [5]]), 12, delta=0.2).tolist() == [1, 1]
    assert confusable(np.array([[1], [5]]), 12, delta=0.51).tolist() == [2, 2]
    assert confusable(np.array([[1]]), 12, delta=0.135, short=taylor_shortfall).tolist() == [0]


@pytest.mark.parametrize(("n", "m"), [(13, 2), (12, 3), (15, 3)])
def test_best_set_is_the_best_of_all(n, m):
    best = max(direct_separation(f, n) for f in combinations(range(1, n // 2 + 1), m))
    found = best_set(n, m)
    assert len(set(found.tolist())) == m
    assert separation(found, n) == pytest.approx(best)


@pytest.mark.parametrize(
    ("probability", "rho", "at"),
    [([0.2, 0.6, 0.9], 0.5, 1.75), ([0.8, 1.0], 0.4, 0.5), ([0.0, 0.5], 0.5, 2.0), ([0.1, 0.2], 0.5, np.nan)],
)
def test_crossing_lies_on_the_straight_line_between_whole_numbers(probability, rho, at):
    assert crossing(np.array(probability), rho) == pytest.approx(at, nan_ok=True)


def test_simulation_beside_the_enumeration_of_its_own_draws():
    tables = [
        simulate(12, 2, 400, PUBLISHED_DELTA, np.random.default_rng(0), distinct).assign(frequencies=way)
        for way, distinct in (("independent", False), ("without repetition", True))
    ]
    for table, distinct in zip(tables, (False, True), strict=True):
        found = beside_exact(table, 400, PUBLISHED_DELTA)
        exact = [direct_probability(12, m, PUBLISHED_DELTA, distinct) for m in (1, 2)]
        assert found.exact.tolist() == pytest.approx(exact, abs=1e-12)
        error = [max(np.sqrt(p * (1 - p) / 400), 1 / 400) for p in exact]  # one trial, where none can differ
        np.testing.assert_allclose(found.z, (found.probability - exact) / error)
    assert exact_probability(91, 4, PUBLISHED_DELTA) == pytest.approx(0.8147840877914952, abs=1e-12)


def test_steps_of_the_estimate_end_at_the_simulated_probability():
    found = steps(31, [2, 4], 2000, PUBLISHED_DELTA, np.random.default_rng(5), 4).set_index("m")
    alike = simulate(31, 4, 2000, PUBLISHED_DELTA, np.random.default_rng(5)).set_index("m")
    sets = draw(31, 4, 2000, np.random.default_rng(5))
    for m, row in found.iterrows():
        assert row.simulated == pytest.approx(alike.probability[m])
        assert row["sum over d, cosine"] == pytest.approx(1 - confusable(sets[:, :m], 31, PUBLISHED_DELTA).mean())
        assert row["sum over d, cosine"] <= row.simulated, "a sum over the wrong answers counts some sets twice"
        assert row["sum over d, cosine"] <= row["sum over d, x²/2"], "x²/2 over-estimates separations"
        assert row.published == published_probability(31, m, PUBLISHED_DELTA) < row["before Stirling"]
        assert row.proven == pytest.approx(proven_probabilities(31, 4, PUBLISHED_DELTA)[m - 1])


def test_range_of_shares_holds_the_middle_of_all_sets_and_the_best_lies_above():
    found = with_best(range_of_shares(13, 3, 4000, np.random.default_rng(0)), 13)
    assert found.m.tolist() == [1, 2, 3]
    for row in found.itertuples():
        every = [direct_separation(sets, 13) / row.m for sets in combinations(range(1, 7), row.m)]
        assert min(every) - 1e-9 <= row.low <= row.median <= row.high <= max(every) + 1e-9
        assert row.best == pytest.approx(max(every))
        assert direct_separation([int(f) for f in row.frequencies.split(", ")], 13) / row.m == pytest.approx(row.best)


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


@given(n=st.integers(3, 1000), m=st.integers(1, 12), delta=st.floats(0.01, 0.9))
def test_stirlings_approximation_makes_the_published_probability_too_low(n, m, delta):
    published, volume = (of(n, m, delta) for of in (published_probability, volume_probability))
    assert (1 - published) / (1 - volume) == pytest.approx(np.sqrt(pi * m), rel=1 / (5 * m))


@given(n=st.integers(3, 1000), delta=st.floats(0.01, 0.9), rho=st.floats(0.05, 0.99))
def test_volume_bound_inverts_the_volume_probability_and_asks_for_less(n, delta, rho):
    m = volume_bound(n, delta, rho)
    assert volume_probability(n, m, delta) == pytest.approx(rho, abs=1e-9)
    assert 0 < m < published_bound(n, delta, rho)


@given(delta=st.floats(0.01, 0.3))
def test_cramer_rate_is_the_taylor_rate_less_a_quarter_of_delta(delta):
    expansion = delta / 4 + 3 * delta**2 / 16  # of their difference, from ln I₀(t) for large t = 1/(2δ)
    assert taylor_rate(delta) - cramer_rate(delta) == pytest.approx(expansion, abs=delta**3)  # up to the next order


@pytest.mark.parametrize("delta", [0.1564, 0.5])
def test_cramer_rate_is_what_a_direct_search_over_the_tilt_finds(delta):
    angle = 2 * pi * np.arange(4000) / 4000
    tilts = np.linspace(0.01, 30, 3000)
    rate = max(-np.log(np.exp(t * (np.cos(angle) - (1 - delta))).mean()) for t in tilts)
    assert cramer_rate(delta) == pytest.approx(rate, abs=1e-4)


@pytest.mark.parametrize("n", [7, 8, 9, 12, 13, 15, 16])
@pytest.mark.parametrize("m", [2, 3])
def test_proven_probability_is_never_above_the_true_one(n, m):
    for delta in (0.01, 0.1, PUBLISHED_DELTA, 0.5, 0.9):
        true = direct_probability(n, m, delta)
        assert proven_probabilities(n, m, delta)[m - 1] <= true + 1e-9, f"delta = {delta}"


@given(prime=st.sampled_from([3, 5, 7, 31, 59, 89, 113, 499]), m=st.integers(1, 12), delta=st.floats(0.01, 0.9))
def test_for_prime_n_the_cramer_rate_is_proven(prime, m, delta):
    simple = 1 - (prime - 1) / 2 * np.exp(-m * cramer_rate(delta))
    assert simple <= proven_probabilities(prime, m, delta)[-1] + 1e-6


def test_proven_probability_says_something_and_tends_to_1():
    proven = proven_probabilities(91, 12, PUBLISHED_DELTA)
    assert 0.5 < proven[4] < 0.93
    assert proven[11] > 0.998
    assert (np.diff(proven) > 0).all()


def test_proven_probability_knows_that_even_frequencies_do_not_tell_half_of_n():
    at_most_two_odd = binom.cdf(2, 30, 32 / 63)  # then m − h(32), twice the odd ones, is at most δm = 4.7
    failing = 1 - proven_probabilities(64, 30, PUBLISHED_DELTA)[-1]
    assert at_most_two_odd < failing < 10 * at_most_two_odd


def test_number_of_sets_up_to_units_is_small():
    assert sum(len(sets) for sets, _ in every_set(91, 4, distinct=True)) == 3 * comb(44, 3)


def test_estimates_are_the_published_formula_and_the_volume_behind_it():
    found = estimates(91, [1.5, 4], 0.2)
    assert found["published"] == [published_probability(91, 1.5, 0.2), published_probability(91, 4, 0.2)]
    assert found["volume"] == [volume_probability(91, 1.5, 0.2), volume_probability(91, 4, 0.2)]


def test_smallest_numbers_of_all_kinds_in_their_order():
    simulated = simulate(89, 8, 4000, PUBLISHED_DELTA, np.random.default_rng(0))
    found = smallest_numbers(simulated, PUBLISHED_DELTA, 0.5)
    assert found["n"] == 89 and found["ln n"] == found["published"] == pytest.approx(log(89))
    assert found["smallest m"] == crossing(simulated.probability.to_numpy(), 0.5) <= found["whole m"] == 4
    assert found["before Stirling"] == volume_bound(89, PUBLISHED_DELTA, 0.5) < found["published"]
    proven = proven_probabilities(89, 16, PUBLISHED_DELTA)
    assert found["proven"] == crossing(proven, 0.5) > found["smallest m"]
