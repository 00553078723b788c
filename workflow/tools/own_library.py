"""Imported by every tool before the library: the library of this folder, whichever one is installed.

Without it, a copy of a project, or a second clone that uses the same environment, would judge with the code of the first.
"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "scripts"))
