"""Tools end with one line that says what is missing: a build, git, a config, a number of cores."""

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


@pytest.mark.parametrize("name", ["verify", "release", "reference", "readme"])
def test_without_a_build_a_tool_says_to_build_first(tmp_path, name):
    expected = "results/provenance.json does not exist; build everything first (`make`)"
    assert said(name, folder=tmp_path) == expected


def test_a_build_is_there_as_soon_as_its_last_file_is(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "results").mkdir()
    (tmp_path / "results/provenance.json").touch()
    require_build("verify")


def test_without_git_a_tool_says_what_needs_it(tmp_path):
    assert said("build", "--folder", str(tmp_path), PATH=str(tmp_path)).startswith("git is needed")


def test_a_first_look_at_a_config_without_keys_is_refused(tmp_path):
    (tmp_path / "mine.yaml").touch()
    options = ("--config", str(tmp_path / "mine.yaml"), "--folder", str(tmp_path / "built"))
    assert said("build", *options).startswith(f"{tmp_path}/mine.yaml: expected keys and their values")
    assert not (tmp_path / "built").exists()


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
