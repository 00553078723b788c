"""Tools end with one line that says what is missing: a build, git, a number of cores."""

import os

import pytest
from build import number_of_cores, require_build
from support import told_by


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
