"""Claims judged network by network: which networks pass, and the share of them."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import pandas as pd

from modadd.core.statistics import Share, share
from modadd.ledger.checks import passes_each
from modadd.ledger.claims import ON_EACH
from modadd.ledger.retrainings import has_number

HALF, MANY = 0.5, 64  # a claim that few networks could break tells them not apart
SIGNS = {"at_least": "≥", "at_most": "≤"}


def passing(claim: Mapping[str, Any], rows: pd.DataFrame) -> pd.Series:
    """For each network whether the claim holds; missing where it cannot be judged.

    That is so for all networks if their rows do not have its value, if its check is none that one network passes, and if
    it is about one frequency of the network shown; and for a network that is short of the accuracy that the claim needs, or
    has no such number: it has none of what the claim speaks of, or was measured before this value was.
    """
    found = pd.Series(pd.NA, index=rows.index, dtype="boolean")
    if _can_be_judged_on(claim, rows):
        column = rows[claim["value"]]
        known = (rows.accuracy >= claim["needs_accuracy"]) & has_number(claim, column)
        found[known] = passes_each(claim, column[known])
    return found


def without_number(claim: Mapping[str, Any], rows: pd.DataFrame) -> int:
    """How many networks have the accuracy that the claim needs, and no number that it could be judged on."""
    if not _can_be_judged_on(claim, rows):
        return 0
    return int(((rows.accuracy >= claim["needs_accuracy"]) & ~has_number(claim, rows[claim["value"]])).sum())


def _can_be_judged_on(claim: Mapping[str, Any], rows: pd.DataFrame) -> bool:
    return claim["check"] in ON_EACH and "frequency" not in claim and claim["value"] in rows


@dataclass(frozen=True)
class OverSeeds(Share):
    """The share of all networks of a recipe for which a claim holds; `here` of them are trained here, the others kept.

    `without` further ones have no such number, and are no part of the share.
    """

    here: int
    without: int = 0


def judged_networks(claim: Mapping[str, Any], rows: pd.DataFrame) -> pd.DataFrame:
    """Whether each network that can be judged passes, and where it was trained: `passes`, `trained`."""
    return pd.DataFrame({"passes": passing(claim, rows), "trained": rows.trained}).dropna(subset="passes")


def over_seeds(populations: Iterable[pd.DataFrame], without: int = 0) -> OverSeeds | None:
    """Of all networks of some populations, as `judged_networks` gives them, the share that passes; None of none.

    `without`: how many others have no number.
    """
    found = [networks for networks in populations if len(networks)]
    if not found:
        return None
    judged = pd.concat(found)
    return OverSeeds(
        **asdict(share(judged.passes.to_numpy(bool))), here=int((judged.trained == "here").sum()), without=without
    )


def claims_by_network(claims: Sequence[Mapping[str, Any]], rows: pd.DataFrame) -> pd.DataFrame:
    """A line for each network, a column for each claim: whether it holds; missing where it cannot be judged.

    Claims are left out that can be judged on less than half of the networks and on less than MANY.
    """
    found = {claim["id"]: passing(claim, rows) for claim in claims}
    enough = min(HALF * len(rows), MANY)
    return pd.DataFrame(
        {id: column for id, column in found.items() if column.notna().sum() >= enough}, index=rows.index
    )


def mostly_judged(holds: pd.DataFrame) -> pd.Series:
    """The networks on which at least half of the claims can be judged: rows kept long ago lack many numbers."""
    return holds.notna().mean(axis=1) >= HALF


def criterion(claim: Mapping[str, Any]) -> str:
    """A claim as the label of a row: its id in words, and its limit."""
    return f"{claim['id'].replace('_', ' ')} {SIGNS[claim['check']]} {_limit(claim):g}"


def _limit(claim: Mapping[str, Any]) -> float:
    return float(claim["threshold"] if "threshold" in claim else claim["published"])
