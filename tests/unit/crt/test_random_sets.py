from itertools import combinations
from math import comb

import numpy as np
import pandas as pd
import pytest
from direct_separations import PUBLISHED_DELTA, direct_probability, direct_separation
from hypothesis import given
from hypothesis import strategies as st
from support import refuses

from modadd.crt.random_sets import (
    beside_exact,
    best_set,
    confusable,
    draw,
    every_set,
    exact_probability,
    generator,
    growth_of_smallest,
    published_less_smallest,
    range_of_shares,
    separations,
    simulate,
    steps,
    with_best,
)
from modadd.crt.theory import proven_probabilities, published_probability, separation, taylor_shortfall

# The random model


@pytest.mark.parametrize("distinct", [False, True])
@pytest.mark.parametrize(("n", "m"), [(7, 1), (7, 3), (9, 2), (12, 3), (8, 4)])
def test_enumeration_up_to_units_is_the_brute_force_over_all_draws(n, m, distinct):
    for delta in (0.05, PUBLISHED_DELTA, 0.4):
        assert exact_probability(n, m, delta, distinct) == pytest.approx(
            direct_probability(n, m, delta, distinct), abs=1e-12
        )


@pytest.mark.parametrize(("n", "distinct"), [(12, True), (91, False)])
def test_simulation_agrees_with_the_enumeration(n, distinct):
    trials = 20_000
    simulated = simulate(n, 4, trials, PUBLISHED_DELTA, np.random.default_rng(0), distinct).set_index("m")
    for m in (1, 2, 3, 4):
        exact = exact_probability(n, m, PUBLISHED_DELTA, distinct)
        error = 4 * np.sqrt(exact * (1 - exact) / trials)
        assert simulated.probability[m] == pytest.approx(exact, abs=error + 1e-12), f"m = {m}: beyond 4 standard errors"
        assert simulated.low[m] <= simulated.probability[m] <= simulated.high[m]


def test_known_probabilities_mod_91_are_those_of_independent_frequencies():
    known = [0.8147840877914952, 0.8664854525319642]
    assert [exact_probability(91, 4, PUBLISHED_DELTA, distinct) for distinct in (False, True)] == pytest.approx(known)


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


def test_range_of_shares_holds_the_middle_of_all_sets_and_the_best_lies_above():
    found = with_best(range_of_shares(13, 3, 4000, np.random.default_rng(0)), 13)
    assert found.m.tolist() == [1, 2, 3]
    for row in found.itertuples():
        every = [direct_separation(sets, 13) / row.m for sets in combinations(range(1, 7), row.m)]
        assert min(every) - 1e-9 <= row.low <= row.median <= row.high <= max(every) + 1e-9
        assert row.best == pytest.approx(max(every))
        assert direct_separation([int(f) for f in row.frequencies.split(", ")], 13) / row.m == pytest.approx(row.best)


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


def test_number_of_sets_up_to_units_is_small():
    assert sum(len(sets) for sets, _ in every_set(91, 4, distinct=True)) == 3 * comb(44, 3)


def test_parts_of_a_simulation_draw_other_numbers():
    parts = [generator(0, 59), generator(0, 59, 1), generator(0, 59, 2), generator(0, 60, 1), generator(1, 59, 1)]
    assert len({part.integers(2**63) for part in parts}) == len(parts)
    with refuses("labels: expected the last one to be at least 1, got 0"):
        generator(0, 59, 0)


# What the smallest numbers say


def smallest_numbers_by_hand():
    """Odd moduli on the line 1 + 3 ln n, and an even one far above it; the published number is 2 above, but at 9 half above."""
    n = np.array([3, 9, 27, 81, 16])
    found = 1 + 3 * np.log(n) + np.array([0, 0, 0, 0, 40])
    return pd.DataFrame({"n": n, "ln n": np.log(n), "smallest m": found, "published": found + [2, 0.5, 2, 2, -1]})


def test_the_smallest_numbers_of_odd_moduli_grow_along_their_line():
    found = growth_of_smallest(smallest_numbers_by_hand())
    assert (found.in_ln_n.slope, found.in_ln_n.intercept) == pytest.approx((3, 1))
    assert found.in_ln_n.rvalue == pytest.approx(1)
    assert found.in_n.slope == pytest.approx(np.polyfit([3, 9, 27, 81], 1 + 3 * np.log([3, 9, 27, 81]), 1)[0])
    assert found.in_n.rvalue**2 < 0.9, "the logarithm is no line in n"


def test_the_published_number_is_compared_at_every_modulus():
    table = smallest_numbers_by_hand()
    assert published_less_smallest(table) == pytest.approx(-1), "an even modulus counts too"
    assert published_less_smallest(table[table.n % 2 == 1]) == pytest.approx(0.5)
