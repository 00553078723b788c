"""The parts of profiles/slurm that need no Slurm; `workflow/dev/slurm.py` builds through a real one."""

import re

import pytest
import torch
import yte
from snakemake.cli import get_argument_parser
from support import LEDGER, NOTEBOOKS, ROOT, refuses

from modadd.networks.overrides import TRAINING_GB
from modadd.training.train import training_device

PROFILE = ROOT / "profiles/slurm/config.yaml"
RULES = ROOT / "workflow/rules"
TRAINING = ("train_network", "train_shard")


@pytest.fixture
def profile(monkeypatch):
    """The profile as Snakemake reads it where the plugin is installed."""
    monkeypatch.setattr("importlib.util.find_spec", lambda name: name)
    return read_profile(monkeypatch)


def read_profile(monkeypatch, **keys):
    """The profile, with other values of its keys."""
    monkeypatch.chdir(ROOT)
    text = PROFILE.read_text()
    for key, value in keys.items():
        text, found = re.subn(rf"(?m)^  {key}: \S+", f"  {key}: {value!r}", text)
        assert found == 1
    return yte.process_yaml(text, require_use_yte=True)


def test_every_key_is_an_option_of_snakemake(profile):
    options = {name for action in get_argument_parser()._actions for name in action.option_strings}
    assert {f"--{key}" for key in profile} <= options


def test_groups_name_rules_and_every_group_has_a_size(profile):
    rules = {f"notebook_{name}" for name in LEDGER["notebooks"]}
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


def test_partition_and_account_have_a_key_each_for_jobs_with_and_without_a_gpu(monkeypatch):
    monkeypatch.setattr("importlib.util.find_spec", lambda name: name)
    keys = {"partition": "short", "account": "physics", "gpu_partition": "a100", "gpu_account": "physics-gpu"}
    profile = read_profile(monkeypatch, **keys)
    default, training = profile["default-resources"], profile["set-resources"]
    assert (default["slurm_partition"], default["slurm_account"]) == ("short", "physics")
    for rule in TRAINING:
        assert (training[rule]["slurm_partition"], training[rule]["slurm_account"]) == ("a100", "physics-gpu")


def test_without_an_account_none_is_named(profile):
    assert "slurm_account" not in profile["default-resources"]
    assert all("slurm_account" not in own for own in profile["set-resources"].values())


def test_no_submission_holds_a_gpu_for_a_job_without_one(profile):
    with_gpu = set(re.findall(r"rule (\w+):(?:(?!\nrule ).)*?gpu=1", (RULES / "train.smk").read_text(), re.DOTALL))
    assert (
        with_gpu == {rule for rule, own in profile["set-resources"].items() if "slurm_partition" in own} == {*TRAINING}
    )
    groups = {group for rule, group in profile["groups"].items() if rule in with_gpu}
    assert all(rule in with_gpu for rule, group in profile["groups"].items() if group in groups)


def test_no_submission_asks_for_more_than_four_hours(profile):
    for rule in {*profile["groups"], *profile["set-resources"]}:
        asked = profile["set-resources"].get(rule, {}).get("runtime", profile["default-resources"]["runtime"])
        assert asked * profile["group-components"].get(profile["groups"].get(rule), 1) <= 240, rule


def test_training_asks_for_the_memory_up_to_which_a_config_is_accepted(profile):
    assert {profile["set-resources"][rule]["mem"] for rule in TRAINING} == {f"{TRAINING_GB}GB"}


@pytest.mark.skipif(torch.cuda.is_available(), reason="torch sees a GPU on this machine")
def test_a_job_without_the_gpu_that_it_was_given_says_what_reaches_a_node():
    with refuses("`--set-resources train_network:gpu=0 train_shard:gpu=0`", error=RuntimeError):
        training_device(True, tf32=False)
