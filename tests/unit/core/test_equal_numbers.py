"""No order of equal numbers is left to the processor: NumPy's own depends on the instructions that it has."""

import ast

import pytest
from support import ROOT

SORTS = ("argsort", "argpartition", "sort_values")


def unstable(source: str) -> list[int]:
    """Lines of calls that order equal numbers as the processor does. A sort of a table by several columns is stable anyway."""
    found = []
    for call in ast.walk(ast.parse(source)):
        if not isinstance(call, ast.Call):
            continue
        name = call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")
        words = {word.arg: word.value for word in call.keywords}
        if name not in SORTS or getattr(words.get("kind"), "value", "") == "stable":
            continue
        by = words.get("by", call.args[0] if call.args else None)
        # A list of several columns; or a variable, of which this cannot be told.
        several = len(by.elts) > 1 if isinstance(by, ast.List) else not isinstance(by, (ast.Constant, type(None)))
        if name != "sort_values" or not several:
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
        ('table.sort_values(["seed"])', [1]),
        ('table.sort_values(by=["n", "seed"])', []),
        ("order = argsort(x)", [1]),
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
