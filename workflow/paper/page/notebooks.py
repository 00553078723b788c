"""The pages of executed notebooks: equal content gives equal bytes."""

import re
from collections.abc import Mapping, Sequence
from pathlib import Path

import nbformat
from markupsafe import Markup
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import PythonLexer

from modadd.core.files import Data
from paper.page.templates import render
from paper.page.typesetting import markdown, typeset


def to_html(
    executed: Path,
    page: Path,
    template: Path,
    figures: str,
    found: str = "",
    near: Mapping[str, list[str]] | None = None,
    claims: Sequence[Data] = (),
) -> None:
    """Write an executed notebook as one HTML page that needs no network and no script (formulas are MathML).

    Code folds under what it shows, and each line has the id CELL-LINE, so that a link into it unfolds it and marks the line.
    The title is the notebook's first heading; below it stands what was `found`. `near` are the names and titles of the
    notebooks `before` and `after` this one; `claims` are the rows of its claims, whose verdicts stand at its end. A figure that
    a cell saves is shown from its SVG in `figures`, a folder seen from the page, and leads to that file. What is wider than a
    phone scrolls, by keyboard too.
    """
    cells = nbformat.read(executed, as_version=4).cells
    title, _, cells[0].source = cells[0].source.partition("\n")
    render(
        template,
        page,
        name=page.stem,
        title=title.lstrip("# "),
        cells=cells,
        figures=figures,
        found=found,
        near=near or {},
        claims=claims,
        highlighting=Markup(_STYLE),
        lines=_lines,
        markdown=markdown,
        plain_table=_plain_table,
        typeset=typeset,
    )


_STYLE = HtmlFormatter(nobackground=True).get_style_defs(".highlight")
_STYLED = {*re.findall(r"\.highlight \.(\w+)", _STYLE)} - {"w"}  # a colour of spaces shows nothing
_SPAN = re.compile(r'<span class="(\w+)">([^<]*)</span>')


def _lines(code: str) -> list[Markup]:
    """The lines of a cell, in which only what has a style is marked: other spans would only make the page larger."""
    marked = highlight(code, PythonLexer(), HtmlFormatter(nowrap=True))
    marked = _SPAN.sub(lambda span: span[0 if span[1] in _STYLED else 2], marked)
    return [Markup(line) for line in marked.rstrip("\n").split("\n")]


def _plain_table(html: str) -> Markup:
    """A table as pandas shows it, in the style of the page; an empty corner is no heading."""
    table = re.sub('<style.*?</style>| border="1"', "", html, flags=re.DOTALL)
    return Markup(table.replace("<th></th>", "<td></td>"))
