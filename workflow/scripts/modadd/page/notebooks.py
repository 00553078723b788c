"""Executing py:percent notebooks so that the executed file and its HTML have equal bytes for equal content."""

import re
from pathlib import Path
from typing import Any

import jupytext
import nbformat
import papermill
from latex2mathml.converter import convert
from markupsafe import Markup
from nbconvert import HTMLExporter
from pygments.formatters import HtmlFormatter

from modadd.core.files import write_whole
from modadd.page.shell import ENGINE
from modadd.page.templates import render

# What is wider than a phone scrolls, by keyboard too: code, tables of pandas, formulas. An empty corner is no heading.
REPLACED = (
    ("<th></th>", "<td></td>"),
    ("<pre>", '<pre tabindex="0">'),
    ('<div>\n<style scoped="">', '<div class="scroll" tabindex="0">\n<style scoped="">'),
    ('<math display="block"', '<math tabindex="0" display="block"'),
)
KERNEL = {"name": "python3", "display_name": "Python 3", "language": "python"}


def execute(source: Path, executed: Path, parameters: dict[str, Any]) -> None:
    """Run a notebook with the given parameters and write it executed; raises papermill's error of the failing cell."""
    notebook = jupytext.read(source)
    notebook.metadata["kernelspec"] = KERNEL
    done = papermill.execute_notebook(notebook, None, parameters, engine_name=ENGINE, progress_bar=False)
    write_whole(executed, nbformat.writes(_without_circumstances(done), indent=1, sort_keys=True).encode())


def _without_circumstances(notebook: nbformat.NotebookNode) -> nbformat.NotebookNode:
    """The notebook without times, versions, ids and hosts: only text, code and results remain."""
    notebook.metadata = nbformat.from_dict({"kernelspec": KERNEL, "language_info": {"name": "python"}})
    for number, cell in enumerate(notebook.cells):
        cell["id"] = f"cell-{number:03d}"
        cell.metadata = nbformat.from_dict({"tags": cell.metadata["tags"]} if cell.metadata.get("tags") else {})
    return notebook


def with_mathml(markdown: str) -> str:
    """Markdown with each formula between two $$ typeset as MathML, which browsers draw without any script."""
    return re.sub(
        r"\$\$(.+?)\$\$", lambda formula: convert(formula[1].strip(), display="block"), markdown, flags=re.DOTALL
    )


def to_html(executed: Path, page: Path, template: Path, figures: str = "") -> None:
    """Write an executed notebook as one HTML page that needs no network (formulas are MathML).

    Its title is the notebook's first heading. A figure that a cell saves is shown from its SVG in `figures`, a folder
    seen from the page, sharper and smaller than the picture in the notebook, and leads to that file; without `figures`
    the picture is part of the page.
    """
    notebook = nbformat.read(executed, as_version=4)
    for output in (output for cell in notebook.cells for output in cell.get("outputs", [])):
        if figures and (name := output.get("metadata", {}).get("saved_as")):
            picture = f'<img src="{figures}/{name}.svg" alt="{name.replace("_", " ")}">'
            output["data"] = {"text/html": f'<a href="{figures}/{name}.svg">{picture}</a>'}
    for cell in (cell for cell in notebook.cells if cell.cell_type == "markdown"):
        cell.source = with_mathml(cell.source)
    title = notebook.cells[0].source.splitlines()[0].lstrip("# ")
    trusted = {"clean_html": lambda code: code}  # cleaning takes long and changes nothing in code of this project
    cells, _ = HTMLExporter(template_name="basic", filters=trusted).from_notebook_node(notebook)
    for replaced in REPLACED:
        cells = cells.replace(*replaced)
    highlighting = HtmlFormatter(style="default").get_style_defs(".highlight")
    styled = set(re.findall(r"\.highlight \.(\w+)", highlighting)) - {"w"}  # a colour of spaces shows nothing
    cells = re.sub(r'<span(?: class="(\w+)")?>([^<]*)</span>', lambda span: span[0 if span[1] in styled else 2], cells)
    render(template, page, name=page.stem, title=title, cells=Markup(cells), highlighting=Markup(highlighting))
