"""Executing py:percent notebooks so that the executed file and its HTML have equal bytes for equal content."""

import ast
import re
import sys
import tempfile
from base64 import b64decode, b64encode
from pathlib import Path
from typing import Any

import jupytext
import nbformat
import papermill
from latex2mathml.converter import convert
from markupsafe import Markup
from nbconvert import HTMLExporter
from pygments.formatters import HtmlFormatter
from zmq import ZMQError

from modadd.networks.store import write_whole
from modadd.page.figures import with_palette
from modadd.page.site import render
from modadd.run.config import saved_by

ATTEMPTS = 3
KERNEL = {"name": "python3", "display_name": "Python 3", "language": "python"}


def execute(source: Path, executed: Path, parameters: dict[str, Any]) -> None:
    """Run a notebook with the given parameters and write it executed; raises papermill's error of the failing cell."""
    notebook = jupytext.read(source)
    notebook.metadata["kernelspec"] = KERNEL
    with tempfile.TemporaryDirectory() as folder:
        fresh, run = Path(folder, source.stem + ".ipynb"), Path(folder, "executed.ipynb")
        nbformat.write(notebook, fresh)
        _run(fresh, run, parameters)
        content = nbformat.writes(_without_circumstances(nbformat.read(run, as_version=4)), indent=1, sort_keys=True)
    write_whole(executed, content.encode())


def _run(fresh: Path, run: Path, parameters: dict[str, Any]) -> None:
    """Execute with papermill; a kernel that does not start (two of them may claim one port) is tried again."""
    for attempts_left in reversed(range(ATTEMPTS)):
        try:
            papermill.execute_notebook(
                fresh, run, parameters=parameters, cwd=".", progress_bar=False, log_output=True, stderr_file=sys.stderr
            )
            return
        except (RuntimeError, ZMQError):
            if not attempts_left:
                raise


def _without_circumstances(notebook: nbformat.NotebookNode) -> nbformat.NotebookNode:
    """The notebook without times, versions, ids and hosts, its pictures small: only text, code and results remain."""
    notebook.metadata = nbformat.from_dict({"kernelspec": KERNEL, "language_info": {"name": "python"}})
    for number, cell in enumerate(notebook.cells):
        cell["id"] = f"cell-{number:03d}"
        cell.metadata = nbformat.from_dict({"tags": cell.metadata["tags"]} if cell.metadata.get("tags") else {})
        for data in (output.data for output in cell.get("outputs", []) if "image/png" in output.get("data", {})):
            data["image/png"] = b64encode(with_palette(b64decode(data["image/png"]))).decode()
    return notebook


def _show_saved(cell: nbformat.NotebookNode, figures: str) -> None:
    """Put the saved figure in place of the cell's one picture."""
    pictures = [output for output in cell.get("outputs", []) if "image/png" in output.get("data", {})]
    saved = saved_by(ast.parse(cell.source), "save_figure") if pictures else []
    if len(pictures) == len(saved) == 1 and saved[0].isidentifier():
        address = f"{figures}/{saved[0]}.svg"
        pictures[0]["data"] = {"text/html": f'<img src="{address}" alt="{saved[0].replace("_", " ")}">'}


def with_mathml(markdown: str) -> str:
    """Markdown with each formula between two $$ typeset as MathML, which browsers draw without any script."""
    return re.sub(
        r"\$\$(.+?)\$\$", lambda formula: convert(formula[1].strip(), display="block"), markdown, flags=re.DOTALL
    )


def to_html(executed: Path, page: Path, template: Path, figures: str = "") -> None:
    """Write an executed notebook as one HTML page that needs no network (formulas are MathML).

    Its title is the notebook's first heading. A figure that a cell saves is shown from its SVG in `figures`, a folder seen
    from the page, sharper and smaller than the picture in the notebook; without `figures`, and where a cell saves none or
    several, the picture is part of the page.
    """
    notebook = nbformat.read(executed, as_version=4)
    for cell in notebook.cells if figures else []:
        _show_saved(cell, figures)
    for cell in (cell for cell in notebook.cells if cell.cell_type == "markdown"):
        cell.source = with_mathml(cell.source)
    title = notebook.cells[0].source.splitlines()[0].lstrip("# ")
    cells, _ = HTMLExporter(template_name="basic").from_notebook_node(notebook)
    highlighting = HtmlFormatter(style="default").get_style_defs(".highlight")
    render(template, page, title=title, cells=Markup(cells), highlighting=Markup(highlighting))
