"""Imported by every script of this folder before the library: the library and the tools of this project.

It does what the module of this name in workflow/tools does for a tool.
"""

import runpy
import sys
from pathlib import Path

TOOLS = Path(__file__).resolve().parents[1] / "tools"
sys.path.insert(1, str(TOOLS))
runpy.run_path(str(TOOLS / "own_library.py"))
