"""Every script that a rule runs, and every command, finds what it imports, in builds that the tests do not make, too."""

from importlib import import_module
from pathlib import Path

import pytest
from support import ROOT

SCRIPTS = sorted(Path(ROOT, "workflow/scripts").glob("*.py"))


@pytest.mark.parametrize("script", [path.stem for path in SCRIPTS])
def test_a_script_finds_what_it_imports(script):
    assert import_module(script).__doc__, "its first line says what it does"
