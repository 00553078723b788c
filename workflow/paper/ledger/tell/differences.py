"""How two files of one name differ, and by how much: numbers as numbers, all else by bytes."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from modadd.core.files import json_of
from paper.notebook import plain

SHOWN = 3  # differences of one file that are spelled out
LONGEST = 40  # letters of a value that is shown


def difference(one: Path, other: Path) -> str | None:
    """How a file differs from its rebuilt version, in words ('old → new'); None for equal bytes."""
    if not one.exists():
        return "is missing"
    if one.read_bytes() == other.read_bytes():
        return None
    try:
        before = _numbers_in(one)
        after = _numbers_in(other)
    except ValueError:  # a file that cannot be read
        return "other bytes"
    found = [f"{name} is missing" for name in before if name not in after]
    found += [f"{name} is new" for name in after if name not in before]
    for name in before:
        words = difference_in_words(before[name], after.get(name, before[name]))
        if words:
            found.append(f"{name}: {words}")
    if len(found) > SHOWN:
        found[SHOWN:] = [f"and {len(found) - SHOWN} more"]
    return "; ".join(found) or "other bytes"


def _numbers_in(path: Path) -> dict[str, Any]:
    """What a file of numbers holds, by name; nothing of another kind of file."""
    if path.suffix == ".json":
        found: dict[str, Any] = {}
        _gather(json_of(path), "", found)
        return found
    if path.suffix == ".csv":
        return pd.read_csv(path).to_dict("list")
    if path.suffix == ".parquet":
        return plain(pd.read_parquet(path).to_dict("list"))
    return {}


def _gather(data: Any, name: str, found: dict[str, Any]) -> None:
    """Every value of nested plain data with its place; an entry of a list goes by its id where it has one."""
    if isinstance(data, Mapping):
        for key, value in data.items():
            inner = f"{name}.{key}" if name else str(key)
            _gather(value, inner, found)
    elif isinstance(data, list):
        for place, value in enumerate(data):
            key = place
            if isinstance(value, Mapping):
                key = value.get("id", place)
            _gather(value, f"{name}[{key}]", found)
    else:
        found[name] = data


def difference_in_words(before: Any, after: Any) -> str | None:
    """How two values differ, in words: numbers by their difference, lists by the largest; None if equal."""
    changed = f"{_short(before)} → {_short(after)}"
    one = _array(before)
    other = _array(after)
    if one is None or other is None or one.shape != other.shape:
        return None if repr(before) == repr(after) else changed
    apart = ~((one == other) | (np.isnan(one) & np.isnan(other)))
    if not apart.any():
        return None
    largest = np.abs(one - other)[apart].max()
    if one.size == 1:
        return f"{changed} (by {largest:.3g})"
    return f"{apart.sum()} of {one.size} numbers, by at most {largest:.3g}"


def _array(value: Any) -> np.ndarray | None:
    """The value as floats; None if it is not made of numbers."""
    try:
        array = np.asarray(value)
    except ValueError:  # lists of unequal length
        return None
    if array.dtype.kind not in "iuf" or not array.size:
        return None
    return array.astype(float)


def _short(value: Any) -> str:
    text = f"{value:.10g}" if isinstance(value, float) else str(value)
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…"
