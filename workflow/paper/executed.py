"""Executed notebooks as files: their code, what it saved, and whether that is what the question declares."""

from collections.abc import Collection, Sequence
from pathlib import Path

import nbformat
from nbformat import NotebookNode

from modadd.core.wording import require_known

Code = Sequence[NotebookNode]


def code_cells(executed: Path) -> list[NotebookNode]:
    """The code cells of an executed notebook, in order, without its parameters: these compute nothing."""
    cells = nbformat.read(executed, as_version=4).cells
    return [cell for cell in cells if cell.cell_type == "code" and not cell.metadata.get("tags")]


def saved_in(code: Code) -> dict[str, NotebookNode]:
    """By figure or table, the cell that saves it; by RECORDED, the cell that records the values."""
    found = {}
    for cell in code:
        for output in cell.outputs:
            metadata = output.get("metadata", {})
            if "saved_as" in metadata:
                found[metadata["saved_as"]] = cell
    return found


def require_declared(
    question: str,
    made: Collection[str],
    declared: Collection[str],
    recorded: Collection[str],
    claimed: Collection[str],
) -> None:
    """Raise ValueError, with the nearest name, unless the notebook of a question made what the question's file declares.

    The figures and tables `made` are those `declared`; among the values `recorded` are those `claimed`.
    """
    for names, valid, kind, wrong in (
        (declared, made, "figure or table", "its notebook did not save it"),
        (made, declared, "figure or table", "its notebook saved it, and it has no caption"),
        (claimed, recorded, "value", "its notebook did not record it"),
    ):
        require_known(f"{question}.yaml: {wrong}", kind, sorted(names), valid)
