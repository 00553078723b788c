"""The claims that networks of Study Q break, each with the number that decides."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd

from modadd.core.files import Data
from modadd.networks.registry import KEY
from modadd.populations.columns.pizza_transformer import COLUMNS
from paper.ledger.judge.networks import criterion

COUNTS = ["key frequencies", "worst at k", "rank of C_k", "neurons there"]  # whole numbers
TABLE = ["seed", "trained", "claim", "value", *COUNTS]


def exceptions(claims: Sequence[Data], rows: pd.DataFrame, holds: pd.DataFrame) -> pd.DataFrame:
    """One line for each claim that a network breaks, in the order of the seeds, with the number that decides.

    holds: what `claims_by_network` says of these claims and rows.
    Of a claim about every key frequency: the one that breaks it worst, its rank by C_k (1 the strongest), its neurons.
    """
    lines = []
    for claim in claims:
        name = claim["id"]
        if name not in holds:
            continue
        is_broken = holds[name].eq(False).fillna(False)
        for _, network in rows[is_broken].iterrows():
            line = _line(claim, network)
            lines.append(line)
    kinds = dict.fromkeys(COUNTS, "Int64")
    found = pd.DataFrame(lines, columns=TABLE).astype(kinds)
    return found.sort_values("seed", kind="stable", ignore_index=True)


def _line(claim: Data, network: pd.Series) -> dict[str, Any]:
    """The line of a claim that a network breaks, by the columns of TABLE."""
    name = claim["value"]
    measured = np.atleast_1d(network[name])
    place = measured.argmax()
    if claim["check"] == "at_least":
        place = measured.argmin()
    line = {
        "seed": network.seed,
        "trained": network.trained,
        "claim": criterion(claim),
        "value": float(measured[place]),
        "key frequencies": len(network.frequencies),
    }
    is_one_each = name in COLUMNS and COLUMNS[name].each == KEY
    if is_one_each and np.ndim(network[name]):
        C = np.asarray(network.absolute_coefficients)
        stronger = C > C[place]
        line["worst at k"] = network.frequencies[place]
        line["rank of C_k"] = 1 + stronger.sum()
        line["neurons there"] = network.neurons[place]
    return line
