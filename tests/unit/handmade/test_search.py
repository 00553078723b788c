from itertools import combinations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from support import refuses

from modadd.core.separable import accuracy, margins
from modadd.handmade.build import Wave, hand_coded, scale
from modadd.handmade.search import (
    PLAIN,
    best,
    fewest_neurons,
    frequency_sets,
    least_margins,
    limit_margins,
    limit_response,
    neurons_needed,
    response,
    shortlist,
    smallest,
    smallest_for_goals,
    turns,
    widest_turn,
)

waves = st.tuples(st.floats(-0.4, 0.4), st.floats(-0.3, 0.3))


@pytest.fixture
def rng():
    return np.random.default_rng(0)


def relative_margin(n, frequencies, neurons, wave=PLAIN):
    """The smallest margin over all inputs divided by the scale, from all n³ logits."""
    network = hand_coded(n, frequencies, neurons, wave)
    return margins(network.logits()).min() / scale(network)


def class_of(n, frequencies):
    """All sets ±u times the given one, u a unit mod n, by brute force."""
    units = [u for u in range(1, n) if np.gcd(u, n) == 1]
    return {tuple(sorted(min(u * k % n, -u * k % n) for k in frequencies)) for u in units}


@given(st.sampled_from([7, 10, 11]), st.integers(1, 7), waves, st.data())
def test_least_margins_are_those_of_all_logits(n, neurons, wave, data):
    wave = Wave(*wave)
    k = data.draw(st.lists(st.integers(1, (n - 1) // 2), min_size=1, max_size=2, unique=True))
    found = least_margins(response(n, neurons, wave), np.array([k]))
    assert found[0] == pytest.approx(relative_margin(n, k, neurons, wave), abs=1e-12)


@given(waves, st.floats(-1, 1))
def test_stopping_early_never_hides_a_better_set_and_only_overstates_the_others(wave, stop):
    wave = Wave(*wave)
    found, sets = response(11, 6, wave), np.array(list(combinations(range(1, 6), 2)))
    exact, stopped = least_margins(found, sets), least_margins(found, sets, stop)
    above = exact > stop
    np.testing.assert_array_equal(stopped[above], exact[above])
    assert ((stopped >= exact) & ((stopped <= stop) | (stopped == exact))).all()


@pytest.mark.parametrize("n", [7, 8])
@pytest.mark.parametrize("wave", [PLAIN, Wave(0.11, 0.09), Wave(-0.2, -0.1)])
def test_many_neurons_come_near_the_limit(n, wave):
    Y, limit = response(n, 800, wave), limit_response(n, wave)
    difference = np.subtract.outer(np.arange(n), np.arange(n)) % n
    np.testing.assert_allclose(Y, limit[difference], atol=1e-5, err_msg="real, and a function of a − b alone")


@given(waves, st.sampled_from([7, 11]))
def test_limit_margins_are_the_margins_of_many_neurons(wave, n):
    wave = Wave(*wave)
    sets = np.array(list(combinations(range(1, n // 2 + 1), 2)))
    np.testing.assert_allclose(
        limit_margins(limit_response(n, wave), sets), least_margins(response(n, 301, wave), sets), atol=2e-4
    )


@pytest.mark.parametrize(("n", "m"), [(7, 1), (7, 2), (13, 3), (15, 1), (15, 2), (15, 3), (16, 2), (91, 2)])
def test_frequency_sets_hold_one_of_every_class_and_the_first_of_it(n, m, rng):
    found = frequency_sets(n, m, rng)
    expected = {min(class_of(n, some)) for some in combinations(range(1, n // 2 + 1), m)}
    assert found.exhaustive
    assert {tuple(row) for row in found.sets.tolist()} == expected
    assert len(found.sets) == len(expected), "no class stands twice"


def test_where_there_are_too_many_sets_some_are_drawn(rng):
    found = frequency_sets(59, 4, rng, most=100, draws=50)
    assert not found.exhaustive
    assert 40 < len(found.sets) <= 50
    assert (found.sets[:, 0] == 1).all() and (np.diff(found.sets) > 0).all() and found.sets.max() <= 29
    again = frequency_sets(59, 4, np.random.default_rng(0), most=100, draws=50)
    np.testing.assert_array_equal(again.sets, found.sets)


@pytest.mark.parametrize("m", [0, 6, 20])
def test_a_number_of_frequencies_that_n_does_not_have_is_refused(m, rng):
    with refuses("m:", "⌊n/2⌋ = 5 frequencies for n = 11", f"got {m}"):
        frequency_sets(11, m, rng)


def test_sets_too_long_for_one_integer_are_refused(rng):
    with refuses("m:", "2⁶²", "got 12"):
        frequency_sets(59, 12, rng)


def test_shortlist_keeps_the_best_of_the_limit_in_order(rng):
    sets, tried = frequency_sets(23, 3, rng).sets, [PLAIN, Wave(0.1, 0.1)]
    listed = shortlist(23, sets, tried, 4)
    assert list(listed) == tried
    for wave, first in listed.items():
        everyone = np.sort(limit_margins(limit_response(23, wave), sets))[::-1]
        np.testing.assert_allclose(limit_margins(limit_response(23, wave), first), everyone[:4])


def test_best_is_the_best_by_brute_force(rng):
    tried = [PLAIN, Wave(0.1, 0.1), Wave(0.15, 0.05)]
    sets = frequency_sets(11, 2, rng).sets
    found = best(11, 6, shortlist(11, sets, tried, len(sets)))
    every = {(tuple(k), wave): relative_margin(11, k, 6, wave) for k in sets.tolist() for wave in tried}
    assert (found.frequencies, found.wave) == max(every, key=every.get)
    assert found.margin == pytest.approx(max(every.values()))
    assert found.neurons == 12 == found.network().width
    assert relative_margin(11, found.frequencies, 6, found.wave) == pytest.approx(found.margin)


def test_smallest_is_found_and_nothing_smaller_does(rng):
    options = {m: shortlist(13, frequency_sets(13, m, rng).sets, [PLAIN, Wave(0.1, 0.1)], 99) for m in (1, 2)}
    sizes = {}
    for above in (1e-9, 0.02, 0.06):
        one = smallest(13, options, above, 40)
        sizes[above] = one.neurons
        assert one.margin > above
        for m in (1, 2):
            for total in range(m, one.neurons, m):
                assert best(13, total // m, options[m]).margin <= above, f"{total} neurons of {m} frequencies do"
    assert sizes[1e-9] == 5 < sizes[0.06]


def test_smallest_is_none_where_nothing_is_enough(rng):
    options = {1: shortlist(13, frequency_sets(13, 1, rng).sets, [PLAIN], 9)}
    assert smallest(13, options, 0.5, 12) is None


def test_even_moduli_are_refused_by_name():
    with refuses("n:", "odd", "got 8", "a − b"):
        widest_turn(8, 5)
    assert accuracy(hand_coded(8, [1], 64).logits()) < 1, "at a − b = n/2 one frequency is silent"


def test_limit_response_without_harmonic_is_the_pizza_s():
    expected = 2 / (3 * np.pi) * np.abs(np.cos(np.pi * np.arange(59) / 59))
    np.testing.assert_allclose(limit_response(59), expected, atol=1e-6)


def test_smallest_prefers_the_clearer_of_two_of_one_size(rng):
    options = {m: shortlist(13, frequency_sets(13, m, rng).sets, [PLAIN], 99) for m in (1, 2)}
    one = smallest(13, {m: options[m] for m in (2, 1)}, 1e-3, 40)
    others = [best(13, one.neurons // m, options[m]) for m in (1, 2) if one.neurons % m == 0]
    assert one.margin == max(candidate.margin for candidate in others)


@pytest.mark.parametrize("neurons", [4, 5])
def test_candidate_counts_right_answers_where_its_margin_is_not_positive(neurons, rng):
    found = best(11, neurons, shortlist(11, frequency_sets(11, 1, rng).sets, [PLAIN], 9))
    share = accuracy(found.network().logits())
    assert found.clarity() == {"relative margin": found.margin, "accuracy": share}
    assert (share == 1) == (neurons == 5)


def test_turns_are_the_widest_of_each_modulus_and_number_of_neurons():
    found = turns([9, 15], [5, 6])
    assert found[["n", "h", "parity"]].values.tolist() == [
        [9, 5, "odd"],
        [9, 6, "even"],
        [15, 5, "odd"],
        [15, 6, "even"],
    ]
    assert found.turn.tolist() == [widest_turn(n, h) for n in (9, 15) for h in (5, 6)]


@pytest.mark.parametrize("n", [3, 5, 7, 9, 15, 31])
def test_the_turn_says_whether_all_answers_are_right_however_few_the_neurons(n):
    for neurons in range(1, 12):
        right = accuracy(hand_coded(n, [1], neurons).logits()) == 1
        assert (widest_turn(n, neurons) < np.pi / n) == right, f"{neurons} neurons"


def test_neurons_that_are_silent_at_an_input_point_nowhere():
    assert widest_turn(3, 1) == pytest.approx(np.pi)


@pytest.mark.parametrize("n", [3, 5, 7, 59, 91, 113])
def test_five_neurons_are_needed(n):
    assert neurons_needed(n) == 5


def test_each_goal_has_the_smallest_network_with_no_harmonic_and_with_any(rng):
    listed = {m: frequency_sets(13, m, rng) for m in (1, 2)}
    listed[2] = listed[2]._replace(exhaustive=False)
    goals = {"right": 1e-9, "clear": 0.02, "clearer": 0.04, "never": 2.0}
    lines = smallest_for_goals(13, listed, [PLAIN, Wave(0.1, 0.1)], goals, keep=99, most=30)
    found = [(line["goal"], line["harmonic"], line["neurons"]) for line in lines]
    assert found == [
        ("right", "no", 5),
        ("right", "allowed", 5),
        ("clear", "no", 10),
        ("clear", "allowed", 10),
        ("clearer", "allowed", 10),  # without a harmonic no network of so few neurons is so clear
    ]
    every = {m: shortlist(13, found.sets, [PLAIN, Wave(0.1, 0.1)], 99) for m, found in listed.items()}
    plain = {m: {PLAIN: short[PLAIN]} for m, short in every.items()}
    for line in lines:
        options = plain if line["harmonic"] == "no" else every
        found = smallest(13, options, goals[line["goal"]], 30)
        assert {name: line[name] for name in found.row()} == found.row()
        assert line["all sets"] == (len(found.frequencies) == 1)
        assert line["accuracy"] == 1 and line["relative margin"] == pytest.approx(found.margin)
        assert line["certified share"] == 1 and line["certified margin"] == pytest.approx(found.margin, rel=1e-6)
    assert lines[3]["s"] == 0.1 and lines[3]["relative margin"] > lines[2]["relative margin"]


def test_a_size_is_that_of_its_goal_and_modulus_or_none():
    lines = [("right", "no", 7, 5), ("right", "allowed", 7, 4), ("clear", "allowed", 7, 8), ("right", "allowed", 9, 6)]
    table = pd.DataFrame(lines, columns=["goal", "harmonic", "n", "neurons"])
    assert fewest_neurons(table, "right", "allowed", [9, 7, 11]) == [6, 4, None]
    assert fewest_neurons(table, "clear", "no", [7]) == [None]
