"""Reading YAML settings and refusing bad ones in one line: the key, what was expected, the nearest valid name."""

import ast
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import jsonschema
import yaml

from modadd.suggestions import unknown


def read_yaml(path: Path | str) -> Any:
    """Plain data of a YAML file (safe loader: nothing in it is executed); raises ValueError naming the file."""
    try:
        return yaml.safe_load(Path(path).read_text())
    except yaml.YAMLError as error:
        raise ValueError(f"{path}: not YAML: {' '.join(str(error).split())}") from error


def with_numbers(data: Any) -> Any:
    """The same data with every text that spells a number or a truth value as that.

    Snakemake hands nested values of `--config` over as text, and YAML reads 1e-3 as text.
    """
    if isinstance(data, Mapping):
        return {key: with_numbers(value) for key, value in data.items()}
    if isinstance(data, list):
        return [with_numbers(value) for value in data]
    if not isinstance(data, str):
        return data
    for read in (int, float, {"true": True, "false": False}.__getitem__):
        try:
            return read(data.lower())
        except (ValueError, KeyError):
            continue
    return data


def require_valid(data: Any, schema: Path | str, name: str) -> None:
    """Raise ValueError, one line, for the first thing in `data` that the JSON schema refuses."""
    _require_numbers(data, name)
    errors = jsonschema.Draft202012Validator(read_yaml(schema)).iter_errors(data)
    for error in sorted(errors, key=lambda e: [str(part) for part in e.absolute_path]):
        raise ValueError(_sentence(error, name))


def _require_numbers(data: Any, name: str, *keys: object) -> None:
    """Raise ValueError for a NaN, which lies within every limit."""
    if isinstance(data, Mapping | list):
        for key, value in data.items() if isinstance(data, Mapping) else enumerate(data):
            _require_numbers(value, name, *keys, key)
    elif isinstance(data, float) and data != data:
        raise ValueError(f"{name}: {'.'.join(map(str, keys))}: expected a number, got NaN")


def _sentence(error: jsonschema.ValidationError, name: str) -> str:
    where = name + ": " + (".".join(str(part) for part in error.absolute_path) or "top level")
    if error.validator == "additionalProperties":
        valid = error.schema["properties"]
        extra = sorted(set(error.instance) - set(valid))[0]
        return unknown(where, "key", extra, valid)
    if error.validator == "enum":
        return unknown(where, "value", error.instance, map(str, error.validator_value))
    expected = {
        "minimum": "a number of at least {}",
        "maximum": "a number of at most {}",
        "exclusiveMinimum": "a number above {}",
        "exclusiveMaximum": "a number below {}",
        "minItems": "at least {} item(s)",
        "minProperties": "at least {} entry",
        "type": "{}",
        "required": "the keys {}",
    }.get(error.validator)
    if expected is None:
        return f"{where}: {error.message}"
    limit = error.validator_value
    limit = ", ".join(map(str, limit)) if isinstance(limit, list) else limit
    if error.validator == "required":
        missing = sorted(set(error.validator_value) - set(error.instance))[0]
        return f"{where}: key '{missing}' is missing; expected {expected.format(limit)}"
    return f"{where}: expected {expected.format(limit)}, got {error.instance!r}"


def notebook_parameters(notebook: Path | str) -> tuple[str, ...]:
    """Names assigned in the `parameters` cell of a py:percent notebook."""
    cells = Path(notebook).read_text().split("\n# %%")
    for cell in cells:
        if 'tags=["parameters"]' in cell.splitlines()[0]:
            body = ast.parse(cell.split("\n", 1)[1])
            return tuple(target.id for node in body.body if isinstance(node, ast.Assign) for target in node.targets)
    raise ValueError(f"{notebook}: no cell tagged 'parameters'; expected '# %% tags=[\"parameters\"]'")


def require_parameters(given: Mapping[str, Any], notebook: Path | str, where: str) -> None:
    """Raise ValueError for a parameter that the notebook does not declare: papermill would only warn."""
    declared = notebook_parameters(notebook)
    for parameter in given:
        if parameter not in declared:
            raise ValueError(unknown(where, "notebook parameter", parameter, declared))
