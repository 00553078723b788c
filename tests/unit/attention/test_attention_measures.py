import itertools
import random
from dataclasses import replace

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from support import NATIVE_LOGITS, WITH_RELU

import modadd.attention.pizza_measures
from modadd.attention.numbers_read import neurons_with_both, numbers_read
from modadd.attention.pizza_measures import (
    chosen_triples,
    circularity_of,
    embedding_frequencies,
    gradient_symmetricity,
    gradients,
    irrelevance_of_distance,
    largest_wrong,
    principal_components,
)
from modadd.core.separable import Separable
from modadd.networks.architectures import ARCHITECTURES, Embedded, embedded_of, separable_of
from modadd.networks.registry import measured, measures_in

MEASURES = measures_in(modadd.attention.pizza_measures)
SIZES = {"d_model": 6, "n_heads": 2, "d_mlp": 11}


def random_parameters(architecture, seed=0, n=7):
    rng = np.random.default_rng(seed)
    shapes = ARCHITECTURES[architecture].shapes(n, SIZES)
    return {name: rng.normal(size=shape).astype(np.float32) for name, shape in shapes.items()}


def right_logits(value, n=7):
    """Logits that are 0 but for the right answers, where they are value(a, b)."""
    a, b = np.indices((n, n))
    logits = np.zeros((n, n, n))
    logits[a, b, (a + b) % n] = value(a, b)
    return logits


def circle(k, n=13):
    return np.exp(2j * np.pi * k * np.arange(n) / n).view(float).reshape(n, 2)


def linear_network(g_a, g_b, n=7):
    """Every logit is g_a·E_a + g_b·E_b, so that these are its gradients."""
    E = np.random.default_rng(1).normal(size=(n, len(g_a)))

    def forward(a, b):
        return (a @ torch.tensor(g_a).double() + b @ torch.tensor(g_b).double())[:, None].expand(-1, n)

    return Embedded(E, E, forward)


@given(st.integers(0, 1000), st.sampled_from([3, 4, 5, 6, 7]))
def test_distance_irrelevance_is_the_formula_and_does_not_see_the_wrong_answers(seed, n):
    logits = np.random.default_rng(seed).normal(size=(n, n, n))
    L = {}
    for a, b in itertools.product(range(n), repeat=2):
        L.setdefault((a - b) % n, []).append(logits[a, b, (a + b) % n])
    expected = np.mean([np.std(row) for row in L.values()]) / np.std(sum(L.values(), []))
    assert irrelevance_of_distance(logits) == pytest.approx(expected, rel=1e-12)
    only_right = right_logits(lambda a, b: logits[a, b, (a + b) % n], n)
    assert irrelevance_of_distance(only_right) == irrelevance_of_distance(logits)


def test_distance_irrelevance_of_equal_right_logits_is_not_a_number():
    assert np.isnan(irrelevance_of_distance(right_logits(lambda a, b: 0.1)))


@pytest.mark.parametrize("n", [3, 5, 7])
def test_chosen_triples_are_the_published_ones(n):
    triples = list(itertools.product(range(n), repeat=3))
    random.Random(42).shuffle(triples)
    np.testing.assert_array_equal(chosen_triples(n).T, triples[:100])


@pytest.mark.parametrize(
    ("g_b", "expected"),
    [([2.0, 4.0], 1), ([-1.0, -2.0], -1), ([2.0, -1.0], 0), ([1.0, 0.0], 5**-0.5), ([0.0, 0.0], 0)],
    ids=["parallel", "opposite", "orthogonal", "oblique", "vanishing"],
)
def test_gradient_symmetricity_of_given_gradients_is_their_cosine(g_b, expected):
    assert gradient_symmetricity(linear_network([1.0, 2.0], g_b)) == pytest.approx(expected, abs=1e-15)


def test_gradient_symmetricity_does_not_depend_on_how_small_the_gradients_are():
    assert gradient_symmetricity(linear_network([1e-30, 0.0], [1e-30, 0.0])) == pytest.approx(1, abs=1e-15)


@pytest.mark.parametrize("architecture", WITH_RELU)
def test_logits_read_through_the_embeddings_are_those_of_the_separable_form(architecture):
    parameters = random_parameters(architecture)
    through = embedded_of(architecture, parameters)
    assert through.modulus == 7
    expected = separable_of(architecture, parameters).logits()
    np.testing.assert_allclose(through.logits(), expected, rtol=1e-11, atol=1e-11)


@pytest.mark.parametrize("architecture", ARCHITECTURES)
def test_gradients_are_those_of_the_network_written_out(architecture):
    parameters, triples = random_parameters(architecture), chosen_triples(7)[:, :10]
    double = {name: torch.from_numpy(value).double() for name, value in parameters.items()}
    names = ARCHITECTURES[architecture].embeddings
    found = gradients(embedded_of(architecture, parameters), triples)
    for (a, b, c), at_a, at_b in zip(triples.T, *found, strict=True):
        two = torch.stack([double[names[0]][a], double[names[1]][b]]).requires_grad_()  # a vocabulary of two tokens
        logits = NATIVE_LOGITS[architecture](double | dict.fromkeys(names, two), torch.tensor([[0, 1]]))
        expected = torch.autograd.grad(logits[0, c], two)[0].numpy()
        np.testing.assert_allclose([at_a, at_b], expected, rtol=1e-10, atol=1e-12)


def test_reading_the_gradients_leaves_the_network_as_it_was():
    network = embedded_of("pizza_transformer", random_parameters("pizza_transformer"))
    before = network.E_a.copy()
    assert measured(network, MEASURES) == measured(network, MEASURES)
    np.testing.assert_array_equal(network.E_a, before)


def test_circles_have_circularity_1_however_they_lie_in_space():
    rotation = np.linalg.qr(np.random.default_rng(0).normal(size=(9, 9)))[0]
    one = np.hstack([circle(3), np.zeros((13, 7))]) @ rotation + 5
    two = np.hstack([circle(3), 2 * circle(5), np.zeros((13, 5))]) @ rotation
    assert circularity_of(one) == pytest.approx(1, abs=1e-12)
    assert circularity_of(two) == pytest.approx(1, abs=1e-12)
    assert principal_components(one).shape == (13, 2), "directions in which only rounding varies are no components"


@given(st.integers(0, 1000), st.sampled_from([5, 7, 11]), st.integers(1, 12))
def test_circularity_is_the_formula(seed, n, d):
    embedding = np.random.default_rng(seed).normal(size=(n, d))
    centred = embedding - embedding.mean(axis=0)
    strength, directions = np.linalg.eigh(centred.T @ centred)
    j, terms = np.arange(n), []
    for direction in directions.T[::-1][: min(4, d, n - 1)]:
        v = centred @ direction
        sums = [abs(sum(v * np.exp(2j * np.pi * k * j / n))) ** 2 for k in range(1, n)]
        terms.append(max(sums) * 2 / (n * sum(v**2)))
    assert circularity_of(embedding) == pytest.approx(np.mean(terms), rel=1e-6)


def test_the_line_at_half_of_an_even_modulus_counts_once():
    x = np.arange(12)
    v = np.cos(2 * np.pi * x / 12) + 0.6 * (-1.0) ** x
    assert circularity_of(v[:, None]) == pytest.approx(0.5 / (0.5 + 0.36))


def test_an_embedding_that_tells_no_tokens_apart_has_no_circularity():
    assert np.isnan(circularity_of(np.full((7, 3), 0.1)))


def test_two_embeddings_are_read_side_by_side():
    parameters = random_parameters("embedding_mlp")
    network = embedded_of("embedding_mlp", parameters)
    np.testing.assert_array_equal(network.concatenated(), np.hstack([parameters["E_a"], parameters["E_b"]]))
    assert measured(network, MEASURES)["circularity"] == circularity_of(network.concatenated())


def test_frequencies_of_an_embedding_come_strongest_first_and_noise_is_left_out():
    embedding = np.hstack([circle(2), 3 * circle(5), 2 * circle(1), 0.1 * circle(4)])
    assert embedding_frequencies(embedding) == [5, 1, 2]
    assert embedding_frequencies(np.full((7, 2), 0.1)) == []


def test_a_sum_depends_on_both_numbers_apart_and_a_product_on_both_together():
    x = 2 * np.pi * np.arange(7) / 7
    of_a, of_b = np.cos(x)[:, None], np.cos(2 * x)[None, :]
    found = numbers_read(np.stack([3 + of_a + 0 * of_b, of_a + 2 * of_b, of_a * of_b, of_a + of_a * of_b], axis=-1))
    np.testing.assert_allclose(found, [[1, 0, 0], [0.2, 0.8, 0], [0, 0, 1], [2 / 3, 0, 1 / 3]], atol=1e-12)
    assert np.isnan(numbers_read(np.ones((7, 7, 1)))).all().all()


def test_neurons_with_both_are_those_in_which_either_number_has_a_tenth():
    x = 2 * np.pi * np.arange(7) / 7
    A, B = (np.outer(np.cos(x), sizes) for sizes in ([3, 3, 1, 0], [3, 1, 2, 1]))  # B has 1/2, 1/10, 4/5 and all of it
    network = Separable(A, B, np.zeros((4, 7)), np.zeros((7, 7)), np.zeros((7, 7)))
    assert neurons_with_both(network) == 0.75
    assert neurons_with_both(replace(network, B=0 * B)) == 0


@pytest.mark.parametrize("n", [6, 7], ids=["even", "odd"])
def test_distance_irrelevance_is_0_for_logits_of_the_difference_and_1_for_logits_of_the_sum(n):
    value = np.random.default_rng(0).normal(size=n)
    assert irrelevance_of_distance(right_logits(lambda a, b: value[(a - b) % n], n)) == pytest.approx(0, abs=1e-15)
    if n % 2:  # of an even n, a difference fixes whether the sum is even
        assert irrelevance_of_distance(right_logits(lambda a, b: value[(a + b) % n], n)) == pytest.approx(1, abs=1e-15)


def test_one_embedding_read_alike_for_both_numbers_has_gradient_symmetricity_1():
    parameters = random_parameters("two_layer_mlp")
    assert gradient_symmetricity(embedded_of("two_layer_mlp", parameters)) == pytest.approx(1, abs=1e-12)


def test_the_largest_wrong_logit_stands_in_the_place_of_the_right_one():
    logits = np.random.default_rng(0).normal(size=(5, 5, 5))
    found = largest_wrong(logits)
    for a, b in np.ndindex(5, 5):
        right = (a + b) % 5
        assert found[a, b, right] == np.delete(logits[a, b], right).max() and not np.delete(found[a, b], right).any()
