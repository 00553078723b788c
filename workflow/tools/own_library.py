"""Imported by every tool before the library: the library of this folder, whichever one is installed.

Without it, a copy of a project, or a second clone that uses the same environment, would judge with the code of the first.
It gives a tool, and what that starts, what this machine does not give: a folder for caches, a home, a name.
"""

import os
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "scripts"))

from modadd.run.machine import stand_ins

os.environ.update(stand_ins())
