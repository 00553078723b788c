from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from simple_networks import beside
from support import refuses

from modadd.core.fourier import overtone
from modadd.core.neurons import neurons_of
from modadd.core.separable import margins
from modadd.handmade.build import (
    PLAIN,
    Wave,
    ablations,
    angles,
    clarity,
    hand_coded,
    relative_margins,
    scale,
    second_harmonics,
    smallest_margin_by_difference,
    wave_of,
    without,
)

amounts = st.floats(-0.5, 0.5)


# Arguments only: the shape checks draw from `random`, which a strategy may not.
arguments = st.sampled_from([7, 11]).flatmap(
    lambda n: st.fixed_dictionaries(
        {
            "n": st.just(n),
            "frequencies": st.lists(st.integers(1, n // 2), min_size=1, max_size=3, unique=True),
            "neurons_per_frequency": st.integers(1, 6),
            "wave": st.builds(Wave, amounts, amounts),
        }
    )
)


@given(arguments)
def test_every_entry_is_the_formula_written_out(asked):
    network, n, h = hand_coded(**asked), asked["n"], asked["neurons_per_frequency"]
    for i in range(network.width):
        k, phi = asked["frequencies"][i // h], 2 * np.pi * (i % h) / h
        for x in range(n):
            t = 2 * np.pi * k * x / n + phi
            table = np.cos(t) - asked["wave"].secondary * np.cos(2 * t) + asked["wave"].constant
            assert network.A[x, i] == network.B[x, i] == pytest.approx(table, abs=1e-12)
            assert network.W[i, x] == pytest.approx(np.cos(t + phi), abs=1e-12), "ψ = 2φ"
    assert not network.C.any() and not network.D.any()


@given(arguments)
def test_overtones_are_the_wave(asked):
    network, frequencies, h = hand_coded(**asked), asked["frequencies"], asked["neurons_per_frequency"]
    k, phi = np.repeat(frequencies, h), np.tile(angles(h), len(frequencies))
    found = [overtone(network.A, k, phi, multiple) for multiple in range(3)]
    for z, expected in zip(found, (asked["wave"].constant, 1, -asked["wave"].secondary), strict=True):
        np.testing.assert_allclose(z, expected, atol=1e-12)
    np.testing.assert_allclose(overtone(network.W.T, k, phi, 2), 0, atol=1e-12, err_msg="W has no second harmonic")


def test_overtone_at_half_the_modulus_counts_its_line_once():
    table = 3 * np.cos(np.pi * np.arange(8))[:, None]
    assert overtone(table, np.array([2]), np.array([0.0]), 2) == pytest.approx(3)


@given(amounts, amounts)
def test_wave_of_a_network_built_by_hand_is_its_own(secondary, constant):
    network = hand_coded(11, (1, 3), 5, Wave(secondary, constant))
    doubled = replace(network, B=2 * network.B, W=np.arange(1, 11)[:, None] * network.W)
    neurons = neurons_of(doubled)
    found = wave_of(doubled, neurons, np.ones(10, bool))
    assert found == pytest.approx((secondary, constant), abs=1e-12), "relative to the neuron's own cosine"


def test_wave_of_leaves_out_what_is_not_a_member():
    network = beside(hand_coded(11, (1,), 5, Wave(0.1, 0.2)), hand_coded(11, (3,), 5, Wave(0.3, 0.0)))
    neurons = neurons_of(network)
    assert wave_of(network, neurons, neurons.frequency == 1) == pytest.approx((0.1, 0.2))
    assert wave_of(network, neurons, neurons.frequency == 3) == pytest.approx((0.3, 0.0), abs=1e-12)


@pytest.mark.parametrize(("multiple", "left"), [(0, Wave(0.12, 0.0)), (2, Wave(0.0, 0.2))])
def test_without_removes_that_multiple_and_nothing_else(multiple, left):
    network = hand_coded(11, (2, 5), 6, Wave(0.12, 0.2))
    found = without(network, np.repeat([2, 5], 6), multiple)
    expected = hand_coded(11, (2, 5), 6, left)
    for table in "ABW":
        np.testing.assert_allclose(getattr(found, table), getattr(expected, table), atol=1e-12)


def test_without_reaches_into_W_and_leaves_C_and_D():
    network = hand_coded(7, (1,), 5)
    second = np.cos(4 * np.pi * np.arange(7) / 7)
    found = without(replace(network, W=network.W + second, C=network.C + 3), np.ones(5, int), 2)
    np.testing.assert_allclose(found.W, network.W, atol=1e-12)
    assert (found.C == 3).all()


@given(amounts, amounts)
def test_second_harmonics_of_a_network_built_by_hand_are_its_wave(secondary, constant):
    network = hand_coded(11, (1, 3), 5, Wave(secondary, constant))
    doubled = replace(network, A=2 * network.A, B=2 * network.B, W=3 * network.W)
    neurons = neurons_of(doubled)
    found = second_harmonics(doubled, neurons, neurons.frequency == 3)
    assert found.frequency.tolist() == [3] * 5
    expected = {"weight": 6, "Re A": -secondary, "Re B": -secondary, "s": secondary, "c": constant}
    for name in found.columns[1:]:
        np.testing.assert_allclose(found[name], expected.get(name, 0.0), atol=1e-12, err_msg=name)


def test_second_harmonic_of_W_is_read_at_the_phase_psi():
    network = hand_coded(11, (1,), 5)
    turn = 4 * np.pi * np.arange(11) / 11
    shifted = replace(network, W=network.W + 0.1 * np.cos(turn + 2 * angles(5)[:, None] + 0.5))
    neurons = neurons_of(shifted)
    found = second_harmonics(shifted, neurons, np.ones(5, bool))
    np.testing.assert_allclose(found["Re W"] + 1j * found["Im W"], 0.1 * np.exp(0.5j), atol=1e-12)


def test_ablations_remove_what_their_names_say():
    network = replace(hand_coded(11, (2, 5), 6, Wave(0.12, 0.2)), C=np.eye(11), D=np.eye(11))
    found = ablations(network, np.repeat([2, 5], 6))
    left = {
        "as trained": Wave(0.12, 0.2),
        "without second harmonics": Wave(0.0, 0.2),
        "without constants": Wave(0.12, 0.0),
        "without both": PLAIN,
    }
    assert list(found) == [(name, streams) for streams in ("with C, D", "without C, D") for name in left]
    for (name, streams), one in found.items():
        np.testing.assert_allclose(one.A, hand_coded(11, (2, 5), 6, left[name]).A, atol=1e-12, err_msg=name)
        assert one.C.any() == one.D.any() == (streams == "with C, D")
    assert found["as trained", "with C, D"] is network


def test_clarity_and_margins_by_difference_are_those_of_all_inputs():
    network = hand_coded(11, (1, 4), 4, Wave(0.1, 0.2))
    every = {(a, b): 0.0 for a in range(11) for b in range(11)}
    for a, b in every:
        logits = network.logits()[a, b]
        every[a, b] = (logits[(a + b) % 11] - np.delete(logits, (a + b) % 11).max()) / scale(network)
    np.testing.assert_allclose(relative_margins(network), np.reshape(list(every.values()), (11, 11)))
    least = [min(margin for (a, b), margin in every.items() if (a - b) % 11 in (d, 11 - d)) for d in range(6)]
    least[0] = min(every[a, a] for a in range(11))
    np.testing.assert_allclose(smallest_margin_by_difference(network), least)
    right = np.mean([margin > 0 for margin in every.values()])
    assert clarity(network) == pytest.approx({"relative margin": min(every.values()), "accuracy": right})
    assert 0 < right < 1, "four nodes cannot tell an answer from its negative"


@given(amounts, amounts, st.floats(0.1, 3))
def test_scale_charges_for_harmonic_and_constant(secondary, constant, amplitude):
    wave = Wave(secondary, constant)
    network = hand_coded(11, (1, 4), 5, wave)
    assert scale(replace(network, W=amplitude * network.W)) == pytest.approx(10 * amplitude * wave.strength)


def test_scale_does_not_see_what_the_softmax_does_not_see():
    network = hand_coded(7, (1, 2), 5)
    assert scale(replace(network, W=network.W + 5, C=network.C + 3)) == pytest.approx(scale(network))


@pytest.mark.parametrize(
    ("arguments", "fragments"),
    [
        ({"n": 2}, ["n:", "at least 3", "got 2"]),
        ({"frequencies": []}, ["frequencies:", "at least one"]),
        ({"frequencies": [0]}, ["frequencies:", "1 … ⌊n/2⌋ = 5 for n = 11", "got 0"]),
        ({"frequencies": [1, 6]}, ["frequencies:", "1 … ⌊n/2⌋ = 5 for n = 11", "got 6"]),
        ({"frequencies": [3, 1, 3]}, ["frequencies:", "each once", "3, 1, 3"]),
        ({"neurons_per_frequency": 0}, ["neurons_per_frequency:", "positive", "got 0"]),
        ({"wave": Wave(float("nan"))}, ["secondary:", "finite", "nan"]),
        ({"wave": Wave(0.0, float("inf"))}, ["constant:", "finite", "inf"]),
    ],
)
def test_what_is_no_such_network_is_refused(arguments, fragments):
    with refuses(*fragments):
        hand_coded(**{"n": 11, "frequencies": [1, 3], "neurons_per_frequency": 5} | arguments)


@given(st.lists(st.floats(0.1, 10), min_size=10, max_size=10))
def test_scale_and_margin_do_not_change_when_a_neuron_moves_weight_from_input_to_output(factors):
    network = hand_coded(11, (1, 4), 5, Wave(0.1, 0.1))
    f = np.array(factors)
    moved = replace(network, A=network.A * f, B=network.B * f, W=network.W / f[:, None])
    assert scale(moved) == pytest.approx(scale(network))
    np.testing.assert_allclose(margins(moved.logits()), margins(network.logits()), atol=1e-9)
    norm = ((moved.A**2).sum() + (moved.B**2).sum() + (moved.W**2).sum()) * np.sqrt(2) / 2 / 11
    assert norm >= scale(network) - 1e-9, "half the squared norm is least where inputs and outputs are balanced"


def test_a_neuron_of_a_third_of_the_modulus_keeps_its_own_wave():
    network = hand_coded(12, (4, 5), 16)
    bare = without(network, np.repeat((4, 5), 16), 2)
    np.testing.assert_allclose(bare.A, network.A, atol=1e-12)
