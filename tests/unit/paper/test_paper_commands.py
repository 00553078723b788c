"""Tools end with one line that says what is missing: a build, git, a number of cores."""

import os
import shutil
import subprocess
import sys

import pytest
from build import require_build
from command import number_of_cores
from own_library import in_one_line
from support import ROOT, told_by

from modadd.core.bits import job_variables


def test_without_the_last_file_of_a_build_a_tool_says_to_build_first(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SystemExit, match="^verify: results/provenance.json does not exist; build everything first"):
        require_build("verify")
    (tmp_path / "results").mkdir()
    (tmp_path / "results/provenance.json").touch()
    require_build("verify")


def test_without_git_a_tool_says_what_needs_it(tmp_path, monkeypatch, in_root):
    monkeypatch.setenv("PATH", str(tmp_path))
    _, sentence = told_by("build", "--folder", str(tmp_path))
    assert sentence.startswith("build: git is needed") and "\n" not in sentence


def test_cores_are_a_number_or_all():
    given = os.sched_getaffinity(0)
    try:
        os.sched_setaffinity(0, {min(given)})  # as a job that is given one core of many
        assert (number_of_cores("3"), number_of_cores("all")) == ("3", "1")
    finally:
        os.sched_setaffinity(0, given)
    for bad in ("many", "0", "-1", "1.5"):
        with pytest.raises(Exception, match=f"expected a whole number of at least 1, or `all`, got '{bad}'"):
            number_of_cores(bad)


def test_whoever_waits_at_a_terminal_is_told_what_takes_time():
    ours, theirs = os.openpty()
    subprocess.run([sys.executable, "workflow/tools/look.py"], cwd=ROOT, stdout=subprocess.PIPE, stderr=theirs)
    assert os.read(ours, 100).decode().strip() == "look: loading the libraries"
    for end in (ours, theirs):
        os.close(end)


ANOTHER = """#!/bin/sh
exec {python} -c 'import sys; sys.version_info = (3, {minor}, 0); exec(sys.argv[1])' "$2"
"""


@pytest.mark.parametrize("minor", [10, 14])
def test_a_python_that_does_not_fit_is_named_before_anything_is_installed(tmp_path, minor):
    for name in ("Makefile", "requirements.txt", "requirements-test.txt", "pyproject.toml"):
        shutil.copy(ROOT / name, tmp_path)
    another = tmp_path / "python3"
    another.write_text(ANOTHER.format(python=sys.executable, minor=minor))
    another.chmod(0o755)
    command = ["make", "--no-print-directory", ".venv/ready", f"PYTHON={another}"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode != 0 and not (tmp_path / ".venv").exists()
    assert done.stderr.startswith(
        f"make: this project needs Python 3.11, 3.12 or 3.13; {another} is 3.{minor}; name another one"
    )


@pytest.mark.parametrize(
    ("error", "said"),
    [(KeyboardInterrupt(), "Interrupted; the same command"), (MemoryError(), "too little memory: Python got no more")],
)
def test_an_interrupt_and_too_little_memory_are_one_line(capsys, error, said):
    in_one_line(type(error), error, None)
    words = capsys.readouterr().err.strip()
    assert words.startswith(said) and "\n" not in words
    in_one_line(ValueError, ValueError("no"), None)
    assert "ValueError: no" in capsys.readouterr().err


@pytest.mark.parametrize("tool", ["workflow/tools/proof.py", "workflow/dev/keep.py"])
def test_a_tool_whose_numbers_are_kept_computes_as_the_jobs_do(tool):
    lines = (ROOT / tool).read_text(encoding="utf-8").splitlines()
    first = [
        line.partition("  #")[0] for line in lines if line.startswith(("import own_", "from modadd", "import pandas"))
    ]
    assert first[:2] == ["import own_library", "import own_variables"]
    told = "import own_library, own_variables, sys, os; print('numpy' in sys.modules, os.environ['OPENBLAS_CORETYPE'])"
    folder = (ROOT / tool).parent
    done = subprocess.run([sys.executable, "-c", told], cwd=folder, capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["False", job_variables()["OPENBLAS_CORETYPE"]]
