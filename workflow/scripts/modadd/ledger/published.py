"""Published weights, measured once: the values are kept as data, for readers without the weights."""

import json
import math
import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from modadd.core.wording import unknown

Values = Mapping[str, Mapping[str, Mapping[str, Any]]]  # measured value by published weights, notebook and value

SAME = 1e-6  # relative distance between two measurements of one file; it was chosen before any two were compared
SOURCE = {"publisher": str, "url": str, "format": str, "sha256": str, "size": int, "notebooks": dict}
MEASURED = {"code": str, "values": dict}


def read_published(path: Path | str) -> dict[str, dict[str, Any]]:
    """What is kept of published weights, by name: publisher, address, format, sha256 and size (bytes) of the file.

    Its `notebooks` hold, by name, the fingerprint of the code that measured and the measured values. Raises ValueError,
    one line, that names the first key which is missing, not known or of another kind.
    """
    try:
        content = json.loads(Path(path).read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise ValueError(f"{path}: expected a JSON file, found: {error}") from error
    if not isinstance(content, dict):
        raise ValueError(f"{path}: expected an object, found {type(content).__name__}")
    for name, entry in content.items():
        where = f"{path}: {name}"
        _require(entry, SOURCE, where)
        if not re.fullmatch("[0-9a-f]{64}", entry["sha256"]):
            raise ValueError(f"{where}.sha256: expected 64 hexadecimal digits, found {entry['sha256']!r}")
        for notebook, measured in entry["notebooks"].items():
            _require(measured, MEASURED, f"{where}.notebooks.{notebook}")
            for value, found in measured["values"].items():
                if not _finite(found):
                    place = f"{where}.notebooks.{notebook}.values.{value}"
                    raise ValueError(f"{place}: expected a finite number or a list of them, found {found!r}")
    return content


def kept_values(path: Path | str) -> Values:
    """The measured values alone; raises ValueError as `read_published` does."""
    return {
        name: {notebook: measured["values"] for notebook, measured in entry["notebooks"].items()}
        for name, entry in read_published(path).items()
    }


def require_known_weights(claims: Iterable[Mapping[str, Any]], path: Path | str, external: Iterable[str]) -> None:
    """Raise ValueError for a claim about weights that are neither kept in a file nor `external` in the config."""
    known = {*read_published(path), *external}
    for claim in claims:
        if claim.get("external") not in (None, *known):
            raise ValueError(unknown(f"ledger: claim '{claim['id']}'.external", "weights", claim["external"], known))


def fresh_values(claims: Iterable[Mapping[str, Any]], recorded: Mapping[str, Any], external: Iterable[str]) -> Values:
    """What a build recorded, by notebook, of the claimed values of the published weights that its config names.

    A value that was not recorded is left out.
    """
    fresh: dict[str, dict[str, dict[str, Any]]] = {name: {} for name in external}
    for claim in claims:
        name, notebook, value = claim.get("external"), claim["notebook"], claim["value"]
        if name in fresh and value in recorded[notebook]["values"]:
            fresh[name].setdefault(notebook, {})[value] = recorded[notebook]["values"][value]
    return {name: values for name, values in fresh.items() if values}


def same_as_kept(kept: Values, fresh: Values) -> dict[str, str]:
    """Values that are not the kept ones, by place ("weights, notebook: value"), each with what differs.

    Numbers are the same within the relative distance SAME. Only published weights that are in `fresh` are compared.
    """
    from modadd.ledger.differences import difference_in_words  # here: it needs pandas, and reading the rules does not

    before, now = _by_place({name: kept.get(name, {}) for name in fresh}), _by_place(fresh)
    found = {place: "was not measured" for place in before if place not in now}
    found |= {place: "is not kept" for place in now if place not in before}
    both = [place for place in before if place in now and not _same(before[place], now[place])]
    return found | {place: difference_in_words(before[place], now[place]) for place in both}


def _require(content: Any, kinds: Mapping[str, type], where: str) -> None:
    """Raise ValueError unless `content` has exactly these keys, each with a value of its kind."""
    if not isinstance(content, dict):
        raise ValueError(f"{where}: expected an object, found {type(content).__name__}")
    for key in content:
        if key not in kinds:
            raise ValueError(unknown(where, "key", key, kinds))
    for key, kind in kinds.items():
        if key not in content:
            raise ValueError(f"{where}: key '{key}' is missing")
        if type(content[key]) is not kind:
            raise ValueError(f"{where}.{key}: expected {kind.__name__}, found {type(content[key]).__name__}")


def _finite(value: Any) -> bool:
    """Whether a value is a finite number, or a list of them that is not empty."""
    items = value if isinstance(value, list) else [value]
    return bool(items) and all(type(item) in (int, float) and math.isfinite(item) for item in items)


def _by_place(values: Values) -> dict[str, Any]:
    return {
        f"{name}, {notebook}: {value}": measured
        for name, notebooks in values.items()
        for notebook, found in notebooks.items()
        for value, measured in found.items()
    }


def _same(before: Any, now: Any) -> bool:
    """Whether two values are numbers, as many of them, and within SAME of each other."""
    from modadd.ledger.retrainings import numbers

    one, other = numbers(before), numbers(now)
    return one.size > 0 and one.shape == other.shape and bool(np.allclose(other, one, rtol=SAME, atol=0))
