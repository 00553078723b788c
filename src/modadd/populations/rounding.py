"""Trainings of Study M that differ by rounding alone, beside what [M] prints of its own network."""

from collections.abc import Iterable, Mapping, Sequence

import numpy as np
import pandas as pd
from jaxtyping import Float

from modadd.core.statistics import Estimate, mean_of
from modadd.networks.recipes import RECIPES
from modadd.networks.store import Network
from modadd.populations.columns.two_layer_mlp import COLUMNS
from modadd.populations.rows import row_of

PUBLISHED = RECIPES["two_layer_mlp"]
FULL_LENGTH = PUBLISHED.steps  # updates; retrainings of fewer are not compared


def trained_in_full(network: Network, population: pd.DataFrame) -> pd.DataFrame:
    """The trainings of the published length and modulus; the network's own is the first, if it is one.

    The column `found` has the key frequencies of W_U, in order.
    """
    tables = [population]
    if network.recipe.steps == FULL_LENGTH:
        tables.insert(0, pd.DataFrame([row_of(network, COLUMNS)]).assign(trained="here"))
    rows = pd.concat(tables, ignore_index=True)
    rows = rows[(rows.steps == FULL_LENGTH) & (rows.modulus == PUBLISHED.modulus)].reset_index(drop=True)
    rows["found"] = [sorted(map(int, frequencies)) for frequencies in rows.W_U_frequencies]
    return rows


def has_frequencies(rows: pd.DataFrame, printed: Sequence[int]) -> pd.Series:
    """Whether each of the rows of `trained_in_full` has exactly the printed key frequencies."""
    return rows.found.map(lambda frequencies: frequencies == list(printed)).astype(bool)


def frequencies_against_printed(rows: pd.DataFrame, printed: Sequence[int]) -> pd.DataFrame:
    """A line for each of the rows of `trained_in_full`: the printed key frequencies that it misses, and those it has more."""
    return pd.DataFrame(
        {
            "perturbation": rows.perturbation,
            "trained": rows.trained,
            "accuracy": rows.accuracy,
            "key frequencies": rows.found.map(len),
            "missing": [listed({*printed} - {*found}) for found in rows.found],
            "more": [listed({*found} - {*printed}) for found in rows.found],
            "norm ratio": rows.norm_ratio,
        }
    )


def listed(frequencies: Iterable[int]) -> str:
    """Frequencies in words, in order: "3, 17", or "none"."""
    return ", ".join(map(str, sorted(frequencies))) or "none"


def fractions(rows: pd.DataFrame, kind: str, count: int) -> Float[np.ndarray, "networks k"]:
    """Fractions of variance explained by the terms of a kind, "sin" or "cos", of networks with `count` key frequencies."""
    return np.array([*rows[f"fve_{kind}"]], float).reshape(len(rows), count)


def differences_from_printed(
    rows: pd.DataFrame, printed: Mapping[str, Sequence[float]]
) -> Float[np.ndarray, "networks numbers"]:
    """Distances of the fractions of variance explained from the printed ones, of networks with the printed frequencies.

    printed: fractions by kind; a kind of which nothing is printed is left out. No lines if nothing is printed.
    """
    parts = [np.abs(fractions(rows, kind, len(values)) - values) for kind, values in printed.items() if len(values)]
    return np.concatenate(parts, axis=1) if parts else np.empty((0, 1))


def median_difference(differences: Float[np.ndarray, "networks numbers"]) -> Estimate:
    """The mean over networks of the median of a network's `differences_from_printed`, with its interval."""
    return mean_of(np.median(differences, axis=1))


def printed_smallest(printed: Mapping[str, Sequence[float]]) -> float:
    """The smallest fraction that is printed, of any kind; NaN if none is."""
    return min((fraction for fractions_of_kind in printed.values() for fraction in fractions_of_kind), default=np.nan)


def smallest_fractions(rows: pd.DataFrame) -> Float[np.ndarray, "networks"]:
    """The smallest fraction of variance explained of each network, over its key frequencies, sine and cosine."""
    return np.array([min(*row.fve_sin, *row.fve_cos) for row in rows.itertuples()], float)
