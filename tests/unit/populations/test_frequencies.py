import numpy as np
import pandas as pd
import pytest
from frequency_sets import populations
from hypothesis import given
from hypothesis import strategies as st

from modadd.crt.random_sets import best_set, draw, simulate
from modadd.crt.theory import published_bound, separation
from modadd.populations.frequencies import (
    among_random,
    at_random,
    classes,
    fold,
    in_common,
    least_of_populations,
    membership,
    rank_among_random_sets,
    separation_by_population,
)


def test_fold_by_hand():
    assert [fold(k, 7) for k in range(9)] == [0, 1, 2, 3, 3, 2, 1, 0, 1]
    assert fold(np.array([-1, 4, 10]), 8).tolist() == [1, 4, 2]


def test_the_slip_of_the_paper():
    assert fold(2 * 42, 91) == 7 and fold(2 * 43, 91) == 5, "2·42 ≡ −7 (mod 91), and 2·43 ≡ −5"
    assert (len(classes(91)), len(classes(89))) == (45, 44), "not 43 frequencies"
    assert np.unique(classes(91), return_counts=True)[1].tolist() == [36, 6, 3]


@given(populations(), st.integers(0, 99))
def test_random_sets_keep_the_number_of_every_class(population, seed):
    n, members = population[0], membership(population[1], population[0])
    of_class = classes(n)
    found = at_random(members, of_class, np.random.default_rng(seed))
    for g in np.unique(of_class):
        assert (found[:, of_class == g].sum(axis=1) == members[:, of_class == g].sum(axis=1)).all()


def test_networks_of_a_block_keep_what_they_have_in_common():
    members = membership([[1, 2, 3], [1, 4, 3], [5, 6]], 21)
    found = at_random(members, classes(21), np.random.default_rng(0), np.array([7, 7, 9]))
    assert (found[0] & found[1]).sum() == 2 and found.sum(axis=1).tolist() == [3, 3, 2]


def test_frequencies_in_common_by_hand():
    first, second = membership([[1, 2], [3]], 9), membership([[2, 3], [3, 4]], 9)
    assert in_common(first, second) == (1.0, 0.5), "2, and 3; of unequal places nothing with {3, 4}, and 3 with {2, 3}"
    assert in_common(first[:1], second[:1]) == (1.0, 0.0) and in_common(first[:0], second[:0]) == (0.0, 0.0)


# How far the frequencies of a network separate the answers


def test_standing_of_the_worst_and_the_best_set():
    worst, best = [1, 2, 3, 4], best_set(91, 4).tolist()
    found = rank_among_random_sets([worst, best, []], 91, 2000, np.random.default_rng(0))
    assert found.m.tolist() == [4, 4, 0]
    assert found.share[:2].tolist() == pytest.approx([separation(np.array(s), 91) / 4 for s in (worst, best)])
    assert found["rank"][0] < 0.05 < 0.95 < found["rank"][1] <= 1
    assert found.loc[2, ["share", "rank"]].isna().all()


def test_standing_counts_sets_that_separate_as_much_half():
    # one frequency mod a prime: every set is a unit times every other
    found = rank_among_random_sets([[1], [5]], 13, 500, np.random.default_rng(0))
    assert found["rank"].tolist() == [0.5, 0.5]
    assert rank_among_random_sets([], 91, 10, np.random.default_rng(0)).empty


def test_standing_is_uniform_for_random_sets():
    sets = draw(91, 4, 400, np.random.default_rng(2), distinct=True)
    found = rank_among_random_sets(sets.tolist(), 91, 4000, np.random.default_rng(3))
    error = 4 * np.sqrt(1 / 12 / 400)
    assert found["rank"].mean() == pytest.approx(0.5, abs=error)


def networks_of(sets, n):
    weights = [[1.0] * len(frequencies) for frequencies in sets]
    return pd.DataFrame({"modulus": n, "cluster_frequencies": sets, "cluster_weights": weights})


def test_networks_stand_among_random_sets_of_their_own_modulus():
    populations = {"one": networks_of([[1, 2], [3, 5]], 31), "other": networks_of([[1, 4, 6]], 13)}
    found = among_random(populations, 200, np.random.default_rng)
    assert found.population.tolist() == ["one", "one", "other"] and found.n.tolist() == [31, 31, 13]
    alone = rank_among_random_sets([[1, 4, 6]], 13, 200, np.random.default_rng(13))
    assert found["rank"].tolist()[2] == alone["rank"][0] and found.share.tolist()[2] == alone.share[0]
    assert found.weighted.tolist() == pytest.approx(found.share.tolist()), "equal weights"


def test_separation_by_population_against_the_same_at_random():
    sets = draw(31, 4, 50, np.random.default_rng(0), distinct=True).tolist()
    found = among_random(
        {"random": networks_of(sets, 31), "best": networks_of([best_set(31, 4).tolist()], 31)},
        500,
        np.random.default_rng,
    )
    at_random = lambda n: simulate(n, 4, 500, 0.156, np.random.default_rng(n), distinct=True)
    table = separation_by_population(found, at_random, 0.156, 0.5)
    assert table.index.tolist() == ["random", "best"] and table.networks.tolist() == [50, 1]
    assert (table.n == 31).all() and (table.clusters == 4).all()
    assert table.at_random.tolist() == [pytest.approx(at_random(31).probability[3])] * 2
    assert table.separated["best"] == 1 and table.separated["random"] == pytest.approx(
        table.at_random["random"], abs=0.2
    )
    assert abs(table["rank z"]["random"]) < 4 and table["rank"]["best"] > 0.9
    assert table["rank z"]["best"] == pytest.approx((table["rank"]["best"] - 0.5) / np.sqrt(1 / 12))
    assert table["asked by bound"]["best"] == published_bound(31, table["median"]["best"], 0.5)


def test_standing_also_weighs_the_separation():
    weights = [1.0, 2.0, 3.0]
    found = rank_among_random_sets([[1, 5, 12], []], 31, 100, np.random.default_rng(0), weights=[weights, []])
    assert found.weighted[0] == pytest.approx(separation(np.array([1, 5, 12]), 31, np.array(weights)) / 6)
    assert found.share[0] == pytest.approx(separation(np.array([1, 5, 12]), 31) / 3)
    assert np.isnan(found.weighted[1])


def test_the_least_is_taken_of_populations_and_of_differences_within_them():
    lines = {"batch": [0.3, 0.9, 8.0, 4.0], "full": [0.2, 0.95, 6.0, 3.0], "other": [0.4, 0.7, 9.0, 5.5]}
    summary = pd.DataFrame(lines, ["least", "rank", "asked by bound", "clusters"]).T
    assert least_of_populations(summary) == {
        "trained_least": 0.2,
        "trained_rank": 0.7,
        "trained_asked_less_clusters": 3.0,  # of full batch; 6.0 − 5.5 are of two populations
    }
