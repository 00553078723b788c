from dataclasses import replace

import numpy as np
import pytest
from certified import networks
from hypothesis import given
from hypothesis import strategies as st
from support import perfect_network

from modadd.certificates.certify import by_direct_sums, by_factors, certify
from modadd.certificates.explained import explain
from modadd.core.neurons import multiples_of, own_frequency
from modadd.core.separable import Separable, margins
from modadd.networks.registry import measured

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


def test_a_network_of_pure_cosines_is_explained_without_noise():
    network = perfect_network()
    explained = explain(network, 1)
    for noise in (explained.noise_A, explained.noise_B, np.abs(explained.residual_W)):
        assert noise.max() < 1e-14
    for certificate in (by_factors(explained), by_direct_sums(explained), by_direct_sums(explained, exact=True)):
        np.testing.assert_allclose(certificate.margin, margins(network.logits()), atol=1e-9)
        np.testing.assert_allclose(certificate.explained_margin, certificate.margin, atol=1e-9)
        assert certificate.share == 1.0


def test_measures_are_of_the_proofs_that_they_name():
    network, rng = perfect_network(n=11, frequencies=(2, 3, 5), m=16), np.random.default_rng(0)
    second = 0.6 * np.cos(4 * np.pi / 11 * np.outer(np.arange(11), np.repeat((2, 3, 5), 16)))
    A = network.A + second + 0.05 * rng.normal(size=second.shape)
    network = replace(network, A=A, W=network.W + 0.1 * rng.normal(size=network.W.shape))
    shares = ["certified_share_k", "certified_share_identity_kept", "certified_share_k_2k"]
    found = measured(network, [*shares, "smallest_explained_margin", "smallest_certified_margin"])
    one, two = (by_direct_sums(explain(network, most, bypass_identity=False)) for most in (1, 2))
    assert [found[name] for name in shares] == [one.share, by_factors(explain(network, 2)).share, two.share]
    assert found["certified_share_k"] < found["certified_share_identity_kept"] < found["certified_share_k_2k"]
    assert found["smallest_explained_margin"] == two.explained_margin.min() < two.explained_margin.max()
    assert found["smallest_certified_margin"] == two.margin.min() < two.margin.max()
