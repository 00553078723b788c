from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from certified import exact_margins, exactly, learned_networks, networks
from hypothesis import given
from hypothesis import strategies as st
from support import perfect_network

from modadd.certificates.channels import by_short_channels
from modadd.certificates.coarse import by_coarse_channels
from modadd.certificates.flips import LEAST, find_flips, margins_by_flips
from modadd.certificates.ladder import by_flips
from modadd.core.separable import Separable, margins


@given(st.one_of(networks(), learned_networks()))
def test_margins_from_flips_are_the_margins(network):
    margin, runner_up, error = margins_by_flips(find_flips(network))
    np.testing.assert_allclose(margin, margins(network.logits()), atol=1e-12)
    a, b = np.indices(margin.shape)
    gaps = network.logits()[a, b, (a + b) % network.modulus] - network.logits()[a, b, runner_up]
    np.testing.assert_allclose(gaps, margin, atol=1e-12)
    assert error < 1e-10
    certificate = by_flips(network)
    np.testing.assert_allclose(certificate.margin + certificate.rounding, margin, atol=1e-11)


@given(networks())
def test_errors_of_sums_over_flips_are_within_what_is_said(network):
    margin, _, error = margins_by_flips(find_flips(network))
    exact = exact_margins(*map(exactly, vars(network).values()))
    assert all(abs(Fraction(x) - y) <= 2 * error for x, y in zip(margin.ravel(), exact.ravel(), strict=True))


@given(st.one_of(networks(), learned_networks()))
def test_flips_are_where_the_signs_change(network):
    flips = find_flips(network)
    n = network.modulus
    for line, outer, inner in (
        (flips.along_b, flips.network.A, flips.network.B),
        (flips.along_a, flips.network.B, flips.network.A),
    ):
        for g, members in enumerate(flips.groups()):
            active = (
                outer[:, None, members] + inner[None, line.walk[g]][:, :, members] > 0
            )  # row, position on the walk, neuron
            before = np.concatenate([np.zeros_like(active[:, :1]), active[:, :-1]], axis=1)
            found = [
                set(line.event[slice(*line.first[step : step + 2])].tolist())
                for step in range(g * n * n, (g + 1) * n * n)
            ]
            for step, (row, position) in enumerate(np.ndindex(n, n)):
                turned = np.flatnonzero(active[row, position] != before[row, position])
                off = ~active[row, position, turned]
                assert found[step] == set((2 * (turned + members.start) + off).tolist())
    assert flips.count == sum(len(line.event) for line in flips.lines)


@given(learned_networks())
def test_equal_tables_are_walked_once_and_give_the_same(network):
    same = replace(network, B=network.A)
    flips = find_flips(same)
    assert flips.lines == [flips.along_b]
    np.testing.assert_allclose(margins_by_flips(flips)[0], margins(same.logits()), atol=1e-12)


def test_dead_neurons_are_left_out_and_what_they_can_add_is_counted():
    network, rng = perfect_network(n=9, frequencies=(1, 2, 4), m=8), np.random.default_rng(0)
    noise = lambda size, *shape: size * rng.normal(size=shape)
    A, B = (np.hstack([table, noise(1e-9, 9, 5)]) for table in (network.A, network.B))
    dead = Separable(A, B, np.vstack([network.W, noise(1e-9, 5, 9)]), network.C, network.D)
    flips = find_flips(dead)
    assert flips.count == find_flips(network).count and flips.neurons == network.width + 5
    added = np.maximum(dead.preactivations()[:, :, 24:], 0) @ dead.W[24:]
    assert 0 < np.abs(added).max() < flips.left_out < 1e-15
    stronger = replace(dead, A=dead.A * np.where(np.arange(29) < 24, 1, 1e7))
    assert find_flips(stronger).left_out == 0 and find_flips(stronger).network.width == 29


def test_frequencies_of_few_neurons_have_no_walk():
    network = perfect_network(n=9, frequencies=(1, 2), m=8)
    stray = np.cos(2 * np.pi * 4 * np.arange(9) / 9)[:, None]
    A, W = np.hstack([network.A, np.repeat(stray, LEAST - 1, axis=1)]), np.vstack([network.W, np.ones((LEAST - 1, 9))])
    odd = Separable(A, A, W, network.C, network.D)
    assert find_flips(odd).frequency.tolist() == [1, 2]
    np.testing.assert_allclose(margins_by_flips(find_flips(odd))[0], margins(odd.logits()), atol=1e-12)


def test_flips_of_a_clean_network_grow_with_its_lines_and_not_with_its_inputs():
    """A cosine crosses a level at most twice, and is on at the start of a walk or not."""
    for n in (31, 62):
        network = perfect_network(n=n, m=64)
        assert find_flips(network).count <= 3 * len(find_flips(network).lines) * n * network.width
        assert by_flips(network).operations < (n**3 + n**2) * network.width / 3


def test_entries_that_are_too_large_are_refused():
    network = perfect_network(n=5, frequencies=(1, 2), m=4)
    for certify in (by_flips, by_short_channels, by_coarse_channels):
        with pytest.raises(ValueError, match="nothing can be certified: W has an entry"):
            certify(replace(network, W=network.W * 2.0**490))


def test_sums_of_groups_stand_apart():
    network = perfect_network(n=9, frequencies=(1, 2, 4), m=8)
    flips = find_flips(network)
    assert (
        flips.frequency.tolist() == [1, 2, 4]
        and [members.stop - members.start for members in flips.groups()] == [8] * 3
    )
    grouped = flips.network
    apart = np.zeros((3, 9, 9, 9))
    flips.add(apart, grouped.A, grouped.B, grouped.W)
    for sums, members in zip(apart, flips.groups(), strict=True):
        act = np.maximum(grouped.preactivations()[:, :, members], 0)
        np.testing.assert_allclose(sums, act @ grouped.W[members], atol=1e-12)
    np.testing.assert_allclose(apart.sum(axis=0), network.logits() - network.residual(), atol=1e-12)
