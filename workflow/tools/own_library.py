"""Imported by every tool before the library: the library of this folder, whichever one is installed.

Without it, a copy of a project, or a second clone that uses the same environment, would judge with the code of the first.
It gives a tool, and what that starts, what this machine does not give: a folder for caches, a home, a name. An interrupt at any
moment, and too little memory, end a tool with one line. Whoever waits at a terminal is told so.
"""

import os
import sys
from pathlib import Path
from types import TracebackType


def in_one_line(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
    """Say what ended a tool: no traceback where its code is not to blame."""
    if issubclass(kind, KeyboardInterrupt):
        print("\nInterrupted; the same command continues from here.", file=sys.stderr)
    elif issubclass(kind, MemoryError) or "allocate memory" in str(error):
        print(
            f"too little memory: {str(error) or 'Python got no more'}; give the process more (`ulimit -v`)",
            file=sys.stderr,
        )
    else:
        sys.__excepthook__(kind, error, trace)


sys.excepthook = in_one_line
if sys.stderr.isatty():  # a person waits: the libraries take seconds, on a busy machine half a minute
    print(f"{Path(sys.argv[0]).stem}: loading the libraries", file=sys.stderr)
sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "scripts"))

from modadd.run.machine import stand_ins

os.environ.update(stand_ins())
