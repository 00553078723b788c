"""HTML pages from workflow/templates: self-contained, no network, no clock; and texts safe to put on them."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import jinja2

from modadd.core.files import write_whole


def escaped(data: Any) -> Any:
    """The same plain data whose texts, at every depth, Markdown does not read as HTML."""
    if isinstance(data, Mapping):
        return {key: escaped(value) for key, value in data.items()}
    if isinstance(data, list | tuple):
        return [escaped(value) for value in data]
    return data.replace("<", "&lt;") if isinstance(data, str) else data


def script_data(data: Any) -> str:
    """Plain data as JSON in ASCII, for a script element of a page: no tag may end the script early."""
    return json.dumps(data, sort_keys=True).replace("<", r"\u003c")


def render(template: Path, page: Path, **context: Any) -> None:
    """Write `page` from a template; raises jinja2's error for a name that the template uses and that is not given."""
    loader = jinja2.FileSystemLoader(template.parent)
    templates = jinja2.Environment(
        loader=loader, autoescape=jinja2.select_autoescape(["html.j2"]), undefined=jinja2.StrictUndefined
    )
    write_whole(page, templates.get_template(template.name).render(**context).encode())
