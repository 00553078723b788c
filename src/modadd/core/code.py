"""The code behind a job as one checksum: its files, and every module of this project that they import, directly or not.

A changed comment, docstring or blank line changes no checksum; every other edit of a module changes those of all that import it.
"""

import ast
import hashlib
import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from modadd.core.files import write_whole

FOLDERS = {"modadd": Path(__file__).parents[2]}  # by package: the folder that it lies in
KNOWN = Path(
    ".snakemake/code.json"
)  # what was read before, by the checksum of a file's bytes: to take code apart takes seconds


def code_behind(*files: Path | str) -> str:
    """The sha256, in hexadecimal digits, of the code of some files and of all modules that they use."""
    return hashlib.sha256(json.dumps(files_behind(*files), sort_keys=True).encode()).hexdigest()


def files_behind(*files: Path | str) -> dict[str, str]:
    """The checksum of each file of `code_behind`, by its name: some files, and all modules that they import, or name in a text."""
    found: dict[Path, str] = {}
    read_before = len(_known())
    waiting = [Path(file) for file in files]
    while waiting:
        file = waiting.pop()
        if file not in found:
            found[file], names = _read(file)
            for name in names:
                waiting.extend(modules_of(name))
    if len(_known()) > read_before and KNOWN.parent.exists():  # for the next process: every job reads the rules
        write_whole(KNOWN, json.dumps(_known()).encode())
    return {_place(file): digest for file, digest in found.items()}


@cache
def modules_of(name: str) -> tuple[Path, ...]:
    """The files of a module and of its packages, by its full name; what a module defines may follow the name."""
    package, *parts = name.split(".")
    place = FOLDERS[package] / package
    found = [place / "__init__.py"]
    for part in parts:
        place /= part
        found += [file for file in (place / "__init__.py", place.with_suffix(".py")) if file.exists()]
    return tuple(found)


def _place(file: Path) -> str:
    """A file's name without the folder that its package lies in."""
    for folder in FOLDERS.values():
        if file.is_relative_to(folder):
            return str(file.relative_to(folder))
    return file.name


@cache
def _known() -> dict[str, list]:
    try:
        return json.loads(KNOWN.read_bytes())
    except (OSError, ValueError):
        return {}


@cache
def _read(file: Path) -> list:
    """The checksum of a file's syntax tree, and the full names of this project in it."""
    content = file.read_bytes()
    key = hashlib.sha256(content).hexdigest()
    if key not in _known():
        tree = ast.parse(content)
        names = sorted(set(_names(tree)))
        for node in ast.walk(tree):
            if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef) and ast.get_docstring(node, clean=False):
                node.body[0] = ast.Pass()
        _known()[key] = [hashlib.sha256(ast.dump(tree).encode()).hexdigest(), names]
    return _known()[key]


def _names(tree: ast.Module) -> Iterator[str]:
    """Full names of modules of this project, or of what these define: imported, or in a text, as measures are named."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            found = [f"{node.module}.{alias.name}" for alias in node.names]
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            found = [node.value]
        else:
            continue
        yield from (
            name for name in found if name.partition(".")[0] in FOLDERS and name.replace(".", "").isidentifier()
        )
