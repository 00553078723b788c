"""Networks by hand, of which it is known what an intervention must do."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from simple_networks import random_network, silent_network

from modadd.core.fourier import cosine_at
from modadd.core.losses import mean_loss
from modadd.core.separable import Separable, accuracy, margins
from modadd.crt import control_measures as measured
from modadd.crt import interventions
from modadd.crt.contributions import contribution, share_of_logits
from modadd.crt.interventions import Answers, answered, interventions_on, subject_of, typical

N, FREQUENCIES, EACH = 13, [2, 3, 5], 8


def hand_made(scale=3.0, second=0.3, repeats=1):
    """ψ = 2φ with even angles; second harmonics at 2φ + π; `repeats` equal neurons at each angle."""
    k = np.repeat(FREQUENCIES, EACH * repeats)
    phi = 0.1 + np.tile(np.repeat(2 * np.pi * np.arange(EACH) / EACH, repeats), len(FREQUENCIES))
    t = 2 * np.pi * np.outer(np.arange(N), k) / N
    table, nothing = scale * (np.cos(t + phi) - second * np.cos(2 * (t + phi))), np.zeros((N, N))
    return Separable(table, table, np.cos(t + 2 * phi).T / repeats, nothing, nothing)


def looked_at(network):
    return subject_of(network, network.modulus**2)


def by_name(network):
    return {(one.name, one.control): one for one in interventions_on(looked_at(network))}


@given(st.integers(3, 9), st.integers(0, 99))
def test_answers_are_loss_accuracy_and_smallest_margin_over_all_inputs(n, seed):
    network = random_network(n, 5, seed)
    logits, found = network.logits(), looked_at(network).answers(network)
    assert found.loss == pytest.approx(mean_loss(logits), rel=1e-5)
    assert found.accuracy == accuracy(logits)
    assert found.margin == pytest.approx(margins(logits).min(), rel=1e-4, abs=1e-4)


def test_a_loss_below_the_last_bit_of_one_is_exact():
    logits = np.array([[60.0, 0.0, 0.0], [0.0, 60.0, 0.0]])
    assert answered(logits, np.array([0, 1])).loss == pytest.approx(2 * np.exp(-60))
    assert answered(logits, np.array([1, 0])).loss == pytest.approx(60)


def test_every_neuron_of_a_hand_made_network_fits_and_a_stray_one_does_not():
    network = hand_made()
    assert looked_at(network).fits.all() and looked_at(network).key == FREQUENCIES
    psi = np.angle(np.fft.fft(network.W, axis=1)[np.arange(24), np.repeat(FREQUENCIES, EACH)])
    psi[4] += np.pi / 2
    stray = interventions.with_psi(network, np.repeat(FREQUENCIES, EACH), psi)
    assert np.flatnonzero(~looked_at(stray).fits).tolist() == [4]


def test_removing_neurons_takes_their_contribution():
    network, members = random_network(7, 5), np.array([1, 3])
    found = interventions.without_neurons(network, members).logits()
    np.testing.assert_allclose(found, network.logits() - contribution(network, members), atol=1e-12)


@pytest.mark.parametrize(("n", "k"), [(7, 2), (7, 5), (7, 9), (8, 4), (7, 0)])
def test_a_line_is_taken_out_turned_and_left_alone(n, k):
    table, f = np.random.default_rng(0).standard_normal((n, 3)), np.full(3, k)
    out = interventions.with_line(table, f, np.zeros(3))
    lines, before = np.fft.fft(out, axis=0), np.fft.fft(table, axis=0)
    assert np.abs(lines[k % n]).max() < 1e-12
    others = [u for u in range(n) if u not in (k % n, -k % n)]
    np.testing.assert_allclose(lines[others], before[others], atol=1e-12)
    np.testing.assert_allclose(interventions.with_line(table, f, np.ones(3)), table, atol=1e-12)
    if 2 * k % n:
        turned = interventions.with_line(table, f, np.full(3, np.exp(0.7j)))
        np.testing.assert_allclose(np.fft.fft(turned, axis=0)[k % n], before[k % n] * np.exp(0.7j), atol=1e-12)
        np.testing.assert_allclose(interventions.phases(table, f), np.angle(before[k % n]), atol=1e-12)


def test_psi_is_what_it_is_set_to():
    network, f, psi = random_network(9, 4), np.array([1, 2, 3, 4]), np.array([0.1, -2.0, 3.0, 1.0])
    before, after = (cosine_at(of.W.T, f) for of in (network, interventions.with_psi(network, f, psi)))
    np.testing.assert_allclose(after.phase, psi)
    np.testing.assert_allclose(after.amplitude, before.amplitude)


def test_pairs_exchange_their_rows_and_an_odd_one_keeps_its_own():
    network = random_network(5, 5)
    found = interventions.exchanged(network, [np.array([4, 0, 2]), np.array([1, 3])]).W
    np.testing.assert_array_equal(found, network.W[[4, 3, 2, 1, 0]])


def test_a_projection_keeps_its_frequencies_alone():
    x = np.arange(12)
    wave = lambda k: np.cos(2 * np.pi * k * x / 12 + 0.4)
    kept = interventions.projection([1, 6], 12) @ (5 + wave(1) + wave(2) + wave(6))
    np.testing.assert_allclose(kept, wave(1) + wave(6), atol=1e-12)
    assert (interventions.projection([], 5) == 0).all()


def test_logits_that_are_waves_of_the_sum_are_their_mean_by_sum():
    n = 7
    a, b, c = np.ogrid[:n, :n, :n]
    found = interventions.by_sum(np.cos(2 * np.pi * (a + b - c) / n) + np.cos(2 * np.pi * (a - b) / n))
    np.testing.assert_allclose(found, np.cos(2 * np.pi * np.subtract.outer(np.arange(n), np.arange(n)) / n), atol=1e-12)


def test_shuffled_phases_destroy_a_hand_made_network_and_the_law_changes_nothing():
    of = by_name(hand_made())["ψ set to φ_a + φ_b", "ψ shuffled in a frequency"]
    found = measured.effects_of_one(of, looked_at(hand_made()).answers(hand_made()), 20)
    assert found["loss ratio"].real == pytest.approx(1, rel=1e-3)
    assert found["loss ratio"].share == 0
    assert found["accuracy"].real == 1
    assert found["accuracy"].high < 0.7, "a network without its law must not answer"


def test_exchanging_equal_neurons_changes_nothing():
    network = hand_made(repeats=2)
    of = by_name(network)["W of neighbours in ψ exchanged", "any pairs"]
    trained = looked_at(network).answers(network)
    assert of.real().loss == pytest.approx(trained.loss, rel=1e-3)
    (random,) = of.random(1)
    assert random.loss > 10 * trained.loss


def test_key_waves_hold_a_hand_made_network():
    network = hand_made()
    found = by_name(network)
    trained = looked_at(network).answers(network)
    assert found["W on the key frequencies", "random frequencies"].real().loss == pytest.approx(trained.loss, rel=1e-3)
    assert found["logits on their waves of a + b", "random frequencies"].real().accuracy == 1
    assert found["logits without these waves", "random frequencies"].real().accuracy < 0.5


def test_noise_of_nothing_changes_nothing_and_its_size_is_sigma():
    network, members = random_network(31, 40), np.arange(30)
    noisy = interventions.noisy(network, members, 0.2, np.random.default_rng(0))
    np.testing.assert_array_equal(noisy.A[:, 30:], network.A[:, 30:])
    for name in ("A", "B", "W"):
        ratio = np.log(getattr(noisy, name) / getattr(network, name))
        assert ratio[ratio != 0].std() == pytest.approx(0.2, rel=0.05)


def test_networks_that_do_nothing_have_interventions_too():
    for network in (silent_network(), random_network(7, 4)):
        assert len(measured.effects_of(looked_at(network), draws=3)) >= 3 * 13
    assert np.isnan(share_of_logits(silent_network(), np.array([0])))
    assert share_of_logits(hand_made(), np.arange(24)) == pytest.approx(1)


def test_comparisons_count_draws_at_least_as_strong():
    found = measured.effect(3.0, [1.0, 2.0, 3.0, 4.0], larger=True)
    assert found == pytest.approx((3, 2.5, 1.075, 3.925, 0.5))
    assert measured.effect(3.0, [1.0, 2.0, 3.0, 4.0], larger=False).share == 0.75
    assert np.isnan([measured.effect(*of, larger=True).share for of in ((np.nan, [1.0]), (3.0, [1.0, np.nan]))]).all()
    assert typical([Answers(1.0, 0.5, 1.0), Answers(4.0, 1.0, 2.0)]) == (pytest.approx(2), 0.75, 1.5)


def test_some_inputs_are_looked_at_once_each():
    of = subject_of(random_network(7, 3), 20)
    assert len({*zip(of.a.tolist(), of.b.tolist(), strict=True)}) == 20


def test_second_harmonics_at_their_phase_are_as_they_were():
    network = hand_made()
    of = by_name(network)["second harmonics at 2φ + π", "random phases"]
    trained = looked_at(network).answers(network)
    assert of.real().loss == pytest.approx(trained.loss, rel=1e-3)
    bare = by_name(network)["second harmonics out", "as much, random phase"].real()
    assert bare.loss == pytest.approx(mean_loss(hand_made(second=0).logits()), rel=1e-3)


def test_a_quadrature_by_hand_rests_on_the_law_and_one_of_shuffled_phases_does_not():
    lawful = hand_made()
    assert measured.random_as_good_as_law_and_waves(lawful) <= 0.05
    assert measured.random_second_harmonics_as_strong(hand_made(second=0.0)) == 1, "there is nothing to take out"
    psi = np.random.default_rng(0).permutation(lawful.W)
    broken = Separable(lawful.A, lawful.B, psi, lawful.C, lawful.D)
    assert measured.random_as_good_as_law_and_waves(broken) > 0.05


def test_a_share_is_the_largest_of_its_interventions_and_the_chosen_ones_are_done():
    of = subject_of(hand_made(), 100)
    effects = measured.effects_of(of, draws=8)
    shares = effects[effects.measure == "loss ratio"].set_index(["intervention", "control"]).share
    for name, chosen in measured.CLAIMED.items():
        assert measured.shares_of(effects)[name] == max(shares[trial] for trial in chosen)
    (one,) = measured.CLAIMED["random_neurons_bear_noise_as_well"]
    alone = measured.effects_of(of, draws=8, chosen=[one])
    assert alone.equals(effects[effects.intervention == one[0]].reset_index(drop=True))
