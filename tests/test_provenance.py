import subprocess

import modadd.provenance
from modadd.provenance import PACKAGES, provenance


def test_provenance_names_code_versions_and_machine():
    found = provenance()
    assert set(found) == {"commit", "python", *PACKAGES, "system", "processor"}
    assert all(isinstance(value, str) and value for value in found.values())


def test_outside_a_clone_the_commit_is_unknown(monkeypatch):
    def fail(*_, **__):
        raise subprocess.CalledProcessError(128, "git")

    monkeypatch.setattr(modadd.provenance.subprocess, "run", fail)
    assert provenance()["commit"] == "unknown"
