"""Settings that a schema describes: bad ones are refused in one line, with the key, what was expected and the nearest valid name."""

import math
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from jsonschema import Draft202012Validator, ValidationError
from jsonschema.exceptions import best_match

from modadd.core.files import ROOT
from modadd.core.wording import unknown
from paper.yaml_files import read_yaml

SCHEMAS = ROOT / "workflow/schemas"
# What else is said of an unknown key, by a part of its name.
HINTS = {
    "frac": "; a share of all pairs is given as a count, `train_pairs`, of n² ordered ones: 0.3 of them mod 113 are 3831",
    "modulus": "; a modulus belongs to a dataset, as in the first recipe of docs/recipes.md",
}
_read_schema = cache(read_yaml)  # one is asked for every question


def read_valid(path: Path, kind: str) -> dict[str, Any]:
    """A YAML file of a kind, `source` say, that has a schema of that name; raises ValueError as `require_valid` does."""
    content = read_yaml(path)
    require_valid(content, SCHEMAS / f"{kind}.schema.yaml", str(path))
    return content


def require_valid(data: Any, schema: Path | str, name: str) -> None:
    """Raise ValueError, one line, for a number that is not finite, and for what in `data` the JSON schema refuses."""
    _require_finite(data, name)
    require_like(data, _read_schema(schema), f"{name}: ")


def require_like(data: Any, schema: Mapping[str, Any], before: str) -> None:
    """Raise ValueError, one line, for what a schema refuses; the text `before` goes before its place."""
    if error := best_match(Draft202012Validator(schema).iter_errors(data)):
        raise ValueError(_in_one_line(error, before))


def _in_one_line(error: ValidationError, before: str) -> str:
    """Where, what was expected, what was found, the nearest valid name."""
    where = before + (".".join(map(str, error.absolute_path)) or "top level")
    if error.validator == "additionalProperties":
        valid = error.schema.get("properties", {})
        key = min(map(str, error.instance.keys() - valid.keys()))
        return unknown(where, "key", key, valid) + next((hint for part, hint in HINTS.items() if part in key), "")
    if error.validator == "enum":
        return unknown(where, "value", error.instance, map(_as_yaml, error.validator_value))
    if error.validator == "required":
        return f"{where}: {error.message}; expected the keys {', '.join(error.validator_value)}"
    limit = error.validator_value
    described = " ".join(error.schema.get("description", f"{error.validator} {limit}").split()).rstrip(".")
    words = {
        "type": " or ".join(limit) if isinstance(limit, list) else limit,
        "minimum": f"a number of at least {limit}",
        "maximum": f"a number of at most {limit}",
        "pattern": described,  # the schema describes beside it what it stands for
        "contains": described,
    }
    if error.validator in words:
        return f"{where}: expected {words[error.validator]}, got {error.instance!r}"
    return f"{where}: {' '.join(error.message.split())}"


def _as_yaml(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _require_finite(data: Any, name: str, *keys: object) -> None:
    """Raise ValueError for a NaN, which lies within every limit, and for infinity."""
    if isinstance(data, Mapping | list):
        for key, value in data.items() if isinstance(data, Mapping) else enumerate(data):
            _require_finite(value, name, *keys, key)
    elif isinstance(data, float) and not math.isfinite(data):
        raise ValueError(f"{name}: {'.'.join(map(str, keys))}: expected a finite number, got {data}")
