"""What jobs inherit: variables that decide their floats, the code of this folder, and places for caches."""

import os
import shlex
from pathlib import Path

from modadd.core.bits import FIGURE_FORMATS, job_variables, with_first
from modadd.core.files import ROOT

# In which the packages of this project lie, and what its scripts import: Snakemake puts the folder of a script last on its path.
FOLDERS = [str(ROOT / "src"), str(ROOT / "workflow"), str(ROOT / "workflow/scripts")]
CACHE = Path(".snakemake/cache")  # in the folder that is built in


class Quoted(str):
    """A path that is quoted for the shell wherever it is formatted into a text, and is itself everywhere else.

    Snakemake formats the path of the interpreter into the command line of every script, and a space would end it there.
    """

    def __format__(self, spec: str) -> str:
        return shlex.quote(self)


def job_environment(figure_formats: list[str]) -> dict[str, str]:
    """Variables of every job of a build: the same floats everywhere, this folder's code, whichever one is installed.

    Docstrings stay, as those of measures say what they mean. Modules stay compiled also where the user's Python may not keep
    them, as in many containers: every job would compile them again, which is up to a third of a short job. Matplotlib's and IPython's caches lie in the folder that is built in, as
    settings of the user stand beside theirs, and would change figures; numba's too, where the code cannot be written.
    """
    cache = CACHE.absolute()
    found = job_variables() | {
        "PYTHONPATH": with_first(os.pathsep.join(FOLDERS)),
        "PYTHONDONTWRITEBYTECODE": "",
        "PYTHONOPTIMIZE": "",
        FIGURE_FORMATS: " ".join(figure_formats),
        "MPLCONFIGDIR": str(cache / "matplotlib"),
        "IPYTHONDIR": str(cache / "ipython"),
    }
    if not os.access(ROOT, os.W_OK):
        found["NUMBA_CACHE_DIR"] = str(cache / "numba")
    return found
