from dataclasses import replace

import numpy as np
import pytest
from certified import every_certificate, learned_networks, networks
from hypothesis import given
from hypothesis import strategies as st
from support import perfect_network

from modadd.certificates.certify import by_brute_force, by_direct_sums, by_factors, certify
from modadd.certificates.explained import explain, worst_choice
from modadd.core.fourier import with_lines_only
from modadd.core.neurons import multiples_of, own_frequency
from modadd.core.separable import Separable, margins


def choices(network, rng, extreme):
    """Random x_A, x_B and s of a member; at the ends of the noise if `extreme`."""
    found = [rng.uniform(-1, 1, shape) for shape in (network.A.shape, network.B.shape, network.width)]
    return [np.sign(x) for x in found] if extreme else found


# The certificates, from the loosest to the truth


@given(st.one_of(networks(), learned_networks()), st.integers(1, 3), st.booleans())
def test_factors_are_below_direct_sums_below_the_worst_member_below_the_network(network, multiples, bypass):
    explained = explain(network, multiples, bypass)
    factored, direct = by_factors(explained), by_direct_sums(explained)
    worst = by_direct_sums(explained, exact=True)
    slack = factored.rounding  # the order holds in exact arithmetic
    assert (factored.margin <= direct.margin + slack).all(), "the factorisation may not promise more than the sums"
    assert (direct.margin <= worst.margin + slack).all(), "the sums may not promise more than the family keeps"
    assert (worst.margin <= margins(network.logits())).all(), "the network is one of the family"
    np.testing.assert_allclose(factored.explained_margin, direct.explained_margin, atol=slack)


@given(networks())
def test_runner_up_is_a_wrong_answer_and_share_counts_positive_margins(network):
    a, b = np.indices((network.modulus,) * 2)
    for certificate in every_certificate(network):
        assert (certificate.runner_up != (a + b) % network.modulus).all()
        assert certificate.share == np.mean([margin > 0 for margin in certificate.margin.ravel()])
        assert np.isfinite(certificate.margin).all()


def test_networks_without_living_neurons_are_judged_by_what_bypasses_them():
    n = 5
    a, c = np.indices((n, n))
    zero, shift = np.zeros((n, n)), np.arange(n)[:, None]
    D = np.where(c == 0, 1.0, 0.0)  # always answers 0: right for the n pairs with a + b = 0
    empty = Separable(np.zeros((n, 0)), np.zeros((n, 0)), np.zeros((0, n)), zero, D)
    dead = Separable(np.full((n, 2), -3.0), np.full((n, 2), 1.0), np.ones((2, n)) * shift.T, zero, D)
    constant = Separable(np.full((n, 2), 3.0), np.full((n, 2), 1.0), np.ones((2, n)), zero, D)
    for network in (empty, constant):
        for certificate in every_certificate(network):
            assert certificate.share == pytest.approx(1 / n)
            np.testing.assert_allclose(certificate.margin, margins(network.logits()), atol=1e-9)
    for multiples in (1, 2):
        assert by_direct_sums(explain(dead, multiples, False)).share == pytest.approx(1 / n), "dead: no noise arrives"


# Adversaries


@given(learned_networks(), st.integers(1, 2), st.booleans(), st.integers(0, 10**6), st.booleans())
def test_no_random_member_flips_a_certified_input(network, multiples, bypass, seed, extreme):
    explained = explain(network, multiples, bypass)
    certificates = (by_factors(explained), by_direct_sums(explained), by_direct_sums(explained, exact=True))
    rng = np.random.default_rng(seed)
    for _ in range(5):
        found = margins(explained.member(*choices(network, rng, extreme)).logits())
        for certificate in certificates:
            assert (found >= certificate.margin).all()
            assert (found[certificate.margin > 0] > 0).all()


@given(st.one_of(networks(), learned_networks()), st.integers(1, 2), st.booleans(), st.data())
def test_the_worst_member_is_what_the_exact_certificate_promises(network, multiples, bypass, data):
    explained, n = explain(network, multiples, bypass), network.modulus
    worst = by_direct_sums(explained, exact=True)
    a, b = data.draw(st.integers(0, n - 1)), data.draw(st.integers(0, n - 1))
    c = worst.runner_up[a, b]
    x, s = choice = worst_choice(explained, a, b, int(c))
    assert (np.abs(x) <= 1).all() and (np.abs(s) <= 1).all()
    x_A, x_B = np.zeros_like(network.A), np.zeros_like(network.B)
    x_A[a], x_B[b] = x, x
    logits = explained.member(x_A, x_B, s).logits()[a, b]
    np.testing.assert_allclose(explained.logits_at(a, b, choice), logits, atol=1e-12)
    assert logits[(a + b) % n] - logits[c] == pytest.approx(worst.margin[a, b] + worst.rounding, abs=1e-9)
    assert margins(logits[None, None] * np.ones((n, n, 1)))[a, b] >= worst.margin[a, b], "no other answer comes nearer"


def test_operations_are_of_the_order_that_is_said():
    def counts(m, n):
        network = perfect_network(n=n, m=m)
        return {"factors": certify(network), "brute": by_brute_force(network)}

    base, wide, large = counts(8, 31), counts(300, 31), counts(300, 62)
    assert base["brute"].operations == 31**3 * 24 + 31**2 * 24
    assert base["brute"].order == "p³h" and base["factors"].order == "p²h + p³F"
    for name, power in (("factors", 2), ("brute", 3)):
        assert large[name].operations / wide[name].operations == pytest.approx(2**power, rel=0.1), name
    assert wide["brute"].operations > 2 * wide["factors"].operations


@given(learned_networks(), st.booleans())
def test_factors_equal_direct_sums_for_noise_of_one_cosine(network, bypass):
    """|W(t) − W(c)| of a single cosine is its factorisation, so only the noise of W is treated more coarsely."""
    network = replace(
        network, W=with_lines_only(network.W.T, multiples_of(own_frequency(network), 1, network.modulus)).T
    )
    explained = explain(network, 1, bypass)
    np.testing.assert_allclose(by_factors(explained).margin, by_direct_sums(explained).margin, atol=1e-9)


@given(st.one_of(networks(), learned_networks()))
def test_brute_force_is_below_the_network_by_its_rounding(network):
    brute = by_brute_force(network)
    np.testing.assert_allclose(brute.margin, margins(network.logits()) - brute.rounding)
