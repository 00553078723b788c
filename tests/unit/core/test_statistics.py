from dataclasses import astuple

import numpy as np
import pytest
from scipy.stats import binomtest, t

from modadd.core.statistics import (
    AsItStands,
    Estimate,
    as_it_stands,
    difference_of_means,
    difference_of_ratios,
    distance_from_zero,
    mean_of,
    ratio_of,
    share,
)


def test_a_number_of_too_few_networks_or_none_is_nothing():
    assert as_it_stands(1.5, 8, 8) == AsItStands(1.5, 8)
    for found in (as_it_stands(1.5, 7, 8), as_it_stands(float("nan"), 9, 8)):
        assert np.isnan(found.value) and found.of == 0


def test_mean_has_the_t_interval_of_the_textbook():
    found = mean_of([1.0, 2.0, 3.0, 6.0])
    half = t.ppf(0.975, 3) * np.std([1, 2, 3, 6], ddof=1) / 2
    assert astuple(found) == pytest.approx((3.0, max(3 - half, 0), 3 + half, 4))
    shifted = mean_of([-9.0, -8.0, -7.0, -4.0])
    assert (shifted.low, shifted.high) == pytest.approx((-7 - half, -7 + half))


def test_few_or_no_networks_have_no_interval():
    assert mean_of([2.0]).value == 2 and np.isnan(mean_of([2.0]).low)
    assert np.isnan(mean_of([]).value) and np.isnan(ratio_of([0.0, 0.0], [0.0, 0.0]).value)


def test_nothing_counted_has_the_upper_end_of_poissons_law():
    found = ratio_of(np.zeros(20), np.full(20, 5.0))
    assert (found.value, found.low) == (0, 0)
    assert np.exp(-found.high * 100) == pytest.approx(0.025)


def test_differences_may_lie_below_nothing_though_none_was_seen_there():
    none = mean_of(np.zeros(6), signed=True)
    assert (none.value, none.low) == (0, -none.high) and none.high == mean_of(np.zeros(6)).high
    seldom = [0.0, 0.0, 1.0, 0.0, 0.0, 0.0]
    assert mean_of(seldom).low == 0 > mean_of(seldom, signed=True).low, "one in six shows no difference"


def test_interval_of_a_ratio_covers_it_as_often_as_it_says():
    rng, covered = np.random.default_rng(0), []
    for _ in range(300):
        clusters = rng.integers(3, 8, 60)
        lines = rng.binomial(clusters, 0.3) * rng.integers(1, 3, 60)  # lines of one network come together
        found = ratio_of(lines.astype(float), clusters.astype(float))
        covered.append(found.low <= 0.45 <= found.high)
    assert np.mean(covered) == pytest.approx(0.95, abs=0.03)


def test_a_difference_of_means_has_welchs_interval():
    one, other = [1.0, 2.0, 3.0, 6.0], [0.0, 1.0, 0.5]
    errors = [np.var(values, ddof=1) / len(values) for values in (one, other)]
    freedom = sum(errors) ** 2 / sum(e**2 / (len(v) - 1) for e, v in zip(errors, (one, other), strict=True))
    half = t.ppf(0.975, freedom) * np.sqrt(sum(errors))
    assert astuple(difference_of_means(one, other)) == pytest.approx((2.5, 2.5 - half, 2.5 + half, 3))
    assert np.isnan(difference_of_means([1.0], other).low) and np.isnan(difference_of_means([], other).value)


@pytest.mark.parametrize(("holds", "of"), [(0, 1), (1, 1), (0, 20), (1, 20), (3, 20), (20, 20), (76, 151), (997, 1000)])
def test_a_share_has_wilsons_interval_to_a_last_bit(holds, of):
    found = share([True] * holds + [False] * (of - holds))
    expected = binomtest(holds, of).proportion_ci(method="wilson")
    assert astuple(found) == pytest.approx((holds, of, expected.low, expected.high), abs=np.spacing(1.0))


def test_a_share_of_no_network_says_nothing():
    found = share([])
    assert (found.low, found.high) == (0.0, 1.0) and np.isnan(found.share)


@pytest.mark.parametrize(
    ("found", "distance"),
    [
        (Estimate(2.0, 1.0, 3.0, 9), Estimate(2.0, 1.0, 3.0, 9)),
        (Estimate(-2.0, -3.0, -1.0, 9), Estimate(2.0, 1.0, 3.0, 9)),
        (Estimate(-1.0, -3.0, 1.0, 9), Estimate(1.0, 0.0, 3.0, 9)),
    ],
)
def test_a_distance_from_zero_has_no_sign(found, distance):
    assert distance_from_zero(found) == distance


def test_means_of_numbers_that_do_not_vary_have_a_difference_and_no_interval():
    found = difference_of_means([3.0, 3.0], [1.0, 1.0])
    assert (found.value, found.of) == (2.0, 2) and np.isnan([found.low, found.high]).all()


def test_one_group_that_does_not_vary_adds_nothing_to_the_interval():
    found = difference_of_means([3.0, 3.0, 3.0], [1.0, 2.0, 3.0])
    half = 4.302652729911275 / np.sqrt(3)  # t of two degrees of freedom, standard error 1/√3
    assert [found.value, found.low, found.high] == pytest.approx([1.0, 1.0 - half, 1.0 + half])


def test_groups_that_vary_by_rounding_alone_have_no_interval():
    one = np.full(5, 0.1) * 3
    other = np.array([0.3, np.nextafter(0.3, 1), 0.3, 0.3])
    found = difference_of_means(one, other)
    assert abs(found.value) < 1e-15 and np.isnan(found.low) and np.isnan(found.high)


def test_a_difference_of_ratios_counts_networks_and_not_what_is_in_them():
    """Ten equal things in each network say no more of other networks than one does."""
    rng = np.random.default_rng(0)
    covered = []
    for _ in range(400):
        network, many = rng.normal(size=40), rng.integers(1, 10, 40)
        chosen, others = network + rng.normal(size=40), network - 0.5 + rng.normal(size=40)
        found = difference_of_ratios((many * chosen, many), (3 * others, np.full(40, 3)))
        covered.append(found.low <= 0.5 <= found.high)
        assert found.of == 40
    assert np.mean(covered) == pytest.approx(0.95, abs=0.03)


def test_a_difference_of_ratios_of_few_networks_has_no_interval():
    one = difference_of_ratios(([6.0, 0.0], [2.0, 0.0]), ([1.0, 3.0], [1.0, 1.0]))
    assert (one.value, one.of) == (1.0, 1) and np.isnan(one.low)
    assert np.isnan(difference_of_ratios(([0.0], [0.0]), ([1.0], [1.0])).value)
    equal = difference_of_ratios(([3.0, 6.0], [1.0, 2.0]), ([1.0, 1.0], [1.0, 1.0]))
    assert (equal.value, equal.of) == (2.0, 2) and np.isnan(equal.low)
