"""What a claim is judged on, and what comes of it: between the files of a build and the verdict."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import pandas as pd

from modadd.core.files import Data
from modadd.core.statistics import CONFIDENCE, Share
from paper.ledger.read.words import several

COVERAGE = CONFIDENCE  # of the prediction interval in which a printed number must lie
# Of the interval that the network shown must not leave: with twenty numbers, 95 % would turn one by chance.
OWN_COVERAGE = 0.999


@dataclass(frozen=True)
class Evidence:
    """What a build has of one claim.

    `measured` is the value of the claim, `network` the standing of the network shown, `values` all that its notebook recorded,
    at a `scale`. `retrained` holds the rows of the same network trained from initial weights changed in their last bit, `seeds`
    those of further networks of the recipe, by population. `counted` says over how many networks, trained here and kept, the
    value was counted. `obstacle` says why the value tells nothing, `left_out` which networks are of another recipe.
    """

    measured: Any
    network: Data
    values: Data = field(default_factory=dict)
    scale: str = ""
    retrained: pd.DataFrame | None = None
    seeds: Mapping[str, pd.DataFrame] = field(default_factory=dict)
    counted: dict[str, int] | None = None
    obstacle: str = ""
    left_out: str = ""

    @property
    def retrainings(self) -> pd.DataFrame | None:
        """Those that were trained as long as the network shown; None if there are none."""
        if self.retrained is None:
            return None
        as_long = self.retrained[self.retrained.steps == self.network["steps"]]
        return None if as_long.empty else as_long

    @property
    def networks(self) -> int | None:
        """How many networks the measured number rests on, as far as it says: the fewest of several."""
        of = [part["of"] for part in several(self.measured) if isinstance(part, Mapping) and "of" in part]
        return min(of, default=None)


@dataclass(frozen=True)
class Networks(Share):
    """The share of some networks for which a claim holds; `here` of them are trained here, the others kept.

    Others are no part of the share: `without` have no number that the claim could be judged on, and of `not_measured` nobody
    measured it.
    """

    here: int
    without: int = 0
    not_measured: int = 0


@dataclass(frozen=True)
class Outcome:
    """What was found.

    `agrees` is None where the evidence does not tell; `rounds` says whether every number is the printed one to its last digit.
    `interval` is that of one more training, or of a number or a share of a population, for each number; `here` says whether
    a statement holds for the network shown, `trainings` and `seeds` for how many others; `networks` is how many were compared.
    """

    agrees: bool | None
    note: str = ""
    interval: list[list[float]] | None = None
    rounds: bool = False
    here: bool | None = None
    trainings: Networks | None = None
    seeds: Networks | None = None
    networks: int | None = None
