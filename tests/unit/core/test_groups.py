"""Operations as tables, and the relabelling by which some of them are addition."""

import numpy as np
import pytest

from modadd.core.groups import as_addition, cyclic_factors, dihedral, right_answers

ABELIAN = [("addition", 7), ("multiplication", 6), ("2x2x2", 8), ("3x5", 15), ("7x13", 91)]
DIHEDRAL = [(f"D{m}", 2 * m) for m in (3, 4, 5, 18, 24)]


def test_tables_hold_the_answers_that_arithmetic_gives():
    assert right_answers("addition", 5)[3, 4] == 2
    assert right_answers("subtraction", 5)[1, 3] == 3
    assert right_answers("multiplication", 6)[2, 4] == 0, "3 · 5 = 15 = 1 mod 7, whose number is 0"
    assert right_answers("2x2x2", 8)[5, 3] == 6, "without carry: 101 + 011 = 110"
    assert right_answers("3x5", 15)[1 * 5 + 4, 2 * 5 + 3] == 0 * 5 + 2


@pytest.mark.parametrize(("operation", "n"), [*ABELIAN, ("S3", 6), *DIHEDRAL])
def test_they_are_groups(operation, n):
    table = right_answers(operation, n)
    a, b, c = np.ogrid[:n, :n, :n]
    assert (table[table[a, b], c] == table[a, table[b, c]]).all(), "associative"
    (one,) = [e for e in range(n) if (table[e] == np.arange(n)).all()]
    assert (np.sort(table, axis=0) == np.arange(n)[:, None]).all() and (table == one).any(axis=1).all()


def test_s3_and_dihedral_groups_are_not_abelian():
    assert all((right_answers(*group) == right_answers(*group).T).all() for group in ABELIAN)
    for group in [("S3", 6), *DIHEDRAL]:
        assert (right_answers(*group) != right_answers(*group).T).any()


@pytest.mark.parametrize("m", [3, 4, 7, 24])
def test_a_dihedral_group_multiplies_as_the_symmetries_of_a_polygon(m):
    """As matrices: rⁱ turns the plane by i/m of a turn, and s mirrors it."""
    angles = 2 * np.pi * np.arange(m) / m
    turned = np.moveaxis([[np.cos(angles), -np.sin(angles)], [np.sin(angles), np.cos(angles)]], -1, 0)
    elements = np.concatenate([turned, np.diag([1.0, -1.0]) @ turned])
    products = elements[:, None] @ elements
    distances = np.abs(products[:, :, None] - elements).max(axis=(-2, -1))
    assert (distances.argmin(axis=2) == dihedral(m)).all() and distances.min(axis=2).max() < 1e-12


def test_the_smallest_dihedral_groups_are_abelian():
    assert (dihedral(1) == right_answers("addition", 2)).all()
    assert (dihedral(2) == right_answers("2x2", 4)).all()


def test_a_reflection_has_order_two_and_the_rotation_its_number():
    table = dihedral(24)
    assert [table[i, i] for i in range(24, 48)] == [0] * 24
    powers = [0]
    while (power := table[powers[-1], 1]) != 0:
        powers.append(power)
    assert powers == list(range(24))


@pytest.mark.parametrize(
    ("operation", "n"), [("addition", 7), ("subtraction", 7), ("multiplication", 58), ("3x5", 15), ("7x13", 91)]
)
def test_cyclic_groups_are_addition_in_another_order(operation, n):
    first, second, answers = as_addition(operation, n)
    x, y = np.ogrid[:n, :n]
    assert (right_answers(operation, n)[first[x], second[y]] == answers[(x + y) % n]).all()


@pytest.mark.parametrize(
    ("operation", "n", "message"),
    [
        ("2x2x2", 8, "2x2x2 is not a cyclic group"),
        ("7x7", 49, "7x7 is not a cyclic group"),
        ("S3", 6, "S3 is not abelian"),
        ("D24", 48, "D24 is not abelian"),
        ("D24", 24, "D24 has 48 elements, not the modulus of 24"),
        ("D2", 4, "unknown operation 'D2'"),
        ("2x3", 8, "2x3 has 6 elements, not the modulus of 8"),
        ("S3", 7, "S3 has 6 elements, not the modulus of 7"),
        ("multiplication", 8, "modulus 8 is invalid for multiplication: 9 is not prime"),
        ("adition", 7, "unknown operation 'adition'.*'addition'"),
        ("1x7", 7, "unknown operation '1x7'"),
    ],
)
def test_what_is_no_addition_is_refused_with_the_reason(operation, n, message):
    with pytest.raises(ValueError, match=f"^operation: .*{message}"):
        right_answers(operation, n)
        as_addition(operation, n)


def test_factors_of_a_product():
    assert cyclic_factors("2x3x5", 30) == (2, 3, 5)
    assert cyclic_factors("multiplication", 6) == (6,)
