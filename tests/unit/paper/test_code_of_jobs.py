"""The code of a job holds the modules of this package that it imports."""

import shutil

import pytest
from support import ROOT, forget_code, refuses

from modadd.core import code
from modadd.core.code import code_behind
from paper.code import ENVIRONMENT, code_of, require_python

MEASURE, TRAIN = "workflow/scripts/measure_shard.py", "workflow/scripts/train_networks.py"


@pytest.fixture
def package(tmp_path, monkeypatch, in_root):
    """A copy of the package, which the jobs' checksums are of."""
    monkeypatch.setitem(code.FOLDERS, "paper", tmp_path)
    forget_code()
    yield shutil.copytree(ROOT / "workflow/paper", tmp_path / "paper")
    forget_code()


@pytest.mark.parametrize(
    ("module", "changed"), [("headers", {MEASURE}), ("mock", set())], ids=["imported", "not imported"]
)
def test_an_edit_of_a_module_changes_the_code_of_the_jobs_that_import_it(package, module, changed):
    before = {script: code_of(script) for script in (MEASURE, TRAIN)}
    file = package / f"{module}.py"
    file.write_text(file.read_text(encoding="utf-8") + "\nADDED = 1\n", encoding="utf-8")
    forget_code()
    assert {script for script, found in before.items() if code_of(script) != found} == changed


def test_a_module_that_is_not_python_is_named_in_the_place_of_what_imports_it(package, monkeypatch):
    (package / "headers.py").write_text("found = 1\nfound = = 2\n", encoding="utf-8")
    with refuses("paper/headers.py: line 2: not Python", "found = = 2"):
        require_python(MEASURE)


def test_the_environment_of_jobs_is_part_of_the_code_of_each(monkeypatch, in_root):
    before = code_of(TRAIN)
    monkeypatch.setattr("paper.code.ENVIRONMENT", ())
    assert code_of(TRAIN) != before


def test_files_that_jobs_share_are_followed_once_and_give_the_same_checksum(in_root):
    for files in (
        (MEASURE,),
        (TRAIN, MEASURE),
        ("workflow/scripts/execute_notebook.py", "notebooks/quadrature/phases.py"),
    ):
        assert code_of(*files) == code_behind(*ENVIRONMENT, *files)
