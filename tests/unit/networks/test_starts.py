"""What training starts from: draws changed in their last bit, or in one plane of functions on the residues."""

from dataclasses import replace

import numpy as np
import pytest
import torch
from support import refuses

from modadd.networks.architectures import ARCHITECTURES, separable_of
from modadd.networks.recipes import CONTROL, DIRECTIONS, FACTORED, FACTORS, FREQUENCY, RECIPES, REST
from modadd.networks.starts import chosen_frequency, drawn, plane_of, rest_of


@pytest.mark.parametrize("name", RECIPES)
def test_perturbations_differ_in_the_last_bits_only_and_from_one_another(small, name):
    plain, first, second = (drawn(replace(small[name], perturbation=p), 3) for p in (0, 1, 2))
    for key, value in plain.items():
        for other in (first, second):
            assert torch.allclose(other[key], value, rtol=7e-7, atol=0), (
                f"{key} moved by more than a few units in the last place"
            )
        if value.any():
            assert not torch.equal(first[key], value) and not torch.equal(first[key], second[key])
        assert torch.equal(drawn(replace(small[name], perturbation=1), 3)[key], first[key]), "drawn twice, two results"


def tables_of(recipe, parameters):
    """What embeds a and b, and what reads out c: functions on the residues in columns, in float64."""
    architecture = ARCHITECTURES[recipe.architecture]
    tables = [parameters[name] for name in architecture.embeddings] + [parameters[architecture.readout].T]
    return [table.double().numpy() for table in tables]


@pytest.mark.parametrize("name", RECIPES)
def test_scaling_a_frequency_scales_it_in_embeddings_and_readout_and_nothing_else(small, name):
    recipe = small[name]
    scaled, n = replace(recipe, scaled=FREQUENCY, scaled_by=1.5), recipe.modulus
    before, after = drawn(recipe, 3), drawn(scaled, 3)
    for old, new in zip(tables_of(recipe, before), tables_of(recipe, after), strict=True):
        assert old.shape[0] == n
        expected = np.fft.rfft(old, axis=0)
        expected[chosen_frequency(n, 3)] *= 1.5
        np.testing.assert_allclose(np.fft.rfft(new, axis=0), expected, atol=1e-5)
    architecture = ARCHITECTURES[recipe.architecture]
    for key in set(before) - {*architecture.embeddings, architecture.readout}:
        assert torch.equal(before[key], after[key]), f"{key} has no part in it"


@pytest.mark.parametrize("name", RECIPES)
def test_the_control_scales_two_directions_without_mean(small, name):
    recipe = replace(small[name], scaled=CONTROL, scaled_by=0.5)
    plane = plane_of(CONTROL, recipe.modulus, 3)
    before, after = (tables_of(recipe, drawn(of, 3)) for of in (small[name], recipe))
    for old, new in zip(before, after, strict=True):
        np.testing.assert_allclose(plane.T @ new, plane.T @ old / 2, atol=1e-5)
        assert np.linalg.matrix_rank(new - old, tol=1e-5) == 2
        np.testing.assert_allclose(new.mean(axis=0), old.mean(axis=0), atol=1e-6)


@pytest.mark.parametrize("name", FACTORED)
def test_scaled_factors_give_other_tables_and_the_same_logits(small, name):
    recipe, factor = small[name], 4.0
    before, after = (drawn(of, 3) for of in (recipe, replace(recipe, scaled=FACTORS, scaled_by=factor)))
    old, new = (separable_of(name, {key: value.numpy() for key, value in of.items()}) for of in (before, after))
    times = factor ** (len(FACTORED[name]) // 2)
    for table, scale in (("A", times), ("B", times), ("W", 1 / times)):
        np.testing.assert_allclose(getattr(new, table), scale * getattr(old, table), rtol=1e-6)
    np.testing.assert_allclose(new.logits(), old.logits(), rtol=1e-5, atol=1e-6)
    assert all(torch.equal(after[key], factor * before[key]) for key in FACTORED[name])


def test_without_the_rest_a_start_has_the_rank_that_is_left():
    recipe = replace(RECIPES["group_mlp"], scaled=REST, scaled_by=0.0)
    before, after = drawn(RECIPES["group_mlp"], 3), drawn(recipe, 3)
    for old, new in zip(tables_of(recipe, before), tables_of(recipe, after), strict=True):
        assert np.linalg.matrix_rank(new, tol=1e-4) == DIRECTIONS
        left = old - rest_of(recipe.modulus, 3) @ (rest_of(recipe.modulus, 3).T @ old)
        np.testing.assert_allclose(new, left, atol=1e-6)


def test_every_seed_has_a_rest_of_its_own_in_orthonormal_directions():
    first, second = rest_of(23, 0), rest_of(23, 1)
    np.testing.assert_allclose(first.T @ first, np.eye(23 - DIRECTIONS), atol=1e-12)
    assert not np.allclose(first @ first.T, second @ second.T)


@pytest.mark.parametrize("n", [3, 4, 5, 23, 91])
def test_every_frequency_with_a_plane_is_chosen(n):
    assert {chosen_frequency(n, seed) for seed in range(20 * n)} == set(range(1, (n + 1) // 2))
    for scaled in (FREQUENCY, CONTROL):
        plane = plane_of(scaled, n, 0)
        np.testing.assert_allclose(plane.T @ plane, np.eye(2), atol=1e-12)
        np.testing.assert_allclose(plane.sum(axis=0), 0, atol=1e-12)


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"scaled": "frequenzy", "scaled_by": 2.0}, ["scaled", "frequenzy", "did you mean 'frequency'"]),
        ({"scaled_by": 2.0}, ["scaled_by", "expected 1", "got 2"]),
        ({"scaled": "control", "operation": "subtraction"}, ["scaled", "addition", "subtraction"]),
        ({"scaled": "control", "modulus": 2, "train_pairs": 4, "batch_size": 0}, ["scaled", "addition mod 3 or more"]),
        ({"scaled": "rest", "modulus": 7, "train_pairs": 49, "batch_size": 0}, ["scaled", "at least 8", "got 7"]),
        ({"scaled": "factors", "scaled_by": 0.0}, ["scaled_by", "more than 0", "got 0"]),
        (
            {"scaled": "factors", "architecture": "two_layer_mlp"},
            ["scaled", "no factors with two_layer_mlp", "factored_mlp"],
        ),
    ],
)
def test_a_recipe_that_scales_what_is_not_there_is_refused(changes, words):
    with refuses(*words):
        replace(RECIPES["group_mlp"], **changes)
