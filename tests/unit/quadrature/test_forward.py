"""The forward pass against the one of the tests, and the difference of two tables."""

from dataclasses import replace

import numpy as np
import pytest
import torch
from support import native_logits

from modadd.quadrature.forward import forward_logits, largest_difference


@pytest.fixture
def network(untrained):
    """A transformer whose biases are no zeros."""
    rng = np.random.default_rng(1)
    drawn = {name: rng.normal(size=untrained.parameters[name].shape).astype(np.float32) for name in ("b_in", "b_out")}
    return replace(untrained, parameters=untrained.parameters | drawn)


def test_the_forward_pass_is_that_of_the_published_network(network):
    n = network.recipe.modulus
    pairs = torch.cartesian_prod(torch.arange(n), torch.arange(n))
    double = {name: torch.from_numpy(value).double() for name, value in network.parameters.items()}
    expected = native_logits(double, pairs).reshape(n, n, n).numpy()
    found = forward_logits(network)
    np.testing.assert_allclose(found, expected, atol=1e-12)
    assert largest_difference(found, network.separable().logits()) < 1e-12
    assert np.abs(found - found.swapaxes(0, 1)).max() > 1e-3, "the second number has a path of its own"


def test_a_difference_is_the_largest_by_size_over_the_largest_logit():
    logits = np.array([[1.0, -4.0], [2.0, 3.0]])
    assert largest_difference(logits + [[0.0, 0.5], [-1.0, 0.0]], logits) == pytest.approx(0.25)
