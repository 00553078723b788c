from dataclasses import replace

import numpy as np
import pytest
import torch
from certified import factored, learned_networks, networks
from hypothesis import given
from hypothesis import strategies as st
from support import perfect_network

from modadd.certificates.ball import (
    FORMATS,
    PRECISION,
    Adversary,
    Floats,
    errs_outside,
    largest_error,
    radius,
    rounded,
    scaled,
    smallest_wrong_weights,
    table_radius,
    weight_radius,
    worst_margins,
    worst_network,
)
from modadd.core.separable import Separable, accuracy, margins


@pytest.fixture
def by_hand(small):
    return factored(small["two_layer_mlp"])


def ball(network, rng, size):
    """How far the entries of the tables may move: each its own."""
    return Separable(*(size * rng.uniform(0, 1, table.shape) for table in vars(network).values()))


def at(network, moved, signs):
    """The network whose tables are moved so far, times the signs."""
    tables = zip(vars(network).values(), vars(moved).values(), signs, strict=True)
    return Separable(*(table + sign * by for table, by, sign in tables))


@given(st.one_of(networks(), learned_networks()), st.floats(0, 0.5), st.integers(0, 10**6))
def test_no_network_of_a_ball_has_a_smaller_margin_than_is_said(network, size, seed):
    rng = np.random.default_rng(seed)
    moved = ball(network, rng, size)
    worst = worst_margins(network, moved)
    for extreme in (False, True):
        signs = [rng.uniform(-1, 1, table.shape) for table in vars(network).values()]
        signs = [np.sign(sign) if extreme else sign for sign in signs]
        assert (worst <= margins(at(network, moved, signs).logits())).all()


@given(st.one_of(networks(), learned_networks()), st.floats(0, 0.5), st.integers(0, 10**6), st.data())
def test_the_worst_network_of_a_ball_is_as_bad_as_is_said(network, size, seed, data):
    moved, n = ball(network, np.random.default_rng(seed), size), network.modulus
    a, b = (data.draw(st.integers(0, n - 1)) for _ in range(2))
    wrong = [c for c in range(n) if c != (a + b) % n]
    worst = [margins_over(worst_network(network, moved, a, b, c), a, b, c) for c in wrong]
    assert min(worst) == pytest.approx(worst_margins(network, moved)[a, b], abs=1e-9)


def margins_over(network, a, b, c):
    """The right logit of an input less that of the answer c."""
    logits = network.logits()[a, b]
    return logits[(a + b) % network.modulus] - logits[c]


def test_just_outside_the_radius_a_network_errs_and_inside_none_does():
    network = perfect_network(n=13, frequencies=(1, 2, 5), m=12)
    inside = table_radius(network)
    assert 0.01 < inside < 1
    assert errs_outside(network, inside * (1 + 2 * PRECISION)), "the radius is exact"
    assert not errs_outside(network, inside)
    rng = np.random.default_rng(0)
    for _ in range(20):
        signs = [np.sign(rng.normal(size=table.shape)) for table in vars(network).values()]
        near = Separable(*(inside * np.abs(table) for table in vars(network).values()))
        assert accuracy(at(network, near, signs).logits()) == 1


def test_a_network_that_errs_has_no_ball():
    network = perfect_network(n=7, frequencies=(1, 2), m=8)
    assert table_radius(replace(network, W=-network.W)) == 0
    assert radius(network, lambda delta: network, allowance=1e9) == 0


def test_weights_within_their_radius_keep_every_answer(by_hand):
    inside = weight_radius(by_hand)
    assert 1e-3 < inside < table_radius(by_hand.separable())
    rng = np.random.default_rng(0)
    for _ in range(20):
        moved = {
            name: value * (1 + inside * np.sign(rng.normal(size=value.shape)))
            for name, value in by_hand.parameters.items()
        }
        assert accuracy(replace(by_hand, parameters=moved).separable().logits()) == 1


def test_an_adversary_stays_in_its_ball_and_finds_what_lies_above_the_certified_radius(by_hand):
    certified = weight_radius(by_hand)
    found = smallest_wrong_weights(by_hand, certified, steps=4, halvings=4)
    assert certified <= found < 1
    adversary = Adversary(by_hand)
    assert adversary.errs(found, steps=4) and not adversary.errs(certified, steps=4)
    smallest, wrong = min(adversary.networks(found, steps=4), key=lambda one: one[0])
    assert smallest == margins(wrong.separable().logits()).min() <= 0
    for name, value in by_hand.parameters.items():
        weight = value.astype(float)
        assert (np.abs(wrong.parameters[name] - weight) <= found * np.abs(weight) * (1 + 1e-12)).all()


@given(st.floats(2.0**-100, 2.0**100), st.integers(1, 9))
def test_rounding_to_a_format_is_off_by_half_a_unit_in_the_last_place(x, bits):
    format = Floats(bits, -100, 2.0**101)
    nearest = rounded(np.array([x, -x]), format)
    assert abs(nearest[0] - x) <= 2.0 ** -(bits + 1) * x and nearest[1] == -nearest[0]
    assert rounded(nearest, format)[0] == nearest[0]


@given(st.floats(-65504, 65504) | st.floats(-1e-3, 1e-3))
def test_float16_is_that_of_numpy_with_its_smallest_numbers(x):
    assert rounded(np.array([x]), FORMATS["float16"])[0] == float(np.float16(x))


def test_bfloat16_is_that_of_torch():
    x = torch.randn(2000, generator=torch.Generator().manual_seed(0)) * torch.logspace(-36, 37, 2000)
    np.testing.assert_array_equal(rounded(x.numpy(), FORMATS["bfloat16"]), x.bfloat16().double().numpy())


@pytest.mark.parametrize("name", ["float8 e4m3", "float4 e2m1"])
def test_few_bits_have_one_scale_and_so_many_numbers(name):
    format = FORMATS[name]
    every = np.unique(np.abs(rounded(np.linspace(0, 3.0, 2_000_001), format)))
    assert len(every) == {"float8 e4m3": 127, "float4 e2m1": 8}[name] and every[-1] == 3
    assert every[1] == pytest.approx(2.0 ** (format.least - format.bits) * 3 / format.largest)


def test_a_number_beyond_a_format_is_refused_and_a_move_is_a_share():
    with pytest.raises(ValueError, match="expected at most 65504, the largest number of the format, got 70000"):
        rounded(np.array([70000.0]), FORMATS["float16"])
    assert largest_error(np.array([0.0, 1.0, -2.0]), np.array([0.0, 0.0, -1.5])) == 1
    assert rounded(np.zeros(2), FORMATS["float8 e4m3"]).tolist() == [0, 0]


def test_integers_have_one_scale_for_a_parameter():
    assert scaled(np.array([-7.0, 0.4, 0.6, 3.0]), 7).tolist() == [-7.0, 0.0, 1.0, 3.0]
    assert scaled(np.zeros(2), 7).tolist() == [0.0, 0.0]
    assert rounded(np.array([1 + 2.0**-8, 0.0]), FORMATS["bfloat16"]).tolist() == [1.0, 0.0], (
        "a tie goes to the even number"
    )
