"""Remove the lock of a killed run; refuse while something runs here (`python workflow/dev/unlock.py`; `make` does so itself)."""

from pathlib import Path

import own_library  # noqa: F401
from command import errors_of

from modadd.run.locks import remove_lock

if __name__ == "__main__":
    with errors_of("unlock"):
        if remove_lock(Path(".")):
            print("Removed a stale lock of a run that was killed; its unfinished jobs run again.")
