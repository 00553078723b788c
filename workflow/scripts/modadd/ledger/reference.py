"""The numbers this project expects: how far each may move on another platform, and what has moved further.

Networks trained elsewhere are others in their last bits, so on another platform a number is another draw of what
rounding decides. On the same platform everything is expected to be equal.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from modadd.ledger.claims import PUBLISHED
from modadd.ledger.differences import difference_in_words, sha256
from modadd.ledger.telling import show_interval
from modadd.ledger.verdicts import NOT_JUDGED, ROUNDS, WITHIN_SPREAD
from modadd.ledger.words import printed, show
from modadd.run.project import platform_of

BY_THE_DRAW = {ROUNDS, WITHIN_SPREAD}  # which of the two it is, another training may change
DEFAULT_RTOL = 0.1  # relative distance allowed to a number that nothing else limits: one that is not judged


def expected_numbers(rows: Sequence[Mapping[str, Any]]) -> dict[str, dict[str, Any]]:
    """By claim, from rows of figures/claims.json: measured number, verdict, and limits on another platform."""
    expected = {}
    for row in rows:
        limits, source = limits_of(row)
        expected[row["id"]] = {
            "measured": row["measured"],
            "verdict": row["verdict"],
            "limits": limits,
            "limits_from": source,
        }
    return expected


def limits_of(row: Mapping[str, Any]) -> tuple[list[list[float]] | None, str]:
    """Limits of each number on another platform, and where they come from; None where the verdict limits it.

    A claim about many networks is limited by its verdict. Else, in this order: the interval of a population, that of retrainings and as much again on either side, the tolerance of
    the claim's check, the check itself, and for what is not judged OTHERWISE.
    """
    if row["of"] != PUBLISHED:
        return None, "the share of all networks"
    measured, check = row["measured"], row["check"]
    parts = measured if isinstance(measured, list) else [measured]
    if parts and all(isinstance(part, Mapping) and None not in (part.get("low"), part.get("high")) for part in parts):
        return [[part["low"], part["high"]] for part in parts], "interval of the population"
    if row["interval"]:
        return [[low - (high - low), high + (high - low)] for low, high in row["interval"]], "interval of retrainings"
    numbers = _numbers(measured)
    if not numbers:
        return None, "equality"
    if row["verdict"] == NOT_JUDGED:
        return [
            [x - DEFAULT_RTOL * abs(x), x + DEFAULT_RTOL * abs(x)] for x in numbers
        ], f"relative distance {DEFAULT_RTOL}"
    if check == "within":
        tolerance = row["tolerance"]
        offs = tolerance if isinstance(tolerance, list) else [tolerance] * len(numbers)
        return [[x - off, x + off] for x, off in zip(numbers, offs, strict=True)], "tolerance of the check"
    if check == "equal_to_printed_digits":
        units = [0.5 * 10.0 ** digits.as_tuple().exponent for digits in printed(row["published"])]
        units = units if len(units) == len(numbers) else [max(units)] * len(numbers)
        return [[x - unit, x + unit] for x, unit in zip(numbers, units, strict=True)], "printed digits"
    return None, "the check"


def deviations_of(
    expected: Mapping[str, Mapping[str, Any]], rows: Sequence[Mapping[str, Any]], same_platform: bool
) -> dict[str, str]:
    """Claims whose number or verdict is not the expected one, each with what differs and by how much."""
    found = {row["id"]: row for row in rows}
    deviations = {name: "is not in the ledger any more" for name in expected if name not in found}
    for name, row in found.items():
        if name not in expected:
            deviations[name] = f"is new: measured {show(row['measured'])}, {row['verdict']}"
        elif words := _deviation(expected[name], row, same_platform):
            deviations[name] = words
    return deviations


@dataclass(frozen=True)
class ComparedBuild:
    """What a build was compared with, in a sentence, and what differs, by file or claim."""

    sentence: str
    differences: dict[str, str]


def compare_with_reference(
    reference: Path,
    folder: Path,
    rows: Sequence[Mapping[str, Any]],
    config: Mapping[str, Any],
    origin: Mapping[str, str],
) -> ComparedBuild:
    """Claims, and on the platform of the reference also the bytes of every file, against what `reference` keeps.

    Nothing is compared where it keeps nothing, or the numbers of another config.
    """
    if not (reference / "numbers.json").exists():
        return ComparedBuild(f"{reference} is empty: nothing to compare the numbers with", {})
    kept = json.loads((reference / "provenance.json").read_text(encoding="utf-8"))
    if kept["config"] != as_from_json(config):
        return ComparedBuild(f"{reference} holds another config: its numbers were not compared", {})
    here, there = platform_of(origin), platform_of(kept["origin"])
    other = [f"{name} {here.get(name)}, there {there.get(name)}" for name in there if here.get(name) != there[name]]
    expected = json.loads((reference / "numbers.json").read_text(encoding="utf-8"))
    found = {f"claim {name}": words for name, words in deviations_of(expected, rows, not other).items()}
    if other:
        return ComparedBuild(f"{reference} is of another platform ({'; '.join(other)}): numbers within limits", found)
    hashes = reference / "sha256.txt"
    if not hashes.exists():
        return ComparedBuild(
            f"{reference} is of this platform, and has no hashes (`make reference`): equal numbers expected", found
        )
    for line in hashes.read_text(encoding="utf-8").splitlines():
        expected_hash, name = line.split("  ", 1)
        path = folder / name
        if not path.exists():
            found[name] = "was not built"
        elif sha256(path) != expected_hash:
            found[name] = "other bytes"
    return ComparedBuild(f"{reference} is of this platform: equal numbers and bytes expected", found)


def as_from_json(config: Mapping[str, Any]) -> dict[str, Any]:
    """A config as JSON gives it back."""
    return json.loads(json.dumps(config))


def surprises(rows: Sequence[Mapping[str, Any]]) -> dict[str, str]:
    """Claims with another verdict than the ledger expects, with what was measured and how far off it is."""
    return {
        row["id"]: f"{row['verdict']}, expected {row['expected']}: measured {show(row['measured'])}, "
        + (f"published {show(row['published'])}" if row["threshold"] is None else f"threshold {show(row['threshold'])}")
        + (f", {row['difference']:.3g} apart" if row["difference"] is not None else "")
        for row in rows
        if not row["as_expected"]
    }


def on_one_training(rows: Sequence[Mapping[str, Any]]) -> list[str]:
    """Claims with another verdict than expected, on a network without retrainings: these are no failure."""
    return [row["id"] for row in rows if row["one_training"] and row["turned"]]


def _deviation(expected: Mapping[str, Any], row: Mapping[str, Any], same_platform: bool) -> str | None:
    if row["one_training"] and not same_platform:
        return None  # another processor trains another network
    if row["verdict"] != expected["verdict"] and (
        same_platform or not {row["verdict"], expected["verdict"]} <= BY_THE_DRAW
    ):
        return f"verdict {row['verdict']}, expected {expected['verdict']}; " + (
            difference_in_words(expected["measured"], row["measured"]) or "equal numbers"
        )
    apart = difference_in_words(expected["measured"], row["measured"])
    if apart is None or same_platform:
        return apart
    limits, numbers = expected["limits"], _numbers(row["measured"])
    if limits is None:
        return apart if expected["limits_from"] == "equality" else None
    if len(numbers) != len(limits):
        return f"{len(numbers)} numbers, expected {len(limits)}"
    outside = [max(low - x, x - high) for x, (low, high) in zip(numbers, limits, strict=True)]
    if max(outside) <= 0:
        return None
    return f"{apart}; {max(outside):.3g} outside {show_interval(limits)} ({expected['limits_from']})"


def _numbers(measured: Any) -> list[float]:
    """The numbers of a measured value in order, one of a population; none if anything among them is no number."""
    if isinstance(measured, Mapping):
        if not measured.get("of"):
            return []
        measured = measured["value"] if "value" in measured else measured["holds"] / measured["of"]
    if isinstance(measured, list):
        parts = [_numbers(part) for part in measured]
        return sum(parts, []) if all(parts) else []
    flat = [measured]
    return flat if all(isinstance(number, int | float) for number in flat) else []
