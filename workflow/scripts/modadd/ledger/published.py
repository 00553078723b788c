"""Published weights, measured once: the values are kept as data, for readers without the weights."""

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from modadd.core.files import ROOT
from modadd.core.wording import unknown
from modadd.planning.settings import require_valid

Values = Mapping[str, Mapping[str, Mapping[str, Any]]]  # measured value by published weights, notebook and value

SAME = 1e-6  # relative distance between two measurements of one file; it was chosen before any two were compared


def read_published(path: Path | str) -> dict[str, dict[str, Any]]:
    """What is kept of published weights, by name, as published.schema.yaml has it; raises ValueError, one line, else."""
    try:
        content = json.loads(Path(path).read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise ValueError(f"{path}: expected a JSON file, found: {error}") from error
    require_valid(content, ROOT / "workflow/schemas/published.schema.yaml", str(path))
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
