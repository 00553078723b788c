"""The project's own files agree with each other: pins, README, links."""

import json
import re
import tomllib
from importlib.metadata import version
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).parents[1]
CONDA_NAMES = {"torch": "pytorch"}


def pins() -> dict[str, str]:
    """Every pin of requirements.txt, by lower-case name."""
    lines = (ROOT / "requirements.txt").read_text().splitlines()
    return dict(line.lower().split("==") for line in lines if line and not line.startswith("#"))


def direct_dependencies() -> list[str]:
    """The dependencies that pyproject.toml names."""
    return tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["dependencies"]


def test_every_direct_dependency_is_pinned_and_installed_in_that_version() -> None:
    for name in direct_dependencies():
        assert name in pins(), f"{name} of pyproject.toml is not in requirements.txt"
        assert version(name).split("+")[0] == pins()[name], f"{name}: installed {version(name)}, pinned {pins()[name]}"


def test_requirements_name_no_host_and_no_local_build() -> None:
    text = (ROOT / "requirements.txt").read_text()
    assert "://" not in text and "+cpu" not in text and "--" not in text


def test_conda_environment_has_the_same_pins() -> None:
    environment = yaml.safe_load((ROOT / "envs/environment.yaml").read_text())
    entries = dict(entry.split(" =") for entry in environment["dependencies"])
    entries.pop("python")
    expected = {CONDA_NAMES.get(name, name): pins()[name] for name in direct_dependencies()}
    assert entries == expected


def test_every_claim_of_the_ledger_is_listed() -> None:
    ledger = yaml.safe_load((ROOT / "data/claims.yaml").read_text())
    listed = (ROOT / "docs/claims.md").read_text()
    missing = [claim["id"] for claim in ledger["claims"] if claim["statement"].replace("|", r"\|") not in listed]
    assert not missing, f"run `make readme` after a full build; docs/claims.md lacks {missing}"


@pytest.mark.skipif(
    not (ROOT / "data/reference").exists(), reason="written by `snakemake reference` after a full build"
)
def test_reference_holds_every_claim_of_the_ledger_and_its_files() -> None:
    ledger = yaml.safe_load((ROOT / "data/claims.yaml").read_text())
    expected = set(json.loads((ROOT / "data/reference/numbers.json").read_text()))
    missing = {claim["id"] for claim in ledger["claims"]} ^ expected
    assert (
        not missing
    ), f"run `snakemake reference` after a full build; data/reference and the ledger differ in {missing}"
    names = {line.split("  ", 1)[1] for line in (ROOT / "data/reference/sha256.txt").read_text().splitlines()}
    values = {f"results/values/{notebook}.json" for notebook in ledger["notebooks"]}
    assert values <= names, f"run `snakemake reference` after a full build; data/reference lacks {values - names}"


def test_nothing_committed_names_a_machine_or_a_home() -> None:
    suspicious = re.compile(r"/(home|root|tmp|Users)/\w")
    for path in (p for p in ROOT.rglob("*") if p.suffix in {".py", ".smk", ".yaml", ".md", ".toml"}):
        if not any(part.startswith(".") or part in {"results", "tests"} for part in path.relative_to(ROOT).parts):
            assert not suspicious.search(path.read_text()), f"{path} holds an absolute path"
