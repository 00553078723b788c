import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from simple_networks import grid_network, random_network, silent_network

import modadd.crt.contributions
from modadd.core.separable import Separable, accuracy
from modadd.crt.contributions import blocks, cluster_ranks, contribution, ranks, share_right


@given(st.integers(3, 10), st.integers(0, 99))
def test_contributions_of_all_neurons_add_up_to_the_logits(n, seed):
    network = random_network(n, 6, seed)
    parts = [contribution(network, members) for members in (np.array([0, 3]), np.array([1, 2, 4]), np.array([5]))]
    np.testing.assert_allclose(sum(parts) + network.residual(), network.logits(), atol=1e-12)


@pytest.mark.parametrize(("n", "f"), [(13, 5), (12, 5), (12, 3)])
def test_a_cluster_of_all_shifts_adds_a_cosine_of_the_distance_from_the_right_answer(n, f):
    """K cos(w_f(c − a − b)), K > 0 ([C] §5.4); per neuron K is the (1, 1) line of ReLU(cos x + cos y)."""
    network = grid_network(n, [f], r=1.0, alpha=1.0)
    a, b, c = np.ogrid[:n, :n, :n]
    shape = np.cos(2 * np.pi * f * (c - a - b) / n)
    found = contribution(network, np.arange(network.width)) / network.width
    K = found[0, 0, 0]
    np.testing.assert_allclose(found, K * shape, atol=1e-12)
    if n == 13:
        x, y = np.cos(2 * np.pi * np.ogrid[:720, :720][0] / 720), np.cos(2 * np.pi * np.arange(720) / 720)
        line = (np.maximum(x + y, 0) * x * y).mean()
        assert K == pytest.approx(line, rel=0.02), "13 shifts are close to a continuum of them"


@given(st.integers(3, 9), st.integers(0, 99))
def test_rank_is_the_place_among_the_logits_sorted_by_value(n, seed):
    values = np.random.default_rng(seed).standard_normal((n, n, n))
    found = ranks(values)
    for a, b in np.ndindex(n, n):
        order = np.argsort(-values[a, b])
        assert order[found[a, b]] == (a + b) % n
    np.testing.assert_array_equal(ranks(values[1:], first=1), found[1:])
    assert (ranks(0 * values) == n - 1).all(), "what is silent answers nothing"


@pytest.mark.parametrize("numbers", [1, 60, 100, 2**20])
def test_block_by_block_gives_what_all_at_once_gives(monkeypatch, numbers):
    network = random_network(7, 9)
    network = Separable(network.A, network.B, network.W, network.C / 9, network.D)
    monkeypatch.setattr(modadd.crt.contributions, "_BLOCK", numbers)
    starts = [rows.start for rows in blocks(network)]
    assert len(starts) == (1 if numbers > 1000 else 7)
    clusters = {1: np.array([0, 5, 6]), 2: np.array([1, 2, 8])}
    found = cluster_ranks(network, clusters)
    for index, members in enumerate(clusters.values()):
        np.testing.assert_array_equal(found[index], ranks(contribution(network, members)))
    assert share_right(network) == accuracy(network.logits())


def test_no_neurons_contribute_nothing():
    assert (contribution(random_network(5, 3), np.array([], dtype=int)) == 0).all()


@given(st.integers(3, 12), st.integers(0, 99))
def test_share_right_is_the_accuracy(n, seed):
    network = random_network(n, 5, seed)
    assert share_right(network) == accuracy(network.logits())
    right = Separable(*(0 * table for table in (network.A, network.B, network.W)), network.C, network.D)
    assert share_right(right) == accuracy(right.logits())
    assert share_right(silent_network(n)) == 0, "equal logits are not right"
