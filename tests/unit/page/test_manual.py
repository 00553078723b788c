"""The manual of the config is what its schema and the published recipes say."""

from copy import deepcopy
from dataclasses import replace

import pytest
from support import CONFIG_SCHEMA, ROOT

from modadd.networks.overrides import OVERRIDABLE
from modadd.networks.recipes import RECIPES
from modadd.page.manual import manual, number
from modadd.planning.yaml_files import read_yaml

SCHEMA = read_yaml(CONFIG_SCHEMA)
MANUAL = ROOT / "config/README.md"


def test_committed_manual_is_the_one_of_the_schema():
    assert MANUAL.read_text(encoding="utf-8") == manual(SCHEMA), (
        "the schema or a recipe has changed: run `python workflow/dev/manual.py`"
    )


def test_a_key_without_description_cannot_be_written():
    schema = deepcopy(SCHEMA)
    schema["properties"]["depth"] = {"type": "integer"}
    with pytest.raises(KeyError, match="description"):
        manual(schema)


@pytest.mark.parametrize(
    ("entry", "cells"),
    [
        ({"type": "boolean", "default": False}, "`true`, `false` | `false`"),
        ({"enum": ["small", "large"], "default": "small"}, "`small`, `large` | `small`"),
        ({"type": "number", "exclusiveMinimum": 0, "exclusiveMaximum": 1}, "number > 0, < 1 | –"),
        (
            {"type": ["array", "integer"], "minimum": 1, "items": {"type": "string"}},
            "list of text or whole number ≥ 1 | –",
        ),
        ({"type": "array", "items": {"enum": ["svg", "pdf"]}}, "list of `svg`, `pdf` | –"),
        ({"type": "array", "items": {"$ref": "#/$defs/variant"}}, "list of mappings | –"),
        ({"type": "object", "default": {}}, "mapping | none"),
    ],
)
def test_values_and_default_of_a_key(entry, cells):
    schema = deepcopy(SCHEMA)
    schema["properties"]["key"] = {"description": "D.", **entry}
    assert f"| `key` | D. | {cells} |" in manual(schema).splitlines()


def test_a_required_key_must_be_given_and_free_names_are_placeholders():
    lines = MANUAL.read_text(encoding="utf-8").splitlines()
    assert any(line.startswith("| `datasets.WATCHED.seeds` |") and line.endswith("| must be given |") for line in lines)
    assert any(line.startswith("| `notebooks.NAME.PARAMETER` |") for line in lines)


@pytest.mark.parametrize(
    ("key", "value", "text"),
    [
        ("steps", 10_000, "10_000"),
        ("optimiser", "adam", "`adam`"),
        ("weight_decay", 2e-4, "0.0002"),
        ("train_pairs", 4000, "4_000"),
        ("learning_rate", 0.123456789, "0.123456789"),
    ],
)
def test_number_of_a_recipe_as_a_config_may_spell_it(key, value, text):
    assert number(replace(RECIPES["pizza_transformer"], modulus=97, **{key: value}), key) == text


@pytest.mark.parametrize("recipe", RECIPES.values(), ids=RECIPES)
@pytest.mark.parametrize("key", OVERRIDABLE)
def test_numbers_in_the_manual_are_exact(recipe, key):
    value, text = getattr(recipe, key), number(recipe, key)
    if isinstance(value, str | bool):
        assert text == f"`{str(value).lower()}`"
    else:
        numerator, _, denominator = text.partition("/")
        assert float(numerator) / float(denominator or 1) == value
