"""Executing py:percent notebooks so that equal content gives equal bytes of the executed file."""

import ast
from collections.abc import Mapping
from pathlib import Path
from pprint import pformat
from typing import Any

import jupytext
import nbformat
import papermill
from nbformat import NotebookNode

from modadd.core.files import in_project, write_whole
from paper.shell import ENGINE

KERNEL = {"name": "python3", "display_name": "Python 3", "language": "python"}


def read_notebook(source: Path) -> NotebookNode:
    """A py:percent notebook, in which comments stay comments; raises ValueError, one line, for an indented mark of a cell.

    jupytext would make code of a comment that begins with a shell word, and end a block of code at an indented mark.
    """
    text = source.read_text(encoding="utf-8")
    for number, line in enumerate(text.splitlines(), 1):
        if line.startswith((" ", "\t")) and line.lstrip().startswith("# %%"):
            raise ValueError(f"{source}: line {number}: expected the mark of a cell at the beginning of its line")
    return jupytext.reads(text, fmt={"extension": ".py", "format_name": "percent", "comment_magics": False})


def execute(source: Path, executed: Path, parameters: Mapping[str, Any]) -> None:
    """Run a notebook with the given parameters and write it executed; raises papermill's error of the failing cell.

    A notebook that fails is written as well, as far as it came, with the traceback under the cell that failed. The values stand in the cell that declares them: papermill would add a second one, formatted by Black where it is installed.
    """
    notebook = read_notebook(source)
    notebook.metadata["kernelspec"] = KERNEL
    (declaring,) = [cell for cell in notebook.cells if "parameters" in cell.metadata.get("tags", [])]
    shown = with_values(declaring.source, _from_root(parameters))
    declaring.source = with_values(declaring.source, parameters)
    executed.parent.mkdir(parents=True, exist_ok=True)
    executed.unlink(missing_ok=True)  # that of an earlier run would pass for this one's
    try:
        done = papermill.execute_notebook(notebook, executed, engine_name=ENGINE, progress_bar=False)
    except papermill.PapermillExecutionError:
        _keep(nbformat.read(executed, as_version=4), shown, executed)
        raise
    _keep(done, shown, executed)


def _from_root(given: Any) -> Any:
    """Parameters in which committed files are named from the project's root: a notebook is the same wherever it is executed."""
    if isinstance(given, Mapping):
        return {name: _from_root(value) for name, value in given.items()}
    if isinstance(given, list):
        return [_from_root(value) for value in given]
    data = f"{in_project('data')}/"
    return f"data/{given.removeprefix(data)}" if isinstance(given, str) and given.startswith(data) else given


def _keep(notebook: NotebookNode, parameters: str, executed: Path) -> None:
    """Write an executed notebook; its cell `parameters` has this text."""
    for cell in notebook.cells:
        if "parameters" in cell.metadata.get("tags", []):
            cell.source = parameters
    write_whole(executed, nbformat.writes(_without_circumstances(notebook), indent=1, sort_keys=True).encode())


def _without_circumstances(notebook: NotebookNode) -> NotebookNode:
    """The notebook without times, versions, ids and hosts: only text, code and results remain."""
    notebook.metadata = nbformat.from_dict({"kernelspec": KERNEL, "language_info": {"name": "python"}})
    for number, cell in enumerate(notebook.cells):
        tags = cell.metadata.get("tags")
        cell["id"] = f"cell-{number:03d}"
        cell.metadata = nbformat.from_dict({"tags": tags} if tags else {})
    return notebook


def with_values(declared: str, values: Mapping[str, Any]) -> str:
    """A cell of assignments with these values in place of its own, those without a name in it at its end; comments stay."""
    lines = declared.splitlines()
    assigned = _assigned(declared)
    for name, node in reversed(assigned.items()):
        if name in values:
            last = lines[node.end_lineno - 1].encode()
            comment = last[node.end_col_offset :].decode()
            lines[node.lineno - 1 : node.end_lineno] = [_assignment(name, values[name]) + comment]
    for name, value in values.items():
        if name not in assigned:
            lines.append(_assignment(name, value))
    return "\n".join(lines)


def _assignment(name: str, value: Any) -> str:
    start = f"{name} = "
    written = pformat(value, width=118 - len(start), sort_dicts=False)
    return start + written.replace("\n", "\n" + " " * len(start))


def _assigned(source: str) -> dict[str, ast.Assign]:
    """The assignments to one name each, in order."""
    found = {}
    for node in ast.parse(source).body:
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            found[node.targets[0].id] = node
    return found
