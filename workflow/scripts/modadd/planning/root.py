"""The project's own files, wherever a build is made: with `--directory`, or as a module of another workflow."""

import os
from pathlib import Path

from modadd.core.files import ROOT
from modadd.core.wording import unknown


def own(name: str) -> str:
    """The path of a file of the project, named from its root, as seen from the working directory."""
    return os.path.relpath(ROOT / name)


def question_file(name: str) -> str:
    """The file of a question, beside its notebook, as named from the project's root."""
    (path,) = ROOT.glob(f"notebooks/*/{name}.yaml")
    return str(path.relative_to(ROOT))


def notebook_file(name: str) -> str:
    """The file of a notebook, in the folder of its study; raises ValueError for no such name, and for two files of it."""
    paths = sorted(Path(own("notebooks")).glob("*/*.py"))
    files = [str(path) for path in paths if path.stem == name]
    if not files:
        raise ValueError(unknown("ledger: notebooks: source", "notebook", name, {path.stem for path in paths}))
    if len(files) > 1:
        raise ValueError(
            f"notebooks: expected one file named {name}.py, found {', '.join(files)}; rename or delete one"
        )
    return files[0]
