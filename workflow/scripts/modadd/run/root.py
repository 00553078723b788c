"""The project's own files, wherever a build is made: with `--directory`, or as a module of another workflow."""

import os
from pathlib import Path

from modadd.core.wording import unknown

ROOT = Path(__file__).resolve().parents[4]


def own(name: str) -> str:
    """The path of a file of the project, named from its root, as seen from the working directory."""
    return os.path.relpath(ROOT / name)


def notebook_file(name: str) -> str:
    """The file of a notebook, in the folder of its study; raises ValueError with the nearest name if there is none."""
    files = {path.stem: str(path) for path in sorted(Path(own("notebooks")).glob("*/*.py"))}
    if name not in files:
        raise ValueError(unknown("ledger: notebooks: source", "notebook", name, files))
    return files[name]
