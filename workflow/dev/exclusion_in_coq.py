"""The trees that exclude one neuron for a modulus, as Coq reads them in proofs/Certificates.v.

There r is replaced by u where a pattern says that the neurons fire, and by 0 where they are silent, and a sum may end with
coefficients below 0 at what is left of r. So two kinds of rows are enough: the leads, and one for each ReLU (`bend`).
"""

import textwrap
from math import lcm

from modadd.handmade.exclusion import Certificate, Row, Tree, exclude
from modadd.handmade.smallest import order_classes

_WORD = 50  # rows in one number, of two hexadecimal digits each
_HEAD = """\
(* Why one neuron cannot add mod {n}, for each order in which its W can fall, up to a renaming of the residues: found by linear
   programs (workflow/dev/certificates.py writes this file), checked in OneNeuronMod5.v.

   A tree asks at an input {n}a + b whether the neuron fires there: first what follows if so, then if not. Where it asks no
   more, it lists rows of `inequality` whose sum cannot be: two hexadecimal digits each, of the number of the row and 1. *)
From Coq Require Import ZArith List.
Import ListNotations.
Open Scope Z_scope.

Inductive tree := Sum (words : list Z) | Ask (cell : nat) (fires silent : tree).

Local Notation L := Sum.
Local Notation S := Ask.
"""


def rows_in_coq(n: int, certificate: Certificate, pattern: dict[tuple[int, int], bool]) -> list[int]:
    """The rows that Coq has to add, each as often as its weight says: leads first, then what ReLU says."""
    common = lcm(*(weight.denominator for weight in certificate.weights.values()))
    numbers = {row: _number(n, row, pattern) for row in certificate.weights}
    repeated = [
        [number] * int(certificate.weights[row] * common) for row, number in numbers.items() if number is not None
    ]
    return sorted(sum(repeated, []))


def _number(n: int, row: Row, pattern: dict[tuple[int, int], bool]) -> int | None:
    """The number of a row of `inequalities` in Coq; None if nothing is left of it there."""
    cell, place = row
    kind, i = divmod(place, n - 1)
    if cell is None:
        at, kind = divmod(kind, 3)  # of each cell: leads, r ≥ 0 and r ≥ u
        a, b = divmod(at, n)
        if kind == 0:
            right = (a + b) % n
            wrong = [c for c in range(n) if c != right][i]
            return (n - 1) * at + (wrong - right - 1) % n
        fires = pattern.get((a, b))
        bends = fires is True if kind == 1 else fires is not True
    else:
        a, b = cell
        bends = kind == 0  # u ≥ 0, or u ≤ 0; the other kind says what r is
    return (n - 1) * n**2 + n**2 * i + n * a + b if bends else None


def tree_in_coq(n: int, tree: Tree, pattern: dict[tuple[int, int], bool]) -> str:
    """A tree below a pattern, in the notation of the file."""
    if isinstance(tree, Certificate):
        rows = rows_in_coq(n, tree, pattern)
        words = [rows[start : start + _WORD] for start in range(0, len(rows), _WORD)]
        return f"(L [{'; '.join(map(_word, words))}])"
    a, b = tree.cell
    fires = tree_in_coq(n, tree.firing, pattern | {tree.cell: True})
    silent = tree_in_coq(n, tree.silent, pattern | {tree.cell: False})
    return f"(S {n * a + b}%nat {fires} {silent})"


def _word(rows: list[int]) -> str:
    """Rows as one hexadecimal number, the first of them in its last two digits."""
    return "0x" + "".join(f"{row + 1:02x}" for row in reversed(rows))


def certificates_in_coq(n: int) -> str:
    """The text of Certificates.v; raises ValueError if an order of W stays open."""
    parts = [_HEAD.format(n=n)]
    for at, order in enumerate(order_classes(n), 1):
        tree = exclude(order).tree
        if tree is None:
            raise ValueError(f"n = {n}: expected that no neuron adds, and the order {order} of W stays open")
        lines = textwrap.wrap(tree_in_coq(n, tree, {}) + ".", 118, break_long_words=False, break_on_hyphens=False)
        parts.append(f"Definition tree{at} :=\n" + "".join(f"  {line}\n" for line in lines))
    return "\n".join(parts)
