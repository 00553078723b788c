"""No order of equal numbers is left to the processor: NumPy has another one with AVX-512 than with AVX2 or on ARM."""

import ast

import pytest
from support import ROOT

SORTS = ("argsort", "argpartition", "sort_values")


def unstable(source: str) -> list[int]:
    """Lines of calls that order equal numbers as the processor does. A sort of a table by several columns is stable anyway."""
    found = []
    for call in ast.walk(ast.parse(source)):
        if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Attribute) or call.func.attr not in SORTS:
            continue
        stable = any(word.arg == "kind" and getattr(word.value, "value", "") == "stable" for word in call.keywords)
        one_column = call.args and isinstance(call.args[0], ast.Constant) or not call.args
        if not stable and (call.func.attr != "sort_values" or one_column):
            found.append(call.lineno)
    return found


@pytest.mark.parametrize(
    ("source", "lines"),
    [
        ("order = np.argsort(x)", [1]),
        ('order = np.argsort(x, kind="stable")', []),
        ("order = x.argsort(axis=1)[:3]", [1]),
        ("best = np.argpartition(x, 3)", [1]),
        ('table.sort_values("seed")', [1]),
        ('table.sort_values("seed", kind="stable")', []),
        ('table.sort_values(["n", "seed"])', []),
        ("counts.sort_values()", [1]),
    ],
)
def test_unstable_sorts_are_seen(source, lines):
    assert unstable(source) == lines


def test_every_sort_is_stable():
    files = [file for folder in ("src", "workflow", "notebooks") for file in (ROOT / folder).rglob("*.py")]
    found = [
        f"{file.relative_to(ROOT)}:{line}" for file in files for line in unstable(file.read_text(encoding="utf-8"))
    ]
    assert not found, 'expected kind="stable"'
