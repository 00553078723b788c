"""The pins of the project's packages agree with each other."""

import tomllib
from importlib.metadata import version

import yaml
from packaging.requirements import Requirement
from support import ROOT

CONDA_NAMES = {"torch": "pytorch"}


def test_every_direct_dependency_is_pinned_and_installed_and_the_conda_environment_has_the_same_pins() -> None:
    lines = (ROOT / "requirements.txt").read_text().splitlines()
    pins = dict(line.lower().split("==") for line in lines if line and not line.startswith("#"))
    asked = map(Requirement, tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["dependencies"])
    named = {one.name: one.specifier for one in asked}
    assert all(at_least and at_least.contains(pins[name]) for name, at_least in named.items())
    assert {name: version(name).split("+")[0] for name in named} == {name: pins.get(name) for name in named}
    conda = yaml.safe_load((ROOT / "envs/environment.yaml").read_text())["dependencies"]
    own = dict(entry.split(" =") for entry in conda)
    assert own.pop("python") and own == {CONDA_NAMES.get(name, name): pins[name] for name in named}
