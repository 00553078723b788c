"""What a machine may forbid: a space in the interpreter's path, a home, folders for caches, a clone of one's own."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest
from snakemake.utils import format as formatted
from support import ROOT, commit

from modadd.run import machine, project
from modadd.run.machine import Quoted, stand_ins


def test_an_interpreter_is_quoted_in_a_line_for_the_shell_and_itself_elsewhere():
    path = "/a folder é/it's $HOME/python"
    interpreter = Quoted(path)
    assert formatted("{interpreter} {interpreter:q}", interpreter=Quoted("/usr/bin/python")) == (
        "/usr/bin/python /usr/bin/python"
    )
    line = formatted("printf %s {interpreter}", interpreter=interpreter)  # as Snakemake writes it
    assert subprocess.run(line, shell=True, capture_output=True, text=True).stdout == path
    assert interpreter == path and os.path.dirname(interpreter) == "/a folder é/it's $HOME"


@pytest.fixture
def forbidden(monkeypatch):
    """Lets folders be such as this user cannot write in; root can write everywhere."""

    def forbid(*folders):
        access = os.access
        denied = lambda path: any(Path(path).is_relative_to(folder) for folder in folders)
        monkeypatch.setattr(machine.os, "access", lambda path, mode: not denied(path) and access(path, mode))

    return forbid


def test_a_user_with_a_home_keeps_it_and_its_settings_reach_no_figure(tmp_path, monkeypatch):
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("USER", "someone")
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    found = stand_ins(tmp_path / "built")
    assert set(found) == {"MPLCONFIGDIR", "IPYTHONDIR"}
    assert all(Path(place).is_relative_to(tmp_path / "built") for place in found.values())


@pytest.mark.parametrize("home", ["/proc/nowhere", "~"], ids=["a home that is not there", "no home at all"])
def test_without_home_and_name_both_stand_in_the_build(tmp_path, monkeypatch, home):
    monkeypatch.delenv("USER", raising=False)
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    monkeypatch.setattr(machine.os.path, "expanduser", lambda path: path.replace("~", home))
    found = stand_ins(tmp_path)
    assert found["USER"] == str(os.getuid())
    assert found["HOME"] == found["XDG_CACHE_HOME"] == str(tmp_path / machine.CACHE)


def test_a_home_that_cannot_be_written_stays_but_for_the_cache(tmp_path, monkeypatch, forbidden):
    home = tmp_path / "home"
    home.mkdir()
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    forbidden(home)
    found = stand_ins(tmp_path)
    assert "HOME" not in found and found["XDG_CACHE_HOME"] == str(tmp_path / machine.CACHE)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "mine"))
    assert "XDG_CACHE_HOME" not in stand_ins(tmp_path), "the user's own choice stays where it can be written"


def test_compiled_loops_are_kept_in_the_build_where_the_project_cannot_be_written(tmp_path, forbidden):
    assert "NUMBA_CACHE_DIR" not in stand_ins(tmp_path)
    forbidden(ROOT)
    assert Path(stand_ins(tmp_path)["NUMBA_CACHE_DIR"]).is_relative_to(tmp_path)


@pytest.fixture
def clone(tmp_path):
    """A clone with one commit."""
    (tmp_path / "file").write_text("1\n")
    return commit(tmp_path)


@pytest.mark.skipif(os.getuid() != 0, reason="only root can give files to another user")
def test_a_clone_of_another_user_has_its_commit_and_its_files(clone):
    head = subprocess.run(["git", "rev-parse", "HEAD"], cwd=clone, capture_output=True, text=True).stdout.strip()
    (clone / "untracked").touch()
    for path in (clone, *clone.rglob("*")):
        shutil.chown(path, 12345, 12345)
    refused = subprocess.run(["git", "rev-parse", "HEAD"], cwd=clone, capture_output=True, text=True)
    assert refused.returncode and "dubious ownership" in refused.stderr
    assert project._git("rev-parse", "HEAD", folder=clone).strip() == head
    assert project.project_files(clone) == ["file"]


def test_a_commit_that_is_not_known_says_why(tmp_path, monkeypatch):
    monkeypatch.setattr(project, "__file__", str(tmp_path / "project.py"))
    assert project.provenance()["commit"].startswith("unknown: git says 'fatal: not a git repository")
    monkeypatch.setenv("PATH", str(tmp_path))
    assert project.provenance()["commit"] == "unknown: git is not installed"
