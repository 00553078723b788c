"""The cells of an executed notebook: where a value is computed."""

import ast
from collections.abc import Iterable
from functools import cache
from itertools import chain

from paper.executed import Code, saved_in
from paper.notebook import RECORDED

PLAIN = ("float", "int", "bool", "list", "len", "min", "max", "sum", "sorted", "abs")  # functions that add no step


def computed_at(code: Code, values: Iterable[str]) -> dict[str, str]:
    """By value, the id of the line that computes it: CELL-LINE, as the notebook's page marks its lines.

    It is the line that gives the value its name, as in "slope": fit(x, y); where only a name or parts of one stand there, the
    last line before it that assigns this name. The cell that records comes first: it may fill in values by their names.
    """
    recording = saved_in(code)[RECORDED]
    code = code[: code.index(recording) + 1]
    return {value: _line_of(code, value) for value in values}


def _line_of(code: Code, value: str) -> str:
    """The place of one value; the last of the cells is the one that records."""
    recording = code[-1]
    quoted = f'"{value}"'
    mentioned = []
    for number, line in enumerate(recording.source.splitlines(), 1):
        if quoted in line:
            mentioned.append(number)
    named = []
    for cell in code:
        if expression := _named(cell.source).get(value):
            named.append((cell, expression))
    if not named or (mentioned and named[-1][0] is not recording):
        line = mentioned[-1] if mentioned else 1
        return f"{recording.id}-{line}"
    cell, expression = named[-1]
    if name := _only_named(expression):
        for other in reversed(code[: code.index(cell) + 1]):
            lines = _assigning(other.source, name)
            if other is cell:
                lines = [line for line in lines if line < expression.lineno]
            if lines:
                return f"{other.id}-{lines[-1]}"
    return f"{cell.id}-{expression.lineno}"


@cache  # every claim asks
def _named(source: str) -> dict[str, ast.expr]:
    """What a cell gives a name to in a dictionary or by an index, as in "name": expression; the last, if one has several."""
    pairs = []
    for node in ast.walk(_parsed(source)):
        if isinstance(node, ast.Dict):
            pairs += zip(node.keys, node.values, strict=True)
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Subscript):
            pairs.append((node.targets[0].slice, node.value))
    pairs.sort(key=lambda pair: (pair[1].lineno, pair[1].col_offset))
    return {key.value: value for key, value in pairs if isinstance(key, ast.Constant)}


@cache
def _parsed(source: str) -> ast.Module:
    return ast.parse(source)


def _only_named(expression: ast.expr) -> str:
    """The first name in an expression that computes nothing of its own; empty if it computes, or has no name."""
    computes = isinstance(expression, ast.Call | ast.BinOp | ast.Compare)
    if computes and not _is_plain(expression):
        return ""
    nodes = list(ast.walk(expression))
    functions = [node.func for node in nodes if isinstance(node, ast.Call)]
    for node in nodes:
        if isinstance(node, ast.Name) and node not in functions:
            return node.id
    return ""


def _is_plain(expression: ast.expr) -> bool:
    """Whether a call only turns a named result into plain numbers, as float(x), list(x), x.min() and x.tolist() do."""
    if not isinstance(expression, ast.Call):
        return False
    function = expression.func
    if isinstance(function, ast.Name):
        return function.id in PLAIN
    if not isinstance(function, ast.Attribute) or expression.args:
        return False
    return isinstance(function.value, ast.Name | ast.Attribute | ast.Subscript)


def _assigning(source: str, name: str) -> list[int]:
    """The lines of a cell that assign a name, in order."""
    lines = []
    for node in _parsed(source).body:
        if not isinstance(node, ast.Assign):
            continue
        for part in chain.from_iterable(map(ast.walk, node.targets)):
            if isinstance(part, ast.Name) and part.id == name:
                lines.append(node.lineno)
    return lines
