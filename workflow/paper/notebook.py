"""What a notebook calls beside the library: it records what it measured for the ledger, and says sentences."""

import paper.by_hand  # noqa: F401

# isort: split

from collections.abc import Mapping, Sequence
from dataclasses import asdict, is_dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from IPython import get_ipython
from IPython.display import Markdown, display

from modadd.core.files import Data, write_json
from modadd.core.neurons import neurons_of
from modadd.core.separable import accuracy
from modadd.core.statistics import CONFIDENCE, Estimate
from modadd.networks.architectures import RELU
from modadd.networks.recipes import RECIPES, deviations
from modadd.networks.store import Network

RECORDED = "values.json"  # marks the cell of an executed notebook that records


def record(
    path: Path | str,
    network: Network,
    values: Data,
    populations: Sequence[pd.DataFrame] = (),
    others: Mapping[str, Network] | None = None,
) -> None:
    """Write what a notebook measured as values.json, with the standing of what it was measured on.

    That is its accuracy, the network's steps and key frequencies, and where it, or all networks of a population,
    deviate from the published recipe, in words by key; a number that a population varies is no deviation. The accuracy
    of populations is the median over the networks of those that do not vary the number of updates.
    `others` are further networks, by name, that some of the values belong to.
    """
    standing = _standing(network, *map(_in_common, populations)) | _accuracy_of(populations)
    content = {"network": standing, "values": plain(values)}
    if others:
        content["others"] = {name: _standing(other) for name, other in others.items()}
    write_json(Path(path), content)
    if get_ipython():
        display({}, raw=True, metadata={"saved_as": RECORDED})


def _standing(network: Network, *recipes: Data) -> dict[str, Any]:
    """Accuracy, steps, key frequencies and deviations of a network; `recipes` are others to deviate."""
    own = network.recipe
    deviating = {}
    for recipe in (own.as_dict(), *recipes):
        deviating |= deviations(recipe)
    frequencies = []
    if own.activation == RELU:
        frequencies = neurons_of(network.separable()).key_frequencies()
    return {
        "accuracy": accuracy(network.logits(), network.right_answers()),  # not the stored one: verdicts depend on it
        "steps": own.steps,
        "frequencies": frequencies,
        "deviations": deviating,
    }


def _accuracy_of(populations: Sequence[pd.DataFrame]) -> dict[str, float]:
    alike = [rows.accuracy for rows in populations if rows.steps.nunique() == 1]
    if not alike:
        return {}
    return {"accuracy": float(pd.concat(alike).median())}


def _in_common(rows: pd.DataFrame) -> dict[str, Any]:
    """The numbers of the recipe that all networks of a population share."""
    first = rows.iloc[0]
    found = {}
    for key in RECIPES[first.architecture].as_dict():
        if key in rows and rows[key].nunique() == 1:
            found[key] = first[key]
    return found


def plain(value: Any) -> Any:
    """Arrays and NumPy numbers as plain Python, for JSON; None for what is not a finite number.

    An estimate over networks that do not vary has no interval: one of no width would say that the next network is known.
    """
    if isinstance(value, Estimate) and value.low == value.high:
        value = replace(value, low=np.nan, high=np.nan)
    if is_dataclass(value):
        return plain(asdict(value))
    if isinstance(value, Mapping):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, np.ndarray | pd.Series | list | tuple):
        return [plain(item) for item in value]
    if isinstance(value, np.generic):
        return plain(value.item())
    if isinstance(value, float) and not np.isfinite(value):
        return None
    return value


def say(*paragraphs: str) -> None:
    """Show paragraphs of Markdown below the cell."""
    display(Markdown("\n\n".join(paragraphs)))


def interval(found: Any, digits: str = ".2f") -> str:
    """The interval at CONFIDENCE of anything that has a `low` and a `high`: "95 %: 0.41 to 0.53".

    "No interval" where there is none, or one of no width, which the ledger does not take for one either. `digits` is a
    format of Python's.
    """
    if not found.low < found.high:
        return "no interval"
    low, high = (format(end, digits).replace("%", " %") for end in (found.low, found.high))
    return f"{100 * CONFIDENCE:.0f} %: {low} to {high}"


def with_interval(found: Any, digits: str = ".2f") -> str:
    """A `value` with its interval: "0.47 (95 %: 0.41 to 0.53)"; an en dash if it is no number."""
    if np.isnan(found.value):
        return "–"
    return f"{format(found.value, digits)} ({interval(found, digits)})"


def about(network: Network) -> str:
    """The network in a sentence: its accuracy, and how long it was trained."""
    return (
        f"Network: accuracy {network.results['accuracy']:.4f} over all {network.recipe.modulus}² inputs "
        f"after {network.recipe.steps:,} updates."
    )
