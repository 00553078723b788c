from dataclasses import replace
from decimal import Decimal, localcontext
from fractions import Fraction

import numpy as np
import pytest
from certified import every_certificate, exact_margins, exactly, networks_of_any_size, wild_networks
from hypothesis import example, given
from support import WITH_RELU, perfect_network, refuses

from modadd.certificates.certify import by_brute_force, by_direct_sums, by_factors, for_stored_weights
from modadd.certificates.channels import by_short_channels
from modadd.certificates.explained import circle, explain
from modadd.certificates.rounding import LARGEST_ENTRY, length, table_errors
from modadd.core.separable import Separable, margins
from modadd.networks.architectures import ARCHITECTURES
from modadd.networks.starts import drawn
from modadd.networks.store import Network

# Rounding


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


def small_times_large():
    """Activations whose squares underflow, before weights that make them count."""
    rng = np.random.default_rng(3)
    A, B, W = (2.0**e * rng.normal(size=shape) for e, shape in ((-560, (6, 8)), (-560, (6, 8)), (470, (8, 6))))
    return Separable(A, B, W, np.zeros((6, 6)), np.zeros((6, 6)))


@given(networks_of_any_size())
@example(small_times_large())
def test_no_certificate_promises_too_much_at_any_exponent(network):
    if max(np.abs(table).max() for table in vars(network).values()) >= LARGEST_ENTRY:
        for certify in (explain, by_short_channels, by_brute_force):
            with refuses("nothing can be certified", "has an entry of"):
                certify(network)
        return
    exact = exact_margins(*map(exactly, vars(network).values()))
    for certificate in every_certificate(network):
        assert all(Fraction(m) <= x for m, x in zip(certificate.margin.ravel(), exact.ravel(), strict=True))


def test_a_length_neither_underflows_nor_overflows():
    for exponent in (-1060, -560, 0, 900):
        assert length(np.ldexp([[3.0, 4.0], [0.0, 0.0]], exponent)).tolist() == [np.ldexp(5.0, exponent), 0]
    assert length(np.empty((2, 0))).tolist() == [0, 0]


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
@pytest.mark.parametrize("seed", [0, 2])
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
    for period in (7, 113, 118):
        steps = np.arange(-3 * period, 3 * period, 5)
        sines, cosines = circle(steps, period).sin, circle(steps, period).cos
        with localcontext() as context:
            context.prec = 60
            for step, sine, cosine in zip(steps.tolist(), sines.tolist(), cosines.tolist(), strict=True):
                assert abs(Decimal(sine) - decimal_sine(step, period)) < Decimal("6e-15")
                assert abs(Decimal(cosine) - decimal_sine(4 * step + period, 4 * period)) < Decimal("6e-15")


def stored(recipe):
    """A small network with random weights, in float32, and the exact margins of these weights."""
    recipe, rng = replace(recipe, modulus=5, train_pairs=19, d_model=6, d_mlp=4, batch_size=0), np.random.default_rng(0)
    parameters = {k: v.numpy() for k, v in drawn(recipe, 0).items()}
    parameters = {k: (v + rng.normal(size=v.shape)).astype(np.float32) for k, v in parameters.items()}
    tables = ARCHITECTURES[recipe.architecture].effective({k: exactly(v) for k, v in parameters.items()})
    A, B, W, C, D = (np.full((5, 5), Fraction(0)) if table is None else table for table in tables)
    exact = exact_margins(A, B, W, *(np.broadcast_to(table, (5, 5)) for table in (C, D)))
    return Network(recipe, 0, parameters, {}), exact.ravel()


# Their tables are weights, or sums of two float32, which float64 holds.
EXACT = ("group_mlp", "flax_one_hot_mlp")


@pytest.mark.parametrize("name", [name for name in WITH_RELU if name not in EXACT])
def test_tables_of_stored_weights_are_within_their_errors(small, name):
    network, exact = stored(small[name])
    own = exact_margins(*map(exactly, vars(network.separable()).values()))
    moved = [abs(x - y) for x, y in zip(exact, own.ravel(), strict=True)]
    assert 0 < max(moved) <= table_errors(network) < 1e-9
    for tables_only in every_certificate(network.separable()):
        certificate = for_stored_weights(tables_only, network)
        np.testing.assert_allclose(tables_only.margin - certificate.margin, table_errors(network), rtol=1e-3)
        assert all(Fraction(m) <= x for m, x in zip(certificate.margin.ravel(), exact, strict=True))


@pytest.mark.parametrize("name", EXACT)
def test_tables_that_are_the_stored_weights_have_no_errors_of_their_own(small, name):
    network, exact = stored(small[name])
    assert (exact_margins(*map(exactly, vars(network.separable()).values())).ravel() == exact).all()
    for tables_only in every_certificate(network.separable()):
        margin = for_stored_weights(tables_only, network).margin
        assert (margin <= tables_only.margin).all() and (tables_only.margin - margin < 1e-9).all()
        assert all(Fraction(m) <= x for m, x in zip(margin.ravel(), exact, strict=True))


def test_table_errors_of_a_network_of_ones_are_counted_by_hand(small):
    recipe = replace(small["two_layer_mlp"], modulus=5, train_pairs=19, d_model=3, d_mlp=4)
    parameters = {"W_E": np.ones((5, 3)), "W_in": -np.ones((3, 4)), "W_U": np.ones((4, 5))}
    network = Network(recipe, 0, {name: value.astype(np.float32) for name, value in parameters.items()}, {})
    roundings, terms = (5 + 3) + (3 + 4) + (4 + 5), 4 * (3 + 3) * 1
    assert table_errors(network) == pytest.approx(8 * roundings * 2.0**-53 * terms, rel=1e-12)
