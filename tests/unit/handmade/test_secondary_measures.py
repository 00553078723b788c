"""What second harmonics do, on networks by hand where it is known."""

import numpy as np
import pytest

from modadd.core.fourier import overtone, variance_by_frequency
from modadd.handmade import secondary_measures
from modadd.handmade.build import Wave, hand_coded
from modadd.networks.registry import measured, measures_in, neurons_in

FREQUENCIES, NEURONS = [2, 3, 5], 24


@pytest.fixture(scope="module")
def own():
    return hand_coded(13, FREQUENCIES, NEURONS, Wave(0.2, 0.1))


@pytest.fixture(scope="module")
def found(own):
    return measured(own, measures_in(secondary_measures))


def test_without_second_harmonics_the_pizza_leads_and_no_identity_part_is_left(own, found):
    bare = hand_coded(13, FREQUENCIES, NEURONS, Wave(0.0, 0.1))
    np.testing.assert_allclose(secondary_measures.without_harmonics(own).A, bare.A, atol=1e-12)
    assert found["clock_lead_without_harmonics"] == pytest.approx(secondary_measures.clock_lead(bare, FREQUENCIES))
    assert found["clock_lead_without_harmonics"] < -0.1 < secondary_measures.clock_lead(own, FREQUENCIES) - 0.1
    assert found["identity_left_without_harmonics"] == pytest.approx(0, abs=1e-9)


def test_random_phases_keep_the_size_and_lose_the_effect(own, found):
    turned, k = secondary_measures.with_random_phases(own), neurons_in(own).frequency
    np.testing.assert_allclose(np.abs(overtone(turned.A, k, np.zeros(len(k)), 2)), 0.2)
    assert found["clock_lead_with_random_phases"] < 0


def test_the_control_changes_as_much_at_neither_k_nor_2k(own, found):
    changed, k = secondary_measures.changed_elsewhere(own), neurons_in(own).frequency
    added = variance_by_frequency(changed.A - own.A)
    np.testing.assert_allclose(added.sum(axis=0), 0.2**2 / 2)
    for multiple in (1, 2):
        line = np.minimum(multiple * k % 13, -multiple * k % 13)
        assert added[line, np.arange(len(k))].max() < 1e-20
    assert found["clock_lead_changed_elsewhere"] > 0


def test_a_network_without_second_harmonics_is_left_as_it_is():
    bare = hand_coded(13, FREQUENCIES, NEURONS)
    found = measured(bare, measures_in(secondary_measures))
    trained = secondary_measures.clock_lead(bare, FREQUENCIES)
    for name in ("clock_lead_without_harmonics", "clock_lead_with_random_phases", "clock_lead_changed_elsewhere"):
        assert found[name] == pytest.approx(trained), name
