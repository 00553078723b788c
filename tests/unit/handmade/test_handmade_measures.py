"""A network beside those written by hand: measures with known answers where it is one of them."""

from dataclasses import replace

import numpy as np
import pytest

from modadd.certificates.certify import certify
from modadd.core.losses import mean_loss
from modadd.core.separable import margins
from modadd.handmade import twin_measures as measures
from modadd.handmade.build import Wave, clarity, hand_coded
from modadd.handmade.smallest import four_neurons, two_neurons
from modadd.networks.registry import measured, measures_in

FREQUENCIES, NEURONS, WAVE = [2, 3], 9, Wave(0.1, 0.05)


@pytest.fixture(scope="module")
def own():
    return hand_coded(13, FREQUENCIES, NEURONS, WAVE)


def test_a_network_by_hand_is_its_own_twin(own):
    assert measures.wave_in(own) == pytest.approx(WAVE)
    assert measures.twin_over_trained(own) == pytest.approx(1)
    assert measures.harmonic_phase_error(own) == pytest.approx(0, abs=1e-12)


def test_a_second_harmonic_of_the_other_sign_is_half_a_turn_off():
    other = hand_coded(13, FREQUENCIES, NEURONS, Wave(-0.1, 0.05))
    assert measures.harmonic_phase_error(other) == pytest.approx(np.pi)


def test_the_best_strength_has_the_least_loss(own):
    factor, loss = measures.best_strength(own, equal_norm=True)
    assert 0 <= factor <= measures.STRONGEST
    assert loss <= mean_loss(own.logits())
    assert measures.loss_over_best_strength(own) == pytest.approx(mean_loss(own.logits()) / loss)


def test_a_network_that_is_wrong_somewhere_is_compared_with_nothing(own):
    wrong = replace(own, W=-own.W)
    compared = ("margin_without_harmonic", "twin_over_trained", "clarity_over_smallest")
    assert np.isnan([*measured(wrong, compared).values()]).all()


def test_a_network_of_nothing_has_these_measures_too():
    silent = hand_coded(7, [1], 4)
    silent = replace(silent, A=0 * silent.A, B=0 * silent.B, W=0 * silent.W)
    with np.errstate(divide="ignore", invalid="ignore"):
        found = measured(silent, measures_in(measures))
    assert np.isnan([found[name] for name in ("harmonic_phase_error", "twin_over_trained")]).all()


@pytest.mark.parametrize("wave", [WAVE, Wave(0.0, 0.0)])
def test_the_certificate_of_a_network_by_hand_loses_nothing_but_rounding(wave):
    network = hand_coded(13, FREQUENCIES, NEURONS, wave)
    proof = certify(network)
    np.testing.assert_allclose(proof.margin, proof.explained_margin, atol=1e-6)
    assert proof.margin.min() == pytest.approx(margins(network.logits()).min(), abs=1e-6)


def test_without_harmonic_is_the_network_that_has_none(own):
    bare = hand_coded(13, FREQUENCIES, NEURONS, Wave(0.0, 0.05))
    expected = clarity(bare)["relative margin"] / clarity(own)["relative margin"]
    assert measures.margin_without_harmonic(own) == pytest.approx(expected)


@pytest.mark.parametrize("smallest", [two_neurons, four_neurons])
def test_the_smallest_networks_are_at_most_as_clear_as_the_clearer_of_them(smallest):
    both = [clarity(of(13))["relative margin"] for of in (two_neurons, four_neurons)]
    expected = clarity(smallest(13))["relative margin"] / max(both)
    assert measures.clarity_over_smallest(smallest(13)) == pytest.approx(expected)
