from dataclasses import replace
from decimal import Decimal, localcontext
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from support import perfect_network

from modadd.certificates.certify import (
    by_brute_force,
    by_channels,
    by_direct_sums,
    by_factors,
    certify,
    for_stored_weights,
)
from modadd.certificates.explained import circle, explain, kept, worst_choice
from modadd.certificates.rounding import evaluation_errors, table_errors
from modadd.core.neurons import multiples_of, own_frequency
from modadd.core.separable import Separable, margins
from modadd.networks.architectures import ARCHITECTURES
from modadd.networks.initialisation import drawn
from modadd.networks.store import Network

entries = st.floats(-2, 2, width=32)


@st.composite
def networks(draw, most_neurons=6):
    """Any network: biases, dead neurons and none at all, even and odd n, answers that bypass the ReLU."""
    n, h = draw(st.integers(2, 9)), draw(st.integers(0, most_neurons))
    tables = [draw(arrays(float, shape, elements=entries)) for shape in ((n, h), (n, h), (h, n), (n, n), (n, n))]
    return Separable(*tables)


@st.composite
def learned_networks(draw):
    """The perfect network with noise small enough that some of its inputs are certified and others may not be."""
    network, size = perfect_network(n=draw(st.sampled_from([5, 7, 8])), frequencies=(1, 2)), draw(st.floats(0, 0.15))
    rng = np.random.default_rng(draw(st.integers(0, 10**6)))
    return Separable(*(table + size * rng.normal(size=table.shape) for table in vars(network).values()))


def choices(network, rng, extreme):
    """Random x_A, x_B and s of a member; at the ends of the noise if `extreme`."""
    found = [rng.uniform(-1, 1, shape) for shape in (network.A.shape, network.B.shape, network.width)]
    return [np.sign(x) for x in found] if extreme else found


def every_certificate(network):
    """Every certificate of this project that speaks of the network."""
    families = [explain(network, multiples, bypass) for multiples in (1, 2, 3) for bypass in (False, True)]
    return [
        *map(by_factors, families),
        *map(by_direct_sums, families),
        *(by_direct_sums(family, exact=True) for family in families),
        *(by_channels(network, harmonics) for harmonics in ((), (0,), (0, 1, 2))),
        by_brute_force(network),
    ]


# The explained network


def test_own_frequency_is_that_of_the_preactivation_of_either_number():
    wave = np.cos(2 * np.pi * np.outer(np.arange(7), [1, 2, 3]) / 7)
    A, B = wave * [1, 0.1, 0], wave[:, [0, 2, 1]] * [0.5, 2, 0]
    zero = np.zeros((7, 7))
    network = Separable(A, B, np.zeros((3, 7)), zero, zero)
    np.testing.assert_array_equal(own_frequency(network), [1, 3, 1], "stronger of A and B; 1 where there is none")


@pytest.mark.parametrize(
    ("k", "n", "lines"), [(2, 7, [2, 3, 1]), (3, 6, [3, 0, 3]), (2, 6, [2, 2, 0]), (1, 3, [1, 1, 0]), (1, 2, [1, 0, 1])]
)
def test_multiples_are_frequencies_of_real_functions(k, n, lines):
    assert multiples_of(np.array([k]), 3, n)[:, 0].tolist() == lines


@given(networks(), st.integers(1, 3), st.booleans())
def test_the_explained_tables_are_the_projections_on_the_kept_waves(network, multiples, bypass):
    explained, n = explain(network, multiples, bypass), network.modulus
    x = 2 * np.pi * np.arange(n) / n
    for i, k in enumerate(explained.frequency):
        waves = [np.ones(n)] + [f(j * k * x) for j in range(1, multiples + 1) for f in (np.cos, np.sin)]
        basis, sizes, _ = np.linalg.svd(np.stack(waves, axis=1), full_matrices=False)
        basis = basis[:, sizes > 1e-9]
        for whole, part in zip(
            (network.A[:, i], network.B[:, i], network.W[i]),
            (explained.centre.A[:, i], explained.centre.B[:, i], explained.centre.W[i]),
            strict=True,
        ):
            np.testing.assert_allclose(part, basis @ (basis.T @ whole), atol=1e-12)


@given(networks(), st.integers(1, 3), st.booleans())
def test_the_network_is_a_member_of_its_family(network, multiples, bypass):
    explained = explain(network, multiples, bypass)
    x_A, x_B = np.sign(network.A - explained.centre.A), np.sign(network.B - explained.centre.B)
    itself = explained.member(x_A, x_B, np.ones(network.width))
    np.testing.assert_allclose(itself.logits(), network.logits(), atol=1e-12)
    assert (np.abs(itself.A - network.A) <= 1e-14).all() and (np.abs(itself.W - network.W) <= 1e-14).all()


def test_a_network_of_pure_cosines_is_explained_without_noise():
    network = perfect_network()
    explained = explain(network, 1)
    for noise in (explained.noise_A, explained.noise_B, np.abs(explained.residual_W)):
        assert noise.max() < 1e-14
    for certificate in (by_factors(explained), by_direct_sums(explained), by_direct_sums(explained, exact=True)):
        np.testing.assert_allclose(certificate.margin, margins(network.logits()), atol=1e-9)
        np.testing.assert_allclose(certificate.explained_margin, certificate.margin, atol=1e-9)
        assert certificate.share == 1.0


@pytest.mark.parametrize("bypass", [False, True])
def test_a_secondary_wave_is_noise_to_k_and_explained_by_k_and_2k(bypass):
    network = perfect_network()
    k = np.repeat((1, 2, 3), 8)
    second = 0.05 * np.cos(4 * np.pi / 7 * np.outer(np.arange(7), k))
    network = replace(network, A=network.A + second, W=network.W + second.T)
    single, double = explain(network, 1, bypass), explain(network, 2, bypass)
    np.testing.assert_allclose(single.noise_A, np.abs(second), atol=1e-14)
    np.testing.assert_allclose(single.residual_W, second.T, atol=1e-14)
    assert double.noise_A.max() < 1e-14 and np.abs(double.residual_W).max() < 1e-14
    np.testing.assert_allclose(by_factors(double).margin, margins(network.logits()), atol=1e-9)
    assert (by_factors(single).margin < by_factors(double).margin).all()


def test_what_bypasses_the_relu_is_kept_exactly():
    network = perfect_network()
    lift = np.random.default_rng(0).normal(size=(2, 7, 7))
    network = replace(network, C=lift[0], D=lift[1])
    np.testing.assert_allclose(certify(network, 1).margin, margins(network.logits()), atol=1e-9)


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


@given(learned_networks(), st.booleans())
def test_factors_equal_direct_sums_for_noise_of_one_cosine(network, bypass):
    """|W(t) − W(c)| of a single cosine is its factorisation, so only the noise of W is treated more coarsely."""
    network = replace(network, W=kept(network.W.T, multiples_of(own_frequency(network), 1, network.modulus)).T)
    explained = explain(network, 1, bypass)
    np.testing.assert_allclose(by_factors(explained).margin, by_direct_sums(explained).margin, atol=1e-9)


@given(st.one_of(networks(), learned_networks()))
def test_channels_and_brute_force_are_below_the_network(network):
    true = margins(network.logits())
    for harmonics in ((), (0,), (1, 2), (0, 1, 2), (0, 1, 2, 3, 4)):
        assert (by_channels(network, harmonics).margin <= true).all()
    brute = by_brute_force(network)
    np.testing.assert_allclose(brute.margin, true - brute.rounding)


def test_channels_carry_the_perfect_network_whole():
    network = perfect_network()
    channels = by_channels(network)
    np.testing.assert_allclose(channels.margin, margins(network.logits()), atol=1e-6)
    assert by_channels(network, (0, 1)).margin.max() < channels.margin.min(), "W lies in the second harmonic"


@given(learned_networks(), st.floats(0, 1), st.integers(0, 10**6))
def test_channels_hold_for_any_rest_of_the_same_distances(network, turn, seed):
    """Cauchy–Schwarz knows only the distances of the rest of W: to turn it among the neurons changes no bound."""
    bound = by_channels(network, harmonics=())
    rng = np.random.default_rng(seed)
    frequency, W = own_frequency(network), network.W.copy()
    for k in np.unique(frequency):
        group = frequency == k
        W[group] = np.linalg.qr(rng.normal(size=(group.sum(), group.sum())))[0] @ W[group]
    assert (bound.margin <= margins(replace(network, W=W).logits()) + bound.rounding).all()


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


@pytest.mark.parametrize("bypass", [False, True])
def test_the_worst_member_is_the_worst_of_a_grid_of_members(bypass):
    rng = np.random.default_rng(3)
    network = Separable(*(rng.normal(size=shape) for shape in ((5, 2), (5, 2), (2, 5), (5, 5), (5, 5))))
    explained = explain(network, 1, bypass)
    worst = by_direct_sums(explained, exact=True)
    grid = np.linspace(-1, 1, 9)
    a, b, smallest = 1, 3, np.inf
    for x, y, s in product(product(grid, repeat=2), product((-1, 1), repeat=2), product((-1, 1), repeat=2)):
        x_A, x_B = np.tile(x, (5, 1)), np.tile(np.multiply(x, y), (5, 1))
        smallest = min(smallest, margins(explained.member(x_A, x_B, np.array(s, float)).logits())[a, b])
    assert worst.margin[a, b] <= smallest <= worst.margin[a, b] + 0.3


# Rounding


def exactly(table):
    """Floats as fractions."""
    return np.vectorize(Fraction, otypes=[object])(table)


def exact_margins(A, B, W, C, D):
    """Margins of tables of fractions, in exact arithmetic."""
    n = len(A)
    found = np.empty((n, n), object)
    for a, b in np.ndindex(n, n):
        logits = [Fraction(x) for x in np.maximum(A[a] + B[b], 0) @ W + C[a] + D[b]]
        right = logits.pop((a + b) % n)
        found[a, b] = right - max(logits)
    return found


@st.composite
def wild_networks(draw):
    """Networks of few neurons whose entries differ by up to 18 orders of magnitude, so that float sums cancel badly."""
    n, h = draw(st.integers(2, 4)), draw(st.integers(1, 3))
    size = st.integers(-9, 9).flatmap(lambda e: st.floats(-1, 1).map(lambda x: x * 10.0**e))
    return Separable(*(draw(arrays(float, shape, elements=size)) for shape in ((n, h), (n, h), (h, n), (n, n), (n, n))))


def tied():
    """Three equal logits in exact arithmetic, which float sums set apart."""
    rows = np.array([[0.1, 0.2, 0.3]] * 2)
    W = np.array([[0.1, 0.3], [0.2, 0.2], [0.3, 0.1]])
    return Separable(rows, rows, W, np.zeros((2, 2)), np.zeros((2, 2)))


@given(wild_networks())
@example(tied())
def test_no_certificate_promises_more_than_exact_arithmetic_gives(network):
    exact = exact_margins(*map(exactly, vars(network).values()))
    for certificate in every_certificate(network):
        for promised, true in zip(certificate.margin.ravel(), exact.ravel(), strict=True):
            assert Fraction(promised) <= true, "rounding may cost a certificate, never grant one"


def test_without_the_rounding_term_some_promise_would_be_broken():
    broken = 0
    for seed in range(20):
        rng = np.random.default_rng(seed)
        shapes = ((3, 4), (3, 4), (4, 3), (3, 3), (3, 3))
        network = Separable(*(rng.normal(size=shape) * 10.0 ** rng.integers(-6, 6, shape) for shape in shapes))
        exact, brute = exact_margins(*map(exactly, vars(network).values())), by_brute_force(network)
        broken += any(Fraction(m) > x for m, x in zip(margins(network.logits()).ravel(), exact.ravel(), strict=True))
        errors = [abs(Fraction(m) - x) for m, x in zip(margins(network.logits()).ravel(), exact.ravel(), strict=True)]
        assert max(errors) <= brute.rounding / 2, "both the network and its bound must fit into the term"
    assert broken > 0


def test_float_evaluation_of_a_certified_network_is_above_the_certificate():
    network = perfect_network(n=9, frequencies=(1, 2, 4), m=40)
    for certificate in every_certificate(network):
        for order in (np.arange(120), np.arange(120)[::-1], np.random.default_rng(0).permutation(120)):
            shuffled = replace(network, A=network.A[:, order], B=network.B[:, order], W=network.W[order])
            assert (margins(shuffled.logits()) >= certificate.margin).all()


def decimal_bounds(explained, factored):
    """The bound of the direct sums, or of the factors, written out in 60 digits: smallest over the wrong answers."""
    centre, n, h = explained.centre, explained.centre.modulus, explained.centre.width
    with localcontext() as context:
        context.prec = 60
        exact = lambda table: np.vectorize(Decimal, otypes=[object])(table)
        A, B, W, C, D = map(exact, vars(centre).values())
        noise_A, noise_B, r = map(exact, (explained.noise_A, explained.noise_B, explained.residual_W))
        half, slope, identity = Decimal("0.5"), Decimal(explained.slope), Decimal(explained.identity)
        found = np.empty((n, n), object)
        for a, b in np.ndindex(n, n):
            t, bounds = (a + b) % n, []
            act = [abs(A[a, i] + B[b, i]) * half + identity * (A[a, i] + B[b, i]) for i in range(h)]
            for c in set(range(n)) - {t}:
                bound = C[a, t] + D[b, t] - C[a, c] - D[b, c]
                for i in range(h):
                    gap, stray = W[i, t] - W[i, c], abs(r[i, t] - r[i, c])
                    steep = abs(gap)
                    if factored:
                        steep = sum(decimal_steepness(explained, j, i, t, c) for j in range(len(explained.lines)))
                    bound += act[i] * gap - slope * (noise_A[a, i] + noise_B[b, i]) * steep
                    bound -= 0 if factored else act[i] * stray + slope * (noise_A[a, i] + noise_B[b, i]) * stray
                for k in np.unique(explained.frequency) if factored else ():
                    group = np.flatnonzero(explained.frequency == k)
                    norm = lambda values: sum(value**2 for value in values).sqrt()
                    length = norm([act[i] for i in group])
                    length += slope * (norm(noise_A[a, group]) + norm(noise_B[b, group]))
                    bound -= length * norm(r[group, t] - r[group, c])
                bounds.append(bound)
            found[a, b] = min(bounds)
    return found


def decimal_sine(steps, period):
    """sin(2π steps/period) to 60 digits, by its series."""
    pi = Decimal("3.14159265358979323846264338327950288419716939937510582097494459230781640628620899")
    x = 2 * pi * (steps % period) / period
    term, total, m = x, x, 1
    while abs(term) > Decimal(10) ** -60:
        term *= -x * x / ((2 * m) * (2 * m + 1))
        total, m = total + term, m + 1
    return total


def decimal_steepness(explained, j, i, t, c):
    """2 β |sin(w(t−c)/2)| |sin(w(t+c)/2 + ψ)| of one line, in Decimal; β cos ψ = cos, β sin ψ = −sin."""
    line, n = int(explained.lines[j, i]), explained.centre.modulus
    cosine = decimal_sine(2 * line * (t + c) + n, 4 * n)  # sin(x + π/2)
    sine = decimal_sine(line * (t + c), 2 * n)
    cos, sin = Decimal(float(explained.cos[j, i])), Decimal(float(explained.sin[j, i]))
    return 2 * abs(decimal_sine(line * (t - c), 2 * n)) * abs(cos * sine - sin * cosine)


@pytest.mark.parametrize("factored", [False, True])
@pytest.mark.parametrize("bypass", [False, True])
@pytest.mark.parametrize("seed", range(3))
def test_computed_bounds_differ_from_the_exact_ones_by_less_than_the_rounding_term(seed, bypass, factored):
    rng = np.random.default_rng(seed)
    shapes = ((5, 3), (5, 3), (3, 5), (5, 5), (5, 5))
    explained = explain(Separable(*(rng.normal(size=shape) * 10.0**seed for shape in shapes)), 2, bypass)
    certificate = by_factors(explained) if factored else by_direct_sums(explained)
    exact = decimal_bounds(explained, factored)
    errors = [
        Decimal(m + certificate.rounding) - x for m, x in zip(certificate.margin.ravel(), exact.ravel(), strict=True)
    ]
    assert max(map(abs, errors)) <= Decimal(certificate.rounding) / 2
    assert max(map(abs, errors)) > 0


def test_sines_are_as_exact_as_they_are_said_to_be():
    for period in (7, 59, 113, 118, 226):
        steps = np.arange(-3 * period, 3 * period, 5)
        sines, cosines = circle(steps, period).sin, circle(steps, period).cos
        with localcontext() as context:
            context.prec = 60
            for step, sine, cosine in zip(steps.tolist(), sines.tolist(), cosines.tolist(), strict=True):
                assert abs(Decimal(sine) - decimal_sine(step, period)) < Decimal("6e-15")
                assert abs(Decimal(cosine) - decimal_sine(4 * step + period, 4 * period)) < Decimal("6e-15")


@pytest.mark.parametrize("name", ARCHITECTURES)
def test_tables_of_stored_weights_are_within_their_errors(small, name):
    recipe = replace(small[name], modulus=5, train_pairs=19, d_model=6, d_mlp=4, batch_size=0)
    rng = np.random.default_rng(0)
    parameters = {key: value.numpy() for key, value in drawn(recipe, 0).items()}
    parameters = {k: (v + rng.normal(size=v.shape)).astype(np.float32) for k, v in parameters.items()}
    network = Network(recipe, 0, parameters, {})
    tables = ARCHITECTURES[name].effective({key: exactly(value) for key, value in parameters.items()})
    A, B, W, C, D = (np.full((5, 5), Fraction(0)) if table is None else table for table in tables)
    exact = exact_margins(A, B, W, *(np.broadcast_to(table, (5, 5)) for table in (C, D)))
    own = exact_margins(*map(exactly, vars(network.separable()).values()))
    moved = [abs(x - y) for x, y in zip(exact.ravel(), own.ravel(), strict=True)]
    assert 0 < max(moved) <= table_errors(network) < 1e-9
    for tables_only in every_certificate(network.separable()):
        certificate = for_stored_weights(tables_only, network)
        np.testing.assert_allclose(tables_only.margin - certificate.margin, table_errors(network), rtol=1e-3)
        assert all(Fraction(m) <= x for m, x in zip(certificate.margin.ravel(), exact.ravel(), strict=True))


def test_table_errors_of_a_network_of_ones_are_counted_by_hand(small):
    recipe = replace(small["two_layer_mlp"], modulus=5, train_pairs=19, d_model=3, d_mlp=4)
    parameters = {"W_E": np.ones((5, 3)), "W_in": -np.ones((3, 4)), "W_U": np.ones((4, 5))}
    network = Network(recipe, 0, {name: value.astype(np.float32) for name, value in parameters.items()}, {})
    roundings, terms = (5 + 3) + (3 + 4) + (4 + 5), 4 * (3 + 3) * 1
    assert table_errors(network) == pytest.approx(8 * roundings * 2.0**-53 * terms, rel=1e-12)


# Work


def test_rounding_grows_with_the_network_and_stays_far_below_its_margins():
    network = perfect_network()
    assert 0 < evaluation_errors(network, 0, 1) < evaluation_errors(network, 2, 8) < 1e-8
    doubled = replace(network, W=2 * network.W)
    assert evaluation_errors(doubled, 2, 8) == pytest.approx(2 * evaluation_errors(network, 2, 8))


def test_operations_are_of_the_order_that_is_said():
    def counts(m, n):
        network = perfect_network(n=n, m=m)
        return {"factors": certify(network), "channels": by_channels(network), "brute": by_brute_force(network)}

    base, wide, large = counts(8, 31), counts(800, 31), counts(800, 62)
    assert base["brute"].operations == 31**3 * 24 + 31**2 * 24
    assert base["brute"].order == "p³h" and base["factors"].order == base["channels"].order == "p²h + p³F"
    for name, power in (("factors", 2), ("channels", 2), ("brute", 3)):
        assert large[name].operations / wide[name].operations == pytest.approx(2**power, rel=0.1), name
    assert wide["brute"].operations > 2 * wide["factors"].operations
