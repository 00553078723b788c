"""The ledger of claims: reading it, comparing what notebooks measured with what the papers printed, verdicts."""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from decimal import Decimal, InvalidOperation
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
        _require_comparable(claim, where)
        if claim["expected"] == "differs" and "explanation" not in claim:
            raise ValueError(f"{where}: explanation is missing; a claim expected to differ says why")
    return ledger


def _require_comparable(claim: Mapping[str, Any], where: str) -> None:
    """Raise ValueError for a published value that the claim's check cannot use."""
    published = claim["published"]
    if claim["check"] == "set_equals" and not isinstance(published, list):
        raise ValueError(f"{where}.published: check 'set_equals' expects a list, got {published!r}")
    try:
        _printed(published)
    except InvalidOperation:
        raise ValueError(f"{where}.published: expected a number or a list of numbers, got {published!r}") from None


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
    values, difference = recorded["values"], None
    measured = values.get(claim["value"])
    if obstacle := _obstacle(claim, recorded["network"], scale):
        verdict, note = NOT_JUDGED, obstacle
    elif claim["value"] not in values:
        verdict, note = DIFFERS, unknown("value", "name", claim["value"], values)
    else:
        agrees, difference = _compare(claim, measured)
        verdict = REPRODUCED if agrees else DIFFERS
        note = "" if agrees else claim.get("explanation", "")
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


def _obstacle(claim: Mapping[str, Any], network: Mapping[str, Any], scale: str) -> str | None:
    """Why the claim cannot be judged here, or None."""
    if scale not in claim["scales"]:
        return f"at scale '{scale}'; judged at {', '.join(claim['scales'])}"
    if network["deviations"]:
        return f"trained with {'; '.join(network['deviations'])}"
    if network["accuracy"] < claim["needs_accuracy"]:
        return f"accuracy {network['accuracy']:.6g} after {network['steps']} steps, {claim['needs_accuracy']:g} needed"
    return None


def _compare(claim: Mapping[str, Any], measured: Any) -> tuple[bool, float | None]:
    """Whether the measured value satisfies the claim's check, and the largest |measured − published|.

    A list of another length than the published one, or with anything that is not a number, does not.
    """
    check = claim["check"]
    if check == "set_equals":
        return set(measured) == set(claim["published"]), None
    digits = _printed(claim["published"])
    published, found = np.array([float(d) for d in digits]), np.atleast_1d(np.asarray(measured, dtype=float))
    if found.size == 0 or published.size not in (1, found.size) or not np.isfinite(found).all():
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


def _printed(published: Any) -> list[Decimal]:
    """Published numbers with the digits that the ledger spells."""
    return [Decimal(str(number)) for number in (published if isinstance(published, list) else [published])]


def _plain(value: Any) -> Any:
    """Arrays and NumPy numbers as plain Python, for JSON; None for what is not a finite number."""
    if isinstance(value, Mapping):
        return {str(key): _plain(item) for key, item in value.items()}
    if isinstance(value, np.ndarray | pd.Series | list | tuple):
        return [_plain(item) for item in value]
    value = value.item() if isinstance(value, np.generic) else value
    return None if isinstance(value, float) and not np.isfinite(value) else value
