"""Which files of this library a script or notebook stands on: what Snakemake cannot see, since it does not follow imports."""

import ast
import hashlib
from collections.abc import Iterable
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


def fingerprint(files: Iterable[Path]) -> str:
    """sha256 over the code of some files as a syntax tree: without docstrings, comments and formatting."""
    return hashlib.sha256("\n".join(map(_code_alone, files)).encode()).hexdigest()


def _code_alone(file: Path) -> str:
    tree = ast.parse(file.read_text())
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef) and ast.get_docstring(node) is not None:
            node.body = node.body[1:] or [ast.Pass()]
    return ast.unparse(tree)


def _imported(file: Path) -> set[str]:
    statements = ast.walk(ast.parse(file.read_text()))
    names = (statement.module for statement in statements if isinstance(statement, ast.ImportFrom) and statement.module)
    return {name.removeprefix("modadd.") for name in names if name.startswith("modadd.")}
