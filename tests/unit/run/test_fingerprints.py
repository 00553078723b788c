import subprocess
import sys

import pytest
from support import ROOT, forget_code

from modadd.core.code import code_behind
from modadd.run import fingerprints
from modadd.run.fingerprints import ENVIRONMENT, check_once, fingerprint


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


def test_data_that_passed_a_check_are_checked_again_only_by_another_library_and_what_is_refused_is_refused_again(
    script, monkeypatch
):
    asked = []

    def check(*data):
        asked.append(data)
        if data == ("bad",):
            raise ValueError("refused")

    for data in ("good", "good", "other"):
        check_once(check, data)
    for _ in range(2):
        with pytest.raises(ValueError, match="refused"):
            check_once(check, "bad")
    monkeypatch.setattr(fingerprints, "_library", lambda: b"another library")
    check_once(check, "good")
    assert asked == [("good",), ("other",), ("bad",), ("bad",), ("good",)]


def test_reading_the_rules_needs_no_pandas():
    rules = (ROOT / "workflow/rules/common.smk").read_text(encoding="utf-8").splitlines()
    imports = [line.strip() for line in rules if line.strip().startswith("from modadd")]
    assert len(imports) > 5
    code = "; ".join(["import sys", *imports, "assert 'torch' not in sys.modules and 'pandas' not in sys.modules"])
    subprocess.run([sys.executable, "-c", code], cwd=ROOT / "workflow/scripts", check=True)
