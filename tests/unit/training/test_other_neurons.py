"""Neurons other than ReLUs, and their slopes, in closed form in float64."""

import numpy as np
import pytest
from scipy.special import expit, ndtr

from modadd.networks.architectures import ACTIVATIONS
from modadd.training.neurons import KINDS, activate, gain_slopes

pytestmark = pytest.mark.usefixtures("arithmetic")

U = np.concatenate([np.linspace(-40, 40, 4001), [0.0, -0.0, 1e-6, -1e-6, 150.0, -150.0]]).astype(np.float32)
HALF = (U / 2).astype(np.float32)


def test_every_activation_has_a_kind_of_its_own():
    assert KINDS.keys() == ACTIVATIONS.keys() and len(set(KINDS.values())) == len(KINDS)


CLOSED = {  # value and slope
    "abs": (np.abs, np.sign),
    "square": (np.square, lambda u: 2 * u),
    "softplus": (lambda u: np.logaddexp(0, u), expit),
    "gelu": (lambda u: u * ndtr(u), lambda u: ndtr(u) + u * np.exp(-u * u / 2) / np.sqrt(2 * np.pi)),
}


@pytest.mark.parametrize("name", CLOSED)
def test_value_and_slope_are_those_of_the_closed_form(name):
    u = (HALF + HALF).astype(np.float64)
    value, slope = (of(u) for of in CLOSED[name])
    active, first, second = (np.zeros_like(U) for _ in range(3))
    activate(KINDS[name], HALF, HALF, active)
    np.testing.assert_allclose(active, value, rtol=1e-7, atol=1e-37)
    gain_slopes(KINDS[name], HALF, HALF, np.full_like(U, 3), first, second)
    np.testing.assert_allclose(first, 3 * slope, rtol=2e-7, atol=1e-12)
    np.testing.assert_array_equal(first, second)


@pytest.mark.parametrize("name", CLOSED)  # `vector_relu` computes ReLU
def test_a_neuron_that_is_not_a_number_stays_so(name):
    u, active = np.full(3, np.nan, np.float32), np.zeros(3, np.float32)
    activate(KINDS[name], u, u, active)
    assert np.isnan(active).all()
