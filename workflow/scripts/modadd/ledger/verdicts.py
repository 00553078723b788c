"""Verdicts: what the notebooks measured, compared with what the papers printed."""

from collections.abc import Collection, Mapping
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
import pandas as pd

from modadd.core.wording import unknown
from modadd.ledger.entries import BEYOND, THRESHOLD_CHECKS, printed
from modadd.ledger.record import plain
from modadd.ledger.retrainings import NEEDED, comparable, numbers, share_of, spread_of

REPRODUCED, HOLDS, DIFFERS, NOT_JUDGED = "reproduced", "holds", "differs", "not judged"


@dataclass(frozen=True)
class Verdict:
    """One line of the verdict table.

    `difference` is the largest distance from the published value, or from the threshold; `spread` the smallest and the
    largest value over this network and its retrainings from initial weights changed in their last bit, of each number;
    `trainings` for how many of them the check holds, of how many, with the interval of the share: where it is there, at
    least NEEDED of them must agree.
    """

    id: str
    paper: str
    place: str
    statement: str
    notebook: str
    value: str
    check: str
    criterion: str
    published: Any
    threshold: float | int | None
    tolerance: float | int | None
    tolerance_source: str | None
    external: str | None
    measured: Any
    spread: list[list[float]] | None
    trainings: dict[str, int | float] | None
    difference: float | None
    verdict: str
    expected: str
    as_expected: bool
    scales: list[str]
    note: str


def judge(
    claim: Mapping[str, Any],
    recorded: Mapping[str, Any],
    scale: str,
    retrained: pd.DataFrame | None = None,
    external: Collection[str] = (),
) -> Verdict:
    """Compare one claim with the values its notebook recorded.

    `retrained` holds the rows of the same network trained from initial weights changed in their last bit. Not judged,
    with the reason: about published weights that are not among the `external` ones, at a scale the claim does not name,
    on a network short of the accuracy the claim needs, or on one trained by another recipe than the published one. A value
    that was not recorded differs at every scale, and never as expected.
    """
    values, difference, spread, trainings = recorded["values"], None, None, None
    network = recorded["others"][claim["network"]] if "network" in claim else recorded["network"]
    measured = values.get(claim["value"])
    absent = claim.get("external") not in (None, *external)
    if absent:
        verdict, note = NOT_JUDGED, f"needs published weights: external_networks.{claim['external']} in the config"
    elif claim["value"] not in values:
        verdict, note = DIFFERS, unknown("value", "name", claim["value"], values)
    elif obstacle := _obstacle(claim, network, scale):
        verdict, note = NOT_JUDGED, obstacle
    else:
        others = comparable(retrained, claim, network)
        spread = spread_of(claim, measured, others)
        agrees, difference = _compare(claim, measured, spread)
        found = share_of(claim, measured, others, lambda value: _compare(claim, plain(value), None)[0])
        if found is not None:
            trainings, agrees = asdict(found), found.share >= NEEDED
        verdict = DIFFERS if not agrees else HOLDS if claim["expected"] == BEYOND else REPRODUCED
        note = "" if agrees else claim.get("explanation", _distance_in_words(claim, measured))
    expected = HOLDS if claim["expected"] == BEYOND else claim["expected"]
    copied = ("id", "paper", "place", "statement", "notebook", "value", "check")
    optional = ("published", "threshold", "tolerance", "tolerance_source", "external")
    return Verdict(
        **{key: claim[key] for key in copied},
        **{key: claim.get(key) for key in optional},
        criterion=_criterion(claim) + (f", in {NEEDED} of the trainings" if trainings else ""),
        measured=measured,
        spread=spread,
        trainings=trainings,
        difference=difference,
        verdict=verdict,
        expected=expected,
        scales=claim["scales"],
        as_expected=absent or (claim["value"] in values and verdict in (NOT_JUDGED, expected)),
        note=note,
    )


def as_rows(verdicts: list[Verdict]) -> list[dict[str, Any]]:
    """The verdicts as plain data, for tables."""
    return [asdict(verdict) for verdict in verdicts]


def show(value: Any) -> str:
    """A published or measured value for reading: five significant digits, lists in order, an en dash for nothing."""
    if isinstance(value, Mapping) and {"holds", "of", "low", "high"} <= set(value):  # a share of networks
        return f"{value['holds']} of {value['of']} (95 %: {value['low']:.3g}–{value['high']:.3g})"
    if isinstance(value, list):
        return ", ".join(show(item) for item in value)
    if value is None:
        return "–"
    return f"{value:.5g}".replace("-", "−") if isinstance(value, float) else str(value).replace("-", "−")


def show_spread(spread: list[list[float]] | None) -> str:
    """Smallest and largest value of each number: 0.13–0.17."""
    return ", ".join("–".join(map(show, pair)) for pair in spread) if spread else "–"


def _obstacle(claim: Mapping[str, Any], network: Mapping[str, Any], scale: str) -> str | None:
    """Why the claim cannot be judged here, or None; published weights are as they are."""
    if scale not in claim["scales"]:
        return f"at scale '{scale}'; judged at {', '.join(claim['scales'])}"
    if "external" in claim:
        return None
    if network["accuracy"] < claim["needs_accuracy"]:
        return f"accuracy {network['accuracy']:.6g} after {network['steps']} steps, {claim['needs_accuracy']:g} needed"
    deviations = dict(network["deviations"])
    if network["steps"] >= claim.get("from_steps", float("inf")):
        deviations.pop("steps", None)
    if deviations:
        return f"trained with {'; '.join(deviations.values())}"
    return None


def _target(claim: Mapping[str, Any]) -> Any:
    """What the measured value is compared with: this project's threshold, or else the published value."""
    return claim["threshold"] if "threshold" in claim else claim["published"]


def _criterion(claim: Mapping[str, Any]) -> str:
    """The check in words, with the number that decides: 'within ±0.01', 'at least 10'."""
    words = claim["check"].replace("_", " ")
    if claim["check"] == "share_of_seeds":
        return f"at least {show(_target(claim))} of the seeds"
    if claim["check"] == "within_spread":
        return "within the spread of retrainings, give or take half a unit of the last printed digit"
    if claim["check"] in THRESHOLD_CHECKS:
        return f"{words} {show(_target(claim))}"
    return f"{words} ±{claim['tolerance']:g}" if claim["check"] == "within" else words


def _distance_in_words(claim: Mapping[str, Any], measured: Any) -> str:
    """The two values that disagree."""
    return f"{'threshold' if 'threshold' in claim else 'published'} {show(_target(claim))}, measured {show(measured)}"


def _compare(claim: Mapping[str, Any], measured: Any, spread: list[list[float]] | None) -> tuple[bool, float | None]:
    """Whether the measured value satisfies the claim's check, and the largest distance from what it is compared with.

    A list of another length than the published one, or with anything that is not a number, does not.
    """
    if claim["check"] == "share_of_seeds":
        if not isinstance(measured, Mapping) or not measured.get("of"):
            return False, None
        distance = measured["holds"] / measured["of"] - _target(claim)
        return distance >= 0, abs(distance)
    check, digits, found = claim["check"], printed(_target(claim)), numbers(measured)
    published = np.array([float(d) for d in digits])
    if check == "set_equals":
        return isinstance(measured, list) and set(found.tolist()) == set(published.tolist()), None
    if found.size == 0 or published.size not in (1, found.size) or not np.isfinite(found).all():
        return False, None
    distance = np.abs(found - published)
    tolerance = np.array([0.5 * 10.0 ** d.as_tuple().exponent for d in digits])
    low, high = np.transpose(spread) if spread is not None else (np.nan, np.nan)  # nothing lies within no spread
    agrees = {
        "within": lambda: distance <= claim["tolerance"],
        "within_spread": lambda: (published >= low - tolerance) & (published <= high + tolerance),
        "equal_to_printed_digits": lambda: distance <= tolerance,
        "at_least": lambda: found >= published,
        "at_most": lambda: found <= published,
    }[check]()
    return bool(np.all(agrees)), float(distance.max())
