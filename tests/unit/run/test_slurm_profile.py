"""The parts of profiles/slurm that need no Slurm; `make test-slurm` builds through a real one."""

import pytest
import yte
from snakemake.cli import get_argument_parser
from support import NOTEBOOKS, ROOT

from modadd.ledger.entries import read_ledger

PROFILE = ROOT / "profiles/slurm/config.yaml"
RULES = ROOT / "workflow/rules"


@pytest.fixture
def profile(monkeypatch):
    """The profile as Snakemake reads it where the plugin is installed."""
    monkeypatch.setattr("importlib.util.find_spec", lambda name: name)
    return read_profile(monkeypatch)


def read_profile(monkeypatch):
    monkeypatch.chdir(ROOT)
    return yte.process_yaml(PROFILE.read_text(), require_use_yte=True)


def test_every_key_is_an_option_of_snakemake(profile):
    options = {name for action in get_argument_parser()._actions for name in action.option_strings}
    assert {f"--{key}" for key in profile} <= options


def test_groups_name_rules_and_every_group_has_a_size(profile):
    rules = {f"notebook_{name}" for name in read_ledger()["notebooks"]}
    rules |= {line.split()[1].rstrip(":") for file in RULES.glob("*.smk") for line in lines_with_a_rule(file)}
    assert set(profile["groups"]) <= rules
    assert len(profile["groups"]) > len(NOTEBOOKS), "every notebook has a group"
    assert set(profile["groups"].values()) == set(profile["group-components"])
    assert min(profile["group-components"].values()) > 1


def lines_with_a_rule(file):
    return [line for line in file.read_text(encoding="utf-8").splitlines() if line.startswith("rule ")]


def test_without_the_plugin_one_line_says_what_to_do(monkeypatch):
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    with pytest.raises(SystemExit, match=r'^profiles/slurm: .*pip install -e "\.\[slurm\]"[^\n]*$'):
        read_profile(monkeypatch)
