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
    folder = Path(own("notebooks"))
    files = [str(path) for path in sorted(folder.glob(f"*/{name}.py"))]
    if not files:
        known = {path.stem for path in folder.glob("*/*.py")}
        raise ValueError(unknown("ledger: notebooks: source", "notebook", name, known))
    if len(files) > 1:
        found = ", ".join(files)
        raise ValueError(f"notebooks: expected one file named {name}.py, found {found}; rename or delete one")
    return files[0]
