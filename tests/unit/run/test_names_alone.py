"""Rules are read with stand-ins for packages that are missing, and only for these."""

import importlib
import sys

import pytest

from modadd.run import names_alone as lean
from modadd.run.names_alone import COMPUTING, names_alone


def test_a_part_that_an_installed_package_lacks_is_not_stood_in_for():
    with names_alone(), pytest.raises(ModuleNotFoundError):
        importlib.import_module("scipy.linalg._no_such_part")


def test_a_missing_package_has_names_while_rules_are_read_and_none_after(monkeypatch):
    missing = "package_that_is_missing"
    monkeypatch.setattr(lean, "COMPUTING", (*COMPUTING, missing))
    with names_alone():
        assert importlib.import_module(missing).anything is not None
    assert missing not in sys.modules
    with pytest.raises(ModuleNotFoundError):
        importlib.import_module(missing)
