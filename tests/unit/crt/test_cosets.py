import math
from itertools import combinations
from math import gcd, pi, prod

import numpy as np
import pytest
from direct_separations import direct_separation
from hypothesis import given
from hypothesis import strategies as st
from support import refuses

from modadd.core.fourier import signed_frequency
from modadd.crt.cosets import (
    coset_order,
    crt_frequencies,
    crt_gap,
    crt_sum,
    crt_sum_as_printed,
    firing,
    firing_rows,
    is_coset,
    level_set,
    relabelling,
    remapped,
    share_on_cosets,
    share_solved,
    step,
)
from modadd.crt.theory import exact_theorem, separation

moduli_and_frequencies = st.integers(3, 60).flatmap(lambda n: st.tuples(st.just(n), st.integers(1, n - 1)))


def cosine(f, n, s=0):
    return np.cos(2 * np.pi * f * (np.arange(n) - s) / n)


def steps_between(f, s, n):
    """Steps from s to each residue, or to its coset: the signed m with a − s ≡ d·m (mod n/g), |m| least."""
    g = math.gcd(f, n)
    return signed_frequency(f // g * (np.arange(n) - s) % (n // g), n // g)


@given(moduli_and_frequencies)
def test_a_step_moves_a_cosine_to_its_nearest_value(case):
    n, f = case
    d, g = step(f, n), math.gcd(f, n)
    assert f * d % n == g, "one step turns the angle 2πf/n · d by the least it can be turned, 2πg/n"
    assert 1 <= d < n // g or n // g == 2


@pytest.mark.parametrize("f", [0, 91, -91])
def test_a_constant_has_no_cosets(f):
    with refuses(f"frequency {f}", "91"):
        coset_order(f, 91)


@given(moduli_and_frequencies, st.floats(-0.99, 0.99), st.data())
def test_a_level_set_is_all_that_few_steps_reach(case, level, data):
    n, f = case
    s = data.draw(st.integers(0, n - 1))
    found = level_set(f, s, n, level)
    steps = np.abs(steps_between(f, s, n))
    assert s in found
    if len(found) < n:
        outside = np.setdiff1d(np.arange(n), found)
        assert steps[found].max() < steps[outside].min(), "an approximate coset is a run of steps around its centre"


def test_known_level_sets():
    assert sorted((level_set(15, 0, 59, 0.9) + 30) % 59 - 30) == [-16, -12, -8, -4, 0, 4, 8, 12, 16], "approximate"
    assert level_set(35, 5, 91, 0.9).tolist() == [5, 18, 31, 44, 57, 70, 83], "5 + the multiples of 13"
    assert level_set(3, 1, 12, 0.9).tolist() == [1, 5, 9]


@pytest.mark.parametrize("residues", [[2, 6, 9], [2, 6], [0, 3, 6, 9, 10]])
def test_other_sets_are_no_cosets(residues):
    assert not is_coset(np.array(residues), 12)


@given(moduli_and_frequencies)
def test_relabelling_is_the_least_unit_that_makes_the_frequency_its_common_factor(case):
    n, f = case
    u, g = relabelling(f, n), math.gcd(f, n)
    units = [x for x in range(n) if math.gcd(x, n) == 1 and g * x % n == f]
    assert u == units[0]


@given(moduli_and_frequencies, st.data())
def test_remapped_cosines_have_the_common_factor_as_frequency(case, data):
    n, f = case
    s = data.draw(st.integers(0, n - 1))
    moved, g = remapped(cosine(f, n, s), f), math.gcd(f, n)
    np.testing.assert_allclose(moved, cosine(g, n, s * relabelling(f, n)), atol=1e-9)


def test_share_on_cosets_of_pure_functions():
    lines = np.stack([cosine(6, 12), cosine(3, 12), cosine(2, 12), np.ones(12), cosine(3, 12) + cosine(2, 12)], axis=1)
    np.testing.assert_allclose(share_on_cosets(lines, 3), [1, 1, 0, 0, 0.5], atol=1e-12)
    np.testing.assert_allclose(share_on_cosets(lines, 1), [1, 1, 1, 0, 1], atol=1e-12)


@given(moduli_and_frequencies, st.data())
def test_a_neuron_that_is_a_cosine_fires_on_its_level_set(case, data):
    n, f = case
    s = data.draw(st.integers(0, n - 1))
    predicted, strongest = firing(cosine(f, n, s).round(9), f, s)
    assert predicted.tolist() == level_set(f, s, n).tolist()
    np.testing.assert_allclose(cosine(f, n, s)[strongest], cosine(f, n, s)[predicted], atol=1e-8)


coprime = st.sets(st.sampled_from([2, 3, 4, 5, 7, 9, 11, 13]), min_size=1, max_size=4).filter(
    lambda q: all(gcd(a, b) == 1 for a, b in combinations(q, 2)) and prod(q) <= 2000
)


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


def test_share_of_systems_solved_by_the_corrected_and_by_the_printed_sum():
    for moduli in ([7, 13], [2, 3, 5], [4, 9], [5]):
        assert share_solved(crt_sum, moduli) == 1
    # exchanged congruences have the same solution only where m_1 ≡ m_2 as integers, that is for k = 0 … 6
    assert share_solved(crt_sum_as_printed, [7, 13]) == pytest.approx(7 / 91)
    np.testing.assert_allclose(crt_sum_as_printed([7, 13], [3, 5]), crt_sum([13, 7], [3, 5]), atol=1e-12)
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


@given(moduli_and_frequencies, st.data())
def test_a_level_set_of_g_elements_is_a_coset(case, data):
    n, f = case
    top = level_set(f, data.draw(st.integers(0, n - 1)), n, 1 - 1e-9)
    assert len(top) == math.gcd(f, n) and is_coset(top, n)


def test_remapping_moves_values_along_the_first_axis_only():
    values = np.arange(10.0).reshape(5, 2)
    np.testing.assert_array_equal(remapped(values, 2)[2 * np.arange(5) % 5], values)


def test_rows_of_firing_neurons():
    values = {
        "A": np.stack([cosine(3, 12, 1), cosine(1, 12)], axis=1),
        "B": np.stack([cosine(3, 12, 2), -cosine(1, 12)], axis=1),
    }
    sides = {"A": (values["A"], np.array([1.0, 0.0])), "B": (values["B"], np.array([2.0, 0.0]))}
    rows = list(firing_rows(sides, np.array([3, 1]), np.array([0, 1])))
    assert [(row["neuron"], row["side"], row["f"], row["g"], row["d"]) for row in rows] == [
        (0, "A", 3, 3, 1),
        (0, "B", 3, 3, 1),
        (1, "A", 1, 1, 1),
        (1, "B", 1, 1, 1),
    ]
    assert [row["level set"] for row in rows] == ["1 5 9", "2 6 10", "0", "0"]
    assert [row["overlap"] for row in rows] == [1, 1, 1, 0] and rows[3]["strongest"] == "6"
    assert all(row["top is a coset"] for row in rows)
    between = np.repeat(cosine(3, 12, 1.5)[:, None], 2, axis=1) + 0.1 * np.eye(12)[:, [6, 2]]
    tops = firing_rows({"A": (between, np.array([1.5, 1.5]))}, np.array([3, 3]), np.array([0, 1]), level=0.7)
    assert not any(row["top is a coset"] for row in tops), "half way between two cosets one residue decides"


def test_a_level_set_that_no_residue_is_in_has_no_overlap():
    values = np.cos(2 * np.pi * (np.arange(3)[:, None] - [0.5, 1.0]) / 3)
    halfway, on_one = firing_rows({"A": (values, np.array([0.5, 1.0]))}, np.array([1, 1]), np.array([0, 1]))
    assert halfway["level set"] == "" and np.isnan(halfway["overlap"])
    assert on_one["level set"] == "1" and on_one["overlap"] == 1
