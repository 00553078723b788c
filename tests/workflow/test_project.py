"""The project's own files agree with each other: pins, the map of the rooms, lengths."""

import ast
import re
import subprocess
import sys
import tomllib
from importlib.metadata import version
from pathlib import Path

import yaml

ROOT = Path(__file__).parents[2]
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


def test_nothing_committed_names_a_machine_or_a_home() -> None:
    suspicious = re.compile(r"/(home|root|tmp|Users)/\w")
    for path in (p for p in ROOT.rglob("*") if p.suffix in {".py", ".smk", ".yaml", ".md", ".toml"}):
        if not any(part.startswith(".") or part in {"results", "tests"} for part in path.relative_to(ROOT).parts):
            assert not suspicious.search(path.read_text(encoding="utf-8")), f"{path} holds an absolute path"


def test_rooms_import_only_from_those_below_them() -> None:
    contract = [Path(sys.executable).with_name("lint-imports"), "--no-cache"]
    done = subprocess.run(contract, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout


def test_the_map_of_the_rooms_is_what_they_say() -> None:
    rooms = sorted((ROOT / "workflow/scripts/modadd").glob("*/__init__.py"))
    page = " ".join((ROOT / "docs/architecture.md").read_text(encoding="utf-8").split())
    assert 1 < len(rooms) <= 13
    for room in rooms:
        sentence = " ".join(ast.get_docstring(ast.parse(room.read_text(encoding="utf-8"))).split("\n\n")[0].split())
        assert f"| `{room.parent.name}` | {sentence} |" in page, f"run `make readme`: {room.parent.name}"
