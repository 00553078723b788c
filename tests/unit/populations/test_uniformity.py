import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import kstest

from modadd.populations.frequencies import at_random, classes, membership
from modadd.populations.frequency_pairs import Effect, detectable_ratio
from modadd.populations.uniformity import chance_variance, cochran, occurrences, uniformity


def drawn(n, sizes, rng, likelihood=None):
    """Networks of distinct frequencies, equally likely or not."""
    weights = None if likelihood is None else likelihood / likelihood.sum()
    return membership([rng.choice(n // 2, size, replace=False, p=weights) + 1 for size in sizes], n)


def test_cochran_by_hand():
    members = membership([[1, 2], [1], [1, 3]], 7)  # counts 3, 1, 1; Σ c(3 − c)/2 = 1 + 1 + 1
    assert chance_variance(members) == pytest.approx(3)
    assert cochran(members) == pytest.approx(3 * ((4 / 3) ** 2 + 2 * (2 / 3) ** 2) / 3)
    assert cochran(members, np.array([1, 2, 2])) == pytest.approx(3 * ((4 / 3) ** 2 + (4 / 3) ** 2 / 2) / 3)
    assert np.isnan(cochran(membership([[1, 2, 3], []], 7))), "all or none: no choice"


@settings(max_examples=12)
@given(st.lists(st.lists(st.integers(1, 7), unique=True), min_size=2, max_size=6), st.integers(0, 3))
def test_variance_by_chance_is_that_of_random_renamings(sets, seed):
    members, rng = membership(sets, 15), np.random.default_rng(seed)
    blocks = np.arange(len(sets)) // 2
    everything, chosen = np.ones(7, dtype=int), [0, 2, 5]
    counts = [at_random(members, everything, rng, blocks)[:, chosen].sum() for _ in range(400)]
    expected = 3 / 7 * 4 / 7 * chance_variance(members, blocks)
    assert np.var(counts) == pytest.approx(expected, rel=0.35, abs=0.02)


def test_classes_of_equal_frequencies_and_no_choice_have_no_test():
    assert all(np.isnan(uniformity(membership([[], []], 7))))
    assert all(np.isnan(uniformity(membership([[1], [2]], 7), np.ones(3, dtype=int)))), "one class only"


@pytest.mark.parametrize(("of_class", "copies"), [(None, 1), (None, 2), (classes(21), 2)])
def test_uniform_frequencies_give_uniform_p_values_also_where_networks_are_alike(of_class, copies):
    rng, p = np.random.default_rng(0), []
    for _ in range(100):
        members = np.repeat(drawn(21, [4] * 60, rng), copies, axis=0)
        p.append(uniformity(members, of_class, np.repeat(np.arange(60), copies)).p)
    if of_class is None:  # of two classes the counts are few, and so are the p-values
        assert kstest(p, "uniform").pvalue > 0.01
    assert np.mean(np.array(p) < 0.05) <= 0.1 and 0.3 < np.mean(p) < 0.7


def test_interval_of_the_unevenness_covers_it():
    likelihood = np.where(classes(91) > 1, 0.5, 1.0)
    rng, covered, seen = np.random.default_rng(1), [], []
    for _ in range(40):
        found = uniformity(drawn(91, [3] * 300, rng, likelihood), classes(91))
        covered.append(found.low <= 2 / 9 + 0.02 and found.high >= 2 / 9 - 0.02)  # distinct draws even it out a little
        seen.append(found.p < 0.05)
    assert np.mean(covered) > 0.9 and np.mean(seen) > 0.9, "multiples of 7 and 13 half as likely are seen"


def test_occurrences_by_hand():
    members = membership([[1, 2], [1, 4], [1, 7]], 15)
    found = occurrences(members, np.array([1, 2]))
    assert isinstance(found, Effect) and (found.count, found.expected) == (4, pytest.approx(6 * 2 / 7))
    assert found.low < found.ratio < found.high
    twice = occurrences(np.repeat(members, 2, axis=0), np.array([1, 2]), np.repeat(np.arange(3), 2))
    assert twice.ratio == found.ratio and (twice.low, twice.high) == pytest.approx((found.low, found.high))
    assert np.isnan(occurrences(members[:0], np.array([1])).ratio)


@pytest.mark.parametrize("ratio", [0.2, 0.6, 0.9])
def test_the_ratio_to_see_belongs_to_the_expectation_to_see_it(ratio):
    needed = Effect(0, 0, ratio, 0, 0, 0).count_for_80_percent_power
    assert detectable_ratio(needed) == pytest.approx(ratio)
    assert np.isnan(detectable_ratio(3.0)) and np.isnan(detectable_ratio(0.0))


def test_a_preferred_frequency_is_seen():
    members = drawn(21, [3] * 60, np.random.default_rng(0))
    members[:, 4] = True
    found = uniformity(members)
    assert found.p < 1e-6 and 0 < found.low < found.unevenness < found.high


def test_upper_end_of_even_frequencies_shrinks_with_the_networks_and_luck_does_not_help():
    rng = np.random.default_rng(2)
    few, many = (uniformity(drawn(91, [5] * size, rng), classes(91)) for size in (50, 800))
    assert many.high < few.high / 2
    even = uniformity(np.eye(7, dtype=bool))
    assert even.Q == 0 and even.unevenness == 0 and even.high > 0.3
