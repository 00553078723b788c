"""Checksums of code: what an edit changes, and that nothing is missed of what a job runs."""

import sys
from pathlib import Path

import pytest
from support import ROOT, forget_code

from modadd.core import code
from modadd.core.code import code_behind, files_behind
from modadd.populations.columns.every import COLUMNS
from modadd.populations.rows import row_of
from modadd.training.train import train_ensemble

MODULES = {
    "__init__.py": "",
    "core/__init__.py": '"""A room."""\n',
    "core/numbers.py": '"""Numbers."""\n\nHALF = 0.5  # of one\n\n\ndef half(x):\n    """Half of it."""\n    return x * HALF\n',
    "core/angles.py": "from modadd.core.numbers import half\n\n\ndef angle(x):\n    return half(x)\n",
    "core/others.py": "OTHER = 3\n",
}
IMPORTED = "from modadd.core.angles import angle\n\nprint(angle(1))\n"
MODULE = "from modadd.core import angles\n\nprint(angles.angle(1))\n"
INSIDE = "def run():\n    import modadd.core.angles\n    return modadd.core.angles.angle(1)\n"
AS_TEXT = 'print("modadd.core.angles.angle")\n'


@pytest.fixture
def library(tmp_path, monkeypatch):
    """A small library of the same name, and a script of its own: a function that gives the checksum of their code."""
    for name, text in MODULES.items():
        file = tmp_path / "modadd" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    monkeypatch.setitem(code.FOLDERS, "modadd", tmp_path)
    monkeypatch.chdir(tmp_path)

    def checksum(script):
        Path("script.py").write_text(script)
        forget_code()
        return code_behind("script.py")

    yield checksum
    forget_code()


@pytest.mark.parametrize("script", [IMPORTED, MODULE, INSIDE, AS_TEXT])
def test_the_code_of_a_script_is_its_own_and_that_of_all_modules_that_it_names(library, tmp_path, script):
    before = library(script)
    assert files_behind("script.py").keys() == {
        *(
            "script.py",
            "modadd/__init__.py",
            "modadd/core/__init__.py",
            "modadd/core/angles.py",
            "modadd/core/numbers.py",
        )
    }
    numbers = tmp_path / "modadd/core/numbers.py"
    numbers.write_text(MODULES["core/numbers.py"].replace("0.5", "0.25"))
    assert library(script) != before
    assert library(script + "print()\n") != before


@pytest.mark.parametrize("edit", [("# of one", "# of two"), ("Half of it", "A half"), ("\n\n\ndef", "\n\n\n\ndef")])
def test_what_changes_no_output_changes_no_checksum(library, tmp_path, edit):
    before = library(IMPORTED)
    numbers = tmp_path / "modadd/core/numbers.py"
    numbers.write_text(MODULES["core/numbers.py"].replace(*edit))
    (tmp_path / "modadd/core/others.py").write_text("OTHER = 4\n")
    assert library(IMPORTED) == before


def test_what_was_read_once_is_kept_for_the_next_process_by_its_content(library, tmp_path):
    (tmp_path / ".snakemake").mkdir()
    before = library(IMPORTED)
    assert code.KNOWN.exists() and library(IMPORTED) == before
    code.KNOWN.write_text("half of a")
    assert library(IMPORTED) == before


def modules_called(work):
    """The files of this library whose code runs in some work."""
    called = set()

    def note(frame, event, _):  # of calls alone: a function that returns nothing hears of no lines
        called.add(frame.f_code.co_filename)

    sys.settrace(note)
    try:
        work()
    finally:
        sys.settrace(None)
    library = code.FOLDERS["modadd"]
    return {str(Path(file).relative_to(library)) for file in called if Path(file).is_relative_to(library)}


@pytest.mark.parametrize("kind", ["pizza_transformer", "embedding_mlp", "square_mlp"])
def test_all_code_that_runs_when_a_network_is_trained_and_measured_is_behind_its_jobs(small, kind, tmp_path):
    trained = []
    training = modules_called(lambda: trained.extend(train_ensemble(small[kind], [0], tmp_path / "checkpoint")[0]))
    measuring = modules_called(lambda: row_of(trained[0], COLUMNS[kind]))
    assert len(training) > 10 and len(measuring) > 10
    scripts = ROOT / "workflow/scripts"
    assert training <= files_behind(scripts / "train_networks.py").keys()
    columns = code.FOLDERS["modadd"] / f"modadd/populations/columns/{kind}.py"
    assert measuring <= files_behind(scripts / "measure_shard.py", columns).keys()


def test_no_module_of_an_analysis_is_behind_a_training():
    behind = [Path(file).parts for file in files_behind(ROOT / "workflow/scripts/train_networks.py")]
    rooms = {parts[1] for parts in behind if parts[0] == "modadd"}
    assert rooms == {"__init__.py", "core", "networks", "training"}
    assert {parts[-1] for parts in behind if parts[0] == "paper"} <= {"__init__.py", "jobs.py"}
