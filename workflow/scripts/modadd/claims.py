"""The ledger of claims: reading it, comparing what notebooks measured with what the papers printed, verdicts."""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from decimal import Decimal, InvalidOperation
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from jaxtyping import Float

from modadd.networks import Network, write_whole
from modadd.recipes import RECIPES
from modadd.settings import read_yaml, require_valid
from modadd.suggestions import unknown

REPRODUCED, DIFFERS, NOT_JUDGED = "reproduced", "differs", "not judged"
THRESHOLD_CHECKS = ("at_least", "at_most")  # may compare with a threshold of this project instead of a printed number


@dataclass(frozen=True)
class Verdict:
    """One line of the verdict table; `difference` is the largest distance from the published value, or from the threshold."""

    id: str
    paper: str
    place: str
    statement: str
    notebook: str
    check: str
    criterion: str
    published: Any
    threshold: float | int | None
    tolerance: float | int | None
    tolerance_source: str | None
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
        if claim["paper"] not in ledger["papers"]:
            raise ValueError(unknown(f"{where}.paper", "paper", claim["paper"], ledger["papers"]))
        _require_comparable(claim, where)
        if claim["expected"] == "differs" and "explanation" not in claim:
            raise ValueError(f"{where}: explanation is missing; a claim expected to differ says why")
    return ledger


def _require_comparable(claim: Mapping[str, Any], where: str) -> None:
    """Raise ValueError for a claim without what its check compares with, or with what it cannot use."""
    check, published = claim["check"], claim.get("published")
    if "threshold" in claim and check not in THRESHOLD_CHECKS:
        raise ValueError(f"{where}.threshold: only for check {' or '.join(THRESHOLD_CHECKS)}, got check '{check}'")
    if "published" not in claim and "threshold" not in claim:
        hint = f"; where the paper prints no number, expected 'threshold' with check {' or '.join(THRESHOLD_CHECKS)}"
        raise ValueError(f"{where}: key 'published' is missing{hint}")
    if check == "within" and "tolerance" not in claim:
        raise ValueError(f"{where}: tolerance is missing; check 'within' expects a number")
    if check == "within" and "tolerance_source" not in claim:
        raise ValueError(f"{where}: tolerance_source is missing; check 'within' expects where its tolerance comes from")
    if check == "set_equals" and not isinstance(published, list):
        raise ValueError(f"{where}.published: check 'set_equals' expects a list, got {published!r}")
    try:
        finite = "published" not in claim or all(number.is_finite() for number in _printed(published))
    except InvalidOperation:
        finite = False
    if not finite:
        raise ValueError(f"{where}.published: expected a number or a list of numbers, got {published!r}")


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
            if key != "source" and used[key] != published[key]
        ],
    }
    content = json.dumps({"network": standing, "values": _plain(values)}, indent=2, sort_keys=True, allow_nan=False)
    write_whole(Path(path), content.encode() + b"\n")


def judge(claim: Mapping[str, Any], recorded: Mapping[str, Any], scale: str) -> Verdict:
    """Compare one claim with the values its notebook recorded.

    Not judged, with the reason: at a scale the claim does not name, on a network short of the accuracy the claim needs,
    or on one trained by another recipe than the published one. A value that was not recorded differs at every scale, and
    never as expected.
    """
    values, difference = recorded["values"], None
    measured = values.get(claim["value"])
    if claim["value"] not in values:
        verdict, note = DIFFERS, unknown("value", "name", claim["value"], values)
    elif obstacle := _obstacle(claim, recorded["network"], scale):
        verdict, note = NOT_JUDGED, obstacle
    else:
        agrees, difference = _compare(claim, measured)
        verdict = REPRODUCED if agrees else DIFFERS
        note = "" if agrees else claim.get("explanation", _distance_in_words(claim, measured))
    return Verdict(
        id=claim["id"],
        paper=claim["paper"],
        place=claim["place"],
        statement=claim["statement"],
        notebook=claim["notebook"],
        check=claim["check"],
        criterion=_criterion(claim),
        published=claim.get("published"),
        threshold=claim.get("threshold"),
        tolerance=claim.get("tolerance"),
        tolerance_source=claim.get("tolerance_source"),
        measured=measured,
        difference=difference,
        verdict=verdict,
        expected=claim["expected"],
        as_expected=claim["value"] in values and verdict in (NOT_JUDGED, claim["expected"]),
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
    if network["accuracy"] < claim["needs_accuracy"]:
        return f"accuracy {network['accuracy']:.6g} after {network['steps']} steps, {claim['needs_accuracy']:g} needed"
    if network["deviations"]:
        return f"trained with {'; '.join(network['deviations'])}"
    return None


def _target(claim: Mapping[str, Any]) -> Any:
    """What the measured value is compared with: this project's threshold, or else the published value."""
    return claim["threshold"] if "threshold" in claim else claim["published"]


def _criterion(claim: Mapping[str, Any]) -> str:
    """The check in words, with the number that decides: 'within ±0.01', 'at least 10'."""
    words = claim["check"].replace("_", " ")
    if claim["check"] in THRESHOLD_CHECKS:
        return f"{words} {show(_target(claim))}"
    return f"{words} ±{claim['tolerance']:g}" if claim["check"] == "within" else words


def _distance_in_words(claim: Mapping[str, Any], measured: Any) -> str:
    """The two values that disagree."""
    return f"{'threshold' if 'threshold' in claim else 'published'} {show(_target(claim))}, measured {show(measured)}"


def _compare(claim: Mapping[str, Any], measured: Any) -> tuple[bool, float | None]:
    """Whether the measured value satisfies the claim's check, and the largest distance from what it is compared with.

    A list of another length than the published one, or with anything that is not a number, does not.
    """
    check, digits, found = claim["check"], _printed(_target(claim)), _numbers(measured)
    published = np.array([float(d) for d in digits])
    if check == "set_equals":
        return isinstance(measured, list) and set(found.tolist()) == set(published.tolist()), None
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


def _numbers(measured: Any) -> Float[np.ndarray, "m"]:
    """The measured numbers in order; none if anything among them is not a number."""
    try:
        found = np.asarray(measured).ravel()
    except ValueError:  # lists of unequal length
        return np.empty(0)
    return found.astype(float) if found.dtype.kind in "biuf" else np.empty(0)


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
