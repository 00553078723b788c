"""The stages of the algorithm at one input, in a network that carries it out."""

import numpy as np
import pytest
from support import perfect_network

from modadd.core.separable import centred
from modadd.two_layer.algorithm import drawn_algorithm

N, KEY = 13, (1, 3, 4)


@pytest.fixture(scope="module")
def network():
    return perfect_network(N, KEY, m=8)


def angles(points):
    return np.unwrap(np.arctan2(points[:, 1], points[:, 0]))


def test_numbers_and_sums_go_around_a_circle_k_times(network):
    found = drawn_algorithm(network, 2, 5)
    k = found.frequencies[0]
    steps = 2 * np.pi * k / N
    for points in (found.numbers, found.sums):
        turned = np.exp(1j * angles(points)) * np.exp(-1j * steps * np.arange(N))
        np.testing.assert_allclose(turned, turned[0], atol=0.2, err_msg="each next number is a step further")
    assert np.square(found.sums).sum(axis=1).mean() == pytest.approx(1)


def test_the_waves_of_the_key_frequencies_are_the_logits(network):
    found = drawn_algorithm(network, 2, 5)
    assert sorted(found.frequencies) == sorted(KEY)
    np.testing.assert_allclose(found.logits, centred(network.logits())[2, 5])
    off = np.linalg.norm(found.waves.sum(axis=0) - found.logits) / np.linalg.norm(found.logits)
    assert off < 0.1
    assert found.waves.sum(axis=0).argmax() == 7
