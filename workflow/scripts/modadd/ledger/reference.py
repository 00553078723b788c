"""The numbers and verdicts that this project expects, and what a build has that differs.

On the platform of the reference everything is expected to be equal. On another, networks are others in their last bits, so
a number is another draw; there each claim is expected to have the same verdict, which its own check decides.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from modadd.ledger.differences import difference_in_words, sha256
from modadd.ledger.words import show
from modadd.run.project import platform_of


def expected_numbers(rows: Sequence[Mapping[str, Any]]) -> dict[str, dict[str, Any]]:
    """By claim, from rows of figures/claims.json: measured number and verdict."""
    return {row["id"]: {key: row[key] for key in ("measured", "verdict")} for row in rows}


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


def _deviation(expected: Mapping[str, Any], row: Mapping[str, Any], same_platform: bool) -> str | None:
    """What differs, in words; on another platform a verdict, if it rests on more than one training."""
    apart = difference_in_words(expected["measured"], row["measured"])
    alike = row["verdict"] == expected["verdict"] or (row["one_training"] and not same_platform)
    if not alike:
        return f"verdict {row['verdict']}, expected {expected['verdict']}; {apart or 'equal numbers'}"
    return apart if same_platform else None


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
        return ComparedBuild(f"{reference} is of another platform ({'; '.join(other)}): equal verdicts expected", found)
    hashes = reference / "sha256.txt"  # a clone has none
    lines = hashes.read_text(encoding="utf-8").splitlines() if hashes.exists() else []
    for line in lines:
        expected_hash, name = line.split("  ", 1)
        path = folder / name
        if not path.exists():
            found[name] = "was not built"
        elif sha256(path) != expected_hash:
            found[name] = "other bytes"
    return ComparedBuild(f"{reference} is of this platform: equal numbers{' and bytes' * bool(lines)} expected", found)


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
