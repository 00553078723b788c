from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from modadd.fourier import wrap
from modadd.neurons import neurons_of
from modadd.quadrature import (
    INTEGRAL,
    LIPSCHITZ,
    Scheme,
    angle_term,
    around,
    boxes,
    gaps,
    integrand,
    integrand_slope,
    numeric_integral,
    quadrature_error,
    schemes_of,
    thinned,
    weighted_sum,
)
from support import perfect_network, perfect_scheme


@st.composite
def random_schemes(draw):
    """Nodes anywhere, positive weights of sum 2π, output phases off 2φ by up to half a turn."""
    m = draw(st.integers(1, 12))
    angle = st.floats(-3.14, 3.14)
    phi = np.sort(draw(arrays(float, m, elements=angle)))
    r = draw(arrays(float, m, elements=st.floats(0.01, 1)))
    noise = draw(st.floats(0, 1)) * draw(arrays(float, m, elements=angle))
    return Scheme(
        draw(st.sampled_from([7, 8, 59])), draw(st.integers(1, 3)), phi, wrap(2 * phi + noise), 2 * np.pi * r / r.sum()
    )


def displacement(node, weight, shift, period):
    """Σ_i ∫_{box i} |x − φ_i| dx with the boxes laid end to end from `shift`, by a fine midpoint sum."""
    left = shift + np.concatenate([[0], np.cumsum(weight)[:-1]]) * period / (2 * np.pi)
    width = weight * period / (2 * np.pi)
    steps = (np.arange(2000) + 0.5) / 2000
    return sum(np.abs(start + steps * w - at).mean() * w for start, w, at in zip(left, width, node, strict=True))


def test_weights_are_the_products_of_the_amplitudes_scaled_to_a_turn():
    network = perfect_network(frequencies=(1, 2), m=4)
    strength = np.tile([1.0, 2.0, 3.0, 4.0], 2)
    stronger = replace(network, W=strength[:, None] * network.W)
    schemes = schemes_of(neurons_of(stronger))
    assert list(schemes) == [1, 2]
    for k, scheme in schemes.items():
        assert (scheme.frequency, scheme.modulus) == (k, 7)
        assert (np.diff(scheme.phi) > 0).all(), "nodes are sorted by φ"
        assert scheme.weight.sum() == pytest.approx(2 * np.pi)
        made = (np.mod(scheme.phi - 0.3, 2 * np.pi) / (np.pi / 2)).round() % 4
        np.testing.assert_allclose(
            scheme.weight, 2 * np.pi * (made + 1) / 10, err_msg="each weight stays with its node"
        )


@pytest.mark.parametrize("absolute", [True, False])
def test_weighted_sum_is_the_sum_written_out(absolute):
    scheme = perfect_scheme(m=5)
    scheme = replace(scheme, psi=scheme.psi + 0.2, frequency=2)
    for s, found in enumerate(weighted_sum(scheme, absolute)):
        theta, expected = 2 * np.pi * 2 * s / 7, 0
        for phi, psi, weight in zip(scheme.phi, scheme.psi, scheme.weight, strict=True):
            cosine = np.cos(theta / 2 + phi)
            expected += weight * (abs(cosine) if absolute else cosine) * np.exp(1j * psi)
        assert found == pytest.approx(expected), f"input sum {s}"


def test_many_even_nodes_give_the_integral():
    scheme = perfect_scheme(m=512)
    np.testing.assert_allclose(weighted_sum(scheme, absolute=True), INTEGRAL * np.exp(-1j * scheme.thetas), atol=1e-4)
    np.testing.assert_allclose(weighted_sum(scheme, absolute=False), 0, atol=1e-12)


def test_quadrature_error_is_the_sum_less_the_integral():
    scheme = perfect_scheme(m=3)
    expected = weighted_sum(scheme, absolute=True) - 4 / 3 * np.exp(-2j * np.pi * np.arange(7) / 7)
    np.testing.assert_allclose(quadrature_error(scheme), expected)


def test_angle_term_of_the_perfect_scheme_is_zero():
    assert angle_term(perfect_scheme()) == pytest.approx(0, abs=1e-12)


def test_angle_term_weighs_the_mismatch_and_forgets_whole_turns():
    scheme = Scheme(
        7, 1, np.array([-1.0, 2.0]), np.array([-2.0 + 0.1, 4.0 - 0.3 - 2 * np.pi]), np.array([2.0, 2 * np.pi - 2])
    )
    assert angle_term(scheme) == pytest.approx(2 * 0.1 + (2 * np.pi - 2) * 0.3)


@pytest.mark.parametrize("m", [1, 4, 7, 30])
def test_bound_of_even_spacing_is_its_closed_form(m):
    width = 2 * np.pi / m
    found = boxes(perfect_scheme(m), folded=False)
    assert found.displacement == pytest.approx(2 * np.pi * width / 4), "each of m boxes contributes (width/2)²"
    assert found.lipschitz_bound == pytest.approx(LIPSCHITZ * 2 * np.pi * width / 4)


@pytest.mark.parametrize(("m", "gain"), [(4, 1), (30, 1), (7, 2), (31, 2)])
def test_folding_halves_the_bound_of_an_odd_number_of_even_nodes(m, gain):
    scheme = perfect_scheme(m)
    unfolded, folded = (boxes(scheme, folded).lipschitz_bound for folded in (False, True))
    assert unfolded / folded == pytest.approx(
        gain
    ), "mod π an odd number of even nodes interleaves, an even one coincides"


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
    found = boxes(Scheme(59, 1, phi, wrap(2 * phi), 2 * np.pi * r / r.sum()), folded)
    weight = (found.right - found.left) * 2 * np.pi / found.period
    scan = [displacement(found.node, weight, found.left[0] + shift, found.period) for shift in np.linspace(-1, 1, 201)]
    assert found.displacement == pytest.approx(scan[100], rel=1e-5), "displacement is the integral it says"
    assert found.displacement <= min(scan) * (1 + 1e-5)


@given(random_schemes(), st.floats(-3, 3), st.booleans())
def test_bound_does_not_change_when_the_circle_is_turned(scheme, turn, folded):
    phi = wrap(scheme.phi + turn)
    order = np.argsort(phi)
    turned = replace(scheme, phi=phi[order], psi=scheme.psi[order], weight=scheme.weight[order])
    assert boxes(turned, folded).lipschitz_bound == pytest.approx(boxes(scheme, folded).lipschitz_bound, abs=1e-6)


@given(random_schemes())
def test_gaps_sum_to_a_turn_and_are_not_negative(scheme):
    assert gaps(scheme).sum() == pytest.approx(2 * np.pi)
    assert (gaps(scheme) >= 0).all()


def test_gaps_of_even_nodes_are_even():
    np.testing.assert_allclose(gaps(perfect_scheme(m=10)), np.pi / 5)


def test_integrand_has_period_pi_slope_at_most_2_and_the_stated_integral():
    phi = (np.arange(200_000) + 0.5) * np.pi / 200_000
    for theta, answer_phase in [(0.0, 0.0), (1.0, 0.4), (4.0, 2.0)]:
        h = integrand(phi, theta, answer_phase)
        np.testing.assert_allclose(integrand(phi + np.pi, theta, answer_phase), h, atol=1e-12)
        assert np.abs(np.diff(h)).max() <= LIPSCHITZ * (phi[1] - phi[0]) * (1 + 1e-9)
        assert 2 * h.mean() * np.pi == pytest.approx(INTEGRAL * np.cos(answer_phase - theta), abs=1e-6)


@pytest.mark.parametrize("theta", [0.0, 0.7, 3.0, -2.5])
def test_the_integral_is_four_thirds_with_the_bars_and_nothing_without(theta):
    assert abs(numeric_integral(theta, absolute=True) - INTEGRAL * np.exp(-1j * theta)) < 1e-12
    assert abs(numeric_integral(theta, absolute=False)) < 1e-12


@given(st.floats(-3, 3), st.floats(-3, 3), st.floats(-3, 3))
def test_slope_of_the_integrand_is_its_difference_quotient_and_at_most_lipschitz(phi, theta, answer_phase):
    step = 1e-6
    if abs(np.cos(theta / 2 + phi)) > 2 * step:  # away from the kinks
        ahead, behind = (integrand(np.array([phi + s]), theta, answer_phase)[0] for s in (step, -step))
        slope = integrand_slope(np.array([phi]), theta, answer_phase)[0]
        assert abs(slope - (ahead - behind) / (2 * step)) < 1e-6
        assert abs(slope) <= LIPSCHITZ


def test_thinning_keeps_every_step_th_node_and_the_total_weight():
    scheme = perfect_scheme(m=12)
    thin = thinned(scheme, 4)
    np.testing.assert_array_equal(thin.phi, scheme.phi[::4])
    assert thin.weight.sum() == pytest.approx(2 * np.pi)


@given(random_schemes())
def test_boxes_moved_around_the_circle_cover_it_once(scheme):
    moved = around(boxes(scheme, folded=False))
    clipped = np.minimum(moved.right, np.pi) - np.maximum(moved.left, -np.pi)
    assert clipped.sum() == pytest.approx(2 * np.pi)
