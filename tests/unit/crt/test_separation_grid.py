"""The printed number of random frequencies over a grid, against enumeration and against what is proven."""

from math import ceil, log

import numpy as np
import pandas as pd
import pytest
from direct_separations import PUBLISHED_DELTA, direct_probability, direct_separation
from scipy.stats import binomtest

from modadd.core.statistics import Estimate
from modadd.crt.random_sets import draw, exact_probability, steps
from modadd.crt.separation_grid import (
    FAILS,
    HOLDS,
    UNDECIDED,
    cells,
    chosen_number,
    chosen_numbers,
    counts,
    decided,
    drawn_separations,
    end_nearer,
    exact_interval,
    first_failure,
    least_excess,
    least_number,
    printed_number,
    proven_number,
    proven_number_of_prime,
    steps_at_printed_numbers,
)
from modadd.crt.theory import cramer_rate, proven_probabilities, published_bound

TRIALS = 4000


def draws_of(*moduli):
    return {n: np.random.default_rng([n, 1]) for n in moduli}


@pytest.fixture(scope="module")
def grid():
    """A prime and a composite n, at a δ where the theorem holds and at one where it does not."""
    return cells([13, 91], [PUBLISHED_DELTA, 0.7], [0.5, 0.9], TRIALS, draws_of(13, 91))


@pytest.mark.parametrize(("n", "m"), [(91, 5), (997, 7)])
def test_printed_number_is_the_smallest_whole_one_above_the_bound(n, m):
    assert printed_number(n, PUBLISHED_DELTA, 0.5) == m == ceil(log(n)), "where the bound is ln n"
    assert m - 1 <= published_bound(n, PUBLISHED_DELTA, 0.5) < m


def test_the_theorem_fails_at_a_large_delta_and_holds_at_the_published_one(grid):
    found = grid.set_index(["n", "delta", "rho"])
    fails = found.loc[(91, 0.7, 0.5)]
    assert fails["printed m"] == 18 and fails.theorem == FAILS
    assert 0.18 < fails.low < 0.21 < fails.high < 0.24, "about one draw in five separates, in place of one in two"
    holds = found.loc[(91, PUBLISHED_DELTA, 0.5)]
    assert holds["printed m"] == 5 and holds.theorem == HOLDS


def test_simulated_probabilities_lie_where_the_enumeration_does(grid):
    exact = grid[grid.exact.notna()]
    assert {(13, PUBLISHED_DELTA), (91, PUBLISHED_DELTA)} <= set(zip(exact.n, exact.delta, strict=True))
    assert (exact.low <= exact.exact).all() and (exact.exact <= exact.high).all()
    for n, delta, m, probability in exact[["n", "delta", "printed m", "exact"]].itertuples(index=False):
        assert probability == exact_probability(n, m, delta)


def test_enumeration_of_the_grid_is_that_of_all_draws_one_by_one():
    (row,) = cells([7], [0.1], [0.5], 10, draws_of(7)).itertuples()
    m = printed_number(7, 0.1, 0.5)
    assert row.exact == pytest.approx(direct_probability(7, m, 0.1), abs=1e-12)


def test_least_numbers_lie_between_their_ends_and_no_higher_than_what_is_proven(grid):
    assert (grid["at least"] <= grid["least m"]).all() and (grid["least m"] <= grid["at most"]).all()
    assert (grid["at most"] <= grid["proven m"]).all()
    assert ((grid["least m"] > grid["printed m"]) == (grid.theorem == FAILS)).all()


def test_least_number_of_a_small_modulus_is_that_of_the_enumeration():
    (row,) = cells([13], [0.3], [0.7], 20_000, draws_of(13)).to_dict("records")
    exact = [exact_probability(13, m, 0.3) for m in range(1, 9)]
    below = [m for m, probability in enumerate(exact, start=1) if probability < 0.7]
    assert row["least m"] == below[-1] + 1 == 3 and exact[1] + 0.1 < 0.7 < exact[2] - 0.1, "no matter of chance"


def test_least_number_is_the_one_after_the_last_that_is_too_small():
    likely = pd.DataFrame({"probability": [0.1, 0.6, 0.4, 0.7, 0.8]})
    likely = likely.assign(low=likely.probability - 0.25, high=likely.probability + 0.15)
    assert least_number(likely, 0.5, 9) == {"least m": 4, "at least": 2, "at most": 5}
    assert least_number(likely, 0.5, 3) == {"least m": 3, "at least": 2, "at most": 3}, "no more than are proven"
    assert least_number(likely, 0.05, 9) == {"least m": 1, "at least": 1, "at most": 2}


@pytest.mark.parametrize(("n", "delta", "rho"), [(13, 0.3, 0.5), (12, PUBLISHED_DELTA, 0.9), (89, 0.7, 0.5)])
def test_proven_number_is_the_first_at_which_the_proven_probability_suffices(n, delta, rho):
    m = proven_number(n, delta, rho)
    proven = proven_probabilities(n, m, delta)
    assert proven[-1] >= rho and (proven[:-1] < rho).all()


@pytest.mark.parametrize(("n", "delta"), [(13, 0.3), (89, 0.7), (997, PUBLISHED_DELTA)])
def test_the_formula_for_primes_suffices_and_is_that_of_the_union_bound(n, delta):
    m = proven_number_of_prime(n, delta, 0.5)
    failing = (n - 1) / 2 * np.exp(-cramer_rate(delta) * np.array([m - 1, m]))
    assert failing[1] <= 0.5 < failing[0]
    assert proven_number(n, delta, 0.5) <= m, "its rate is never above the exact one"


@pytest.mark.parametrize("n", [1, 4, 15, 91])
def test_the_formula_says_nothing_of_a_composite_modulus(n):
    assert proven_number_of_prime(n, 0.5, 0.5) is None


def test_proven_numbers_separate(grid):
    for row in grid.to_dict("records"):
        found = drawn_separations(row["n"], row["proven m"], 2000, np.random.default_rng(5))[:, -1]
        assert (found > row["delta"] * row["proven m"]).mean() > row["rho"]


def test_separations_of_blocks_are_those_of_the_same_draws():
    found = drawn_separations(12, 3, 700, np.random.default_rng(0))
    sets = draw(12, 3, 700, np.random.default_rng(0))
    assert found.shape == (700, 3)
    for place in (0, 255, 256, 699):
        assert found[place].tolist() == pytest.approx([direct_separation(sets[place, :m], 12) for m in (1, 2, 3)])


@pytest.mark.parametrize("count", [0, 1, 37, 99, 100])
def test_interval_is_that_of_clopper_and_pearson(count):
    known = binomtest(count, 100).proportion_ci(0.99, method="exact")
    assert np.allclose(exact_interval(count, 100, 0.99), [known.low, known.high])
    low, high = exact_interval(np.array([count, 50]), 100, 0.99)
    assert low[0] == pytest.approx(known.low) and high[0] == pytest.approx(known.high)


def test_intervals_of_more_cells_are_wider():
    one, many = (cells([13], deltas, [0.5], 500, draws_of(13)).iloc[-1] for deltas in ([0.5], [0.3, 0.4, 0.5]))
    assert many.probability == one.probability
    assert many.low < one.low and one.high < many.high


@pytest.mark.parametrize(
    ("low", "high", "word", "end"), [(0.1, 0.3, HOLDS, 0.1), (-0.3, -0.1, FAILS, -0.1), (-0.1, 0.1, UNDECIDED, np.nan)]
)
def test_an_interval_decides_only_if_the_limit_lies_outside(low, high, word, end):
    assert decided(low, high, 0.0) == word
    assert end_nearer(Estimate((low + high) / 2, low, high, 10), 0.0) == pytest.approx(end, nan_ok=True)


def test_least_excess_is_that_of_the_worst_cell_and_may_be_of_either_sign(grid):
    found = least_excess(grid, TRIALS)
    assert found.value == (grid.probability - grid.rho).min() and found.of == TRIALS
    assert found.low <= found.value <= found.high < 0
    good = least_excess(grid[grid.delta == PUBLISHED_DELTA], TRIALS)
    assert 0 < good.low <= good.value <= good.high, "where the theorem holds, the claim would, too"


def test_cells_are_counted_by_what_was_found(grid):
    found = counts(grid)
    assert found["tried"] == len(grid) == found[HOLDS] + found[FAILS] + found[UNDECIDED]


def test_steps_at_printed_numbers_are_those_of_each_cell(grid):
    found = steps_at_printed_numbers(grid, 0.5, 300, draws_of(13, 91))
    assert found[["n", "delta"]].values.tolist() == grid[grid.rho == 0.5][["n", "delta"]].values.tolist()
    m = int(found.m[0])
    alone = steps(13, [m], 300, PUBLISHED_DELTA, draws_of(13)[13], m)
    assert found.iloc[0][alone.columns].to_dict() == alone.iloc[0].to_dict()


def test_first_failure_has_the_numbers_of_its_cell_and_of_its_steps(grid):
    half = grid[grid.rho == 0.5]
    ladders = steps_at_printed_numbers(grid, 0.5, 300, draws_of(13, 91))
    first = half[half.theorem == FAILS].iloc[0]
    found = first_failure(half, ladders)
    assert (found["n"], found["delta"], found["printed m"]) == (first.n, first.delta, first["printed m"])
    assert found["sum over d, cosine"] < found["sum over d, x²/2"]
    assert first_failure(half[half.theorem == HOLDS], ladders) == {}


def test_chosen_frequencies_have_the_numbers_of_the_theorems_in_coq():
    assert chosen_number(91) == ceil(32 * log(91)) == 145
    assert chosen_numbers(91) == {"n": 91, "proven enough": 145, "proven needed": 3}
    assert 9**2 < 91 <= 9**3
