"""The profile for Slurm is read; `workflow/dev/slurm.py` builds through a real one."""

import yte
from snakemake.cli import get_argument_parser
from support import ROOT


def test_the_profile_is_read_and_its_keys_are_options_of_snakemake(monkeypatch, in_root):
    monkeypatch.setattr("importlib.util.find_spec", lambda name: name)  # as where the plugin is installed
    profile = yte.process_yaml((ROOT / "profiles/slurm/config.yaml").read_text(), require_use_yte=True)
    options = {name for action in get_argument_parser()._actions for name in action.option_strings}
    assert {f"--{key}" for key in profile} <= options
