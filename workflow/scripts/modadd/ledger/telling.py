"""A verdict in words: what was measured, to the digits that its interval allows, and for which networks it holds."""

import math
from collections.abc import Mapping
from typing import Any

from modadd.ledger.claims import PUBLISHED
from modadd.ledger.retrainings import detectable
from modadd.ledger.words import show

DIGITS_OF_WIDTH = 2  # of the width of an interval that a number is shown with
MEASURED_ONCE = "measured once on the published weights, kept"
POWERFUL = 0.8  # of a test: it finds a difference in four of five repetitions
DIGITS_ALONE = 4  # significant digits of a number of ours without an interval


def show_interval(interval: list[list[float]] | None) -> str:
    """Lower and upper end for each number, as 1.5–2.5, no further than the width of the interval tells."""
    if not interval:
        return "–"
    return ", ".join(
        (" to " if low < 0 else "–").join(_rounded(end, low, high) for end in (low, high)) for low, high in interval
    )


def measured_in_words(row: Mapping[str, Any]) -> str:
    """What was measured, with no digit beyond its interval; without one as `show` has it, if ours to DIGITS_ALONE."""
    measured = row["measured"]
    values = measured if isinstance(measured, list) else [measured]
    if is_of_networks(measured):
        return ", ".join(map(_of_networks, values))
    interval = row["interval"] if row["of"] == PUBLISHED else None  # of others it is the interval of a share
    if interval and len(values) == len(interval) and all(isinstance(value, float | int) for value in values):
        return ", ".join(_rounded(value, *ends) for value, ends in zip(values, interval, strict=True))
    if row["published"] is None and all(isinstance(value, float | int) for value in values):
        return ", ".join(
            f"{value:.{DIGITS_ALONE}g}".replace("-", "−") if isinstance(value, float) else show(value)
            for value in values
        )
    return show(measured)


def interval_in_words(row: Mapping[str, Any]) -> str:
    """The interval of what was measured; nothing where it has no width, or the number or the share has it already."""
    if not row["interval"] or is_of_networks(row["measured"]) or row["of"] != PUBLISHED:
        return ""
    found = show_interval(row["interval"])
    alike = all(len(set(pair.replace(" to ", "–").split("–"))) == 1 for pair in found.split(", "))
    return "" if alike else found


def where_it_holds(row: Mapping[str, Any]) -> str:
    """Of which networks a claim holds, in a line, and where these were trained.

    "holds here; in 24 of 24 trainings (4 trained here, 20 kept); in 40 of 40 seeds (1 trained here, 39 kept; 95 %: 0.9–1)".
    """
    if is_kept(row):
        return MEASURED_ONCE
    parts = [] if row["here"] is None else ["holds here" if row["here"] else "does not hold here"]
    if trainings := row["trainings"]:
        parts.append(f"in {trainings['holds']} of {trainings['of']} trainings ({_trained(trainings)})")
    if seeds := row["seeds"]:
        share = f"{seeds['low']:.2f}–{seeds['high']:.2f}"
        without = f"; {seeds['without']:,} more have no such number" if seeds.get("without") else ""
        parts.append(f"in {seeds['holds']} of {seeds['of']} seeds ({_trained(seeds)}; 95 %: {share}{without})")
    if row["counted"]:
        here, kept = row["counted"]["here"], row["counted"]["kept"]
        return f"counted over {here:,} network{'s' * (here != 1)} trained here and {kept:,} kept"
    return "; ".join(parts) if row["trainings"] or row["seeds"] else ""


def is_kept(row: Mapping[str, Any]) -> bool:
    """Whether the value is a kept one of published weights, which this build did not measure; of a row `with_claims`."""
    return bool(row["external"] and row["counted"])


def seen_with_power(row: Mapping[str, Any]) -> float | None:
    """The smallest difference that so many networks would have shown in four of five repetitions; of a row `with_claims`.

    None where no number of many networks is judged. "Every network" is refuted by exceptions as frequent as this.
    """
    if not row["interval"] or (row["form"] == "Statement" and row["of"] == PUBLISHED):
        return None
    if row["check"] == "share_of_networks" and row["threshold"] in (0, 1):
        return 1 - (1 - POWERFUL) ** (1 / row["networks"])
    return max(detectable(low, high) for low, high in row["interval"])


def is_of_networks(measured: Any) -> bool:
    """Whether something is a share or a number of networks, or several, each with an interval of its own."""
    parts = measured if isinstance(measured, list) else [measured]
    return bool(parts) and all(isinstance(part, Mapping) and {"low", "high", "of"} <= set(part) for part in parts)


def _of_networks(part: Any) -> str:
    if not is_of_networks(part) or "holds" in part or part["low"] is None:
        return show(part)
    ends = part["low"], part["high"]
    return f"{_rounded(part['value'], *ends)} (95 %: {'–'.join(_rounded(end, *ends) for end in ends)})"


def _trained(counts: Mapping[str, Any]) -> str:
    return f"{counts['here']:,} trained here, {counts['of'] - counts['here']:,} kept"


def _rounded(value: float | int, low: float | int, high: float | int) -> str:
    """A number to DIGITS_OF_WIDTH digits of the width of its interval; whole if it is a whole number or has no width."""
    width = high - low
    if isinstance(value, int) or not 0 < width < math.inf:
        return show(value)
    decimals = DIGITS_OF_WIDTH - 1 - math.floor(math.log10(width))
    if decimals > 6 or abs(value) >= 1e6:
        return f"{value:.{DIGITS_OF_WIDTH}e}".replace("-", "−") if abs(value) < 1e-4 else show(value)
    return f"{round(value, decimals):.{max(decimals, 0)}f}".replace("-", "−")
