"""Executing py:percent notebooks so that the executed file and its HTML have equal bytes for equal content."""

import re
from functools import partial
from pathlib import Path
from typing import Any

import jupytext
import nbformat
import papermill
from latex2mathml.converter import convert
from markdown_it import MarkdownIt
from markupsafe import Markup
from mdit_py_plugins.dollarmath import dollarmath_plugin
from nbformat import NotebookNode
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import PythonLexer

from modadd.core.files import write_whole
from modadd.page.shell import ENGINE
from modadd.page.templates import render

KERNEL = {"name": "python3", "display_name": "Python 3", "language": "python"}


def execute(source: Path, executed: Path, parameters: dict[str, Any]) -> None:
    """Run a notebook with the given parameters and write it executed; raises papermill's error of the failing cell."""
    notebook = jupytext.read(source)
    notebook.metadata["kernelspec"] = KERNEL
    done = papermill.execute_notebook(notebook, None, parameters, engine_name=ENGINE, progress_bar=False)
    write_whole(executed, nbformat.writes(_without_circumstances(done), indent=1, sort_keys=True).encode())


def _without_circumstances(notebook: NotebookNode) -> NotebookNode:
    """The notebook without times, versions, ids and hosts: only text, code and results remain."""
    notebook.metadata = nbformat.from_dict({"kernelspec": KERNEL, "language_info": {"name": "python"}})
    for number, cell in enumerate(notebook.cells):
        cell["id"] = f"cell-{number:03d}"
        cell.metadata = nbformat.from_dict({"tags": cell.metadata["tags"]} if cell.metadata.get("tags") else {})
    return notebook


def to_html(executed: Path, page: Path, template: Path, figures: str) -> None:
    """Write an executed notebook as one HTML page that needs no network and no script (formulas are MathML).

    Its title is the notebook's first heading. A figure that a cell saves is shown from its SVG in `figures`, a folder
    seen from the page, and leads to that file. What is wider than a phone scrolls, by keyboard too.
    """
    cells = nbformat.read(executed, as_version=4).cells
    title = cells[0].source.splitlines()[0].lstrip("# ")
    made = {"markdown": _markdown, "python": _python, "shown": partial(_shown, figures=figures)}
    render(template, page, name=page.stem, title=title, cells=cells, highlighting=Markup(_STYLE), **made)


def _mathml(formula: str, _: dict[str, Any]) -> str:
    return convert(formula.strip(), display="block").replace("<math ", '<math tabindex="0" ', 1)


_MARKDOWN = MarkdownIt("commonmark").enable("table").use(dollarmath_plugin, double_inline=True, renderer=_mathml)


def _markdown(text: str) -> Markup:
    return Markup(_MARKDOWN.render(text))


_STYLE = HtmlFormatter(nobackground=True).get_style_defs(".highlight")
_STYLED = {*re.findall(r"\.highlight \.(\w+)", _STYLE)} - {"w"}  # a colour of spaces shows nothing


def _python(code: str) -> Markup:
    """Code in which only what has a style is marked: the other spans would only make the page larger."""
    marked = highlight(code, PythonLexer(), HtmlFormatter(nowrap=True))
    spans = re.compile(r'<span class="(\w+)">([^<]*)</span>')
    return Markup(spans.sub(lambda span: span[0 if span[1] in _STYLED else 2], marked))


def _shown(output: NotebookNode, figures: str) -> Markup:
    """One output of a cell: the figure that it saved, or the richest of the forms that it has."""
    if output.output_type == "stream":
        return Markup('<pre tabindex="0">{}</pre>').format(output.text)
    if name := output.metadata.get("saved_as"):
        file = f"{figures}/{name}.svg"
        return Markup('<a href="{}"><img src="{}" alt="{}"></a>').format(file, file, name.replace("_", " "))
    if table := output.data.get("text/html"):  # of pandas; an empty corner is no heading
        table = re.sub('<style.*?</style>| border="1"', "", table, flags=re.DOTALL).replace("<th></th>", "<td></td>")
        return Markup(f'<div class="scroll" tabindex="0">{table}</div>')
    if text := output.data.get("text/markdown"):
        return _markdown(text)
    if picture := output.data.get("image/png"):
        return Markup('<img src="data:image/png;base64,{}" alt="">').format(picture)
    return Markup('<pre tabindex="0">{}</pre>').format(output.data["text/plain"])
