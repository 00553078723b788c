"""Which files of this library a script or notebook stands on: what Snakemake cannot see, since it does not follow imports."""

import ast
from pathlib import Path

LIBRARY = Path(__file__).parent


def modules_behind(*files: Path | str) -> list[str]:
    """Names of the library's modules that the files import, directly or through one another, in alphabetical order."""
    found: set[str] = set()
    waiting = [Path(file) for file in files]
    while waiting:
        new = _imported(waiting.pop()) - found
        found |= new
        waiting += [LIBRARY / f"{module}.py" for module in new]
    return sorted(found)


def _imported(file: Path) -> set[str]:
    statements = ast.walk(ast.parse(file.read_text()))
    names = (statement.module for statement in statements if isinstance(statement, ast.ImportFrom) and statement.module)
    return {name.removeprefix("modadd.") for name in names if name.startswith("modadd.")}
