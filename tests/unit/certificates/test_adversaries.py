"""Members of a family against its certificate: none breaks a bound, and one that flips an answer is counted."""

from dataclasses import replace

import numpy as np
from simple_networks import random_network
from support import perfect_network

from modadd.certificates.adversaries import against
from modadd.certificates.explained import explain
from modadd.core.separable import margins


def test_no_member_breaks_a_bound_and_the_worst_is_no_better_than_the_network():
    network = random_network(5, 4)
    trial = against(explain(network, 2), members=6, seed=0)
    summary = trial.summary()
    assert summary["bounds broken"] == 0
    assert summary["random members"] == 6
    assert (trial.worst <= margins(network.logits()) + 1e-9).all(), "the network itself is a member"


def test_flips_and_broken_bounds_are_counted_where_a_certificate_says_too_much():
    trial = against(explain(perfect_network(7, (1, 2, 3), m=8), 2), members=2, seed=0)
    assert trial.summary()["flips by worst members"] == 0
    wrong = replace(trial, worst=trial.worst - 2 * trial.worst.max())
    assert wrong.summary()["flips by worst members"] == wrong.summary()["certified inputs"] == 49
    assert wrong.summary()["bounds broken"] == 49


def test_curves_are_in_the_order_of_the_margins_by_direct_sums():
    trial = against(explain(random_network(5, 4), 1), members=2, seed=0)
    curves = trial.curves()
    assert (np.diff(curves["direct sums"]) >= 0).all()
    assert sorted(curves["worst member"]) == sorted(trial.worst.ravel())
