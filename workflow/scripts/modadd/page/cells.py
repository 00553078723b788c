"""The cells of an executed notebook: where a value is computed, and which one saves a figure or a table."""

import ast
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import nbformat
from nbformat import NotebookNode


def code_cells(executed: Path) -> list[NotebookNode]:
    """The code cells of an executed notebook, in order, without its parameters: these compute nothing."""
    cells = nbformat.read(executed, as_version=4).cells
    return [cell for cell in cells if cell.cell_type == "code" and not cell.metadata.get("tags")]


def computed_at(code: Sequence[NotebookNode], values: Iterable[str]) -> dict[str, str]:
    """By value, the id of the line that computes it: CELL-LINE, as the notebook's page marks its lines.

    It is the line that gives the value its name, as in "slope": fit(x, y); where only a name or parts of one stand there, the
    last line before it that assigns this name.
    """
    return {value: _line_of(code, value, cell) for value, cell in recorded_in(code, values).items()}


def _line_of(code: Sequence[NotebookNode], value: str, cell: NotebookNode) -> str:
    pairs = [pair for pair in _named(cell.source) if pair[0] == value]
    if not pairs:
        lines = [number for number, line in enumerate(cell.source.splitlines(), 1) if f'"{value}"' in line]
        return f"{cell.id}-{lines[-1] if lines else 1}"
    _, expression = pairs[-1]
    here = (cell, expression.lineno)
    if isinstance(expression, ast.Call | ast.BinOp | ast.Compare) and not _is_plain(expression):
        return f"{cell.id}-{expression.lineno}"
    called = {node.func for node in ast.walk(expression) if isinstance(node, ast.Call)}
    names = [node.id for node in ast.walk(expression) if isinstance(node, ast.Name) and node not in called]
    before = [(other, line) for name in names[:1] for other, line in _assigning(code, name, here)]
    found, line = before[-1] if before else here
    return f"{found.id}-{line}"


def _named(source: str) -> list[tuple[str, ast.expr]]:
    """Everything that a cell gives a name to in a dictionary or by an index: "name": expression, in order."""
    found = []
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Dict):
            pairs = zip(node.keys, node.values, strict=True)
            found += [(key.value, value) for key, value in pairs if isinstance(key, ast.Constant)]
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Subscript):
            key = node.targets[0].slice
            found += [(key.value, node.value)] if isinstance(key, ast.Constant) else []
    return sorted(found, key=lambda pair: (pair[1].lineno, pair[1].col_offset))


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
        for node in ast.parse(cell.source).body:
            if cell is until[0] and node.lineno >= until[1]:
                return
            targets = node.targets if isinstance(node, ast.Assign) else []
            if any(isinstance(part, ast.Name) and part.id == name for target in targets for part in ast.walk(target)):
                yield cell, node.lineno
        if cell is until[0]:
            return


def recorded_in(code: Sequence[NotebookNode], values: Iterable[str]) -> dict[str, NotebookNode]:
    """By value, the cell that records it: the last to name it, or else to record."""
    until = max(index for index, cell in enumerate(code) if "record(" in cell.source) + 1
    naming = {value: [cell for cell in code[:until] if f'"{value}"' in cell.source] for value in values}
    return {value: (cells or code[:until])[-1] for value, cells in naming.items()}


def saved_in(code: Sequence[NotebookNode], figures: Iterable[str], tables: Iterable[str]) -> dict[str, NotebookNode]:
    """By figure or table, the cell that saves it: a figure is among the cell's outputs, a table is named in its text.

    The last cell that saves a table stands for one whose name is put together.
    """
    shown = {output.metadata.get("saved_as"): cell for cell in code for output in cell.outputs if "metadata" in output}
    saving = [cell for cell in code if "save_table(" in cell.source]
    naming = {table: [cell for cell in saving if f'/{table}"' in cell.source] for table in tables}
    return {figure: shown[figure] for figure in figures} | {
        table: (cells or saving)[-1] for table, cells in naming.items()
    }
