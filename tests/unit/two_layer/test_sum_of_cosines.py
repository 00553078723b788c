"""The logits as a sum of cosines with weights, and with one weight for all ([M], "Understanding W_U")."""

import numpy as np
import pytest

from modadd.core.fourier import term
from modadd.core.separable import Separable
from modadd.two_layer.readout import power, powers_of_products, ranked, transform_2d
from modadd.two_layer.sum_of_cosines import restricted_to_sets, sum_of_cosines

KEY, N = [1, 3, 4], 11


def logits(weights):
    return sum(weight * term("clock", k, N) for weight, k in zip(weights, KEY, strict=True))


def test_equal_weights_explain_a_plain_sum():
    found = sum_of_cosines(logits([2, 2, 2]), KEY)
    assert found.weights == pytest.approx([2, 2, 2])
    assert (found.weighted, found.equal) == pytest.approx((1, 1))


def test_one_weight_for_all_is_the_fit_of_least_squares():
    values = logits([3, 1, -0.5]) + np.random.default_rng(0).normal(size=(N, N, N))
    values -= values.mean(axis=2, keepdims=True)
    plain = logits([1, 1, 1]).ravel()
    weight = plain @ values.ravel() / (plain @ plain)
    left = np.square(values.ravel() - weight * plain).sum() / np.square(values - values.mean()).sum()
    found = sum_of_cosines(values, KEY)
    assert found.equal == pytest.approx(1 - left)
    assert found.equal < found.weighted < 1
    assert found.weights.mean() == pytest.approx(weight)


def test_powers_of_products_are_those_of_the_cosines():
    powers = powers_of_products(power(transform_2d(logits([2, 1, 0.5]))))
    assert len(powers) == N // 2
    # Σ over a, b, c of weight² cos² = weight² n³/2
    expected = np.zeros(N // 2)
    expected[[k - 1 for k in KEY]] = np.square([2, 1, 0.5]) * N**3 / 2
    assert powers == pytest.approx(expected, abs=1e-9)
    assert ranked(powers).key_frequencies == KEY


def test_restriction_keeps_the_norm_and_the_logits_of_its_frequencies():
    n, h = 7, 12
    rng = np.random.default_rng(2)
    k, phase = rng.integers(1, 3, h), rng.uniform(0, 2 * np.pi, h)
    angle = 2 * np.pi * np.arange(n)[:, None] * k / n
    A, W = np.cos(angle + phase), np.cos(angle + 2 * phase).T
    network = Separable(A=A, B=A, W=W, C=np.zeros((n, n)), D=np.zeros((n, n)))
    table = restricted_to_sets(network, {"both": [1, 2], "one": [1], "none of them": [3]})
    assert table["‖W_U‖"].tolist() == pytest.approx([np.linalg.norm(W)] * 3)
    assert table["‖W_U restricted‖"]["one"] == pytest.approx(np.linalg.norm(W[k == 1]))
    assert table.ratio.tolist() == pytest.approx([1, np.linalg.norm(W[k == 1]) / np.linalg.norm(W), 0], abs=1e-9)
    assert table["R², weighted"]["one"] < table["R², weighted"]["both"] <= 1
    assert (table["R², equal"] <= table["R², weighted"] + 1e-12).all()


def test_functions_of_one_input_are_no_products():
    f = np.cos(2 * np.pi * 3 * np.arange(N) / N)
    linear = power(transform_2d(f[:, None] + f[None, :] ** 2))
    assert powers_of_products(linear) == pytest.approx(np.zeros(N // 2), abs=1e-9)
