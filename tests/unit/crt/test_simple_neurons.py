from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from simple_networks import random_network, silent_network, simple_network

from modadd.core.neurons import three_dfts
from modadd.core.separable import Separable
from modadd.crt.simple_neurons import LIMITS, fit_simple, kinds, postactivation_r_squared, r_squared, replaced

moduli_and_frequencies = st.integers(3, 40).flatmap(lambda n: st.tuples(st.just(n), st.integers(1, n // 2)))


@given(moduli_and_frequencies, st.data())
def test_frequency_shifts_and_scales_of_simple_neurons_are_regained(case, data):
    n, f = case
    period = n // np.gcd(f, n)
    s_A, s_B = (np.array(data.draw(st.lists(st.integers(0, n - 1), min_size=3, max_size=3))) for _ in "AB")
    network = simple_network(n, [f] * 3, s_A, s_B, r=1.5, alpha=0.5)
    for whole in (True, False):
        fit = fit_simple(three_dfts(network), whole)
        assert fit.frequency.tolist() == [f] * 3
        for found, made in ((fit.s_A, s_A), (fit.s_B, s_B)):
            off = (found - made + period / 2) % period - period / 2
            np.testing.assert_allclose(
                off, 0, atol=1e-9, err_msg="shifts are known up to the cosets of order gcd(f, n)"
            )
        np.testing.assert_allclose(fit.r, 1.5)
        np.testing.assert_allclose(fit.alpha, 0.5)
        fitted = replaced(network, fit)
        for name in "ABW":
            np.testing.assert_allclose(getattr(fitted, name), getattr(network, name), atol=1e-9)


@given(moduli_and_frequencies, st.floats(0, 40), st.floats(0, 40))
def test_shifts_between_residues_are_kept_unless_whole_ones_are_asked_for(case, s_A, s_B):
    n, f = case
    if 2 * f == n:  # on the Nyquist line a shift between residues is a smaller amplitude
        return
    network = simple_network(n, f, s_A, s_B)
    dfts = three_dfts(network)
    np.testing.assert_allclose(replaced(network, fit_simple(dfts)).A, network.A, atol=1e-9)
    whole = fit_simple(dfts, whole=True)
    for shift in (whole.s_A, whole.s_B):
        assert shift[0] == round(shift[0]) and 0 <= shift[0] < n // np.gcd(f, n)
    turn = 2 * np.pi * np.gcd(f, n) / n  # between the phases of neighbouring whole shifts
    assert whole.r[0] >= 1.5 * np.cos(turn / 2) - 1e-9, "the nearest whole shift is at most half a turn off"


@given(st.integers(3, 14), st.integers(0, 99))
def test_scales_are_those_of_least_squares(n, seed):
    network = random_network(n, 4, seed)
    dfts = three_dfts(network)
    fit = fit_simple(dfts)

    def left(fitted):
        tables = zip((network.A, network.B, network.W.T), (fitted.A, fitted.B, fitted.W.T), strict=True)
        return [np.square(table - table.mean(axis=0) - fit).sum(axis=0) for table, fit in tables]

    best = left(replaced(network, fit))
    for change in (-0.01, 0.01):
        wider = left(replaced(network, replace(fit, r=fit.r + change)))
        stronger = left(replaced(network, replace(fit, alpha=fit.alpha + change)))
        assert (wider[0] + wider[1] > best[0] + best[1]).all()
        assert (stronger[2] > best[2]).all()


def hand_made(change=lambda x, A, B, W: None, n=13):
    """Four equal simple neurons, the first of them changed in place; x is the angle of frequency 1."""
    network = simple_network(n, [2] * 4, [1, 2, 3, 4], [5, 6, 7, 8])
    A, B, W = (table.copy() for table in (network.A, network.B, network.W))
    change(2 * np.pi * np.arange(n) / n, A[:, 0], B[:, 0], W[0])
    return Separable(A, B, W, network.C, network.D)


def kind_of(network, **options):
    """The kinds of the first neuron, by name; the others must stay simple."""
    found = kinds(three_dfts(network), **options)
    assert found.simple[1:].all() and not found.idle[1:].any()
    return [name for name, mask in found._asdict().items() if mask[0]]


def line(size, k):
    """Adds a second DFT line, `size` times the first, to A."""

    def change(x, A, B, W):
        A += size * 1.5 * np.cos(k * x)

    return change


def turned(angle, scale=1.0):
    """Turns the phase of W by an angle in radians, and scales it."""

    def change(x, A, B, W):
        W[:] = scale * 0.5 * np.cos(2 * x - 2 * 2 * np.pi * 6 / 13 + angle)

    return change


def dead(table, constant=0.0, swing=0.0):
    def change(x, A, B, W):
        {"A": A, "B": B}[table][:] = constant + swing * np.cos(2 * x)

    return change


def weaker(scale):
    def change(x, A, B, W):
        B *= scale

    return change


def second_of_W(size):
    def change(x, A, B, W):
        W += size * 0.5 * np.cos(4 * x)

    return change


@pytest.mark.parametrize(
    ("change", "kind"),
    [
        (lambda x, A, B, W: None, ["simple"]),
        (line(0.29, 3), ["simple"]),
        (line(0.31, 3), ["fine_tuning"]),
        (turned(0.45), ["simple"]),
        (turned(-0.45), ["simple"]),
        (turned(0.55), ["other"]),
        (turned(np.pi), ["other"]),
        (weaker(0.81), ["simple"]),
        (weaker(0.79), ["other"]),
        (weaker(-0.9), ["other"]),
        (turned(0, scale=0.0055), ["simple"]),
        (turned(0, scale=0.0045), ["simple", "idle"]),
        (dead("A"), ["dead"]),
        (dead("B", constant=-3.0), ["dead"]),
        (dead("A", swing=0.09), ["dead"]),
        (second_of_W(0.9), ["simple"]),
        (second_of_W(1.1), ["other"]),
    ],
)
def test_every_neuron_is_of_the_kind_it_was_made(change, kind):
    assert kind_of(hand_made(change)) == kind


@pytest.mark.parametrize(("size", "kind"), [(0.29, ["simple"]), (0.31, ["other"])])
def test_the_strict_test_wants_a_single_line_of_W_too(size, kind):
    assert kind_of(hand_made(second_of_W(size)), lines_of_W=True) == kind


def test_other_lines_are_measured_against_the_line_at_the_own_frequency():
    dfts = three_dfts(hand_made(second_of_W(0.4)))
    np.testing.assert_allclose(dfts.beside_W, [0.4, 0, 0, 0], atol=1e-12)
    assert dfts.second_W[0] == 4
    np.testing.assert_allclose([dfts.beside_A, dfts.beside_B], 0, atol=1e-12)
    np.testing.assert_allclose(three_dfts(hand_made(line(0.4, 3))).beside_A[0], 0.4)


@given(st.integers(3, 20), st.integers(1, 12), st.integers(0, 99))
def test_every_neuron_is_of_exactly_one_kind(n, h, seed):
    found = kinds(three_dfts(random_network(n, h, seed)))
    np.testing.assert_array_equal(np.sum([found.dead, found.simple, found.fine_tuning, found.other], axis=0), 1)
    assert not (found.idle & found.dead).any()
    np.testing.assert_array_equal(found.alive, ~found.dead)


def test_a_network_that_does_nothing_is_dead():
    network = silent_network(5, 3)
    dfts = three_dfts(network)
    assert kinds(dfts).dead.all() and not kinds(dfts).idle.any()
    explained = r_squared(network, replaced(network, fit_simple(dfts)))
    assert explained.preactivation.tolist() == explained.W.tolist() == [0, 0, 0]


def test_what_enters_and_what_leaves_any_other_neuron_is_explained_in_part():
    network = random_network(9, 5)
    fitted = replaced(network, fit_simple(three_dfts(network)))
    assert fitted.C is network.C and fitted.D is network.D
    explained, share = r_squared(network, fitted), lambda made, fits: 1 - (made - fits).var(axis=0) / made.var(axis=0)
    enters = (of.preactivations().reshape(81, 5) for of in (network, fitted))
    np.testing.assert_allclose(explained.preactivation, share(*enters))
    np.testing.assert_allclose(explained.W, share(network.W.T, fitted.W.T))
    constant = network.preactivations().mean(axis=(0, 1))
    made, fits = np.maximum(network.preactivations(), 0), np.maximum(fitted.preactivations() + constant, 0)
    leaves = share(made.reshape(81, 5), fits.reshape(81, 5))
    np.testing.assert_allclose(postactivation_r_squared(network, fitted), leaves)


@pytest.mark.parametrize(("limit", "kind"), [(0.3, ["fine_tuning"]), (0.5, ["simple"])])
def test_limits_are_parameters(limit, kind):
    assert kind_of(hand_made(line(0.4, 3)), limits=replace(LIMITS, second_line=limit)) == kind


def test_a_neuron_that_lacks_its_own_line_on_one_side_has_others_without_measure():
    def change(x, A, B, W):
        A[:], B[:] = np.cos(np.arange(13) % 2 * np.pi), 0.0  # the frequency is A's; B is silent
        W[:] = 0.0

    dfts = three_dfts(hand_made(change))
    assert dfts.beside_B[0] == 0 and dfts.beside_W[0] == 0 and dfts.ratio[0] == 0 and dfts.weight[0] == 0


def test_what_leaves_a_simple_neuron_is_explained_with_its_constant():
    network = simple_network(13, [2, 5, 3], [1, 4, 0], [3, 3, 2])
    moved = replace(network, A=network.A + [0.3, -0.4, -9])
    explained = postactivation_r_squared(moved, replaced(moved, fit_simple(three_dfts(moved))))
    np.testing.assert_allclose(explained, [1, 1, 0], atol=1e-9, err_msg="the last one never fires")
