"""Rescaled neurons, and projections with either sign."""

import numpy as np
import pytest
from simple_networks import random_network, simple_network

from modadd.core.neurons import three_dfts
from modadd.crt.identities import projection_off, rescaling_changes
from modadd.crt.simple_neurons import fit_simple, replaced


def test_rescaling_by_positive_factors_changes_no_logit():
    network = random_network(7, 5)
    assert rescaling_changes(network, np.array([0.5, 1.0, 2.0, 0.1, 3.0])) < 1e-12


def test_turning_a_neuron_around_changes_a_logit_by_all_that_it_receives():
    """ReLU(−u) · (−w) − ReLU(u) · w = −|u| w."""
    network = random_network(5, 1)
    received = np.abs(network.A + network.B.T)  # of one neuron: a table of a and b
    assert rescaling_changes(network, np.array([-1.0])) == pytest.approx(received.max() * np.abs(network.W).max())


def test_a_projection_is_the_wave_with_one_sign_and_its_mirror_image_with_the_other():
    n, f, shifts = 7, 2, np.array([1, 3])
    network = simple_network(n, [f] * 2, shifts, np.array([0, 4]), r=1.5)
    fit = fit_simple(three_dfts(network))
    fitted = replaced(network, fit)
    assert projection_off(fit, fitted, 1) < 1e-9
    w, k = 2 * np.pi * f / n, np.arange(n)[:, None]
    mirrored = np.abs(1.5 * np.cos(w * (k + shifts)) - 1.5 * np.cos(w * (k - shifts)))
    assert projection_off(fit, fitted, -1) == pytest.approx(mirrored.max())
