from dataclasses import replace

import numpy as np
from certified import learned_networks, networks
from hypothesis import given
from hypothesis import strategies as st
from support import perfect_network

from modadd.certificates import channels
from modadd.certificates.channels import by_short_channels
from modadd.certificates.coarse import by_coarse_channels
from modadd.certificates.flips import find_flips
from modadd.core.fourier import cosine_at
from modadd.core.separable import Separable, margins


def projections(network):
    """For each group of flips: its neurons, and the projection onto what five sums hold of their activations."""
    flips = find_flips(network)
    for k, members in zip(flips.frequency, flips.groups(), strict=True):
        own = flips.network.A[:, members] + flips.network.B[:, members]
        alpha, phi = cosine_at(own, np.repeat(k, own.shape[1]))
        span = np.array([alpha, *(alpha * wave(m * phi) for m in (1, 2) for wave in (np.cos, np.sin))]).T
        yield members, span @ np.linalg.pinv(span, rcond=1e-9)


def dense_margins(network):
    """What the short proof bounds, with sums over all neurons at every input and the distances of W themselves."""
    own, n = find_flips(network).network, network.modulus
    t = np.add.outer(np.arange(n), np.arange(n)) % n
    logits, noise = network.residual(), np.zeros((n, n, n))
    for members, held in projections(network):
        act, W = np.maximum(own.preactivations()[:, :, members], 0), own.W[members]
        rest = (W - held @ W).T
        logits += act @ held @ W
        stray = np.linalg.norm(act - act @ held, axis=-1)
        noise += stray[:, :, None] * np.linalg.norm(rest[:, None] - rest, axis=-1)[t]
    return margins(logits + noise)


@given(st.one_of(networks(), learned_networks()))
def test_the_short_proof_promises_no_more_than_the_sums_that_it_bounds(network):
    short, dense = by_short_channels(network), dense_margins(network)
    assert (dense <= margins(network.logits()) + 1e-9).all()
    assert (short.margin <= dense + 1e-9).all()


def test_channels_carry_the_perfect_network_whole():
    network = perfect_network()
    np.testing.assert_allclose(by_short_channels(network).margin, margins(network.logits()), atol=1e-4)


@given(st.one_of(networks(), learned_networks()))
def test_the_coarse_proof_certifies_what_the_short_one_does_and_promises_no_more(network):
    short, coarse = by_short_channels(network), by_coarse_channels(network)
    error = short.rounding + coarse.rounding
    assert (coarse.margin <= short.margin + error).all()
    surely = short.margin > 2 * error
    assert (coarse.margin[surely] > -error).all()


def test_coarse_bounds_decide_most_wrong_answers_of_a_clean_network():
    """So its operations grow less with n than those of the short proof."""
    short, coarse = (
        [of(perfect_network(n=n, m=64)) for n in (31, 61)] for of in (by_short_channels, by_coarse_channels)
    )
    growth = [proof[1].operations / proof[0].operations for proof in (short, coarse)]
    assert growth[1] < growth[0] and coarse[1].operations < short[1].operations
    assert all(proof.share == 1 for proof in (*short, *coarse))


def test_the_short_proof_has_no_term_of_inputs_times_neurons():
    few, many = (
        np.array([by_short_channels(perfect_network(n=n, m=m)).operations for n in (31, 62)]) for m in (500, 1000)
    )
    growth = (many - few)[1] / (many - few)[0]
    assert growth < 3, "what neurons add grows like n log n; a term of inputs times neurons would make it four"


def test_channels_end_with_the_second_harmonic():
    network = perfect_network(n=13, frequencies=(1,), m=16)
    phi = 0.3 + 2 * np.pi * np.arange(16)[:, None] / 16
    third = replace(network, W=np.cos(2 * np.pi * np.arange(13) / 13 + 3 * phi))
    short = by_short_channels(third)
    np.testing.assert_allclose(short.explained_margin, 0, atol=1e-9)
    assert short.margin.max() < 0


@given(learned_networks(), st.integers(0, 10**6))
def test_the_short_proof_holds_for_any_rest_of_the_same_distances(network, seed):
    """Cauchy–Schwarz knows only the distances of the rest of W: to turn it among the neurons changes no bound."""
    short, own, rng = by_short_channels(network), find_flips(network).network, np.random.default_rng(seed)
    W = own.W.copy()
    for members, held in projections(network):
        others = np.linalg.svd(np.eye(len(held)) - held)[0][:, : len(held) - round(np.trace(held))]
        turn = np.linalg.qr(rng.normal(size=(others.shape[1],) * 2))[0]
        W[members] = held @ W[members] + others @ turn @ others.T @ W[members]
    turned = Separable(own.A, own.B, W, own.C, own.D)
    assert (short.margin <= margins(turned.logits()) + 1e-9).all()


def test_columns_that_are_not_quite_orthonormal_promise_no_more_than_is_true(monkeypatch):
    """What they add to the logits by this is `leak`; with it left out, this bound lies above the true margin."""
    network = perfect_network(n=13, frequencies=(1, 3, 4), m=5)
    exact = channels._basis
    monkeypatch.setattr(channels, "_basis", lambda span: (1 + 1e-6) * exact(span))
    assert (by_short_channels(network).margin <= margins(network.logits())).all()
