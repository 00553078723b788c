"""The manual of the config, which is written by hand, has the keys, defaults and recipes that the code has."""

import re

import pytest
from support import CONFIG_SCHEMA, ROOT

from modadd.networks.recipes import BY_MODULUS, RECIPES
from paper.yaml_files import read_yaml

MANUAL = (ROOT / "config/README.md").read_text(encoding="utf-8")
ROWS = dict(re.findall(r"^\| `(\w+)` \| (.*) \|$", MANUAL, re.MULTILINE))


def entries_of(schema):
    """Every key that a schema has `properties` for, at any depth, with its entry."""
    found = dict(schema.get("properties", {}))
    for part in [*schema.values(), *schema.get("$defs", {}).values()]:
        if isinstance(part, dict):
            found |= entries_of(part)
    for entry in schema.get("properties", {}).values():
        found |= entries_of(entry)
    return found


ENTRIES = entries_of(read_yaml(CONFIG_SCHEMA))


def test_every_key_of_the_schema_is_read():
    assert {"scale", "competition", "changes", "snapshots", "sha256", "variants", "modulus"} <= set(ENTRIES)


@pytest.mark.parametrize("key", ENTRIES)
def test_the_manual_names_every_key(key):
    assert f"`{key}`" in MANUAL, f"config/README.md says nothing of the key {key}"


def test_the_manual_names_no_key_that_a_config_may_not_have():
    assert set(ROWS) <= set(ENTRIES), f"config/README.md has unknown keys: {set(ROWS) - set(ENTRIES)}"


@pytest.mark.parametrize("key", [key for key in ROWS if "default" in ENTRIES[key]])
def test_a_default_is_that_of_the_schema(key):
    default = ENTRIES[key]["default"]
    said = str(default).lower() if isinstance(default, bool) else str(default).replace("'", "")
    assert ROWS[key].endswith("| none" if default == {} else f"| `{said}`")


@pytest.mark.parametrize("key", [key for key in ROWS if "enum" in ENTRIES[key]])
def test_the_values_of_a_key_are_those_of_the_schema(key):
    for value in ENTRIES[key]["enum"]:
        assert f"`{str(value).lower()}`" in ROWS[key]


@pytest.mark.parametrize("recipe", [*RECIPES, *BY_MODULUS])
def test_every_recipe_is_named_with_its_moduli(recipe):
    (line,) = re.findall(rf"^- `{recipe}`: (.*)$", MANUAL, re.MULTILINE)
    assert recipe in RECIPES or line.endswith(f": {', '.join(map(str, BY_MODULUS[recipe]))}.")
