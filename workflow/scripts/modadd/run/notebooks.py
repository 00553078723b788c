"""A notebook's lines run in this process, as a debugger and an emulated processor need it."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

CELL = "\n# %%"
PARAMETERS = ' tags=["parameters"]'


def run_lines(notebook: Path, given: Mapping[str, Any]) -> None:
    """Run the code of a py:percent notebook, with these parameters after the cell that declares them; lines keep their numbers."""
    text = notebook.read_text(encoding="utf-8")
    cells = text.split(CELL)
    (parameters,) = [cell for cell in cells if cell.startswith(PARAMETERS)]
    after = cells.index(parameters) + 1
    declared = CELL.join(cells[:after])
    rest = text.removeprefix(declared)
    lines_before = "\n" * declared.count("\n")
    names: dict[str, Any] = {"__name__": "__main__"}
    for code in (declared, lines_before + rest):
        compiled = compile(code, notebook, "exec")
        exec(compiled, names)
        names |= given
