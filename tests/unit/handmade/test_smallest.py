from dataclasses import fields
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from support import refuses

from modadd.core.separable import accuracy, margins
from modadd.handmade.build import angles, hand_coded
from modadd.handmade.one_frequency import (
    WIDEST,
    alias,
    beside_law,
    neurons_by_law,
    off_the_law,
    turn,
    turn_series,
    widest,
)
from modadd.handmade.search import neurons_needed, widest_turn
from modadd.handmade.smallest import (
    Optimum,
    best_by_order,
    best_tables,
    counts,
    four_neurons,
    one_neuron_mod_3,
    order_classes,
    random_outputs,
    steps_of,
    three_neurons_mod_3,
    two_neurons,
)

TINY = 1e-5  # what the integer program cannot tell from 0
networks = pytest.mark.parametrize(("network", "neurons"), [(two_neurons, 2), (four_neurons, 4)])


@networks
def test_margin_is_exactly_one_at_every_modulus(network, neurons):
    for n in range(2, 61):
        built = network(n)
        assert built.width == neurons and built.modulus == n
        assert margins(built.logits()).min() == 1


@networks
@given(data=st.data())
def test_logits_are_the_formula(network, neurons, data):
    n = data.draw(st.integers(2, 200))
    a, b, c = (data.draw(st.integers(0, n - 1)) for _ in range(3))
    built = network(n)
    r = np.maximum(built.A[a] + built.B[b], 0)
    v = (a + b) % n
    assert r @ built.W[:, c] + built.C[a, c] + built.D[b, c] == 2 * c * v - c**2


@networks
def test_what_is_no_modulus_is_refused(network, neurons):
    with refuses("n:", "at least 2", "got 1"):
        network(1)


@pytest.mark.parametrize(("network", "neurons"), [(one_neuron_mod_3(), 1), (three_neurons_mod_3(), 3)])
def test_networks_mod_3_add_in_exact_integers(network, neurons):
    assert network.width == neurons
    A, B, W, C, D = ([[int(x) for x in row] for row in getattr(network, table.name)] for table in fields(network))
    assert [A, B, W, C, D] == [getattr(network, table.name).tolist() for table in fields(network)], "integers"
    for a in range(3):
        for b in range(3):
            r = [max(0, A[a][i] + B[b][i]) for i in range(neurons)]
            logits = [sum(r[i] * W[i][c] for i in range(neurons)) + C[a][c] + D[b][c] for c in range(3)]
            right = logits.pop((a + b) % 3)
            assert right >= 1 + max(logits), (a, b)


@given(st.permutations(range(5)), st.lists(st.floats(0.1, 10), min_size=4, max_size=4))
def test_steps_add_up_to_a_W_in_their_order(order, weights):
    assert np.argsort(-(np.array(weights) @ steps_of(tuple(order)))).tolist() == order


@pytest.mark.parametrize(("n", "classes"), [(2, 1), (3, 1), (4, 3), (5, 6)])
def test_orders_are_counted_up_to_the_names_of_residues(n, classes):
    found = order_classes(n)
    assert len(found) == classes and all(sorted(order) == list(range(n)) for order in found)


@pytest.mark.parametrize("n", [2, 3])
def test_one_neuron_with_residual_streams_is_found_mod_2_and_3(n):
    found = best_by_order(tuple(range(n)))
    assert margins(found.network.logits()).min() == pytest.approx(found.bound, abs=1e-6) and found.bound > 0.1


@pytest.mark.parametrize("order", [(0, 2, 1, 3), (2, 0, 3, 1)])
def test_an_order_that_no_neuron_can_have_is_excluded(order):
    assert best_by_order(order).bound < TINY


def test_three_neurons_are_found_mod_3_for_the_right_W():
    W = [np.array([row]) for row in three_neurons_mod_3().W / 3]
    network, bound = best_tables(W)
    assert margins(network.logits()).min() == pytest.approx(bound, abs=1e-6) and bound > TINY
    assert max(np.abs(network.A).max(), np.abs(network.B).max()) <= 1 + 1e-9
    assert network.W.tolist() == (three_neurons_mod_3().W / 3).tolist() and not network.C.any()


def test_larger_W_have_a_larger_bound():
    W = [np.array([row]) for row in three_neurons_mod_3().W / 3]
    network, bound = best_tables([30 * rows for rows in W])
    assert bound == pytest.approx(30 * best_tables(W).bound) and margins(network.logits()).min() > 1


def test_a_search_that_gives_up_keeps_a_bound_above_its_margin():
    W = [np.array([row]) for row in three_neurons_mod_3().W / 3]
    network, bound = best_tables(W, nodes=1)
    assert bound > best_tables(W).bound + TINY > margins(network.logits()).min()


def test_counts_tell_found_from_excluded_and_undecided():
    nothing = best_tables(random_outputs(2, 1, np.random.default_rng(0))).network
    optima = [Optimum(three_neurons_mod_3(), 2.0), Optimum(nothing, -1e-9), Optimum(nothing, 0.5)]
    assert counts(optima) == {"tries": 3, "found": 1, "undecided": 1, "best margin": 1.0, "largest bound": 2.0}
    assert counts(optima[1:]) == {"tries": 2, "found": 0, "undecided": 1, "best margin": 0.0, "largest bound": 0.5}


@pytest.mark.parametrize("h", [5, 6, 7, 12])
def test_the_turn_is_that_of_the_logits(h):
    n, c = 13, np.arange(13)
    logits = hand_coded(n, [1], h).logits()
    for a, b in ((0, 0), (1, 4), (11, 12), (0, 9)):
        strength = np.cos(np.pi * (a - b) / n)
        x = np.array([np.pi * (a + b) / n + np.pi * (strength < 0)])
        F = turn(x, h)[0] * np.exp(2j * np.pi * (c - a - b) / n)
        np.testing.assert_allclose(logits[a, b], 2 * abs(strength) * h / (3 * np.pi) * F.real, atol=1e-12)


@pytest.mark.parametrize("h", [5, 7, 9])
def test_the_logits_and_the_turn_are_those_that_coq_proves(h):
    n, c, e = 13, np.arange(13), np.pi / (2 * h)
    logits = hand_coded(n, [1], h).logits()
    for a, b in np.ndindex(n, n):  # logit_exactly and one_frequency_adds in OneFrequency.v
        x, g = np.pi * (a + b) / n, 2 * np.pi * (c - a - b) / n
        m = x - 2 * e * np.rint(x / (2 * e))
        exact = np.cos(m + g) / np.sin(e) - np.cos(3 * m + g) / np.sin(3 * e)
        np.testing.assert_allclose(logits[a, b], abs(np.cos(np.pi * (a - b) / n)) / 2 * exact, atol=1e-12)
    numerator, denominator = 4 * np.sin(e) ** 3 / (3 * np.sqrt(3)), np.cos(e) * np.cos(2 * e)
    assert numerator < np.tan(widest(h)) < numerator / denominator


@pytest.mark.parametrize(("n", "h"), [(13, 5), (13, 7), (31, 5), (101, 9)])
def test_the_right_answer_leads_by_what_coq_proves_and_hardly_more(n, h):
    e, step, (a, b) = np.pi / (2 * h), np.pi / n, np.indices((n, n))
    left = np.cos(e) * np.cos(2 * e) - 4 * np.sin(e) ** 3 / (3 * np.sqrt(3) * np.tan(step))
    proven = np.abs(np.cos(step * (a - b))) * 2 * np.sin(step) ** 2 / np.sin(3 * e) * left
    assert left > 0
    share = proven / margins(hand_coded(n, [1], h).logits())  # one_frequency_leads in OneFrequency.v
    assert 0.7 < share.max() < 1


@pytest.mark.parametrize("h", [5, 7, 9])
def test_the_cube_root_is_enough_and_needed(h):
    enough, needed = 2 * h**3 // 5 // 2 * 2 - 1, 2 * h**3 + 1  # odd n; as OneFrequency.v proves
    assert widest_turn(enough, h) < np.pi / enough and widest_turn(needed, h) > np.pi / needed


def test_aliases_are_fourier_coefficients_of_the_rectified_cosine():
    points = 2**14
    lines = np.fft.fft(np.maximum(np.cos(angles(points)), 0)).real / points
    for h, order in ((5, 1), (5, -1), (7, 2), (9, -3)):
        assert float(alias(h, order)) == pytest.approx(lines[2 * order * h - 2] / lines[2], abs=1e-6)
    assert alias(5, 1) == Fraction(-3, 63)


@pytest.mark.parametrize("h", [5, 9, 15])
def test_the_series_is_the_turn(h):
    y = np.linspace(-4, 4, 101)
    np.testing.assert_allclose(turn_series(y, h, 300), turn(y / (2 * h), h), atol=2 / (300 * h**2))


def test_the_widest_turn_of_all_inputs_is_approached_by_those_of_a_large_modulus():
    for h in (5, 6, 7, 9, 10):
        assert widest_turn(1009, h) == pytest.approx(widest(h), rel=1e-2)
        assert widest_turn(1009, h) <= widest(h) + 1e-6
    assert 35**3 * widest(35) == pytest.approx(WIDEST, rel=3e-3)


def test_the_law_counts_the_neurons_or_two_less():
    counted, law = np.array([(neurons_needed(n), neurons_by_law(n)) for n in range(5, 400, 2)]).T
    assert set(counted - law) == {0, 2} and (counted == law).mean() > 0.9
    assert accuracy(hand_coded(21, [1], neurons_by_law(21)).logits()) == 1


def test_three_or_four_neurons_need_no_residual_streams_and_two_share_them():
    for network in (three_neurons_mod_3(), four_neurons(7)):
        assert not network.C.any() and not network.D.any()
    np.testing.assert_array_equal(two_neurons(7).C, two_neurons(7).D)


@networks
def test_mod_2_the_second_neuron_never_fires(network, neurons):
    assert (network(2).preactivations()[..., 1] <= 0).all()
    assert (network(3).preactivations()[..., 1] > 0).any()


@pytest.mark.parametrize("n", [2, 3])
def test_two_neurons_without_residual_streams_are_never_found(n):
    rng = np.random.default_rng(n)
    assert all(best_tables(random_outputs(n, 2, rng)).bound < TINY for _ in range(5))


def test_neurons_of_a_group_fire_together():
    network = best_by_order((0, 1, 2)).network
    first, second = np.moveaxis(network.preactivations(), -1, 0)
    assert not ((first > 1e-6) & (second < -1e-6)).any() and not ((first < -1e-6) & (second > 1e-6)).any()


@given(st.integers(2, 6), st.integers(2, 4), st.integers(0, 2**32))
def test_every_answer_of_random_outputs_wins_somewhere(n, neurons, seed):
    W = np.concatenate(random_outputs(n, neurons, np.random.default_rng(seed)))
    assert W.shape == (neurons, n) and (W >= 0).all()
    assert ((W.T @ W).argmax(axis=1) == np.arange(n)).all(), "the neurons fire in the proportion of the answer's own W"


def test_every_odd_modulus_is_counted_beside_the_law():
    found = beside_law(11)
    assert found.n.tolist() == [5, 7, 9, 11]
    assert found.counted.tolist() == [neurons_needed(n) for n in found.n] and found.counted[0] == 5
    assert found.law.tolist() == [neurons_by_law(n) for n in found.n]
    last = beside_law(120).iloc[-1]
    assert last.to_dict() == {"n": 119, "counted": 7, "law": 5}, "the first odd modulus at which they differ"


def test_the_law_may_be_off_either_way():
    table = pd.DataFrame({"n": [5, 7, 9], "counted": [5, 6, 8], "law": [5, 9, 7]})
    assert off_the_law(table) == 3
    assert off_the_law(table[["n"]].assign(counted=table.law, law=table.counted)) == 3
