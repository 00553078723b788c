"""Claims judged network by network: which networks pass, for the notebooks that draw them."""

from collections.abc import Sequence

import pandas as pd

from modadd.core.files import Data
from paper.ledger.judge.forms import BEYOND, Statement

HALF, MANY = 0.5, 64  # a claim that few networks could break tells them not apart
SIGNS = {"at_least": "≥", "at_most": "≤"}


def passing(claim: Data, rows: pd.DataFrame) -> pd.Series:
    """For each network whether the claim holds; missing where it cannot be judged.

    That is so for all networks if their rows do not have its value, and if its check is none that one network passes; and
    for a network that is short of the accuracy that the claim needs, or has no such number: it has none of what the claim
    speaks of, or was measured before this value was.
    """
    if claim["check"] not in BEYOND:
        return pd.Series(pd.NA, index=rows.index, dtype="boolean")
    return Statement(claim).passing(rows)


def claims_by_network(claims: Sequence[Data], rows: pd.DataFrame) -> pd.DataFrame:
    """A line for each network, a column for each claim: whether it holds; missing where it cannot be judged.

    Claims are left out that can be judged on less than half of the networks and on less than MANY.
    """
    enough = min(HALF * len(rows), MANY)
    found = {}
    for claim in claims:
        holds = passing(claim, rows)
        judged = holds.notna().sum()
        if judged >= enough:
            found[claim["id"]] = holds
    return pd.DataFrame(found, index=rows.index)


def mostly_judged(holds: pd.DataFrame) -> pd.Series:
    """The networks on which at least half of the claims can be judged: rows kept long ago lack many numbers."""
    judged = holds.notna().mean(axis=1)
    return judged >= HALF


def criterion(claim: Data) -> str:
    """A claim as the label of a row: its id in words, and its limit."""
    words = claim["id"].replace("_", " ")
    sign = SIGNS[claim["check"]]
    (limit,) = Statement(claim).limits
    return f"{words} {sign} {limit:g}"
