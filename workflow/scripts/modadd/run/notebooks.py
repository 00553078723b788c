"""A notebook's lines run in this process, as a debugger and an emulated processor need it."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

CELL, PARAMETERS = "\n# %%", ' tags=["parameters"]'


def run_lines(notebook: Path, given: Mapping[str, Any]) -> None:
    """Run the code of a py:percent notebook, with these parameters after the cell that declares them; lines keep their numbers."""
    cells = notebook.read_text(encoding="utf-8").split(CELL)
    (place,) = [place for place, cell in enumerate(cells) if cell.startswith(PARAMETERS)]
    after = place + 1
    declared = CELL.join(cells[:after])
    lines_before = "\n" * declared.count("\n")
    rest = CELL.join([lines_before, *cells[after:]])
    names: dict[str, Any] = {"__name__": "__main__"}
    exec(compile(declared, notebook, "exec"), names)
    names |= given
    exec(compile(rest, notebook, "exec"), names)
