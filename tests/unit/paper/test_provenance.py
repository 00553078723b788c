"""Where a build is made: versions, machine, and the commit, in a clone of another user too."""

import os
import shutil
import subprocess

import pytest
from support import commit

from paper.provenance import PACKAGES, provenance


def test_provenance_names_code_versions_and_machine():
    found = provenance()
    assert set(found) == {"commit", "python", *PACKAGES, "system", "processor"}
    assert all(isinstance(value, str) and value for value in found.values())


@pytest.mark.skipif(os.getuid() != 0, reason="only root can give files to another user")
def test_a_clone_of_another_user_has_its_commit(tmp_path, monkeypatch):
    (tmp_path / "file").write_text("1\n")
    commit(tmp_path)
    asked = ["git", "rev-parse", "--short=12", "HEAD"]
    head = subprocess.run(asked, cwd=tmp_path, capture_output=True, text=True).stdout.strip()
    for path in (tmp_path, *tmp_path.rglob("*")):
        shutil.chown(path, 12345, 12345)
    refused = subprocess.run(asked, cwd=tmp_path, capture_output=True, text=True)
    assert refused.returncode and "dubious ownership" in refused.stderr
    monkeypatch.setattr("paper.provenance.ROOT", tmp_path)
    assert provenance()["commit"] == head


def test_a_commit_that_is_not_known_says_why(tmp_path, monkeypatch):
    monkeypatch.setattr("paper.provenance.ROOT", tmp_path)
    assert provenance()["commit"].startswith("unknown: git says 'fatal: not a git repository")
    monkeypatch.setenv("PATH", str(tmp_path))
    assert provenance()["commit"] == "unknown: git is not installed"
