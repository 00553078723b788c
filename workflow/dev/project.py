"""Imported first by every script of this folder: the code of this project, whichever one is installed."""

import argparse
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

WORKFLOW = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(WORKFLOW.parent / "src"), str(WORKFLOW), str(WORKFLOW / "scripts")]

from modadd.core.bits import job_variables

os.environ.update(job_variables())  # before anything imports NumPy: what is kept is computed as the jobs do


def without_arguments(words: str) -> None:
    """Print these words of a script and end, where its help is asked for; refuse all else that it is called with."""
    argparse.ArgumentParser(description=words, formatter_class=argparse.RawDescriptionHelpFormatter).parse_args()


@contextmanager
def errors_of(script: str) -> Iterator[None]:
    """End the process with one line, which begins with the script's name, for a bad name, file or config, or a command that fails."""
    try:
        yield
    except (ValueError, OSError, subprocess.CalledProcessError) as error:
        sys.exit(f"{script}: {error}")
