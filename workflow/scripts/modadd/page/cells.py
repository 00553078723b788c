"""The cells of an executed notebook: what they save, and where a value is computed."""

import ast
from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import cache
from pathlib import Path

import nbformat
from nbformat import NotebookNode

from modadd.core.wording import unknown
from modadd.ledger.record import RECORDED


def code_cells(executed: Path) -> list[NotebookNode]:
    """The code cells of an executed notebook, in order, without its parameters: these compute nothing."""
    cells = nbformat.read(executed, as_version=4).cells
    return [cell for cell in cells if cell.cell_type == "code" and not cell.metadata.get("tags")]


def saved_in(code: Sequence[NotebookNode]) -> dict[str, NotebookNode]:
    """By figure or table, the cell that saves it; by RECORDED, the cell that records the values."""
    outputs = [(cell, output.get("metadata", {})) for cell in code for output in cell.outputs]
    return {metadata["saved_as"]: cell for cell, metadata in outputs if "saved_as" in metadata}


def require_declared(
    question: str, made: Collection[str], declared: Collection[str], recorded: Collection[str], claimed: Collection[str]
) -> None:
    """Raise ValueError, with the nearest name, unless the notebook of a question made what the question's file declares.

    The figures and tables `made` are those `declared`; among the values `recorded` are those `claimed`.
    """
    for names, valid, kind, wrong in (
        (declared, made, "figure or table", "its notebook did not save it"),
        (made, declared, "figure or table", "its notebook saved it, and it has no caption"),
        (claimed, recorded, "value", "its notebook did not record it"),
    ):
        for name in sorted(names):
            if name not in valid:
                raise ValueError(unknown(f"{question}.yaml: {wrong}", kind, name, valid))


def computed_at(code: Sequence[NotebookNode], values: Iterable[str]) -> dict[str, str]:
    """By value, the id of the line that computes it: CELL-LINE, as the notebook's page marks its lines.

    It is the line that gives the value its name, as in "slope": fit(x, y); where only a name or parts of one stand there, the
    last line before it that assigns this name. The cell that records comes first: it may fill in values by their names.
    """
    code = code[: code.index(saved_in(code)[RECORDED]) + 1]
    return {value: _line_of(code, value) for value in values}


def _line_of(code: Sequence[NotebookNode], value: str) -> str:
    recording = code[-1]
    lines = [number for number, line in enumerate(recording.source.splitlines(), 1) if f'"{value}"' in line]
    named = [(cell, expression) for cell in code for name, expression in _named(cell.source) if name == value]
    if not named or (lines and named[-1][0] is not recording):
        return f"{recording.id}-{lines[-1] if lines else 1}"
    cell, expression = named[-1]
    if isinstance(expression, ast.Call | ast.BinOp | ast.Compare) and not _is_plain(expression):
        return f"{cell.id}-{expression.lineno}"
    called = {node.func for node in ast.walk(expression) if isinstance(node, ast.Call)}
    names = [node.id for node in ast.walk(expression) if isinstance(node, ast.Name) and node not in called]
    here = (cell, expression.lineno)
    before = [(other, line) for name in names[:1] for other, line in _assigning(code, name, here)]
    found, line = before[-1] if before else here
    return f"{found.id}-{line}"


@cache  # every claim asks
def _named(source: str) -> list[tuple[str, ast.expr]]:
    """Everything that a cell gives a name to in a dictionary or by an index: "name": expression, in order."""
    found = []
    for node in ast.walk(_parsed(source)):
        if isinstance(node, ast.Dict):
            pairs = zip(node.keys, node.values, strict=True)
            found += [(key.value, value) for key, value in pairs if isinstance(key, ast.Constant)]
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Subscript):
            key = node.targets[0].slice
            found += [(key.value, node.value)] if isinstance(key, ast.Constant) else []
    return sorted(found, key=lambda pair: (pair[1].lineno, pair[1].col_offset))


@cache
def _parsed(source: str) -> ast.Module:
    return ast.parse(source)


def _is_plain(expression: ast.expr) -> bool:
    """Whether a call only turns a named result into plain numbers, as float(x), list(x), x.min() and x.tolist() do."""
    if not isinstance(expression, ast.Call):
        return False
    of = expression.func
    if isinstance(of, ast.Name):
        return of.id in ("float", "int", "bool", "list", "len", "min", "max", "sum", "sorted", "abs")
    return (
        isinstance(of, ast.Attribute)
        and isinstance(of.value, ast.Name | ast.Attribute | ast.Subscript)
        and not expression.args
    )


def _assigning(
    code: Sequence[NotebookNode], name: str, until: tuple[NotebookNode, int]
) -> Iterator[tuple[NotebookNode, int]]:
    """Where a name is assigned before a line of a cell, in order."""
    for cell in code:
        for node in _parsed(cell.source).body:
            if cell is until[0] and node.lineno >= until[1]:
                return
            targets = node.targets if isinstance(node, ast.Assign) else []
            if any(isinstance(part, ast.Name) and part.id == name for target in targets for part in ast.walk(target)):
                yield cell, node.lineno
        if cell is until[0]:
            return
