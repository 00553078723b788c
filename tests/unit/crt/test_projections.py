"""Rotation matrices in embeddings, their projections, and the waves of clusters ([C] §5.3, §5.4)."""

import numpy as np
import pytest

from modadd.core.fourier import plane_ratio
from modadd.core.neurons import three_dfts
from modadd.core.separable import Separable
from modadd.crt.clusters import in_band, largest_beside
from modadd.crt.contributions import share_right_by_waves, wave
from modadd.crt.projections import fourfold, projected, roundness
from modadd.crt.theory import equal_waves_r_squared, profile, profile_of
from modadd.crt.waves import cluster_wave

N = 13


def cosine(f, phase=0.0, amplitude=1.0):
    return amplitude * np.cos(2 * np.pi * f * np.arange(N) / N + phase)


def test_a_projection_is_a_shifted_cosine_and_the_printed_one_is_shifted_the_other_way():
    f, s = np.array([3, 5]), np.array([4.5, 1.0])
    k, w = np.arange(N)[:, None], 2 * np.pi * f / N
    assert projected(f, s, N) == pytest.approx(np.cos(w * (k - s)))
    assert projected(f, s, N, sign=-1) == pytest.approx(np.cos(w * (k + s)))


def test_a_rotation_is_found_in_any_basis_and_a_projection_of_it_is_none():
    rng = np.random.default_rng(0)
    basis = np.linalg.qr(rng.normal(size=(6, 6)))[0]
    rotation = np.stack([cosine(2, 0.3, 1.7), cosine(2, 0.3 - np.pi / 2, 1.7)], axis=1)
    others = np.stack([cosine(5, 1.0), cosine(3), np.ones(N), np.zeros(N)], axis=1)
    for mixed in (np.eye(6), basis, 4 * basis):
        embedding = np.hstack([rotation, others]) @ mixed
        assert plane_ratio(embedding, 2) == pytest.approx(1)
        assert plane_ratio(embedding, 5) == pytest.approx(0, abs=1e-12), "one projection"
    ellipse = np.stack([cosine(2), 0.5 * cosine(2, np.pi / 2)], axis=1)
    assert plane_ratio(ellipse, 2) == pytest.approx(0.5)
    assert np.isnan(plane_ratio(np.zeros((N, 3)), 2))


def test_fourfold_phases():
    quarters = 0.4 + np.array([0, 1, 2, 3]) * np.pi / 2
    assert fourfold(quarters, np.array([1.0, 2, 3, 4])) == pytest.approx(1)
    assert fourfold(np.arange(5) * 2 * np.pi / 5, np.ones(5)) == pytest.approx(0, abs=1e-12)
    assert np.isnan(fourfold(quarters, np.zeros(4)))


def test_roundness_tells_a_circle_from_a_lissajous_curve():
    columns = np.stack([cosine(2, 0.3, 3) + 7, cosine(2, 0.3 + np.pi / 2), cosine(5, 1), np.ones(N)], axis=1)
    found = roundness(columns)
    assert found[0, 1] == pytest.approx(0, abs=1e-12) and found[0, 2] == pytest.approx(0.5)
    assert found[0, 0] == pytest.approx(np.sqrt(0.5)), "a line"
    assert found == pytest.approx(found.T)


def test_wave_reads_amplitude_and_lag():
    a, b, c = np.ogrid[:N, :N, :N]
    lag, amplitude = 0.1 * np.sin(a) * np.ones((1, N, 1)), 1.5 + 0.2 * np.cos(b) * np.ones((N, 1, 1))
    values = amplitude * np.cos(2 * np.pi * 4 * (c - a - b) / N - lag) + 7
    found_amplitude, found_lag = wave(values, 4)
    assert found_amplitude == pytest.approx(amplitude[..., 0])
    assert found_lag == pytest.approx(lag[..., 0])


@pytest.mark.parametrize("f", [1, 3, 4])
def test_a_wave_is_one_wave_at_half_of_an_even_modulus_too(f):
    a, b, c = np.ogrid[:8, :8, :8]
    values = 1.5 * np.cos(2 * np.pi * f * (c - a - b) / 8)
    assert wave(values, f)[0] == pytest.approx(np.full((8, 8), 1.5))
    assert cluster_wave(values, f).shape == pytest.approx(1)


def test_waves_that_peak_at_the_sum_are_right_and_lags_can_spoil_it():
    none = {f: np.zeros((N, N)) for f in (1, 4)}
    assert share_right_by_waves(none) == 1
    assert share_right_by_waves(none | {1: np.full((N, N), 1.5)}) == 0
    assert np.isnan(share_right_by_waves({}))


def test_lines_beside_the_own_frequency():
    A = np.stack([cosine(2, 0.1, 9) + cosine(5, 0.2, 2), cosine(3, 0, 9)], axis=1)
    B = np.stack([cosine(2, 0.7, 9), cosine(3, 0, 9) + cosine(1, 0, 1.5) + cosine(4, 0, 0.5)], axis=1)
    network = Separable(A=A, B=B, W=A.T, C=np.zeros((N, N)), D=np.zeros((N, N)))
    assert largest_beside(three_dfts(network)) == pytest.approx(np.array([2, 1.5]) * N / 2)
    inside = in_band(network, np.array([True, True]), band=(7.5, 30.0))
    assert [np.flatnonzero(column).tolist() for column in inside.T] == [[4], [0]]


def test_equal_waves_explain_a_profile_of_equal_waves_and_less_of_unequal_ones():
    a, b, c = np.ogrid[:N, :N, :N]
    w = 2 * np.pi * (c - a - b) / N
    frequencies = np.array([1, 4])
    assert equal_waves_r_squared(profile(np.cos(w) + np.cos(4 * w)), frequencies) == pytest.approx(1)
    unequal = 3 * np.cos(w) + np.cos(4 * w)
    assert equal_waves_r_squared(profile(unequal), frequencies) == pytest.approx((3 + 1) ** 2 / (2 * (9 + 1)))
    assert profile_of(unequal, frequencies)[1]["profile_explained"] == pytest.approx(1)
    assert equal_waves_r_squared(np.zeros(N), frequencies[:0]) == 0
