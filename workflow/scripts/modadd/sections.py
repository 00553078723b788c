"""Sections of a text that are written by the workflow, each between two markers."""

from pathlib import Path


def with_section(text: str, name: str, content: str, file: Path) -> str:
    """The text with a section's content replaced; raises ValueError naming the file if a marker is missing."""
    start, end = f"<!-- {name}: written by `make readme` -->", f"<!-- end of {name} -->"
    before, _, rest = text.partition(start)
    _, found, after = rest.partition(end)
    if not found:
        raise ValueError(f"{file}: expected the markers '{start}' and '{end}', each once")
    return f"{before}{start}\n\n{content}\n{end}{after}"
