import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from modadd.crt.cosets import clark_evans_index, nearest_neighbour_distance, rayleigh_p, spread_p


@given(st.lists(st.floats(-3, 3), min_size=1, max_size=9), st.floats(-3, 3))
def test_rayleighs_p_value_does_not_see_turns(angles, turn):
    phase = np.array(angles)
    assert rayleigh_p(phase + turn) == pytest.approx(rayleigh_p(phase))


@given(st.lists(st.tuples(st.floats(-3, 3), st.floats(-3, 3)), min_size=2, max_size=7), st.floats(-9, 9))
def test_nearest_goes_around_the_torus_either_way(points, turn):
    first, second = np.array(points).T
    sheets = 2 * np.pi * np.arange(-1, 2)
    for i, found in enumerate(nearest_neighbour_distance(first, second)):
        others = [
            np.hypot(first[j] - first[i] + x, second[j] - second[i] + y)
            for j in range(len(first))
            if j != i
            for x in sheets
            for y in sheets
        ]
        assert found == pytest.approx(min(others), abs=1e-9)
    np.testing.assert_allclose(
        nearest_neighbour_distance(first + turn, second - turn), nearest_neighbour_distance(first, second), atol=1e-9
    )


@pytest.mark.parametrize(("rows", "columns", "expected"), [(4, 4, 2), (2, 2, 2), (3, 4, np.sqrt(3))])
def test_grids_have_known_spread(rows, columns, expected):
    first, second = (x.ravel() for x in np.meshgrid(np.arange(rows) / rows, np.arange(columns) / columns))
    narrow = min(1, rows / columns)  # in a grid of unequal spacing the nearest point lies along the narrower one
    assert expected == pytest.approx(2 * np.sqrt(narrow))
    assert clark_evans_index(2 * np.pi * first, 2 * np.pi * second) == pytest.approx(expected)


@pytest.mark.parametrize("count", [0, 1])
def test_one_point_has_no_neighbour(count):
    assert np.isnan(clark_evans_index(np.zeros(count), np.zeros(count)))


def test_even_phases_are_uniform_and_equal_ones_are_not():
    assert rayleigh_p(2 * np.pi * np.arange(8) / 8) == pytest.approx(1)
    assert rayleigh_p(np.zeros(8)) == pytest.approx(np.exp(-8))
    assert rayleigh_p(np.array([])) == 1


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
