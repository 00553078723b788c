"""Verdicts: what the notebooks measured, compared with what the papers printed."""

from collections.abc import Collection, Mapping
from dataclasses import asdict, dataclass, replace
from functools import partial
from typing import Any

import numpy as np
import pandas as pd
from jaxtyping import Float

from modadd.core.statistics import Share
from modadd.core.wording import unknown
from modadd.ledger import claims
from modadd.ledger.checks import COVERAGE, OUTSIDE, Outcome, compare, interval_of, one_of_them, passes, rounds_to_print
from modadd.ledger.claims import ONE_TRAINING, THRESHOLD_CHECKS
from modadd.ledger.networks import OverSeeds, judged_networks, over_seeds, without_number
from modadd.ledger.retrainings import (
    NEEDED,
    is_measured,
    judgeable_retrainings,
    numbers_of_retrainings,
    share_that_holds,
    values_of_retrainings,
)
from modadd.ledger.words import filled, show
from modadd.run.coq import ABSENT

# A printed number is that of the network shown to its last digit, or lies where further trainings or networks would,
# or, without any spread, within a tolerance of ours.
ROUNDS, WITHIN_SPREAD, WITHIN_TOLERANCE = "number rounds to print", "number within spread", "number within tolerance"
HOLDS, CHECKED, OURS_HOLDS = "statement holds", "checked", "ours holds"
# The paper's words leave open which network they mean: those of the network shown, and too few of the other seeds.
HOLDS_NOT_FOR_NEARLY_ALL = "holds for the network shown, not for nearly all"
HOLDS_NOT_FOR_MOST = "holds for the network shown, not for most"
STATEMENTS = (HOLDS, HOLDS_NOT_FOR_NEARLY_ALL, HOLDS_NOT_FOR_MOST)
AGREEING = (ROUNDS, WITHIN_SPREAD, WITHIN_TOLERANCE, *STATEMENTS, CHECKED, OURS_HOLDS)
OURS_FAILS, SLIP, INCONSISTENT, NOT_REPRODUCED = DIFFERING = (
    "ours does not hold",
    "differs: slip of the paper",
    "differs: the paper contradicts itself",
    "differs: not reproduced",
)
NOT_JUDGED = "not judged"
CONFIGS = {"smoke": "config/smoke.yaml", "laptop": "config/config.yaml", "paper": "config/paper.yaml"}  # by scale
VERDICTS = (*AGREEING, *DIFFERING, NOT_JUDGED)
ON_ONE_TRAINING = "One training only: {}"
_SHARES, _AT_LEAST = {1: "in all networks", 0.5: "in at least half of the networks"}, "in at least {} of the networks"
_LIMITS = {claims.MOST: 0.5, claims.NEARLY_ALL: 0.9}  # of the share of all networks
LEFT_OUT = 0.1  # of the networks: if more have no number, and the claim does not say why, their share tells nothing


@dataclass(frozen=True)
class Verdict:
    """One line of the verdict table: the claim as the ledger has it, and what was found.

    `difference`, `interval`, `rank` and `detectable` are those of `checks.Outcome`; `trainings` says for how many of
    the network and its retrainings the check holds, of how many, with the interval of the share: where it is there, at
    least NEEDED of them must agree, and the network shown must agree or lie where its retrainings do. `here` says whether it
    holds for the network shown, `seeds` for how many of all networks of the recipe. `networks` is how
    many networks the value rests on here, `networks_in_paper` in the paper. `one_training` says that the value is that of
    one trained network, and recorded for no retraining. `as_expected`: the claim agrees or differs as the ledger says, or
    is not judged. `rows` says over how many networks, trained here and kept, a number was counted (of `judge_here`).
    `measured_once` says that the value is a kept one of published weights, which this build did not measure.
    """

    id: str
    kind: str
    paper: str
    place: str
    statement: str
    notebook: str
    value: str
    of: str
    check: str
    criterion: str
    published: Any
    threshold: float | int | None
    threshold_set: str | None
    threshold_reason: str | None
    tolerance: float | int | list[float] | None
    tolerance_source: str | None
    external: str | None
    measured: Any
    interval: list[list[float]] | None
    rank: list[int] | None
    detectable: list[float] | None
    here: bool | None
    trainings: dict[str, int | float] | None
    seeds: dict[str, int | float] | None
    one_training: bool
    networks: int | None
    networks_in_paper: int | None
    difference: float | None
    verdict: str
    expected: str
    as_expected: bool
    scales: list[str]
    note: str
    tried: str | None
    open: str | None
    measured_once: bool = False
    rows: dict[str, int] | None = None


def judge(
    claim: Mapping[str, Any],
    recorded: Mapping[str, Any],
    scale: str,
    retrained: pd.DataFrame | None = None,
    external: Collection[str] = (),
    kept: Mapping[str, Any] | None = None,
    seeds: Mapping[str, pd.DataFrame] | None = None,
    unjudgeable: str = "",
) -> Verdict:
    """Compare one claim with the values its notebook recorded.

    `retrained` holds the rows of the same network trained from initial weights changed in their last bit, `seeds` those of
    further networks of the recipe, by population, `kept` the values of published weights that were measured once, used
    where these weights are not among the `external` ones, `unjudgeable` why the networks behind the value are none that
    the claim is about. Not judged, with the reason: about published weights that nobody
    measured, at a scale the claim does not name, on a network short of the accuracy the claim needs, or trained by another
    recipe than the published one, or on too few networks to tell. A value that was not recorded differs at every scale, and
    never as expected.
    """
    values, outcome, trainings, others, like = recorded["values"], Outcome(False), None, None, None
    everywhere, here = None, None
    network = recorded["others"][claim["network"]] if "network" in claim else recorded["network"]
    absent = claim.get("external") not in (None, *external)
    if absent and kept:
        values = {**values, **kept}
    measured, recorded_here = values.get(claim["value"]), claim["value"] in values
    if absent and claim["value"] not in (kept or {}):
        outcome = Outcome(None, note=f"needs published weights: datasets.{claim['external']} in the config")
    elif not recorded_here and claim["of"] not in _LIMITS:
        outcome = replace(outcome, note=unknown("value", "name", claim["value"], values))
    elif claim.get("needs") and measured is None:
        outcome = Outcome(None, note=ABSENT)
    elif obstacle := _obstacle(claim, network, scale) or unjudgeable:
        outcome = Outcome(None, note=obstacle)
    elif claim["of"] not in _LIMITS and not is_measured(measured, claim["check"]):
        outcome = Outcome(None, note="the network shown has no such number")
    else:
        like = judgeable_retrainings(retrained, claim, network)
        others = numbers_of_retrainings(claim, measured, network, like)
        outcome = compare(claim, measured, others) if recorded_here else Outcome(None)
        # What the network shown does not have says nothing of it.
        here = outcome.agrees if is_measured(measured, claim["check"]) else None
        found = share_that_holds(claim, measured, like, partial(passes, claim))
        judged = {name: judged_networks(claim, rows) for name, rows in (seeds or {}).items()}
        without = sum(without_number(claim, rows) for rows in (seeds or {}).values())
        everywhere = over_seeds(judged.values(), without)
        trainings = None if found is None else asdict(found) | {"here": _trained_here(claim, like)}
        if claim["of"] in _LIMITS:
            apart = {name: over_seeds([networks]) for name, networks in judged.items()}
            outcome = too_many_left_out(claim, everywhere) or _over_all(everywhere, apart, _LIMITS[claim["of"]])
        elif found is not None:
            outcome = _among_retrainings(outcome, found, measured, others, claim.get("fraction", False))
    agrees, wanted = outcome.agrees, claim["expected"] == claims.AGREES
    one_training = claim["rests_on"] == ONE_TRAINING and like is None and agrees is not None
    told = absent or recorded_here or claim["of"] in _LIMITS
    alone = ON_ONE_TRAINING.format(claim.get("one_because", "no row has its value.")) if one_training else ""
    texts = _texts(claim, values) if outcome.agrees is False and (recorded_here or claim["of"] in _LIMITS) else {}
    copied = ("id", "kind", "paper", "place", "statement", "notebook", "value", "of", "check", "scales")
    optional = ("published", "threshold", "threshold_set", "threshold_reason", "tolerance", "tolerance_source")
    optional += ("external", "networks_in_paper")
    return Verdict(
        **{key: claim[key] for key in copied},
        **{key: claim.get(key) for key in optional},
        criterion=_criterion(claim) + _among(claim, trainings),
        measured=measured,
        measured_once=absent and claim["value"] in (kept or {}),
        interval=outcome.interval or interval_of(others, claim.get("fraction", False)),
        rank=outcome.rank,
        detectable=outcome.detectable,
        here=here,
        trainings=trainings,
        seeds=None if everywhere is None else asdict(everywhere),
        one_training=one_training,
        networks=_networks(measured, None if others is None else len(others)) if everywhere is None else everywhere.of,
        difference=outcome.difference,
        verdict=_verdict(claim, agrees, measured, everywhere),
        expected=_expected(claim),
        as_expected=agrees in (None, wanted) and told,
        note=" ".join(filter(None, (alone, texts.get("explanation"), outcome.note))),
        tried=texts.get("tried"),
        open=texts.get("open"),
    )


def _trained_here(claim: Mapping[str, Any], like: pd.DataFrame) -> int:
    """How many of the network and its retrainings were trained here; where no row tells, the network alone."""
    told = like[like.trained == "here"] if "trained" in like else like[:0]
    return 1 + len(values_of_retrainings(claim, told))


def _among_retrainings(
    outcome: Outcome,
    found: Share,
    measured: Any,
    retrained: Float[np.ndarray, "retrainings m"] | None,
    fraction: bool,
) -> Outcome:
    """Whether a yes or no about one network comes out in NEEDED of its trainings, and the network shown is no stray."""
    stray = not outcome.agrees and not one_of_them(measured, retrained, fraction)
    often, note = found.share >= NEEDED, OUTSIDE if stray else outcome.note
    return replace(outcome, agrees=often and not stray, note=note)


def too_many_left_out(claim: Mapping[str, Any], found: OverSeeds | None) -> Outcome | None:
    """No outcome where more than LEFT_OUT of all networks have no number; None where fewer, or the claim says why."""
    if found is None or "few_have_it" in claim or found.without <= LEFT_OUT * (found.of + found.without):
        return None
    return Outcome(None, note=f"{found.without:,} of {found.of + found.without:,} networks have no such number")


def _over_all(found: OverSeeds | None, apart: Mapping[str, OverSeeds | None], limit: float) -> Outcome:
    """Whether the share of all networks for which a claim holds lies above the limit, as far as its interval tells.

    It differs, too, if the share of one population lies below the limit: how many networks of each were trained is no
    matter of the claim.
    """
    if found is None:
        return Outcome(None, note="no row of another seed has this number")
    outcome = compare({"check": "share_of_networks", "threshold": limit}, asdict(found), None)
    below = [f"{one.holds} of {one.of} in {name}" for name, one in apart.items() if one and one.high < limit]
    if len(apart) < 2 or not below:
        return outcome
    return replace(outcome, agrees=False, note=f"By population the share is too low: {', '.join(below)}.")


def _among(claim: Mapping[str, Any], trainings: Mapping[str, Any] | None) -> str:
    """On how many networks the check must hold, in words."""
    if claim["of"] in _LIMITS:
        apart = ", below it in no population" if len(claim["judged_on"]) > 1 else ""
        return f", for {claim['of'].replace('_', ' ')} networks: a share above {_LIMITS[claim['of']]:g} by its interval{apart}"
    return f", in {NEEDED} of the trainings" if trainings else ""


def as_rows(verdicts: list[Verdict]) -> list[dict[str, Any]]:
    """The verdicts as plain data, for tables."""
    return [asdict(verdict) for verdict in verdicts]


def _verdict(claim: Mapping[str, Any], agrees: bool | None, measured: Any, everywhere: OverSeeds | None = None) -> str:
    if agrees is None:
        return NOT_JUDGED
    if not agrees:
        return _difference(claim)
    if claim["kind"] in (claims.IDENTITY, claims.BEYOND):
        return {claims.IDENTITY: CHECKED, claims.BEYOND: OURS_HOLDS}[claim["kind"]]
    if claim["kind"] != claims.NUMBER or claim["check"] in THRESHOLD_CHECKS:  # a printed limit is a statement
        return _statement(claim, everywhere)
    return ROUNDS if rounds_to_print(claim["published"], measured) else _near(claim)


def _statement(claim: Mapping[str, Any], everywhere: OverSeeds | None) -> str:
    """What a statement is called that holds: of the network shown alone, if the interval of the other seeds says so."""
    if claim["of"] != claims.PUBLISHED or everywhere is None:
        return HOLDS
    if everywhere.high < _LIMITS[claims.MOST]:
        return HOLDS_NOT_FOR_MOST
    return HOLDS_NOT_FOR_NEARLY_ALL if everywhere.high < _LIMITS[claims.NEARLY_ALL] else HOLDS


def _near(claim: Mapping[str, Any]) -> str:
    """What it is called if the number agrees, but does not round to print."""
    return WITHIN_TOLERANCE if claim["check"] == "within" else WITHIN_SPREAD


def _difference(claim: Mapping[str, Any]) -> str:
    """What it is called if the claim differs: a hypothesis of ours fails, a paper slips only where the ledger says so."""
    if claim["kind"] == claims.BEYOND:
        return OURS_FAILS
    return {claims.EXPECTED_SLIP: SLIP, claims.EXPECTED_INCONSISTENT: INCONSISTENT}.get(
        claim["expected"], NOT_REPRODUCED
    )


def _expected(claim: Mapping[str, Any]) -> str:
    """The verdict that the ledger expects, in words."""
    if claim["expected"] != claims.AGREES:
        return _difference(claim)
    verdict = _verdict(claim, True, claim.get("published"))
    return f"{ROUNDS}, or {_near(claim).removeprefix('number ')}" if verdict == ROUNDS else verdict


def _texts(claim: Mapping[str, Any], values: Mapping[str, Any]) -> dict[str, str]:
    """What the claim says of a difference, with the recorded values filled in; else the two numbers that were compared."""
    try:
        texts = {key: filled(claim[key], values) for key in ("explanation", "tried", "open") if key in claim}
    except ValueError as error:
        raise ValueError(f"claim '{claim['id']}': {error}") from error
    if claim["of"] in _LIMITS:  # a share was compared, not the value of the network shown
        return texts
    target = "threshold" if "threshold" in claim else "published"
    return {"explanation": f"{target} {show(claim[target])}, measured {show(values.get(claim['value']))}"} | texts


def _networks(measured: Any, retrainings: int | None) -> int | None:
    """How many networks a measured value rests on, as far as it says: the fewest of several."""
    parts = measured if isinstance(measured, list) else [measured]
    of = [part["of"] for part in parts if isinstance(part, Mapping) and "of" in part]
    return min(of) if of else None if retrainings is None else retrainings + 1


def _obstacle(claim: Mapping[str, Any], network: Mapping[str, Any], scale: str) -> str | None:
    """Why the claim cannot be judged here, or None; published weights are as they are."""
    if scale not in claim["scales"]:
        return f"at scale '{scale}'; judged at {', '.join(claim['scales'])}, with CONFIG={CONFIGS[claim['scales'][0]]}"
    if "external" in claim:
        return None
    if claim["chosen"] and claim["of"] == claims.PUBLISHED and claim["rests_on"] == ONE_TRAINING:
        return "the network shown is chosen from its population, so it is no judge"
    if network["accuracy"] < claim["needs_accuracy"]:
        return f"accuracy {network['accuracy']:.6g} after {network['steps']} steps, {claim['needs_accuracy']:g} needed"
    if "frequency" in claim and claim["frequency"] not in network["frequencies"]:
        return f"the network has not learned frequency {claim['frequency']}, but {show(network['frequencies'])}"
    deviations = dict(network["deviations"])
    if network["steps"] >= claim.get("from_steps", float("inf")):
        deviations.pop("steps", None)
    if deviations:
        return f"trained with {'; '.join(deviations.values())}"
    return None


def _criterion(claim: Mapping[str, Any]) -> str:
    """The check in words, with the number that decides: 'within ±0.01', 'at least 10'."""
    if claim["check"] == "share_of_networks":
        return f"{_SHARES.get(claim['threshold'], _AT_LEAST).format(show(claim['threshold']))}, by the interval of the share"
    if claim["check"] == "retrainings":
        return (
            f"in the {100 * COVERAGE:g} % prediction interval over retrainings, widened by half the last printed digit"
        )
    if claim["check"] == "interval":
        return "in the 95 % interval, widened by half the last printed digit"
    words = claim["check"].replace("_", " ")
    if claim["check"] in THRESHOLD_CHECKS:
        return f"{words} {show(claim.get('threshold', claim.get('published')))}"
    return f"{words} ±{show(claim['tolerance'])}" if claim["check"] == "within" else words
