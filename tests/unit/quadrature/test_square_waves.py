import numpy as np
import pytest
from simple_networks import of_group

from modadd.core.separable import Separable, accuracy
from modadd.handmade.build import Wave, hand_coded
from modadd.quadrature.square_waves import (
    SYMMETRIC,
    at_extremes,
    by_side,
    fit_cosine,
    fit_square,
    flatness,
    idealised,
    nearer_to_square_waves,
    shapes_of,
    third_harmonic,
)

N = 113
K = np.array([1, 3, 17, 56])
PHASES = np.array([0.3, -1.2, 2.5, 3.0])
TURN = 2 * np.pi * K * np.arange(N)[:, None] / N + PHASES
COSINES, SQUARES = np.cos(TURN), np.sign(np.cos(TURN))


@pytest.mark.parametrize(("fit", "waves"), [(fit_square, SQUARES), (fit_cosine, COSINES)])
def test_exact_waves_are_found(fit, waves):
    found = fit(5 - 2 * waves, K)
    np.testing.assert_allclose(found.share, 1)
    np.testing.assert_allclose(found.wave, 5 - 2 * waves, atol=1e-12)


def test_each_explains_as_much_of_the_other():
    np.testing.assert_allclose(fit_square(COSINES, K).share, SYMMETRIC, atol=1e-3)
    np.testing.assert_allclose(fit_cosine(SQUARES, K).share, SYMMETRIC, atol=1e-3)


@pytest.mark.parametrize("n", [7, 12])
def test_every_square_wave_is_tried(n):
    rng = np.random.default_rng(0)
    for k in range(1, n // 2 + 1):
        turn = 2 * np.pi * k * np.arange(n)[:, None] / n + rng.uniform(-np.pi, np.pi, 200)
        np.testing.assert_allclose(fit_square(np.sign(np.cos(turn)), np.full(200, k)).share, 1)


def test_no_square_wave_fits_better():
    rng, n, k = np.random.default_rng(1), 11, 4
    f = rng.standard_normal((n, 5))
    centred = f - f.mean(axis=0)
    tried = np.sign(np.cos(2 * np.pi * k * np.arange(n)[:, None] / n + np.linspace(-np.pi, np.pi, 5000)))
    tried -= tried.mean(axis=0)
    r = (tried.T @ centred) / np.linalg.norm(tried, axis=0)[:, None] / np.linalg.norm(centred, axis=0)
    np.testing.assert_allclose(fit_square(f, np.full(5, k)).share, np.square(r).max(axis=0))


def test_a_constant_column_has_no_shape():
    for measured in (
        fit_square(np.ones((N, 4)), K).share,
        fit_cosine(np.zeros((N, 4)), K).share,
        flatness(np.ones((N, 4))),
    ):
        assert not measured.any()


def test_flatness_tells_two_values_from_a_cosine():
    np.testing.assert_allclose(flatness(SQUARES), 1, atol=1e-3)
    np.testing.assert_allclose(flatness(COSINES), SYMMETRIC, atol=1e-3)


def test_a_flat_top_stands_between_a_cosine_and_a_square_wave():
    np.testing.assert_allclose(at_extremes(3 - SQUARES), 1)
    np.testing.assert_allclose(at_extremes(COSINES), 2 * np.arccos(0.9) / np.pi, atol=0.02)
    cut = np.clip(COSINES, -0.5, 0.5)
    np.testing.assert_allclose(at_extremes(cut), 2 * np.arccos(0.45) / np.pi, atol=0.02)
    assert not at_extremes(np.ones((N, 4))).any()


def test_the_third_harmonic_is_that_of_the_square_wave():
    np.testing.assert_allclose(third_harmonic(2 * SQUARES, K), -1 / 3, atol=0.01)
    np.testing.assert_allclose(third_harmonic(2 * COSINES, K), 0, atol=1e-12)
    np.testing.assert_allclose(third_harmonic(COSINES + 0.2 * np.cos(3 * TURN), K), 0.2)


def test_sides_are_judged_apart_and_by_weight():
    nothing = np.zeros((N, N))
    shapes = shapes_of(Separable(SQUARES, COSINES, COSINES.T, nothing, nothing))
    assert len(shapes) == 12
    found = by_side(shapes)
    assert found.nearer.to_dict() == {"A": 1, "B": 0, "W": 0}
    np.testing.assert_allclose(found.square[["A", "B"]], [1, SYMMETRIC], atol=1e-3)
    mixed = np.where(np.arange(4) == 0, SQUARES, COSINES)
    weight = np.where(np.arange(4) == 0, 9, 1)[:, None]
    heavy = by_side(shapes_of(Separable(mixed, mixed, weight * COSINES.T, nothing, nothing)))
    amplitude = np.where(np.arange(4) == 0, 4 / np.pi, 1) * weight[:, 0]
    assert heavy.nearer["A"] == pytest.approx(amplitude[0] / amplitude.sum(), abs=1e-3)


def test_the_idealised_network_keeps_what_it_is_made_of():
    network = hand_coded(11, [1, 3], 8, Wave(0.0, 0.1))
    cosines, squares = idealised(network, "cosine"), idealised(network, "square")
    for name in ("A", "B", "W", "C", "D"):
        np.testing.assert_allclose(getattr(cosines, name), getattr(network, name), atol=1e-12)
    assert (np.unique(np.round(squares.A[:, 0] - squares.A[:, 0].mean(), 9)).size, squares.W.shape) == (2, (16, 11))
    assert accuracy(cosines.logits()) == 1


@pytest.mark.parametrize(("table", "share"), [(COSINES, 0), (SQUARES, 1), (np.zeros((N, 4)), np.nan)])
def test_the_weight_nearer_to_square_waves_is_all_none_or_unknown(table, share):
    nothing = np.zeros((N, N))
    network = Separable(table, table, COSINES.T, nothing, nothing)
    assert nearer_to_square_waves(network) == pytest.approx(share, nan_ok=True)


def test_on_a_group_that_is_not_cyclic_no_weight_is_nearer_to_either():
    tables = np.ones((25, 4)), np.ones((25, 4)), np.ones((4, 25))
    assert np.isnan(nearer_to_square_waves(of_group(tables, "group_mlp", "5x5")))
