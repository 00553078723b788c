import numpy as np
import pytest

from modadd.crt.cosets import clark_evans_index, spread_p


def test_a_grid_is_more_even_than_random_pairs_and_clumps_are_not():
    rng, steps = np.random.default_rng(1), 2 * np.pi * np.arange(3) / 3
    grid = clark_evans_index(*(x.ravel() for x in np.meshgrid(steps, steps)))
    assert spread_p([grid], [9], 200, rng) == pytest.approx(1 / 201)
    assert spread_p([0.2], [9], 200, rng) == 1
    assert np.isnan(spread_p([], [], 10, rng))


def test_p_is_valid_for_the_mean_of_several_clusters():
    rng, sizes = np.random.default_rng(2), [4, 6]
    random = lambda: [clark_evans_index(*rng.uniform(-np.pi, np.pi, (2, m))) for m in sizes]
    p = np.array([spread_p(random(), sizes, 39, rng) for _ in range(150)])
    assert np.mean(p <= 0.1) <= 0.18 and 0.4 < p.mean() < 0.6


def test_few_random_points_often_have_an_index_above_one():
    rng = np.random.default_rng(0)
    above = np.mean([clark_evans_index(*rng.uniform(-np.pi, np.pi, (2, 4))) > 1 for _ in range(2000)])
    assert 0.4 < above < 0.7, "so an index above 1 says nothing of a cluster of four neurons"
