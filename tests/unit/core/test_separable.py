import numpy as np
import pytest
from support import perfect_network

from modadd.core.separable import Separable, accuracy, centred, margins


def with_bypass(network):
    """The same network with something in C and D."""
    rng = np.random.default_rng(0)
    n = network.modulus
    return Separable(network.A, 2 * network.B, network.W, rng.normal(size=(n, n)), rng.normal(size=(n, n)))


def test_logits_are_the_equation_written_out():
    network = with_bypass(perfect_network(m=3))
    n = network.modulus
    logits = network.logits()
    for a in range(n):
        for b in range(n):
            for c in range(n):
                neurons = sum(max(network.A[a, i] + network.B[b, i], 0) * network.W[i, c] for i in range(network.width))
                expected = neurons + network.C[a, c] + network.D[b, c]
                assert logits[a, b, c] == pytest.approx(expected, abs=1e-12), f"logit of answer {c} to {a} + {b}"


def test_absolute_identity_and_residual_parts_sum_to_the_logits():
    network = with_bypass(perfect_network())
    parts = network.absolute_part() + network.identity_part() + network.residual()
    np.testing.assert_allclose(parts, network.logits(), atol=1e-12, err_msg="ReLU(u) = |u|/2 + u/2")


def test_absolute_part_is_even_and_identity_part_is_odd_in_the_tables():
    network = with_bypass(perfect_network(m=3))
    negative = Separable(-network.A, -network.B, network.W, network.C, network.D)
    np.testing.assert_allclose(negative.absolute_part(), network.absolute_part(), atol=1e-12)
    np.testing.assert_allclose(negative.identity_part(), -network.identity_part(), atol=1e-12)
    assert np.abs(network.identity_part()).max() > 0.1, "three neurons leave an identity part"


def test_margins_and_accuracy_of_a_known_case():
    logits = np.zeros((2, 2, 2))
    logits[0, 0] = [3, 1]  # right by 2
    logits[0, 1] = [1, 1]  # a tie is not right
    logits[1, 0] = [5, 1]  # wrong by 4
    logits[1, 1] = [0.5, 0]
    before = logits.copy()
    assert margins(logits).tolist() == [[2, 0], [-4, 0.5]]
    assert accuracy(logits) == 0.5
    np.testing.assert_array_equal(logits, before, err_msg="looking must not change the logits")


def test_centring_removes_what_softmax_does_not_see():
    logits = np.random.default_rng(1).normal(size=(3, 3, 3))
    shift = np.arange(9.0).reshape(3, 3, 1)
    np.testing.assert_allclose(centred(logits + shift), centred(logits), atol=1e-12)
    np.testing.assert_allclose(centred(logits).mean(axis=-1), 0, atol=1e-12)


@pytest.mark.parametrize("frequencies", [(1,), (1, 2), (1, 2, 3)])
def test_perfect_network_answers_every_input_right(frequencies):
    logits = perfect_network(frequencies=frequencies).logits()
    assert accuracy(logits) == 1.0
    assert margins(logits).min() > 0
