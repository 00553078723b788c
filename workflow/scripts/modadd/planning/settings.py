"""Reading YAML settings and refusing bad ones in one line: the key, what was expected, the nearest valid name."""

import ast
import math
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

import jsonschema

from modadd.core.files import ROOT
from modadd.core.wording import require_known, unknown
from modadd.planning.yaml_files import read_yaml

SCHEMAS = ROOT / "workflow/schemas"
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


# What else is said of an unknown key, by a part of its name.
HINTS = {
    "frac": "; a share of all pairs is given as a count, `train_pairs`, of n² ordered ones: 0.3 of them mod 113 are 3831",
    "modulus": "; a modulus belongs to a dataset, as in the first recipe of docs/recipes.md",
}


def require_valid(data: Any, schema: Path | str, name: str) -> None:
    """Raise ValueError, one line, for the first thing in `data` that the JSON schema refuses."""
    _require_numbers(data, name)
    _require(data, _read_schema(schema), f"{name}: ")


_read_schema = cache(read_yaml)  # one is asked for every question


def read_valid(path: Path, kind: str) -> dict[str, Any]:
    """A YAML file of a kind, `source` say, that has a schema of that name; raises ValueError as `require_valid` does."""
    content = read_yaml(path)
    require_valid(content, SCHEMAS / f"{kind}.schema.yaml", str(path))
    return content


def _require(data: Any, schema: Mapping[str, Any], before: str) -> None:
    """Raise ValueError for the first thing that a schema refuses; the text `before` goes before its place."""
    errors = jsonschema.Draft202012Validator(schema).iter_errors(data)
    for error in sorted(errors, key=lambda e: [str(part) for part in e.absolute_path]):
        raise ValueError(_sentence(error, before))


def _require_numbers(data: Any, name: str, *keys: object) -> None:
    """Raise ValueError for a NaN, which lies within every limit, and for infinity."""
    if isinstance(data, Mapping | list):
        for key, value in data.items() if isinstance(data, Mapping) else enumerate(data):
            _require_numbers(value, name, *keys, key)
    elif isinstance(data, float) and not math.isfinite(data):
        raise ValueError(f"{name}: {'.'.join(map(str, keys))}: expected a finite number, got {data}")


_EXPECTED = {  # by the keyword of the schema, where jsonschema's own words do not say what was expected
    "minimum": "a number of at least {}",
    "maximum": "a number of at most {}",
    "exclusiveMinimum": "a number above {}",
    "exclusiveMaximum": "a number below {}",
    "minItems": "at least {} item(s)",
    "minProperties": "at least {} entry",
    "uniqueItems": "each once",
}


def _sentence(error: jsonschema.ValidationError, before: str) -> str:
    """What is wrong in one line: where, what was expected, the nearest valid name."""
    where = before + (".".join(str(part) for part in error.absolute_path) or "top level")
    limit, got = error.validator_value, error.instance
    if error.validator == "additionalProperties":
        valid = error.schema.get("properties", {})
        key = sorted(map(str, set(got) - set(valid)))[0]
        return unknown(where, "key", key, valid) + next((hint for part, hint in HINTS.items() if part in key), "")
    if error.validator == "enum":
        return unknown(where, "value", got, map(str, limit))
    if error.validator == "required":
        missing = sorted(set(limit) - set(got))[0]
        return f"{where}: key '{missing}' is missing; expected the keys {', '.join(limit)}"
    if error.validator == "type":
        expected = " or ".join(_TYPES[kind] for kind in ([limit] if isinstance(limit, str) else limit))
        if limit == "string" and isinstance(got, int | float):
            expected += " (YAML reads digits without quotes as a number)"
    elif error.validator == "pattern":  # the schema describes beside a pattern what it stands for
        expected = error.schema.get("description", f"text that matches {limit}").rstrip(".")
    elif error.validator == "contains":
        expected = f"{limit.get('const', limit)} among them"
    elif error.validator in _EXPECTED:
        expected = _EXPECTED[error.validator].format(limit)
    else:
        return f"{where}: {' '.join(error.message.split())}"
    return f"{where}: expected {expected}, got {got!r}"


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
            found = {}
            for node in parsed(cell.split("\n", 1)[1], notebook).body:
                for target in node.targets if isinstance(node, ast.Assign) else ():
                    if isinstance(target, ast.Name):
                        found[target.id] = _literal(node.value)
            return found
    raise ValueError(f"{notebook}: no cell tagged 'parameters'; expected '# %% tags=[\"parameters\"]'")


def require_parameters(given: Mapping[str, Any], notebook: Path | str, where: str) -> None:
    """Raise ValueError for a parameter that the notebook does not declare (papermill warns), or of another type."""
    declared = notebook_parameters(notebook)
    require_known(where, "notebook parameter", given, declared)
    schema = {"properties": {parameter: _like(declared[parameter]) for parameter in given}}
    _require({**given}, schema, f"{where}.")


def _literal(value: ast.expr) -> Any:
    """The value of a literal, None for any other expression."""
    try:
        return ast.literal_eval(value)
    except (ValueError, TypeError):
        return None


_KINDS = {
    bool: "boolean",
    int: "integer",
    float: "number",
    str: "string",
    dict: "object",
    list: "array",
    tuple: "array",
}


def _like(default: Any) -> dict[str, Any]:
    """A schema of what may replace a default: its type, whole numbers for decimals, lists of its items; anything for None."""
    if type(default) not in _KINDS:
        return {}
    schema = {"type": _KINDS[type(default)]}
    if isinstance(default, list | tuple):
        kinds = {type(item) for item in default}
        if len(kinds) == 1 or kinds == {int, float}:
            schema["items"] = _like(
                next(item for item in default if type(item) is float) if float in kinds else default[0]
            )
    return schema
