"""Published weights, measured once: the values are kept as data, for readers without the weights."""

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from modadd.core.files import Data, json_of
from modadd.core.wording import require_known
from paper.schemas import SCHEMAS, require_valid

Values = Mapping[str, Mapping[str, Data]]  # measured value by published weights, notebook and value

SAME = 1e-6  # relative distance between two measurements of one file; it was chosen before any two were compared


def read_published(path: Path | str) -> dict[str, dict[str, Any]]:
    """What is kept of published weights, by name, as published.schema.yaml has it; raises ValueError, one line, else."""
    try:
        content = json_of(path)
    except (OSError, ValueError) as error:
        raise ValueError(f"{path}: expected a JSON file, found: {error}") from error
    require_valid(content, SCHEMAS / "published.schema.yaml", str(path))
    return content


def kept_values(path: Path | str) -> Values:
    """The measured values alone; raises ValueError as `read_published` does."""
    found: dict[str, dict[str, Any]] = {}
    for name, entry in read_published(path).items():
        notebooks = entry["notebooks"]
        found[name] = {notebook: notebooks[notebook]["values"] for notebook in notebooks}
    return found


def require_known_weights(claims: Iterable[Data], path: Path | str, external: Iterable[str]) -> None:
    """Raise ValueError for a claim about weights that are neither kept in a file nor `external` in the config."""
    known = {*read_published(path), *external}
    for claim in claims:
        if "external" in claim:
            where = f"ledger: claim '{claim['id']}'.external"
            require_known(where, "weights", [claim["external"]], known)


def fresh_values(claims: Iterable[Data], recorded: Callable[[str], Data], external: Iterable[str]) -> Values:
    """What the build recorded of the claimed values of the published weights that its config names.

    `recorded` gives the content of values.json of a notebook. A value that was not recorded is left out.
    """
    fresh: dict[str, dict[str, Any]] = {}
    named = set(external)
    for claim in claims:
        name = claim.get("external")
        if name not in named:
            continue
        notebook = claim["notebook"]
        value = claim["value"]
        measured = recorded(notebook)["values"]
        if value in measured:
            of_weights = fresh.setdefault(name, {})
            of_notebook = of_weights.setdefault(notebook, {})
            of_notebook[value] = measured[value]
    return fresh


def same_as_kept(kept: Values, fresh: Values) -> dict[str, str]:
    """Values that are not the kept ones, by place ("weights, notebook: value"), each with what differs.

    Numbers are the same within the relative distance SAME. Only published weights that are in `fresh` are compared.
    """
    from paper.ledger.tell.differences import (
        difference_in_words,  # here: it needs pandas, and reading the rules does not
    )

    before = _by_place({name: kept.get(name, {}) for name in fresh})
    now = _by_place(fresh)
    found = {}
    for place in before | now:
        if place not in now:
            found[place] = "was not measured"
        elif place not in before:
            found[place] = "is not kept"
        elif not _same(before[place], now[place]):
            found[place] = difference_in_words(before[place], now[place])
    return found


def _by_place(values: Values) -> dict[str, Any]:
    found = {}
    for name, notebooks in values.items():
        for notebook, measured in notebooks.items():
            for value in measured:
                found[f"{name}, {notebook}: {value}"] = measured[value]
    return found


def _same(before: Any, now: Any) -> bool:
    """Whether two values are numbers, as many of them, and within SAME of each other."""
    from paper.ledger.judge.retrainings import numbers

    one = numbers(before)
    other = numbers(now)
    if one.size == 0 or one.shape != other.shape:
        return False
    return np.allclose(other, one, rtol=SAME, atol=0)
