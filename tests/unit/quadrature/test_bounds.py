import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from schemes import direct_error, random_schemes, spread_scheme, wild_schemes
from support import perfect_scheme, refuses

from modadd.core.fourier import wrap
from modadd.quadrature.bounds import (
    LIPSCHITZ,
    angle_term,
    around,
    between,
    bound_against_work,
    boxes,
    lines_of,
    relu_bound,
    spectral_bound,
)
from modadd.quadrature.scheme import (
    INTEGRAL,
    PIECEWISE_ABSOLUTE,
    PIECEWISE_IDENTITY,
    PIECEWISE_RELU,
    integrand,
    one_phase,
    quadrature_error,
)
from modadd.quadrature.sweep import worst_case

ACTIVATIONS = {"absolute": PIECEWISE_ABSOLUTE, "ReLU": PIECEWISE_RELU, "identity": PIECEWISE_IDENTITY}


def displacement(node, weight, shift, period):
    """Σ_i ∫_{box i} |x − φ_i| dx with the boxes laid end to end from `shift`, by a fine midpoint sum."""
    left = shift + np.concatenate([[0], np.cumsum(weight)[:-1]]) * period / (2 * np.pi)
    width = weight * period / (2 * np.pi)
    steps = (np.arange(2000) + 0.5) / 2000
    return sum(np.abs(start + steps * w - at).mean() * w for start, w, at in zip(left, width, node, strict=True))


def test_angle_term_weighs_the_mismatch_and_forgets_whole_turns():
    scheme = one_phase(
        7, 1, np.array([-1.0, 2.0]), np.array([-2.0 + 0.1, 4.0 - 0.3 - 2 * np.pi]), np.array([2.0, 2 * np.pi - 2])
    )
    assert angle_term(scheme) == pytest.approx(2 * 0.1 + (2 * np.pi - 2) * 0.3)


@pytest.mark.parametrize("m", [1, 4, 7, 30])
def test_bound_of_even_spacing_is_its_closed_form(m):
    width = 2 * np.pi / m
    found = boxes(perfect_scheme(m), folded=False)
    assert found.displacement == pytest.approx(2 * np.pi * width / 4), "each of m boxes contributes (width/2)²"
    assert found.lipschitz_bound == pytest.approx(LIPSCHITZ * 2 * np.pi * width / 4)


@given(random_schemes())
def test_folding_never_loosens_the_bound(scheme):
    assert boxes(scheme, folded=True).lipschitz_bound <= boxes(scheme, folded=False).lipschitz_bound + 1e-9


@given(random_schemes(), st.booleans())
def test_error_is_at_most_angle_term_plus_lipschitz_bound(scheme, folded):
    bound = angle_term(scheme) + boxes(scheme, folded).lipschitz_bound
    error = np.abs(quadrature_error(scheme)).max()
    assert error <= bound + 1e-9, f"actual error {error} above the proven bound {bound}"


@given(random_schemes(), st.booleans())
def test_boxes_fill_one_period_end_to_end_with_the_weights_as_widths(scheme, folded):
    found = boxes(scheme, folded)
    assert found.period == (np.pi if folded else 2 * np.pi)
    np.testing.assert_allclose(found.left[1:], found.right[:-1])
    assert found.right[-1] - found.left[0] == pytest.approx(found.period)
    widths = scheme.weight * found.period / (2 * np.pi)
    np.testing.assert_allclose(np.sort(found.right - found.left), np.sort(widths), atol=1e-12)


@pytest.mark.parametrize("folded", [True, False])
@pytest.mark.parametrize("seed", range(3))
def test_shift_of_the_boxes_is_the_best_of_a_scan(seed, folded):
    rng = np.random.default_rng(seed)
    phi = np.sort(rng.uniform(-np.pi, np.pi, 9))
    r = rng.uniform(0.1, 1, 9)
    found = boxes(one_phase(59, 1, phi, wrap(2 * phi), 2 * np.pi * r / r.sum()), folded)
    weight = (found.right - found.left) * 2 * np.pi / found.period
    scan = [displacement(found.node, weight, found.left[0] + shift, found.period) for shift in np.linspace(-1, 1, 201)]
    assert found.displacement == pytest.approx(scan[100], rel=1e-5), "displacement is the integral it says"
    assert found.displacement <= min(scan) * (1 + 1e-5)


@given(random_schemes())
def test_boxes_moved_around_the_circle_cover_it_once(scheme):
    moved = around(boxes(scheme, folded=False))
    clipped = np.minimum(moved.right, np.pi) - np.maximum(moved.left, -np.pi)
    assert clipped.sum() == pytest.approx(2 * np.pi)


@pytest.mark.parametrize("activation", ACTIVATIONS.values(), ids=ACTIVATIONS)
@given(scheme=random_schemes() | wild_schemes(), harmonics=st.sampled_from([1, 2, 3, 8, 40]))
def test_spectral_bound_is_never_below_the_true_supremum(activation, scheme, harmonics):
    found, truth = spectral_bound(scheme, harmonics, activation), worst_case(scheme, activation).modulus
    assert truth <= found.bound, f"supremum {truth} above the proven bound {found.bound}"
    assert truth <= found.moduli + found.tail + found.rounding, "the sum of moduli alone must be a bound"
    assert truth <= found.sampled + found.tail + found.rounding, "the widened grid maximum alone must be a bound"


@pytest.mark.parametrize("activation", ACTIVATIONS.values(), ids=ACTIVATIONS)
@given(scheme=random_schemes() | wild_schemes(), harmonics=st.sampled_from([64, 128]))
def test_spectral_bound_exceeds_the_supremum_by_little_more_than_two_tails(activation, scheme, harmonics):
    found, truth = spectral_bound(scheme, harmonics, activation), worst_case(scheme, activation)
    widening = 1.005  # 1/cos(πd/N) at M = 64
    assert found.bound <= widening * (truth.modulus + found.tail) + found.tail + 2 * found.rounding + truth.rounding


@given(wild_schemes())
def test_the_identity_needs_no_tail_and_its_sum_of_moduli_is_the_supremum(scheme):
    found = spectral_bound(scheme, 1, PIECEWISE_IDENTITY)
    assert found.tail == 0
    assert found.bound == pytest.approx(worst_case(scheme, PIECEWISE_IDENTITY).modulus, abs=1e-12)


@pytest.mark.parametrize("harmonics", [1, 16, 64])
def test_tail_is_the_printed_one_for_weights_of_one_turn(harmonics):
    scheme = spread_scheme(20)
    assert spectral_bound(scheme, harmonics).tail == pytest.approx(4 / (2 * harmonics + 1))
    assert spectral_bound(scheme, harmonics, PIECEWISE_RELU).tail == pytest.approx(2 / (2 * harmonics + 1))


@pytest.mark.parametrize("activation", ACTIVATIONS.values(), ids=ACTIVATIONS)
@given(scheme=wild_schemes())
def test_lines_are_the_fourier_series_of_the_error(activation, scheme):
    v, harmonics = np.linspace(0, 2 * np.pi, 50), 20
    series = np.exp(1j * np.outer(v, np.arange(-2 * harmonics, 2 * harmonics + 1))) @ lines_of(
        scheme, harmonics, activation
    )
    bound = spectral_bound(scheme, harmonics, activation)
    assert np.abs(series - direct_error(scheme, 2 * v, activation)).max() <= bound.tail + bound.rounding


def test_spectral_bound_refuses_to_leave_out_the_harmonic_of_the_integral():
    with refuses("harmonics", "at least 1", "got 0"):
        spectral_bound(perfect_scheme(), 0)


@pytest.mark.parametrize(("m", "gain"), [(4, 1), (30, 1), (7, 2), (31, 2)])
def test_folding_halves_the_bound_of_an_odd_number_of_even_nodes(m, gain):
    scheme = perfect_scheme(m)
    unfolded, folded = (boxes(scheme, folded).lipschitz_bound for folded in (False, True))
    assert unfolded / folded == pytest.approx(gain), (
        "mod π an odd number of even nodes interleaves, an even one coincides"
    )


def test_tail_is_reached_where_all_neurons_have_their_kink():
    scheme = one_phase(7, 1, np.zeros(3), np.zeros(3), np.array([1.0, 2.0, 3.0]))
    harmonics = 5
    lowest = lines_of(scheme, harmonics) @ np.exp(1j * np.arange(-10, 11) * np.pi / 2)  # at θ = π
    rest = abs(direct_error(scheme, np.array([np.pi]))[0] - lowest)
    assert rest == pytest.approx(spectral_bound(scheme, harmonics).tail), "the tail is no larger than it must be"


def test_lines_of_the_perfect_scheme_vanish_but_where_the_nodes_alias():
    m = 10  # even nodes integrate e^{2i(1−j)φ} exactly unless m divides 2(1−j)
    lines = np.abs(lines_of(perfect_scheme(m), 12))
    aliased = [j for j in range(-12, 13) if j != -1 and 2 * (j + 1) % m == 0]
    assert aliased == [-11, -6, 4, 9]
    np.testing.assert_allclose(lines[[24 + 2 * j for j in aliased]], [4 / (4 * j**2 - 1) for j in aliased])
    assert np.delete(lines, [24 + 2 * j for j in aliased]).max() < 1e-14


def test_every_bound_stands_beside_its_operations():
    scheme = perfect_scheme(m=8, n=7)
    table = bound_against_work(scheme, [1, 4]).set_index(["method", "harmonics"])
    # 4 comparisons find one of 9 gaps between 8 kinks: the sort takes 32
    assert table.operations["brute force", 0] == 7 * 8
    assert table.operations["sweep", 0] == 32 + 2 * 8 + 7 * (4 + 2)
    assert table.operations["published", 0] == 32 + 2 * 8
    assert table.operations["spectral", 1] == 3 * 8 + 4 * 2, "3 sums of 8 terms, a transform of 4 points"
    assert table.operations["spectral", 4] == 9 * 8 + 32 * 5
    assert table.operations["supremum", 0] == 32 + 2 * 8 + 2 * worst_case(scheme).evaluations
    assert table.value["sweep", 0] == pytest.approx(table.value["brute force", 0], abs=1e-12)
    assert (table.value[["supremum", "published", "spectral"]] >= table.value["sweep", 0] - 1e-12).all()


@given(random_schemes())
def test_whole_relu_stays_below_its_bound_at_every_angle(scheme):
    worst = np.abs(direct_error(scheme, np.linspace(0, 4 * np.pi, 200), PIECEWISE_RELU)).max()
    assert worst <= relu_bound(scheme) + 1e-9


def test_relu_bound_of_the_perfect_scheme_is_half_that_of_the_absolute_value():
    scheme = perfect_scheme(12)
    assert relu_bound(scheme) == pytest.approx(boxes(scheme, folded=True).lipschitz_bound / 2)


def test_relu_bound_charges_for_an_identity_part_that_does_not_cancel():
    lopsided = one_phase(59, 12, np.array([0.0, 0.1]), np.array([0.0, 0.2]), np.full(2, np.pi))
    assert relu_bound(lopsided) > boxes(lopsided, folded=True).lipschitz_bound / 2 + 3


@pytest.mark.parametrize("m", [3, 8, 60])
@pytest.mark.parametrize("seed", range(3))
def test_the_step_lies_between_the_error_and_the_lipschitz_bound(m, seed):
    scheme = spread_scheme(m, seed)
    cosine = [scheme.weight @ integrand(scheme.phi, theta, 0.0) - INTEGRAL * np.cos(theta) for theta in scheme.thetas]
    step = between(scheme)
    assert max(map(abs, cosine)) <= step * 1.01 + 1e-3, "the midpoint rule is not exact"
    assert step <= boxes(scheme, folded=True).lipschitz_bound * 1.001
