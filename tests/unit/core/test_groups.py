"""Operations as tables, and the relabelling by which some of them are addition."""

import numpy as np
import pytest

from modadd.core.groups import as_addition, cyclic_factors, right_answers

ABELIAN = [("addition", 7), ("multiplication", 6), ("2x2x2", 8), ("3x5", 15), ("7x13", 91)]


def test_tables_hold_the_answers_that_arithmetic_gives():
    assert right_answers("addition", 5)[3, 4] == 2
    assert right_answers("subtraction", 5)[1, 3] == 3
    assert right_answers("multiplication", 6)[2, 4] == 0, "3 · 5 = 15 = 1 mod 7, whose number is 0"
    assert right_answers("2x2x2", 8)[5, 3] == 6, "without carry: 101 + 011 = 110"
    assert right_answers("3x5", 15)[1 * 5 + 4, 2 * 5 + 3] == 0 * 5 + 2


@pytest.mark.parametrize(("operation", "n"), [*ABELIAN, ("S3", 6)])
def test_they_are_groups(operation, n):
    table = right_answers(operation, n)
    a, b, c = np.ogrid[:n, :n, :n]
    assert (table[table[a, b], c] == table[a, table[b, c]]).all(), "associative"
    (one,) = [e for e in range(n) if (table[e] == np.arange(n)).all()]
    assert (np.sort(table, axis=0) == np.arange(n)[:, None]).all() and (table == one).any(axis=1).all()


def test_s3_alone_is_not_abelian():
    assert all((right_answers(*group) == right_answers(*group).T).all() for group in ABELIAN)
    assert (right_answers("S3", 6) != right_answers("S3", 6).T).any()


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
