"""Representations of the groups of the pilot: orthonormal characters, projectors, and logits along them."""

import numpy as np
import pytest

from modadd.core.fourier import term
from modadd.core.groups import right_answers
from modadd.core.representations import energies_in, inverses, projector, representations, shares_along

GROUPS = pytest.mark.parametrize(("operation", "n"), [("addition", 5), ("addition", 6), ("S3", 6)])


@GROUPS
def test_characters_are_orthonormal_and_there_is_one_for_each_class_of_conjugates(operation, n):
    characters = np.concatenate([of.characters for of in representations(operation, n)])
    np.testing.assert_allclose(characters.conj() @ characters.T / n, np.eye(len(characters)), atol=1e-12)
    table = right_answers(operation, n)
    conjugates = table[table, inverses(table)[:, None]]  # g h g⁻¹
    assert all(np.allclose(character[conjugates], character) for character in characters), "class functions"
    assert len(characters) == len({frozenset(conjugates[:, h]) for h in range(n)})


@GROUPS
def test_projectors_are_orthogonal_idempotent_and_sum_to_one(operation, n):
    table, every = right_answers(operation, n), representations(operation, n)
    P = [projector(of, table) for of in every]
    for i, one in enumerate(P):
        for j, other in enumerate(P):
            np.testing.assert_allclose(one @ other, one if i == j else 0 * one, atol=1e-12)
        assert np.linalg.matrix_rank(one) == len(every[i].characters) * every[i].dimension ** 2
    np.testing.assert_allclose(sum(P), np.eye(n), atol=1e-12)
    np.testing.assert_allclose(P[0], np.full((n, n), 1 / n))


@GROUPS
def test_logits_along_one_representation_and_along_none(operation, n):
    table = right_answers(operation, n)
    quotients = table[table[:, :, None], inverses(table)]
    assert (quotients[*np.indices((n, n)), table] == quotients[0, 0, 0]).all(), "one at the right answer"
    for place, of in enumerate(representations(operation, n)[1:], start=1):
        logits = of.characters.sum(axis=0).real[quotients] + np.random.default_rng(0).normal(size=(n, n, 1))
        expected = np.zeros(len(representations(operation, n)))
        expected[place] = 1
        np.testing.assert_allclose(shares_along(logits, operation), expected, atol=1e-12)
    assert not shares_along(np.zeros((n, n, n)), operation).any()
    assert shares_along(np.random.default_rng(1).normal(size=(n, n, n)), operation).sum() < 0.5


def test_on_a_cyclic_group_the_shares_are_those_of_clock_terms():
    logits = 3 * term("clock", 1, 5) + 4 * term("clock", 2, 5)
    np.testing.assert_allclose(shares_along(logits, "addition"), [0, 9 / 25, 16 / 25], atol=1e-12)


@GROUPS
def test_energies_of_functions_add_up_to_their_norm(operation, n):
    functions = np.random.default_rng(2).normal(size=(n, 4))
    energies = energies_in(functions, operation)
    np.testing.assert_allclose(energies.sum(axis=0), np.square(functions).sum(axis=0))
    assert energies[1:].any() and not np.allclose(energies_in(functions - functions.mean(axis=0), operation)[0], 1)


def test_other_operations_are_refused_with_the_nearest_name():
    with pytest.raises(ValueError, match="unknown operation 'additon'.*'addition'"):
        representations("additon", 5)
