"""The project's own files agree with each other: its pins, and the keys that a user may write."""

import re
import tomllib
from importlib.metadata import version

import pytest
import yaml
from support import ROOT, SCHEMAS

CONDA_NAMES = {"torch": "pytorch"}
CODE = "\n".join(
    path.read_text(encoding="utf-8") for kind in ("py", "smk") for path in (ROOT / "workflow").rglob(f"*.{kind}")
)


def test_every_direct_dependency_is_pinned_and_installed_and_the_conda_environment_has_the_same_pins() -> None:
    lines = (ROOT / "requirements.txt").read_text().splitlines()
    pins = dict(line.lower().split("==") for line in lines if line and not line.startswith("#"))
    named = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["dependencies"]
    assert {name: version(name).split("+")[0] for name in named} == {name: pins.get(name) for name in named}
    conda = yaml.safe_load((ROOT / "envs/environment.yaml").read_text())["dependencies"]
    own = dict(entry.split(" =") for entry in conda)
    assert own.pop("python") and own == {CONDA_NAMES.get(name, name): pins[name] for name in named}


def keys_of(schema) -> set[str]:
    """Every key that a JSON schema lets a user write, at any depth."""
    if isinstance(schema, list):
        return set().union(*map(keys_of, schema))
    if not isinstance(schema, dict):
        return set()
    properties = schema.get("properties", {})
    parts = [*properties.values(), *(part for name, part in schema.items() if name != "properties")]
    return set(properties).union(*map(keys_of, parts))


@pytest.mark.parametrize("schema", sorted(SCHEMAS.glob("*.yaml")), ids=lambda path: path.stem)
def test_every_key_that_a_user_may_write_is_read(schema) -> None:
    keys = keys_of(yaml.safe_load(schema.read_text(encoding="utf-8")))
    unread = sorted(key for key in keys if not re.search(rf'["\']{key}["\']|\.{key}\b|\b{key}: ', CODE))
    assert keys and not unread, f"nothing in workflow/ reads {', '.join(unread)}"


def test_the_entry_of_the_workflow_catalog_has_the_form_that_it_documents() -> None:
    entry = yaml.safe_load((ROOT / ".snakemake-workflow-catalog.yml").read_text(encoding="utf-8"))
    assert set(entry) == {"usage"} and set(entry["usage"]) == {"mandatory-flags", "software-stack-deployment"}
    assert set(entry["usage"]["mandatory-flags"]) == {"desc", "flags"}
    deployment = entry["usage"]["software-stack-deployment"]
    assert {name: type(value) for name, value in deployment.items()} == dict.fromkeys(
        ("conda", "apptainer", "apptainer+conda", "report"), bool
    )
    asked = ("workflow/Snakefile", "config/README.md")  # of a workflow of standardized usage
    assert all((ROOT / name).is_file() for name in asked)
