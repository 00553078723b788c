from contextlib import contextmanager
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from certified import exact_margins, exactly, factored, learned_networks, networks, networks_of_any_size, wild_networks
from hypothesis import given
from hypothesis import strategies as st
from support import perfect_network

from modadd.certificates import ball
from modadd.certificates.frobenius import (
    ITERATIONS,
    Inputs,
    least_sum,
    smallest_wrong_tables,
    smallest_wrong_weights,
    table_radius,
    weight_radius,
    worst_network,
)
from modadd.certificates.reach import Reach, reach_of_tables
from modadd.certificates.rounding import LARGEST_ENTRY, length
from modadd.core.separable import Separable, accuracy, margins


def lengths(network):
    """Frobenius norm of every table."""
    return [float(length(table.ravel())) for table in vars(network).values()]


def moves(network, rng, size):
    """A move of every table by `size` of its norm: spread over all entries, or spent on a few."""
    for table, far in zip(vars(network).values(), lengths(network), strict=True):
        direction = rng.normal(size=table.shape) * (rng.uniform(size=table.shape) < rng.choice([0.1, 1.0]))
        yield direction / (np.linalg.norm(direction) or 1.0) * (size * far)


def moved(network, by):
    """The network with its tables so moved."""
    return Separable(*(table + move for table, move in zip(vars(network).values(), by, strict=True)))


def outside(network):
    """Which (a, b, c) ask for a wrong answer, and these."""
    n = network.modulus
    return [(a, b, c) for a, b, c in np.ndindex(n, n, n) if c != (a + b) % n]


@given(st.one_of(networks(), learned_networks()), st.floats(0, 0.5), st.integers(0, 10**6))
def test_no_network_of_the_ball_has_a_smaller_margin_than_is_said(network, size, seed):
    rng = np.random.default_rng(seed)
    least, _ = Inputs(network).weakest(reach_of_tables(network, size))
    for _ in range(3):
        assert least <= margins(moved(network, moves(network, rng, size)).logits()).min()


@given(st.one_of(networks(), learned_networks()), st.floats(0.001, 0.5), st.data())
def test_the_worst_network_lies_in_the_ball_and_above_its_bound(network, size, data):
    a, b, c = data.draw(st.sampled_from(outside(network)))
    worst = worst_network(network, size, a, b, c)
    for table, other, far in zip(vars(network).values(), vars(worst).values(), lengths(network), strict=True):
        assert np.linalg.norm(other - table) <= size * far * (1 + 1e-9) + 1e-12
    logits = worst.logits()[a, b]
    found = logits[(a + b) % network.modulus] - logits[c]
    bound = Inputs(network).bounds(reach_of_tables(network, size), *(np.array([index]) for index in (a, b, c)))[0]
    assert not bound > found + 1e-9


def test_the_worst_network_attains_its_bound_but_for_a_neuron_that_may_wake_or_not():
    network = perfect_network(n=13, frequencies=(1, 2, 5), m=12)
    inputs, size = Inputs(network), 0.5 * table_radius(network)
    for a, b, c in outside(network)[::101]:
        logits = worst_network(network, size, a, b, c).logits()[a, b]
        bound = inputs.bounds(reach_of_tables(network, size), *(np.array([index]) for index in (a, b, c)))[0]
        found = logits[(a + b) % 13] - logits[c]
        assert bound <= found <= bound + 0.01 * (inputs.margins[a, b, c] - bound)


def exclusive_or():
    """One neuron that adds mod 2: ReLU(a + b − 1) corrects 2(a + b) − 1, which is right but where a = b = 1."""
    straight = np.array([[0.25, -0.25], [-0.75, 0.75]])
    return Separable(np.array([[0.0], [1.0]]), np.array([[-1.0], [0.0]]), np.array([[2.0, -2.0]]), straight, straight)


def test_radius_of_one_neuron_by_hand():
    network = exclusive_or()
    assert margins(network.logits()).tolist() == [[1, 1], [1, 1]]
    # at (1, 1): (1 − 2ε)(4 − 4ε) − 3 − 2√2 ‖C‖ ε = 0, with ‖A‖ = ‖B‖ = 1, ‖W‖ = √8, ‖C‖ = ‖D‖ = √20/4
    linear = 12 + 2 * np.sqrt(2) * np.sqrt(20) / 4
    by_hand = (linear - np.sqrt(linear**2 - 32)) / 16
    assert (1 - 2 * ball.PRECISION) * by_hand < table_radius(network) <= by_hand
    assert by_hand <= smallest_wrong_tables(network, table_radius(network), halvings=20) < by_hand * 1.0001


def test_a_neuron_that_is_off_counts_only_where_waking_it_pays():
    reach = np.array([0.5]), np.array([1e-3])
    asleep = least_sum(np.array([[1.0, -0.6]]), np.array([[1.0, -2.0]]), *reach)[0][0]
    assert asleep == pytest.approx(1 - 0.5 - 1e-3 * 0.5, abs=1e-6)
    dozing, x = least_sum(np.array([[1.0, -0.1]]), np.array([[1.0, -2.0]]), *reach)
    assert x[0, 1] > 0.3 and dozing[0] < asleep - 0.3


@contextmanager
def more_iterations():
    """The multipliers have all the time they need."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("modadd.certificates.frobenius.ITERATIONS", 20 * ITERATIONS)
        yield


one = st.floats(0.01, 100)


@given(one, one, st.floats(0.001, 0.2), st.floats(0.001, 0.2))
def test_the_bound_of_one_neuron_is_below_the_exact_one_by_no_more_than_rounding(u, gap, less_u, less_gap):
    inward, outward = less_u * u, less_gap * gap
    exact = (Fraction(u) - Fraction(inward)) * (Fraction(gap) - Fraction(outward))
    with more_iterations():
        least, _ = least_sum(np.array([[u]]), np.array([[gap]]), np.array([inward]), np.array([outward]))
    assert exact * (1 - Fraction(1, 10**9)) < Fraction(least[0]) < exact, (
        "rounding may cost a certificate, never grant one"
    )


@given(wild_networks(), st.floats(1e-6, 0.5), st.integers(0, 10**6))
def test_no_bound_promises_more_than_exact_arithmetic_gives(network, size, seed):
    inputs, reach = Inputs(network), reach_of_tables(network, size)
    a, b, c = np.array(outside(network)).T
    said = np.fmax(inputs.bounds(reach, a, b, c), -np.inf)
    rng = np.random.default_rng(seed)
    worst = worst_network(network, size * (1 - 1e-9), *outside(network)[int(np.argmin(said))])
    for other in (worst, moved(network, moves(network, rng, size * (1 - 1e-9)))):
        exact = exact_margins(*map(exactly, vars(other).values()))
        assert inputs.weakest(reach)[0] <= min(exact.ravel())


@given(networks_of_any_size(), st.floats(1e-6, 0.5), st.integers(0, 10**6))
def test_no_bound_promises_too_much_at_any_exponent(network, size, seed):
    if max(np.abs(table).max() for table in vars(network).values()) < LARGEST_ENTRY:
        least, _ = Inputs(network).weakest(reach_of_tables(network, size))
        with np.errstate(all="ignore"):
            other = moved(network, moves(network, np.random.default_rng(seed), size / 2))
        assert not least > min(exact_margins(*map(exactly, vars(other).values())).ravel())


def test_radius_lies_between_the_norms_alone_and_the_ball_of_entries():
    network = perfect_network(n=13, frequencies=(1, 2, 5), m=12)
    inside = table_radius(network)
    assert 0 < inside < ball.table_radius(network), "a move of every entry by δ is one of δ of the norm"
    found = smallest_wrong_tables(network, inside)
    assert inside < found < 1.01 * inside
    a, b, c = Inputs(network).weakest(reach_of_tables(network, found))[1]
    assert accuracy(worst_network(network, found, a, b, c).logits()) < 1


def test_a_network_without_neurons_is_bounded_by_what_bypasses_them():
    network = perfect_network()
    none = Separable(network.A[:, :0], network.B[:, :0], network.W[:0], network.C, network.D)
    nothing = Reach(*(np.zeros((7, 7)) for _ in range(3)), (0.0,) * 5)
    assert Inputs(none).weakest(nothing)[0] <= 0 and table_radius(none) == 0


@pytest.fixture(params=["two_layer_mlp", "group_mlp", "embedding_mlp"])
def by_hand(request, small):
    return factored(small[request.param])


def test_weights_within_their_radius_keep_every_answer_and_gradients_find_none_closer(by_hand):
    inside = weight_radius(by_hand)
    assert 1e-3 < inside <= table_radius(by_hand.separable()) * (1 + ball.PRECISION)
    rng = np.random.default_rng(0)
    for _ in range(20):
        parameters = {}
        for name, value in by_hand.parameters.items():
            direction = rng.normal(size=value.shape)
            parameters[name] = value + direction * inside * np.linalg.norm(value) / np.linalg.norm(direction)
        assert accuracy(replace(by_hand, parameters=parameters).separable().logits()) == 1
    assert inside <= smallest_wrong_weights(by_hand, inside, steps=3, halvings=4) < 1


def test_more_iterations_change_no_bound():
    network = perfect_network(n=13, frequencies=(1, 2, 5), m=12)
    size = table_radius(network)
    u, gap = network.A[[3]] + network.B[[4]], (network.W[:, [7]] - network.W[:, [6]]).T
    reach = reach_of_tables(network, size)
    far = reach.inward[3, [4]], reach.outward[7, [6]]
    before = least_sum(u, gap, *far)[0]
    with more_iterations():
        assert least_sum(u, gap, *far)[0] == pytest.approx(before, rel=1e-9)
