"""The ledger of claims: reading it, comparing what notebooks measured with what the papers printed, verdicts."""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from decimal import Decimal
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from modadd.networks import Network, write_whole
from modadd.recipes import RECIPES
from modadd.settings import read_yaml, require_valid
from modadd.suggestions import unknown

REPRODUCED, DIFFERS, NOT_JUDGED = "reproduced", "differs", "not judged"


@dataclass(frozen=True)
class Verdict:
    """One line of the verdict table; `difference` is the largest |measured − published|, in the unit of the value."""

    id: str
    paper: str
    place: str
    statement: str
    notebook: str
    check: str
    published: Any
    tolerance: float | None
    measured: Any
    difference: float | None
    verdict: str
    expected: str
    as_expected: bool
    note: str


def read_ledger(path: Path | str, schema: Path | str) -> dict[str, Any]:
    """The ledger as plain data; raises ValueError in one line that names the entry, what was expected and the nearest name."""
    ledger = read_yaml(path)
    require_valid(ledger, schema, str(path))
    seen: set[str] = set()
    for claim in ledger["claims"]:
        where = f"{path}: claim '{claim['id']}'"
        if claim["id"] in seen:
            raise ValueError(f"{where} stands twice; expected each id once")
        seen.add(claim["id"])
        if claim["notebook"] not in ledger["notebooks"]:
            raise ValueError(unknown(f"{where}.notebook", "notebook", claim["notebook"], ledger["notebooks"]))
        if claim["check"] == "within" and "tolerance" not in claim:
            raise ValueError(f"{where}: tolerance is missing; check 'within' expects a number")
        if claim["expected"] == "differs" and "explanation" not in claim:
            raise ValueError(f"{where}: explanation is missing; a claim expected to differ says why")
    return ledger


def record(path: Path | str, network: Network, values: Mapping[str, Any]) -> None:
    """Write what a notebook measured as values.json, with the standing of the network that it was measured on."""
    published = RECIPES[network.recipe.architecture].as_dict()
    used = network.recipe.as_dict()
    standing = {
        "accuracy": network.results["accuracy"],
        "steps": network.recipe.steps,
        "deviations": [
            f"{key} {used[key]} (published {published[key]})"
            for key in published
            if key not in ("steps", "source") and used[key] != published[key]
        ],
    }
    content = json.dumps({"network": standing, "values": _plain(values)}, indent=2, sort_keys=True, allow_nan=False)
    write_whole(Path(path), content.encode() + b"\n")


def judge(claim: Mapping[str, Any], recorded: Mapping[str, Any], scale: str) -> Verdict:
    """Compare one claim with the values its notebook recorded.

    Not judged, with the reason: at a scale the claim does not name, on a network short of the accuracy the claim needs,
    or on one trained by another recipe than the published one.
    """
    measured = recorded["values"].get(claim["value"])
    verdict, note = _standing(claim, recorded["network"], scale), ""
    difference = None
    if verdict is None and measured is None:
        verdict, note = DIFFERS, unknown("value", "name", claim["value"], recorded["values"])
    if verdict is None:
        agrees, difference = _compare(claim, measured)
        verdict = REPRODUCED if agrees else DIFFERS
    elif verdict is not DIFFERS:
        verdict, note = NOT_JUDGED, verdict
    if verdict == DIFFERS and not note:
        note = claim.get("explanation", "")
    return Verdict(
        id=claim["id"],
        paper=claim["paper"],
        place=claim["place"],
        statement=claim["statement"],
        notebook=claim["notebook"],
        check=claim["check"],
        published=claim["published"],
        tolerance=claim.get("tolerance"),
        measured=measured,
        difference=difference,
        verdict=verdict,
        expected=claim["expected"],
        as_expected=verdict in (NOT_JUDGED, claim["expected"]),
        note=note,
    )


def as_rows(verdicts: list[Verdict]) -> list[dict[str, Any]]:
    """The verdicts as plain data, for tables."""
    return [asdict(verdict) for verdict in verdicts]


def show(value: Any) -> str:
    """A published or measured value for reading: five significant digits, lists in order, an en dash for nothing."""
    if isinstance(value, list):
        return ", ".join(show(item) for item in value)
    if value is None:
        return "–"
    return f"{value:.5g}".replace("-", "−") if isinstance(value, float) else str(value).replace("-", "−")


def _standing(claim: Mapping[str, Any], network: Mapping[str, Any], scale: str) -> str | None:
    """Why the claim cannot be judged here, or None."""
    if scale not in claim["scales"]:
        return f"at scale '{scale}'; judged at {', '.join(claim['scales'])}"
    if network["deviations"]:
        return f"trained with {'; '.join(network['deviations'])}"
    if network["accuracy"] < claim["needs_accuracy"]:
        return f"accuracy {network['accuracy']:.3g} after {network['steps']} steps, {claim['needs_accuracy']:g} needed"
    return None


def _compare(claim: Mapping[str, Any], measured: Any) -> tuple[bool, float | None]:
    """Whether the measured value satisfies the claim's check, and the largest |measured − published|."""
    check = claim["check"]
    if check == "set_equals":
        return set(measured) == set(claim["published"]), None
    digits = [Decimal(str(p)) for p in np.atleast_1d(claim["published"])]
    published, found = np.array([float(d) for d in digits]), np.atleast_1d(np.asarray(measured, dtype=float))
    if published.size not in (1, found.size):
        return False, None
    distance = np.abs(found - published)
    tolerance = np.array([0.5 * 10.0 ** d.as_tuple().exponent for d in digits])
    agrees = {
        "within": lambda: distance <= claim["tolerance"],
        "equal_to_printed_digits": lambda: distance <= tolerance,
        "at_least": lambda: found >= published,
        "at_most": lambda: found <= published,
    }[check]()
    return bool(np.all(agrees)), float(distance.max())


def _plain(value: Any) -> Any:
    """Arrays and NumPy numbers as plain Python, for JSON; None for what is not a finite number."""
    if isinstance(value, Mapping):
        return {str(key): _plain(item) for key, item in value.items()}
    if isinstance(value, np.ndarray | pd.Series | list | tuple):
        return [_plain(item) for item in value]
    value = value.item() if isinstance(value, np.generic) else value
    return None if isinstance(value, float) and not np.isfinite(value) else value
