import numpy as np
import pandas as pd
import pytest

from modadd.populations.cluster_frequencies import (
    answers,
    by_modulus,
    classes_table,
    common_table,
    named_bins,
    pairs_by_multiple,
    pairs_given,
    pool_of,
    pooled,
    small_multiples,
    summed,
    unevenness_if_halved,
    uniformity_table,
)


def population(n, seed):
    """Forty networks with four random frequencies each."""
    rng = np.random.default_rng(seed)
    sets = [sorted(rng.choice(np.arange(1, n // 2 + 1), 4, replace=False)) for _ in range(40)]
    return pool_of(pd.DataFrame({"cluster_frequencies": sets, "seed": range(40)}), n)


POOLS = {"batch": population(91, 0), "full": population(91, 1), "prime": population(89, 2)}


def test_populations_of_a_modulus_are_one_pool():
    both = by_modulus(POOLS)
    assert [len(pool.members) for pool in both.values()] == [80, 40]
    assert both[91].of(both[91].seeds < 10).members.shape == (20, 45)


def test_a_prime_modulus_has_one_class():
    table = uniformity_table(POOLS).set_index(["sample", "groups"])
    assert np.isnan(table.p["prime", "classes"]) and table.p["batch", "classes"] > 0.001
    assert classes_table(POOLS)["multiples of"].tolist() == [7, 13, 7, 13]


def test_only_two_regimes_of_a_modulus_have_seeds_in_common():
    table = common_table(POOLS)
    assert table.n.tolist() == [91] and table.seeds.tolist() == [40]
    assert table.ratio[0] == pytest.approx(1, abs=0.5)


def test_pairs_are_counted_by_the_other_frequency_and_by_multiple():
    pool = POOLS["batch"]
    given = pairs_given(pool, 7, 5, 0)
    assert given.frequency.tolist() == list(range(1, 46)) and given["count"].sum() > 0
    every = pairs_by_multiple(pool, 5, 0, "related")
    table = small_multiples({"All seeds": every}, [2, 3])
    assert table.multiple.tolist() == [2, 3] and table.expected.gt(0).all()


def test_classes_half_as_likely_would_be_uneven():
    assert unevenness_if_halved(89) == 0 and unevenness_if_halved(91) > 0.2


def test_the_answers_need_no_composite_modulus():
    both = by_modulus({"prime": POOLS["prime"]})
    uniform = uniformity_table({pooled(n): pool for n, pool in both.items()})
    every = pairs_by_multiple(both[89], 5, 0, "related")
    bins = pairs_given(both[89], 2, 5, 0)
    found = answers(both, uniform, common_table({}), every, bins)
    assert found["doubled"]["of"] == 40 and found["beside_7"]["of"] == 0 and np.isnan(found["networks_for_one_bin"])
    assert found["frequencies_counted"] == [44] and found["residue_of_the_slip"] == 2


def test_what_is_recorded_is_read_from_its_own_table():
    both = by_modulus(POOLS)
    uniform = uniformity_table({pooled(n): pool for n, pool in both.items()})
    every = pairs_by_multiple(both[91], 5, 0, "related")
    bins = pd.concat([pairs_given(both[91], 7, 5, 0)])
    common = common_table(POOLS)
    found = answers(both, uniform, common, every, bins)
    assert found["doubled"]["value"] == summed(every[every.multiple == 2]).ratio
    assert found["unevenness_if_halved"] == pytest.approx(2 / 9, rel=0.05)
    high = uniform.set_index(["sample", "groups"]).high
    assert found["unevenness_high"] == [high[pooled(91), "classes"], high[pooled(89), "frequencies"]]
    assert min(found["unevenness_high"]) > 0
    assert found["common_over_chance"].tolist() == common.ratio.tolist() and found["common_over_chance"][0] > 0.5
    assert found["beside_7"]["value"] == summed(bins[bins.frequency == 14]).ratio


def test_bins_are_named_by_their_modulus_and_the_given_frequency():
    lines = [(n, given, f) for n in (91, 89) for given in (7, 2) for f in (1, 14, 42)]
    tables = pd.DataFrame(lines, columns=["n", "given", "frequency"])
    found = named_bins(tables, {(91, 7): [14, 42, 43], (89, 2): [1], (97, 2): [1]})
    assert found.to_numpy().tolist() == [[91, 7, 14], [91, 7, 42], [89, 2, 1]]
