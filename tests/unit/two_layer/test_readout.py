"""What [M] reads off a network: key frequencies, norms, and the variance that sums of angles explain."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from simple_networks import cosine, silent_network
from support import perfect_network, printed_by, published_weights

import modadd.two_layer.basis_measures
from modadd.core.basis import basis, names
from modadd.core.separable import Separable
from modadd.networks.registry import measured, measures_in
from modadd.two_layer.readout import (
    norm_ratio,
    projections,
    ranking,
    ranking_of_products,
    transform_2d,
    variance_explained,
)

PRODUCTS, SUMS = ["sin", "cos"], ["sin, sum alone", "cos, sum alone"]  # columns of `variance_explained`
KEY_FREQUENCIES = printed_by("M/mlp_frequencies")["frequencies"]
FVE = [printed_by(f"M/{item}") for item in ("mlp_fve_median_difference", "published_mlp_fve_cos")]  # sine, cosine


def test_key_frequencies_stand_above_the_widest_gap():
    weights = {1: 10.0, 2: 0.5, 3: 9.0, 4: 1.0, 5: 4.0}
    f = np.stack([size * cosine(11, k, phase=0.7 * k) for k, size in weights.items()], axis=1) + 100
    found = ranking(f)
    assert found.frequency.tolist() == [1, 3, 5, 4, 2]
    assert found.key_frequencies == [1, 3, 5]
    assert found.gap == pytest.approx(16), "a gap is a ratio of powers, of squares"
    np.testing.assert_allclose(found.power, np.array([100, 81, 16, 1, 0.25]) * 11 / 2)


def test_products_are_ranked_apart_from_terms_of_one_number():
    sizes = {1: 4, 2: 0.4, 3: 3, 4: 0.5, 5: 0.3}
    f = 9 * cosine(11, 2)[:, None] + sum(s * np.outer(cosine(11, k), cosine(11, k, phase=1)) for k, s in sizes.items())
    found = ranking_of_products(transform_2d(f))
    assert found.key_frequencies == [1, 3]
    assert found.gap == pytest.approx(36)


@pytest.mark.parametrize("n", [7, 8])
def test_ranking_ignores_the_scale_and_the_frequency_without_a_sine(n):
    f = cosine(n, 2) + 0.1 * cosine(n, 1) + 0.05 * cosine(n, 3) + 50 * (cosine(n, 4) if n == 8 else 0)
    for scale in (1.0, 1e-150, 1e150):
        found = ranking(scale * f)
        assert found.key_frequencies == [2]
        assert found.gap == pytest.approx(100)
        assert sorted(found.frequency) == [1, 2, 3]


def test_rounding_errors_are_no_gap():
    f = cosine(13, 2) + 0.1 * cosine(13, 5)
    assert ranking(f).key_frequencies == [2, 5], "four frequencies hold rounding errors of unequal size"
    assert ranking(cosine(3, 1)).key_frequencies == ranking(cosine(4, 1)).key_frequencies == [1], "one frequency is key"
    assert ranking(np.zeros((13, 2))).gap == 1, "nothing has no gap, and no division by zero"


def test_norm_ratio_counts_the_constant_in_the_whole_alone():
    f = np.stack([3 * cosine(9, 1), 4 * cosine(9, 2)], axis=1)
    assert norm_ratio(f, [1]) == pytest.approx(0.6)
    assert norm_ratio(f, [1, 2]) == pytest.approx(1)
    assert norm_ratio(f, [3]) == pytest.approx(0)
    assert norm_ratio(cosine(9, 1) + np.sqrt(0.5), [1]) == pytest.approx(np.sqrt(0.5))


@given(arrays(float, (7, 3), elements=st.floats(0.1, 10)), st.sets(st.integers(1, 3), min_size=1))
def test_norm_ratio_is_that_of_the_restricted_matrix(f, kept):
    F = basis(7)
    restricted = sum(np.outer(F[row], F[row] @ f) for k in kept for row in (2 * k - 1, 2 * k))
    assert norm_ratio(f, sorted(kept)) == pytest.approx(np.linalg.norm(restricted) / np.linalg.norm(f))


def test_projections_are_those_of_the_definition():
    rng = np.random.default_rng(0)
    activations, W, kept = rng.standard_normal((7, 7, 5)), rng.standard_normal((5, 7)), [1, 3]
    F, found = basis(7), projections(activations, W, kept)
    for index, k in enumerate(kept):
        for column, name in enumerate((f"sin {k}", f"cos {k}")):
            direction = W @ F[names(7).index(name)]
            expected = np.einsum("xyh,h,ix,jy->ij", activations, direction, F, F)
            np.testing.assert_allclose(found[index, column], expected, atol=1e-12, err_msg=name)


def test_sum_of_angles_is_explained_in_full_and_the_difference_by_its_products_alone():
    n, k = 7, 2
    a, b = np.indices((n, n))
    w = 2 * np.pi * k / n
    maps = {sign: np.stack([np.sin(w * (a + sign * b)), np.cos(w * (a + sign * b))]) for sign in (1, -1)}
    coefficients = {sign: transform_2d(np.moveaxis(each, 0, 2)).transpose(2, 0, 1) for sign, each in maps.items()}
    for sign, sums in ((1, 1.0), (-1, 0.0)):
        found = variance_explained(coefficients[sign][None], [k])
        np.testing.assert_allclose(found[PRODUCTS], [[1, 1]], err_msg="both products are counted on their own")
        np.testing.assert_allclose(found[SUMS], [[sums, sums]], atol=1e-12)
    mixed = variance_explained(coefficients[1][None] + 0.5 * coefficients[-1][None], [k])
    np.testing.assert_allclose(mixed[PRODUCTS], [[1, 1]])
    np.testing.assert_allclose(mixed[SUMS], [[0.8, 0.8]], err_msg="1 of 1 + ½²")


def test_other_terms_and_the_constant_are_not_explained():
    n, k = 9, 1
    a, b = np.indices((n, n))
    w = 2 * np.pi / n
    extra = np.cos(2 * w * a) + np.cos(w * a) * np.cos(2 * w * b) + 0.5  # powers ½, ¼ and ¼ beside ½ of the sum
    maps = np.stack([np.sin(w * (a + b)), np.cos(w * (a + b))], axis=2) + extra[..., None]
    found = variance_explained(transform_2d(maps).transpose(2, 0, 1)[None], [k])
    np.testing.assert_allclose(found[PRODUCTS], [[1 / 3, 1 / 3]])
    np.testing.assert_allclose(found[SUMS], [[1 / 3, 1 / 3]])
    assert (variance_explained(np.zeros((1, 2, n, n)), [k]) == 0).all(axis=None), "of nothing, nothing is explained"


@given(arrays(float, (2, 2, 7, 7), elements=st.floats(-1e3, 1e3)))
def test_a_sum_explains_no_more_than_its_products(maps):
    found = variance_explained(maps, [1, 3])
    assert found.index.tolist() == [1, 3]
    assert (found[SUMS].to_numpy() <= found[PRODUCTS].to_numpy() + 1e-12).all()
    assert (found <= 1 + 1e-12).all(axis=None)


def test_the_perfect_network_computes_sums_of_angles():
    network = perfect_network(n=59, frequencies=(3, 7), m=64)
    assert ranking(network.W.T).key_frequencies == [3, 7]
    maps = projections(np.maximum(network.preactivations(), 0), network.W, [3, 7])
    fractions = variance_explained(maps, [3, 7])
    assert (fractions[SUMS] > 0.7).all(axis=None), "|cos(w(a−b)/2)| cos(w(a+b)) is mostly cos(w(a+b))"
    np.testing.assert_allclose(fractions["sin, sum alone"], fractions.sin, rtol=1e-9, err_msg="a and b are alike")


@pytest.fixture(scope="module")
def published():
    """The two-layer MLP whose weights [M] published, in the separable form."""
    return published_weights("kissane").separable()


def test_published_weights_have_the_published_key_frequencies_and_norms(published):
    assert ranking(published.W.T).key_frequencies == KEY_FREQUENCIES
    assert ranking(published.A).key_frequencies == KEY_FREQUENCIES, "W_neur has the same ones"
    ratio = norm_ratio(published.W.T, KEY_FREQUENCIES)
    assert ratio == pytest.approx(0.9824131092301623, abs=5e-8)
    assert np.linalg.norm(published.W) == pytest.approx(36.85184860229492, abs=5e-6)
    assert ratio * np.linalg.norm(published.W) == pytest.approx(36.203739166259766, abs=5e-6)


def test_published_weights_have_the_published_fractions_of_variance_explained(published):
    maps = projections(np.maximum(published.preactivations(), 0), published.W, KEY_FREQUENCIES)
    found = variance_explained(maps, KEY_FREQUENCIES)[PRODUCTS]
    np.testing.assert_allclose(found.T, np.array(FVE, float), atol=5e-6, err_msg="26 numbers of [M], to five digits")


def test_row_of_a_two_layer_mlp_holds_what_the_parts_say():
    network = perfect_network()
    row = measured(network, measures_in(modadd.two_layer.basis_measures))
    key = ranking(network.W.T).key_frequencies
    explained = variance_explained(projections(np.maximum(network.preactivations(), 0), network.W, key), key)
    assert row["W_U_frequencies"] == key
    assert row["norm_ratio"] == norm_ratio(network.W.T, key)
    np.testing.assert_array_equal(np.stack([row["fve_sin"], row["fve_cos"]], axis=1), explained[PRODUCTS])


def test_a_table_of_another_frequency_is_seen_in_W_neur_and_in_the_products():
    network, asked = perfect_network(11, (2, 3), m=16), ["frequencies_agree", "products_agree", "norm_ratio_of_W_neur"]
    assert measured(network, asked) == {name: pytest.approx(1) for name in asked}
    other = perfect_network(11, (2, 5), m=16)
    found = measured(replace(network, A=other.A, B=other.B), asked)
    assert found == {"frequencies_agree": 0, "products_agree": 0, "norm_ratio_of_W_neur": pytest.approx(np.sqrt(0.5))}


def test_neurons_of_nine_terms_and_quadratic_terms_are_counted():
    n, x = 11, 2 * np.pi * np.arange(11) / 11
    one = 2 + np.stack([np.cos(x), np.cos(2 * x), np.cos(x) + np.cos(2 * x)], axis=1)  # above 0: the ReLU makes nothing
    W = np.stack([np.cos(x), 0 * x, 0 * x])
    network = Separable(A=one, B=one, W=W, C=np.zeros((n, n)), D=np.zeros((n, n)))
    found = measured(network, ["neurons_of_nine_terms", "quadratic_over_linear_logits"])
    assert found == {"neurons_of_nine_terms": pytest.approx(2 / 3), "quadratic_over_linear_logits": pytest.approx(0)}


def test_a_network_of_nothing_has_no_ratio_of_terms():
    found = measured(silent_network(), ["quadratic_over_linear_logits"])
    assert np.isnan(found["quadratic_over_linear_logits"])
