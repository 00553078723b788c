"""The cells of an executed notebook: which one records a value, and which one saves a figure or a table."""

from collections.abc import Iterable, Sequence
from pathlib import Path

import nbformat
from nbformat import NotebookNode


def code_cells(executed: Path) -> list[NotebookNode]:
    """The code cells of an executed notebook, in order."""
    return [cell for cell in nbformat.read(executed, as_version=4).cells if cell.cell_type == "code"]


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
