"""Pages from workflow/templates, each a template and its data: self-contained, no network, no clock."""

import json
from pathlib import Path
from typing import Any

import jinja2

from modadd.core.files import write_whole

MARKDOWN = ".md.j2"


def script_data(data: Any) -> str:
    """Plain data as JSON in ASCII, for a script element of a page: no tag may end the script early."""
    return json.dumps(data, sort_keys=True).replace("<", r"\u003c")


def filled_in(template: Path, **context: Any) -> str:
    """The text of a page; no text of the context is read as HTML, but for what is marked as such.

    Raises jinja2's error for a name that the template uses and that is not given.
    """
    loader = jinja2.FileSystemLoader(template.parent)
    if template.name.endswith(MARKDOWN):
        templates = jinja2.Environment(
            loader=loader,
            undefined=jinja2.StrictUndefined,
            finalize=_no_tag,
            trim_blocks=True,
            lstrip_blocks=True,
            keep_trailing_newline=True,
        )
    else:
        templates = jinja2.Environment(loader=loader, undefined=jinja2.StrictUndefined, autoescape=True)
    return templates.get_template(template.name).render(**context)


def render(template: Path, page: Path, **context: Any) -> None:
    """Write `page` from a template, as `filled_in` has it."""
    write_whole(page, filled_in(template, **context).encode())


def _no_tag(value: Any) -> Any:
    """A text that Markdown does not read as HTML."""
    return value.replace("<", "&lt;") if isinstance(value, str) else value
