"""Imported first by every script: the code of this folder, whichever is installed, also in a job without PYTHONPATH."""

import sys
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(PROJECT / "src"), str(PROJECT / "workflow")]

import modadd

if not Path(modadd.__file__).is_relative_to(PROJECT):
    sys.exit(f"{modadd.__file__}: expected the library of {PROJECT}; take the other one out of the path")
