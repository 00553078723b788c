"""What may fail on a machine: a space in the path of the interpreter, and folders for caches that cannot be written."""

import os
import shlex
from pathlib import Path

CODE = Path(__file__).parents[1]
CACHE = Path(".snakemake/cache")  # in the folder that is built in


class Quoted(str):
    """A path that is quoted for the shell wherever it is formatted into a text, and is itself everywhere else.

    Snakemake formats the path of the interpreter into the command line of every script, and a space would end it there.
    """

    def __format__(self, spec: str) -> str:
        return shlex.quote(self)


def stand_ins(folder: Path = Path(".")) -> dict[str, str]:
    """Variables for what this machine or user does not give, with places in a folder that is built in.

    Matplotlib's and IPython's caches always, as settings of the user stand beside them, and would change figures;
    numba's where it cannot be kept beside the code; a user's name, home and cache where there is none that can be used.
    """
    cache = folder.absolute() / CACHE
    home = Path(os.path.expanduser("~"))
    found = {
        "MPLCONFIGDIR": str(cache / "matplotlib"),
        "IPYTHONDIR": str(cache / "ipython"),
    }
    compiled = {module.parent / "__pycache__" for module in CODE.rglob("*.py")}
    if not all(map(_can_be_written, compiled)):
        found["NUMBA_CACHE_DIR"] = str(cache / "numba")
    # profiles/default does this, too, before Snakemake reads the rules
    if not home.is_absolute() or not home.is_dir():
        found["HOME"] = str(cache)
    given = os.environ.get("XDG_CACHE_HOME")
    own_cache = Path(given) if given else home / ".cache"
    if not _can_be_written(own_cache):
        found["XDG_CACHE_HOME"] = str(cache)
    if "USER" not in os.environ:  # in a container a user may have a number alone
        found["USER"] = str(os.getuid())
    return found


def _can_be_written(folder: Path) -> bool:
    """Whether this user can write in a folder, or make it."""
    there = folder
    if not folder.exists():
        there = folder.parent
    return os.access(there, os.W_OK | os.X_OK)
