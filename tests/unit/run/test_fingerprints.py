import re
import subprocess
import sys

import pytest
from support import ROOT, forget_code

from modadd.core.code import code_behind
from modadd.run import fingerprints
from modadd.run.fingerprints import ENVIRONMENT, fingerprint


@pytest.fixture
def script(tmp_path, monkeypatch):
    """A script in a folder of its own, which is where fingerprints are kept."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "script.py").write_text("from modadd.core.wording import unknown\n")
    return tmp_path / "script.py"


def test_a_fingerprint_is_computed_once_for_the_same_code(script, monkeypatch):
    assert fingerprint("script.py") == code_behind("script.py", definitions=[ENVIRONMENT])
    monkeypatch.setattr(fingerprints, "code_behind", None)
    assert fingerprint("script.py") == code_behind("script.py", definitions=[ENVIRONMENT])


def test_other_code_has_another_fingerprint(script):
    first = fingerprint("script.py")
    forget_code()
    script.write_text(script.read_text() + "print(1)\n")
    assert fingerprint("script.py") != first


def test_a_changed_module_of_the_library_or_another_python_is_other_code(script, monkeypatch):
    fingerprint("script.py")
    monkeypatch.setattr(fingerprints, "_library", lambda: b"another library")
    monkeypatch.setattr(fingerprints, "code_behind", lambda *files, definitions: "computed again")
    assert fingerprint("script.py") == "computed again"


def test_the_digest_of_the_library_knows_the_python(monkeypatch):
    fingerprints._library.cache_clear()
    before = fingerprints._library()
    fingerprints._library.cache_clear()
    monkeypatch.setattr(fingerprints.sys, "version", "another")
    assert fingerprints._library() != before
    fingerprints._library.cache_clear()


def test_reading_the_rules_and_the_names_of_measures_imports_nothing_that_computes():
    rules = (ROOT / "workflow/rules/common.smk").read_text(encoding="utf-8")
    imports = re.findall(r"from modadd[\w.]* import (?:\([^)]*\)|[^\n]+)", rules)
    assert len(imports) > 5
    names = "from modadd.populations.columns.every import COLUMNS; assert 'angle_term' in COLUMNS['pizza_transformer']"
    heavy = "assert not {'torch', 'numba', 'scipy', 'pandas', 'matplotlib'} & {*sys.modules}, [*sys.modules]"
    code = "\n".join(["import sys", *imports, *names.split("; "), heavy])
    subprocess.run([sys.executable, "-c", code], cwd=ROOT / "workflow/scripts", check=True)
