"""The operation that a network learns, as data: a table of right answers, and the relabelling that makes it addition."""

import math
import re
from itertools import permutations

import numpy as np
from jaxtyping import Int

from modadd.core.wording import unknown

ADDITION, SUBTRACTION, MULTIPLICATION, S3 = "addition", "subtraction", "multiplication", "S3"
OPERATIONS = (
    *(ADDITION, SUBTRACTION, MULTIPLICATION, S3, "AxB for the sum in Z_A x Z_B, such as 3x5"),
    "DM for the dihedral group of 2M elements, M from 3, such as D24",
)


def cyclic_factors(operation: str, n: int) -> tuple[int, ...]:
    """Orders of the cyclic groups whose product an abelian operation is.

    A pair of Z_A × Z_B is the number a·B + b, and so on for more factors. Multiplication mod a prime p acts on the
    n = p − 1 units, of which number i is i + 1. Raises ValueError, without the key's place, for an operation that is
    not known, not abelian, or has not n elements.
    """
    if operation in (ADDITION, SUBTRACTION):
        return (n,)
    if operation == MULTIPLICATION:
        if any((n + 1) % divisor == 0 for divisor in range(2, math.isqrt(n + 1) + 1)):
            raise ValueError(
                f"operation: modulus {n} is invalid for multiplication: {n + 1} is not prime; it counts the "
                f"units: multiplication mod {n}, if that is a prime, has modulus {n - 1}"
            )
        return (n,)
    if operation == S3 or _rotations(operation):
        raise ValueError(
            f"operation: {operation} is not abelian; expected an abelian group, whose characters are frequencies"
        )
    factors = operation.split("x")
    if len(factors) < 2 or not all(factor.isdecimal() and int(factor) > 1 for factor in factors):
        raise ValueError(unknown("operation", "operation", operation, OPERATIONS))
    orders = tuple(map(int, factors))
    if math.prod(orders) != n:
        raise ValueError(f"operation: {operation} has {math.prod(orders)} elements, not the modulus of {n}")
    return orders


def right_answers(operation: str, n: int) -> Int[np.ndarray, "n n"]:
    """The Cayley table: the right answer of every pair (a, b); for subtraction that of a − b.

    Raises ValueError as `cyclic_factors` does. The elements of S3 are the permutations of three letters in the order
    of itertools; b is applied first. Those of DM, for which it is `dihedral(M)`, are rotations, then reflections.
    """
    if operation == S3:
        if n != 6:
            raise ValueError(f"operation: S3 has 6 elements, not the modulus of {n}")
        elements = list(permutations(range(3)))
        return np.array([[elements.index(tuple(a[i] for i in b)) for b in elements] for a in elements])
    if rotations := _rotations(operation):
        if n != 2 * rotations:
            raise ValueError(f"operation: {operation} has {2 * rotations} elements, not the modulus of {n}")
        return dihedral(rotations)
    orders = cyclic_factors(operation, n)
    if operation == MULTIPLICATION:
        units = np.arange(1, n + 1)
        return np.outer(units, units) % (n + 1) - 1
    sign = -1 if operation == SUBTRACTION else 1
    parts = np.array(np.unravel_index(np.arange(n), orders)).reshape(len(orders), n)
    sums = parts[:, :, None] + sign * parts[:, None, :]
    return np.ravel_multi_index(tuple(sums % np.array(orders)[:, None, None]), orders)


def _rotations(operation: str) -> int:
    """M of the dihedral group DM, from 3 on, as those before are abelian; 0 for another operation."""
    found = re.fullmatch("D([3-9]|[1-9][0-9]+)", operation)
    return int(found[1]) if found else 0


def dihedral(m: int) -> Int[np.ndarray, "two_m two_m"]:
    """The Cayley table of the dihedral group of 2m elements: of sᵖrⁱ, number p·m + i, for p in {0, 1} and i mod m.

    r is the rotation by a turn over m and s a reflection, so rs = sr⁻¹: rⁱ · srʲ = srʲ⁻ⁱ, and srⁱ · srʲ = rʲ⁻ⁱ.
    """
    reflected, turns = np.divmod(np.arange(2 * m), m)
    sign = np.where(reflected, -1, 1)
    both = reflected[:, None] ^ reflected
    return both * m + (sign * turns[:, None] + turns) % m


def as_addition(operation: str, n: int) -> tuple[Int[np.ndarray, "n"], Int[np.ndarray, "n"], Int[np.ndarray, "n"]]:
    """First numbers, second numbers and answers in the order in which the operation is addition mod n.

    If a and b stand at places x and y of the first two, the right answer stands at place x + y mod n of the third.
    Raises ValueError, with the reason, for a group that is not cyclic, and as `cyclic_factors` does.
    """
    residues = np.arange(n)
    orders = cyclic_factors(operation, n)
    if operation == SUBTRACTION:
        return residues, -residues % n, residues
    if operation == MULTIPLICATION:
        powers = _powers_of_a_generator(n + 1) - 1
        return powers, powers, powers
    if math.lcm(*orders) != n:
        raise ValueError(
            f"operation: {operation} is not a cyclic group, so it is no addition mod {n} under other names; expected one "
            "that is, such as addition"
        )
    order = np.ravel_multi_index(tuple(residues % factor for factor in orders), orders)
    return order, order, order


def _powers_of_a_generator(p: int) -> Int[np.ndarray, "n"]:
    """g⁰, g¹, … mod p for the smallest g whose powers are all units."""
    for g in range(1, p):
        powers = [pow(g, x, p) for x in range(p - 1)]
        if len(set(powers)) == p - 1:
            return np.array(powers)
    raise ValueError(f"{p} is not a prime")
