"""The claims that networks of Study Q break, each with the number that decides."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from modadd.ledger.networks import criterion
from modadd.networks.measures import KEY
from modadd.populations.columns.pizza_transformer import COLUMNS


def exceptions(claims: Sequence[Mapping[str, Any]], rows: pd.DataFrame, holds: pd.DataFrame) -> pd.DataFrame:
    """One line for each claim that a network breaks, in the order of the seeds, with the number that decides.

    holds: what `claims_by_network` says of these claims and rows.
    Of a claim about every key frequency: the one that breaks it worst, its rank by C_k (1 the strongest), its neurons.
    """
    columns = ["seed", "trained", "claim", "value", "key frequencies", "worst at k", "rank of C_k", "neurons there"]
    lines = []
    for claim in (claim for claim in claims if claim["id"] in holds):
        each = COLUMNS[claim["value"]].each if claim["value"] in COLUMNS else None
        for index in np.flatnonzero(holds[claim["id"]].eq(False).fillna(False)):
            case = rows.iloc[index]
            worst, place = _worst(claim, case[claim["value"]])
            place = place if each == KEY else None
            line = [case.seed, case.trained, criterion(claim), worst, len(case.frequencies)]
            if place is not None:
                C = np.asarray(case.absolute_coefficients)
                line += [case.frequencies[place], 1 + int((C > C[place]).sum()), case.neurons[place]]
            lines.append(line + [None] * (len(columns) - len(line)))
    found = pd.DataFrame(lines, columns=columns).astype({name: "Int64" for name in columns[4:]})
    return found.sort_values("seed", kind="stable", ignore_index=True)


def _worst(claim: Mapping[str, Any], value: Any) -> tuple[float, int | None]:
    """The number that decides, and where it stands in a list."""
    if not np.ndim(value):
        return float(value), None
    place = int(np.argmin(value) if claim["check"] == "at_least" else np.argmax(value))
    return float(value[place]), place
