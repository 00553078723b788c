"""A job's script or notebook in this process, for a debugger or an editor: the object `snakemake` without Snakemake.

python -m pdb -m paper.mock phases --configfile config/smoke.yaml --directory results/smoke
"""

import argparse
import os
import sys
from collections.abc import Mapping
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from modadd.core.bits import job_variables

CELL = "\n# %%"
PARAMETERS = ' tags=["parameters"]'


def mock_snakemake(rule: str = "mock", **parts: Mapping[str, Any]) -> SimpleNamespace:
    """The object that a script finds: its rule, and `input`, `output`, `params` and the like, each with the names that are given."""
    return SimpleNamespace(rule=rule, **{part: SimpleNamespace(**names) for part, names in parts.items()})


def run_lines(notebook: Path, given: Mapping[str, Any]) -> None:
    """Run the code of a py:percent notebook, with these parameters after the cell that declares them; lines keep their numbers."""
    text = notebook.read_text(encoding="utf-8")
    cells = text.split(CELL)
    (parameters,) = [cell for cell in cells if cell.startswith(PARAMETERS)]
    declared = CELL.join(cells[: cells.index(parameters) + 1])
    lines_before = "\n" * declared.count("\n")
    names: dict[str, Any] = {"__name__": "__main__"}
    for code in (declared, lines_before + text.removeprefix(declared)):
        exec(compile(code, notebook, "exec"), names)
        names |= given


if __name__ == "__main__":
    os.environ.update(job_variables())  # before anything imports NumPy
    from modadd.core.wording import require_known
    from paper.commands.check import build_of

    parser = argparse.ArgumentParser(prog="python -m paper.mock", description=__doc__)
    parser.add_argument("notebook", help="the name of a question, such as phases")
    parser.add_argument("--configfile", nargs="*", default=[], help="laid over config/config.yaml, as snakemake does")
    parser.add_argument("--directory", default=".", help="where the build is: results/smoke after `make smoke`")
    options = parser.parse_args()
    files = [os.path.abspath(file) for file in options.configfile]
    os.chdir(options.directory)  # first: files of the project are named as seen from there
    try:
        questions = build_of(files).questions
        require_known("NOTEBOOK", "question", [options.notebook], questions)
    except (ValueError, OSError) as error:
        sys.exit(f"paper.mock: {error}")
    question = questions[options.notebook]
    run_lines(Path(question.notebook).resolve(), question.given)
