"""The code of jobs as checksums, which the rules hand to Snakemake: where it changes, a job runs again."""

import ast
import hashlib
import json
import os
from functools import cache
from pathlib import Path

from modadd.core.code import FOLDERS, files_behind
from modadd.core.files import ROOT, in_project

FOLDERS["paper"] = ROOT / "workflow"
ENVIRONMENT = (
    "src/modadd/core/bits.py",
    "workflow/paper/environment.py",
)  # they decide the floats of every job
# Of one file: many jobs share a script, and what it imports takes longer to follow than a notebook's own modules.
_behind = cache(files_behind)


def code_of(*files: str) -> str:
    """The checksum of the code of a job: of the files that it runs, named from the project's root, and what these import.

    It is that of `code_behind`.
    """
    found: dict[str, str] = {}
    for file in (*ENVIRONMENT, *files):
        found |= _behind(in_project(file))
    return hashlib.sha256(json.dumps(found, sort_keys=True).encode()).hexdigest()


def require_python(file: str) -> None:
    """Raise ValueError, one line, for a file that is not Python, or imports one of ours that is not.

    One whose code was taken apart before is not parsed again.
    """
    try:
        _behind(file)
    except SyntaxError as error:
        place = f"{os.path.relpath(_not_python(file))}: line {error.lineno}"
        raise ValueError(f"{place}: not Python: {error.msg} in {(error.text or '').strip()!r}") from error


def _not_python(file: str) -> Path:
    """The first of a file and of all modules of this project that is no Python; the error of `ast` does not name it."""
    modules = [path for package, folder in FOLDERS.items() for path in sorted((folder / package).rglob("*.py"))]
    for path in (Path(file), *modules):
        try:
            ast.parse(path.read_bytes())
        except SyntaxError:
            return path
    return Path(file)
