"""Tools end with one line that says what is missing: a build, git, a number of cores."""

import os
import subprocess
import sys

import pytest
from build import number_of_cores, require_build
from support import ROOT, variables


def said(name, *arguments, folder=ROOT, **environment):
    """What a tool says when it fails, in its last line, without its name."""
    line = [sys.executable, str(ROOT / f"workflow/tools/{name}.py"), *arguments]
    done = subprocess.run(line, cwd=folder, env=variables(ROOT) | environment, capture_output=True, text=True)
    assert done.returncode == 1 and "Traceback" not in done.stderr, done.stderr
    return done.stderr.splitlines()[-1].removeprefix(f"{name}: ")


def test_without_the_last_file_of_a_build_a_tool_says_to_build_first(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SystemExit, match="^verify: results/provenance.json does not exist; build everything first"):
        require_build("verify")
    (tmp_path / "results").mkdir()
    (tmp_path / "results/provenance.json").touch()
    require_build("verify")


def test_without_git_a_tool_says_what_needs_it(tmp_path):
    assert said("build", "--folder", str(tmp_path), PATH=str(tmp_path)).startswith("git is needed")


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
