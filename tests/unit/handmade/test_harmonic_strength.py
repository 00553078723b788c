import numpy as np
import pytest

from modadd.core.neurons import neurons_of
from modadd.handmade.build import Wave, hand_coded, with_harmonic, without

FREQUENCIES, NEURONS = [2, 3], 7


def network(secondary):
    return hand_coded(13, FREQUENCIES, NEURONS, Wave(secondary, 0.2))


@pytest.mark.parametrize("factor", [0.0, 0.5, 1.0, 2.0])
def test_a_factor_on_the_harmonic_is_another_secondary(factor):
    frequency = neurons_of(network(0.3)).frequency
    found, expected = with_harmonic(network(0.3), frequency, factor), network(0.3 * factor)
    np.testing.assert_allclose(found.A, expected.A, atol=1e-12)
    np.testing.assert_allclose(found.B, expected.B, atol=1e-12)
    np.testing.assert_array_equal(found.W, network(0.3).W, "only A and B are scaled")


def test_equal_norm_keeps_the_norm_of_both_tables_and_their_shape():
    own = network(0.3)
    frequency = neurons_of(own).frequency
    found, free = with_harmonic(own, frequency, 2.0, equal_norm=True), with_harmonic(own, frequency, 2.0)
    assert np.linalg.norm([found.A, found.B]) == pytest.approx(np.linalg.norm([own.A, own.B]))
    np.testing.assert_allclose(found.A / free.A, found.B[0, 0] / free.B[0, 0])
    np.testing.assert_allclose(with_harmonic(own, frequency, 0.0).A, without(own, frequency, 2).A)
