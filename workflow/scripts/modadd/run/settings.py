"""Reading YAML settings and refusing bad ones in one line: the key, what was expected, the nearest valid name."""

import ast
import math
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import jsonschema

from modadd.core.wording import unknown
from modadd.run.yaml_files import read_yaml

_TYPES = {
    "array": "a list",
    "object": "a mapping",
    "integer": "a whole number",
    "number": "a number",
    "string": "text",
    "boolean": "true or false",
}


ALWAYS_TEXT = ("path", "sha256")  # keys whose values may be digits alone


def with_numbers(data: Any) -> Any:
    """The same data with every text that spells a number or a truth value as that, and whole numbers as integers.

    Snakemake hands nested values of `--config` over as text, YAML reads 1e-3 as text, and a seed 1.0 would name a file.
    """
    if isinstance(data, Mapping):
        return {key: value if key in ALWAYS_TEXT else with_numbers(value) for key, value in data.items()}
    if isinstance(data, list):
        return [with_numbers(value) for value in data]
    if isinstance(data, float) and data.is_integer():
        return int(data)
    if not isinstance(data, str):
        return data
    for read in (int, float, {"true": True, "false": False}.__getitem__):
        try:
            return with_numbers(read(data.lower()))
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
    """Raise ValueError for a NaN, which lies within every limit, and for infinity."""
    if isinstance(data, Mapping | list):
        for key, value in data.items() if isinstance(data, Mapping) else enumerate(data):
            _require_numbers(value, name, *keys, key)
    elif isinstance(data, float) and not math.isfinite(data):
        raise ValueError(f"{name}: {'.'.join(map(str, keys))}: expected a finite number, got {data}")


def _sentence(error: jsonschema.ValidationError, name: str) -> str:
    where = name + ": " + (".".join(str(part) for part in error.absolute_path) or "top level")
    if error.validator == "additionalProperties":
        valid = error.schema["properties"]
        extra = sorted(map(str, set(error.instance) - set(valid)))[0]
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
        "uniqueItems": "each once",
        "contains": "{} among them",
        "type": "{}",
        "pattern": "{}",
        "required": "the keys {}",
    }.get(error.validator)
    if expected is None:
        return f"{where}: {' '.join(error.message.split())}"
    limit = error.validator_value
    if error.validator == "type":
        limit = " or ".join(_TYPES[kind] for kind in ([limit] if isinstance(limit, str) else limit))
    elif error.validator == "pattern":  # the schema describes beside a pattern what it stands for
        limit = error.schema.get("description", f"text that matches {limit}").rstrip(".")
    elif error.validator == "contains":
        limit = limit.get("const", limit)
    if limit == _TYPES["string"] and isinstance(error.instance, int | float):
        limit += " (YAML reads digits without quotes as a number)"
    limit = ", ".join(map(str, limit)) if isinstance(limit, list) else limit
    if error.validator == "required":
        missing = sorted(set(error.validator_value) - set(error.instance))[0]
        return f"{where}: key '{missing}' is missing; expected {expected.format(limit)}"
    return f"{where}: expected {expected.format(limit)}, got {error.instance!r}"


def parsed(source: str, name: Path | str) -> ast.Module:
    """The syntax tree of a notebook's code; raises ValueError, one line, if it is not Python."""
    try:
        return ast.parse(source)
    except SyntaxError as error:
        raise ValueError(f"{name}: not Python: {error.msg} in {(error.text or '').strip()!r}") from error


def notebook_parameters(notebook: Path | str) -> dict[str, Any]:
    """Names assigned in a notebook's `parameters` cell with their defaults, None for what is no literal."""
    cells = Path(notebook).read_text(encoding="utf-8").split("\n# %%")
    for cell in cells:
        if 'tags=["parameters"]' in cell.splitlines()[0]:
            body = parsed(cell.split("\n", 1)[1], notebook).body
            assigned = [
                (target, node.value) for node in body if isinstance(node, ast.Assign) for target in node.targets
            ]
            return {target.id: _literal(value) for target, value in assigned if isinstance(target, ast.Name)}
    raise ValueError(f"{notebook}: no cell tagged 'parameters'; expected '# %% tags=[\"parameters\"]'")


def require_parameters(given: Mapping[str, Any], notebook: Path | str, where: str) -> None:
    """Raise ValueError for a parameter that the notebook does not declare (papermill warns), or of another type."""
    declared = notebook_parameters(notebook)
    for parameter, value in given.items():
        if parameter not in declared:
            raise ValueError(unknown(where, "notebook parameter", parameter, declared))
        if not _fits(value, declared[parameter]):
            raise ValueError(f"{where}.{parameter}: expected {_kind(declared[parameter])}, got {value!r}")


def _literal(value: ast.expr) -> Any:
    """The value of a literal, None for any other expression."""
    try:
        return ast.literal_eval(value)
    except (ValueError, TypeError):
        return None


def _fits(value: Any, default: Any) -> bool:
    """Whether a value may replace a default: same type, whole numbers for decimals, anything for None."""
    if default is None:
        return True
    if isinstance(default, bool) or isinstance(value, bool):
        return isinstance(default, bool) and isinstance(value, bool)
    if isinstance(default, float):
        return isinstance(value, int | float)
    if isinstance(default, list | tuple):
        item = _common_item(default)
        return isinstance(value, list | tuple) and all(_fits(one, item) for one in value)
    return isinstance(value, type(default))


def _kind(default: Any) -> str:
    """The type of a notebook's default in words."""
    if isinstance(default, list | tuple):
        item = _common_item(default)
        return "a list" if item is None else f"a list, each item {_kind(item)}"
    names = {bool: "boolean", int: "integer", float: "number", str: "string", dict: "object"}
    return _TYPES[names[type(default)]] if type(default) in names else f"a {type(default).__name__}"


def _common_item(items: list | tuple) -> Any:
    """An item that stands for the type of all of them; None if there is none."""
    return items[0] if items and all(_fits(item, items[0]) for item in items) else None
