"""What texts of the project still say of questions that the ledger no longer has."""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from modadd.core.files import ROOT

PAGES = ("notebooks/*/*.py", "notebooks/*/*.yaml", "*.md", "docs/*.md")
LINK = re.compile(r"\]\((\w+)\.html\)|\]\([^)\s]*notebooks/\w+/(\w+)\.(?:py|yaml)\)")
WRITTEN = "Written by `workflow/dev/readme.py`"  # at the top of a page that is written anew


def no_longer_there(ledger: Mapping[str, Any], project: Path | str = ROOT) -> str:
    """One line with every question that a text links to and the ledger does not have; empty if there is none."""
    known = set(ledger["notebooks"])
    found: dict[str, list[str]] = {}
    for path in (path for pattern in PAGES for path in sorted(Path(project).glob(pattern))):
        text = path.read_text(encoding="utf-8")
        linked = set() if WRITTEN in text[:500] else {name for names in LINK.findall(text) for name in names if name}
        for name in sorted(linked - known):
            found.setdefault(name, []).append(str(path.relative_to(project)))
    listed = "; ".join(f"{name} in {', '.join(files)}" for name, files in found.items())
    return listed and f"ledger: no longer there, but linked to: {listed}"
