"""HTML pages from the templates in workflow/templates: self-contained, no network, no clock."""

from pathlib import Path
from typing import Any

import jinja2

from modadd.core.files import write_whole


def render(template: Path, page: Path, **context: Any) -> None:
    """Write `page` from a template; raises jinja2's error for a name that the template uses and nobody gives."""
    loader = jinja2.FileSystemLoader(template.parent)
    templates = jinja2.Environment(
        loader=loader, autoescape=jinja2.select_autoescape(["html.j2"]), undefined=jinja2.StrictUndefined
    )
    write_whole(page, templates.get_template(template.name).render(**context).encode())
