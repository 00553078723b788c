"""A verdict in words: what was measured, to the digits that its interval allows, and for which networks it holds.

A row is one of figures/claims.json `with_claims`.
"""

import math
from typing import Any

from modadd.core.files import Data
from paper.ledger.judge.retrainings import detectable
from paper.ledger.judge.verdicts import rests_on_one
from paper.ledger.read.claims import SHOWN
from paper.ledger.read.words import is_of_networks, printed, several, show, with_minus

DIGITS_OF_WIDTH = 2  # of the width of an interval that a number is shown with
MEASURED_ONCE = "measured once on the published weights, kept"
POWERFUL = 0.8  # of a test: it finds a difference in four of five repetitions
DIGITS_ALONE = 4  # significant digits of a number of ours without an interval


def measured_in_words(row: Data) -> str:
    """What was measured, with no digit beyond its interval; without one as `show` has it, if ours to DIGITS_ALONE."""
    values = several(row["measured"])
    if _are_of_networks(values):
        return ", ".join(map(_of_networks, values))
    if not all(isinstance(value, float | int) for value in values):
        return show(row["measured"])
    interval = row["interval"] if row["of"] == SHOWN else None  # of others it is the interval of a share
    if interval and len(values) == len(interval):
        rounded = [_rounded(value, *ends) for value, ends in zip(values, interval, strict=True)]
        return ", ".join(rounded)
    if row["published"] is not None:
        return show(row["measured"])
    return ", ".join(map(_alone, values))


def interval_in_words(row: Data) -> str:
    """Lower and upper end for each number, as 1.5–2.5, no further than the width of the interval tells.

    Nothing where no interval has a width, or the number or the share has it already.
    """
    if row["of"] != SHOWN or _are_of_networks(several(row["measured"])):
        return ""
    found = []
    has_width = False
    for low, high in row["interval"] or ():
        lower = _rounded(low, low, high)
        upper = _rounded(high, low, high)
        has_width |= lower != upper
        found.append(f"{lower} to {upper}" if low < 0 else f"{lower}–{upper}")
    return ", ".join(found) if has_width else ""


def where_it_holds(row: Data) -> str:
    """Of which networks a claim holds, in a line, and where these were trained.

    "holds here; in 24 of 24 trainings (4 trained here, 20 kept); in 40 of 40 seeds (1 trained here, 39 kept; 95 %: 0.9–1)".
    """
    if is_kept(row):
        return MEASURED_ONCE
    if counted := row["counted"]:
        here = "1 network" if counted["here"] == 1 else f"{counted['here']:,} networks"
        return f"counted over {here} trained here and {counted['kept']:,} kept"
    trainings = row["trainings"]
    seeds = row["seeds"]
    parts = []
    if row["check"] == "retrainings" and row["networks"]:
        parts.append(f"among {row['networks'] - 1:,} other trainings")
    if row["here"] is not None and (trainings or seeds):
        parts.append("holds here" if row["here"] else "does not hold here")
    if trainings:
        where = _trained(trainings)
        parts.append(f"in {trainings['holds']:,} of {trainings['of']:,} trainings ({where})")
    if seeds:
        where = f"{_trained(seeds)}; 95 %: {seeds['low']:.2f}–{seeds['high']:.2f}"
        if seeds["without"]:
            where += f"; {seeds['without']:,} more without such a number"
        if seeds["not_measured"]:
            where += f"; not measured in {seeds['not_measured']:,} more"
        parts.append(f"in {seeds['holds']:,} of {seeds['of']:,} seeds ({where})")
    return "; ".join(parts)


def on_which_networks(row: Data) -> str:
    """As `where_it_holds`, and of a claim that no other network tells of, that it is one training."""
    alone = "one training only" if rests_on_one(row) else ""
    return where_it_holds(row) or alone


def is_kept(row: Data) -> bool:
    """Whether the value is a kept one of published weights, which this build did not measure."""
    return bool(row["external"] and row["counted"])


def seen_with_power(row: Data) -> float | None:
    """The smallest difference that so many networks would have shown in four of five repetitions.

    None where no number of many networks is judged. "Every network" is refuted by exceptions as frequent as this.
    """
    of_one = row["form"] == "Statement" and row["of"] == SHOWN
    if of_one or not row["interval"]:
        return None
    if row["check"] == "share_of_networks" and _limit_in(row) in (0, 1):
        return 1 - (1 - POWERFUL) ** (1 / row["networks"])
    return max(detectable(low, high) for low, high in row["interval"])


def _limit_in(row: Data) -> float | None:
    """The one limit that a claim is compared with, ours or printed; None if it has several."""
    limits = printed(row["published"] if row["threshold"] is None else row["threshold"])
    return float(limits[0]) if len(limits) == 1 else None


def _are_of_networks(values: list[Any]) -> bool:
    return len(values) > 0 and all(map(is_of_networks, values))


def _of_networks(part: Data) -> str:
    if "holds" in part or part["low"] is None:
        return show(part)
    ends = part["low"], part["high"]
    value, low, high = [_rounded(number, *ends) for number in (part["value"], *ends)]
    return f"{value} (95 %: {low}–{high})"


def _alone(value: float | int) -> str:
    if isinstance(value, int):
        return show(value)
    return with_minus(f"{value:.{DIGITS_ALONE}g}")


def _trained(counts: Data) -> str:
    here = counts["here"]
    return f"{here:,} trained here, {counts['of'] - here:,} kept"


def _rounded(value: float | int, low: float | int, high: float | int) -> str:
    """A number to DIGITS_OF_WIDTH digits of the width of its interval; whole if it is a whole number or has no width."""
    width = high - low
    if isinstance(value, int) or not 0 < width < math.inf:
        return show(value)
    decimals = DIGITS_OF_WIDTH - 1 - math.floor(math.log10(width))
    if decimals <= 6 and abs(value) < 1e6:
        rounded = round(value, decimals) + 0.0  # no −0
        return with_minus(f"{rounded:.{max(decimals, 0)}f}")
    if abs(value) < 1e-4:
        return with_minus(f"{value:.{DIGITS_OF_WIDTH}e}")
    return show(value)
