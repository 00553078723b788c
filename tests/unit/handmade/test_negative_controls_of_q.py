"""For every intervention of Study Q one that must fail: on a network in which what it changes does not matter."""

from dataclasses import replace

import numpy as np
import pytest
from simple_networks import grid_network, random_network
from support import perfect_network

from modadd.core.separable import accuracy
from modadd.handmade import secondary_measures
from modadd.handmade.build import Wave, hand_coded
from modadd.handmade.smallest import four_neurons
from modadd.handmade.twin_measures import loss_over_best_strength, margin_without_harmonic, twin_over_trained
from modadd.quadrature.following import change_without_residual, margin_added_by_identity
from modadd.quadrature.scheme_measures import accuracy_absolute_part
from modadd.quadrature.torus_measures import factor_in_the_hole_without_either

N, FREQUENCIES, NEURONS = 13, [2, 3], 24
OWN = hand_coded(N, FREQUENCIES, NEURONS, Wave(0.2, 0.1))
BARE = hand_coded(N, FREQUENCIES, NEURONS, Wave(0.0, 0.1))
CLOCK = grid_network(N, [1, 5])  # a neuron for every pair of shifts: no second harmonic makes it a clock
PERFECT = perfect_network(n=11, frequencies=(2, 3, 5), m=16)


def test_a_network_without_a_second_harmonic_loses_no_margin_with_it():
    assert margin_without_harmonic(OWN) < 0.5
    assert margin_without_harmonic(BARE) == pytest.approx(1)


def test_a_clock_that_owes_nothing_to_second_harmonics_stays_one():
    assert secondary_measures.clock_lead_without_harmonics(OWN) < 0
    assert secondary_measures.clock_lead_without_harmonics(CLOCK) > 0


def test_an_identity_part_that_other_waves_make_is_left():
    wave = lambda k: np.cos(2 * np.pi * k * np.arange(N) / N)[:, None]
    others = np.full(OWN.width, 0.5) * wave(4)  # 4 = 2 · 2, and neurons of 3 write at 2, too
    tables = replace(OWN, A=OWN.A + others, B=OWN.B + others, W=OWN.W + 0.2 * wave(2).T * np.ones((OWN.width, 1)))
    assert secondary_measures.identity_left_without_harmonics(OWN) < 0.1
    assert secondary_measures.identity_left_without_harmonics(tables) > 0.1


def test_a_second_harmonic_of_the_wrong_strength_is_told_from_the_best_one():
    wrong = hand_coded(N, FREQUENCIES, NEURONS, Wave(-0.2, 0.1))
    assert loss_over_best_strength(wrong) > 1.5


def test_a_second_harmonic_of_the_other_sign_makes_the_identity_part_do_harm():
    assert margin_added_by_identity(OWN) > 0
    assert margin_added_by_identity(hand_coded(N, FREQUENCIES, NEURONS, Wave(-0.2, 0.1))) < 0


def test_a_network_that_is_no_pizza_is_wrong_with_its_absolute_part_alone():
    ramps = four_neurons(N)
    assert accuracy(ramps.logits()) == 1
    assert accuracy_absolute_part(OWN) == 1
    assert accuracy_absolute_part(ramps) < 1


def test_a_residual_stream_that_matters_changes_the_fit():
    loud = random_network(N, OWN.width)
    size = OWN.logits().std()
    assert change_without_residual(replace(OWN, C=size * loud.C, D=size * loud.D)) > 0.05


def test_where_the_hole_is_filled_otherwise_leaving_either_part_out_leaves_it_filled():
    assert factor_in_the_hole_without_either(CLOCK) > 0.05


def test_a_twin_of_a_network_that_adds_in_another_way_is_less_clear():
    assert twin_over_trained(OWN) == pytest.approx(1, rel=0.05)
    assert not twin_over_trained(CLOCK) > 0.9
