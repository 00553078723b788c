"""By how much two values differ, in words, and what tells files apart."""

import hashlib
from pathlib import Path
from typing import Any

import numpy as np

LONGEST = 40  # letters of a value that is shown


def sha256(path: Path | str) -> str:
    """SHA-256 of a file, in hexadecimal digits."""
    return hashlib.sha256(Path(path).read_bytes()).hexdigest()


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
