import numpy as np
import pandas as pd
import pytest
from frequency_sets import drawn, moduli, populations
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import chi2

from modadd.populations.frequencies import at_random, classes, fold, membership, units
from modadd.populations.frequency_pairs import (
    against_random,
    beside,
    dispersion,
    effect,
    effects,
    expected_together,
    multiples,
    multipliers,
    pairs_of,
    related,
    set_aside,
    smallest_multiple,
    summed,
    together,
)
from modadd.populations.uniformity import cochran


def renamed(members, u, n):
    f = np.arange(1, n // 2 + 1)
    found = np.zeros_like(members)
    found[:, fold(u * f, n) - 1] = members
    return found


def test_pairs_by_hand():
    members = membership([[1, 2, 4], [2, 4], [], [3]], 9)
    assert members.shape == (4, 4) and members.sum() == 6
    assert together(members).tolist() == [[0, 1, 0, 1], [1, 0, 0, 2], [0, 0, 0, 0], [1, 2, 0, 0]]


def test_expected_pairs_by_hand():
    members = membership([[1, 2, 3], [4]], 9)  # the class of 3 has one member, that of 1 has three
    found = expected_together(members, classes(9))
    assert found[0, 1] == pytest.approx(2 / (3 * 2)) and found[0, 2] == pytest.approx(2 / 3)
    np.testing.assert_allclose(found, found.T)


@given(populations())
def test_expected_pairs_add_up_to_the_pairs_there_are(population):
    n, members = population[0], membership(population[1], population[0])
    for of_class in (classes(n), np.ones(n // 2, dtype=int)):
        expected = expected_together(members, of_class)
        for g in np.unique(of_class):
            block = np.ix_(of_class == g, of_class == g)
            assert expected[block].sum() == pytest.approx(together(members)[block].sum())
        assert expected.sum() == pytest.approx(together(members).sum())


def test_expected_pairs_are_the_mean_over_random_sets():
    members, rng = membership([[1, 2, 3, 5], [3, 6, 7], [1, 4]], 15), np.random.default_rng(0)
    draws = [together(at_random(members, classes(15), rng)) for _ in range(4000)]
    error = np.std(draws, axis=0) / np.sqrt(len(draws))
    assert (np.abs(np.mean(draws, axis=0) - expected_together(members, classes(15))) <= 4 * error).all()


@given(populations(), st.data())
def test_renaming_the_residues_changes_no_relation(population, data):
    n, members = population[0], membership(population[1], population[0])
    u = data.draw(st.sampled_from(units(n).tolist()))
    other = renamed(members, u, n)
    for m in multipliers(n):
        assert related(together(other), m, n) == related(together(members), m, n)
    for f in (1, n // 3):
        np.testing.assert_allclose(beside(together(other), f, n), beside(together(members), f, n))
    assert cochran(other) == pytest.approx(cochran(members), nan_ok=True)


@given(moduli, st.data())
def test_a_pair_stands_where_its_ratio_says(n, data):
    f = data.draw(st.sampled_from(units(n).tolist()))
    other = data.draw(st.integers(1, n // 2).filter(lambda k: k != f))
    pairs = together(membership([[f, other]], n))
    own = np.zeros(n // 2)
    own[fold(other * pow(f, -1, n), n) - 1] = 1
    if classes(n)[other - 1] == 1:
        own[fold(f * pow(other, -1, n), n) - 1] += 1
    np.testing.assert_allclose(beside(pairs, 1, n), own)


def test_beside_a_shared_factor_the_mean_of_the_units_that_fix_it():
    pairs = together(membership([[7, 14], [21, 42], [7, 1]], 91))
    found = beside(pairs, 7, 91)
    assert found[13] == 2, "14 = 2·7 and 42 = 2·21"
    assert found[41] == 2, "in the other direction: 7 from 14 and 21 from 42 is one half, and 7/2 = 42"
    assert found[[6, 20, 27, 34]].sum() == 0 and found[classes(91) == 1].sum() == pytest.approx(1)


def test_related_pairs_by_hand():
    pairs = together(membership([[1, 2, 4], [3, 6], [2, 6]], 13))
    assert related(pairs, 2, 13) == 3 and related(pairs, 7, 13) == 3, "{1, 2}, {2, 4}, {3, 6}; 7 = 1/2"
    assert related(pairs, 3, 13) == 2, "{2, 6}, and {1, 4} for 3·4 = −1"
    assert related(pairs, 5, 13) == 0, "5² = −1: {1, 5}, {2, 3}, {4, 6}"
    assert multipliers(13) == [2, 3, 5] and multiples(13)(pairs).tolist() == [3, 2, 0]


@given(moduli)
def test_every_pair_of_units_has_one_multiplier(n):
    of_units = classes(n) == 1
    pairs = of_units.sum() * (of_units.sum() - 1) / 2
    assert sum(related(np.outer(of_units, of_units), m, n) for m in multipliers(n)) == pairs


def test_effect_by_hand():
    found = effect(0, 3.0)
    assert (found.ratio, found.low) == (0, 0) and found.high == pytest.approx(3.689 / 3, abs=1e-3)
    assert found.p == pytest.approx(2 * np.exp(-3))
    assert effect(5, 5.0).p == 1.0 and effect(30, 10.0).p < 1e-5
    assert np.isnan(effect(0, 0.0).ratio)


@given(st.integers(0, 500), st.floats(0.1, 500))
def test_interval_holds_the_ratio_and_excludes_1_as_the_p_value_does(count, expected):
    found = effect(count, expected)
    assert found.low <= found.ratio <= found.high
    assert (found.low <= 1 <= found.high) == (found.p >= 0.05) or abs(found.p - 0.05) < 1e-6
    if count:
        assert chi2.cdf(2 * found.low * expected, 2 * count) == pytest.approx(0.025)


def doubles(n):
    return lambda pairs: np.array([related(pairs, m, n) for m in (2, 3)])


def test_distinct_frequencies_disperse_less_than_poissons_law_and_copies_twice_as_much():
    n, rng = 31, np.random.default_rng(0)
    members = drawn(n, [4] * 40, 0)
    alone = dispersion(members, classes(n), doubles(n), 1000, rng)
    # By hand: a network has 4/15 · 3/14 of each of 15 pairs f, 2f; they form cycles, so two pairs meet in 30 ways of three
    # frequencies and 180 of four.
    mean = 15 * 12 / 210
    by_hand = (mean + 30 * 24 / 2730 + 180 * 24 / 32760 - mean**2) / mean
    np.testing.assert_allclose(alone, by_hand, rtol=0.15)
    twice = dispersion(np.repeat(members, 2, axis=0), classes(n), doubles(n), 1000, rng, np.repeat(np.arange(40), 2))
    np.testing.assert_allclose(twice / alone, 2, rtol=0.25)
    nothing = dispersion(np.zeros_like(members), classes(n), doubles(n), 2, rng)
    assert nothing.tolist() == [1, 1]


def test_p_values_of_copied_networks_are_valid_with_their_dispersion_and_not_without():
    n, blocks, plain, corrected = 31, np.repeat(np.arange(30), 4), [], []
    spread = dispersion(
        np.repeat(drawn(n, [5] * 30, 999), 4, axis=0), classes(n), doubles(n), 500, np.random.default_rng(0), blocks
    )
    for seed in range(300):
        members = np.repeat(drawn(n, [5] * 30, seed), 4, axis=0)
        count, expected = (of[0] for of in map(doubles(n), (together(members), expected_together(members, classes(n)))))
        plain.append(effect(count, expected).p)
        corrected.append(effect(count, expected, spread[0]).p)
    assert np.mean(np.array(corrected) < 0.05) <= 0.06 and np.mean(np.array(plain) < 0.05) > 0.1


def test_a_multiple_set_aside_leaves_its_pairs_to_the_others():
    table = effects(np.array([0, 12, 8]), np.array([10.0, 10.0, 5.0])).assign(multiple=[2, 3, 5], dispersion=1.0)
    found = set_aside(table, 3, aside=2)
    assert found.expected == pytest.approx(20 / 15 * 10) and found.ratio == pytest.approx(0.9)
    assert np.isnan(set_aside(table.assign(expected=0.0), 3, aside=2).ratio)


def test_smallest_multiple_by_hand():
    assert [smallest_multiple(3, line, 89) for line in (3, 6, 9, 27, 88 // 2)] == [1, 2, 3, 9, 15]
    assert smallest_multiple(28, 5, 89) == 3 and smallest_multiple(7, 5, 91) == 0


def test_counts_against_random_sets_are_corrected_for_their_dispersion():
    n, members = 31, np.repeat(drawn(31, [5] * 30, 1), 2, axis=0)
    blocks, count = np.repeat(np.arange(30), 2), doubles(n)
    found = against_random(members, classes(n), count, 200, np.random.default_rng(0), blocks)
    spread = dispersion(members, classes(n), count, 200, np.random.default_rng(0), blocks)
    assert found.dispersion.tolist() == spread.tolist()
    there, by_chance = map(count, pairs_of(members, classes(n)))
    assert found["count"].tolist() == there.tolist() and found.expected.tolist() == by_chance.tolist()
    assert found.p.tolist() == effects(there, by_chance, spread).p.tolist() != effects(there, by_chance).p.tolist()


def test_the_expectation_at_which_a_ratio_shows_has_the_power_it_promises():
    ratio = effect(60, 100).ratio
    expected = effect(60, 100).count_for_80_percent_power
    rng = np.random.default_rng(0)
    seen = [effect(float(count), expected).p < 0.05 for count in rng.poisson(ratio * expected, 2000)]
    assert np.mean(seen) == pytest.approx(0.8, abs=0.05)
    assert all(np.isnan(effect(count, 10).count_for_80_percent_power) for count in (0, 10, 12)) and np.isnan(
        effect(0, 0).count_for_80_percent_power
    )


@given(populations(), st.data())
def test_what_stands_beside_a_frequency_counts_every_pair(population, data):
    n, members = population[0], membership(population[1], population[0])
    f, of_class = data.draw(st.integers(1, n // 2)), classes(n)
    found = beside(together(members), f, n)
    assert found[f - 1] == 0
    assert found.sum() == pytest.approx(together(members)[of_class == of_class[f - 1]].sum())


def test_effects_correct_for_their_number():
    table = effects(np.array([2, 10, 11, 0]), np.array([10.0, 10.0, 10.0, 0.0]))
    assert table.q[0] == pytest.approx(3 * table.p[0]) and np.isnan(table.q[3])
    assert effects(np.zeros(1), np.zeros(1)).q.isna().all()


def test_where_only_doubles_are_avoided_triples_look_likelier_until_doubles_are_set_aside():
    n, plain, aside = 31, [], []
    for seed in range(40):
        members = drawn(n, [5] * 800, seed)
        doubled = fold(2 * np.arange(1, n // 2 + 1), n) - 1
        some, rng = members[(members & members[:, doubled]).sum(axis=1) < 2], np.random.default_rng(seed)
        table = against_random(some, classes(n), multiples(n), 40, rng).assign(multiple=multipliers(n))
        plain.append(table.set_index("multiple").p[3])
        aside.append(set_aside(table, 3, aside=2).p)
    assert np.mean(np.array(plain) < 0.05) > 0.3 and np.mean(np.array(aside) < 0.05) <= 0.12


def test_counts_summed_keep_their_mean_dispersion():
    rows = pd.DataFrame({"count": [3.0, 9.0], "expected": [5.0, 10.0], "dispersion": [1.0, 2.5]})
    assert summed(rows) == effect(12, 15, 2.0)
    assert np.isnan(summed(rows[:0]).p)
