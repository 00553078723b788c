"""How two files of one name differ, and by how much: numbers as numbers, text by lines, pictures by bytes."""

import hashlib
import json
from collections.abc import Mapping
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from safetensors import SafetensorError
from safetensors.numpy import load

from modadd.ledger.record import plain

SHOWN = 3  # differences of one file that are spelled out


def sha256(path: Path | str) -> str:
    """SHA-256 of a file, in hexadecimal digits."""
    return hashlib.sha256(Path(path).read_bytes()).hexdigest()


def difference(one: Path, other: Path) -> str | None:
    """How a file differs from its rebuilt version, in words ('old → new'); None for equal bytes."""
    if not one.exists():
        return "is missing"
    before, after = one.read_bytes(), other.read_bytes()
    if before == after:
        return None
    try:
        contents = [_numbers_in(path.suffix, content) for path, content in ((one, before), (other, after))]
        if contents[0] is not None:
            return _of_numbers(*contents) or "other bytes, equal content"
        return _of_lines(before.decode(), after.decode())
    except (ValueError, SafetensorError):  # a picture, or a file that cannot be read
        size = "" if len(before) == len(after) else f", {len(after)} of them instead of {len(before)}"
        return f"other bytes{size}"


def _numbers_in(suffix: str, content: bytes) -> dict[str, Any] | None:
    """What a file of numbers holds, by name; None for another kind of file."""
    if suffix == ".json":
        return dict(_leaves(json.loads(content)))
    if suffix == ".csv":
        return pd.read_csv(BytesIO(content)).to_dict("list")
    if suffix == ".parquet":
        return plain(pd.read_parquet(BytesIO(content)).to_dict("list"))
    if suffix == ".safetensors":
        return load(content)
    return None


def _leaves(data: Any, name: str = "") -> list[tuple[str, Any]]:
    """Every value of nested plain data with its place; an entry of a list goes by its id where it has one."""
    if isinstance(data, Mapping):
        return [leaf for key, value in data.items() for leaf in _leaves(value, f"{name}.{key}" if name else str(key))]
    if isinstance(data, list):
        named = [value["id"] if isinstance(value, Mapping) and "id" in value else i for i, value in enumerate(data)]
        return [leaf for key, value in zip(named, data, strict=True) for leaf in _leaves(value, f"{name}[{key}]")]
    return [(name, data)]


def _of_numbers(before: Mapping[str, Any], after: Mapping[str, Any]) -> str:
    """The first few values that differ, with their distance where they are numbers."""
    found = [f"{name} is missing" for name in before if name not in after]
    found += [f"{name} is new" for name in after if name not in before]
    found += [
        f"{name}: {words}"
        for name in before
        if name in after and (words := difference_in_words(before[name], after[name]))
    ]
    more = f"; and {len(found) - SHOWN} more" if len(found) > SHOWN else ""
    return "; ".join(found[:SHOWN]) + more


def difference_in_words(before: Any, after: Any) -> str | None:
    """How two values differ, in words: numbers by their difference, lists by the largest; None if equal."""
    one, other = _array(before), _array(after)
    if one is None or other is None or one.shape != other.shape:
        return None if _same(before, after) else f"{_short(before)} → {_short(after)}"
    apart = ~((one == other) | (np.isnan(one) & np.isnan(other)))
    if not apart.any():
        return None
    largest = np.abs(one - other)[apart].max()
    if one.size == 1:
        return f"{_short(before)} → {_short(after)} (by {largest:.3g})"
    return f"{apart.sum()} of {one.size} numbers, by at most {largest:.3g}"


def _array(value: Any) -> np.ndarray | None:
    """The value as floats; None if it is not made of numbers."""
    try:
        array = np.asarray(value)
    except ValueError:  # lists of unequal length
        return None
    return array.astype(float) if array.dtype.kind in "iuf" and array.size else None


def _same(before: Any, after: Any) -> bool:
    return repr(before) == repr(after)


def _short(value: Any) -> str:
    text = f"{value:.10g}" if isinstance(value, float) else str(value)
    return text if len(text) <= 40 else f"{text[:39]}…"


def _of_lines(before: str, after: str) -> str:
    """How many lines differ, and the first one."""
    one, other = before.splitlines(), after.splitlines()
    differing = [i for i, (x, y) in enumerate(zip(one, other, strict=False)) if x != y]
    first = differing[0] if differing else min(len(one), len(other))
    count = len(differing) + abs(len(one) - len(other))
    return f"{count} of {max(len(one), len(other))} lines, the first of them line {first + 1}"
