"""Terms of the preactivations of a network whose neurons are cosines."""

from dataclasses import replace

import numpy as np
import pytest
from support import perfect_network

from modadd.two_layer.preactivations import shares_before_relu


def test_a_sum_has_no_products_and_is_linear_at_the_key_frequencies():
    network = perfect_network(13, (1, 3, 4), m=8)
    assert shares_before_relu(network) == pytest.approx({"linear": 1, "quadratic": 0, "rest": 0}, abs=1e-9)


def test_what_the_readout_does_not_have_is_rest():
    """Half of the power of A and B stands at a frequency that W_U lacks."""
    network = perfect_network(13, (1, 3), m=8)
    other = perfect_network(13, (2, 5), m=8)
    tables = {name: np.hstack([getattr(network, name), getattr(other, name)]) for name in "AB"}
    both = replace(network, **tables, W=np.vstack([network.W, 0 * other.W]))
    assert shares_before_relu(both) == pytest.approx({"linear": 0.5, "quadratic": 0, "rest": 0.5}, abs=1e-9)
