"""Verdicts: what the notebooks measured, compared with what the papers printed."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any

import pandas as pd

from modadd.core.files import Data
from modadd.core.wording import require_known
from paper.coq import ABSENT
from paper.ledger.judge.forms import (
    HOLDS,
    HOLDS_NOT_FOR_MOST,
    HOLDS_NOT_FOR_NEARLY_ALL,
    LIMITS,
    ROUNDS,
    WITHIN_SPREAD,
    WITHIN_TOLERANCE,
    Evidence,
    Form,
    Networks,
    Outcome,
    form_of,
)
from paper.ledger.read import claims
from paper.ledger.read.claims import ONE_TRAINING, PUBLISHED
from paper.ledger.read.words import filled, several, show

CHECKED, OURS_HOLDS = "checked", "ours holds"
STATEMENTS = (HOLDS, HOLDS_NOT_FOR_NEARLY_ALL, HOLDS_NOT_FOR_MOST)
AGREEING = (ROUNDS, WITHIN_SPREAD, WITHIN_TOLERANCE, *STATEMENTS, CHECKED, OURS_HOLDS)
OURS_FAILS, SLIP, INCONSISTENT, NOT_REPRODUCED = DIFFERING = (
    "ours does not hold",
    "differs: slip of the paper",
    "differs: the paper contradicts itself",
    "differs: not reproduced",
)
NOT_JUDGED = "not judged"
VERDICTS = (*AGREEING, *DIFFERING, NOT_JUDGED)
CONFIGS = {"smoke": "config/smoke.yaml", "laptop": "config/config.yaml", "paper": "config/paper.yaml"}  # by scale
ON_ONE_TRAINING = "One training only: {}"
_DIFFERENCES = {claims.EXPECTED_SLIP: SLIP, claims.EXPECTED_INCONSISTENT: INCONSISTENT}
# In the place of what a notebook recorded, where further networks alone judge.
NONE_SHOWN: Data = {"network": {}, "values": {}}


@dataclass(frozen=True)
class Verdict:
    """One line of the verdict table: what was found of a claim; the ledger has the rest of it by its id.

    `form` is the name of the claim's form, and `criterion` its sentence; `interval`, `here`, `trainings`, `seeds` and `networks`
    are those of `forms.Outcome`. `counted` says over how many networks, trained here and kept, the notebook counted the
    number; published weights that this build did not measure are one that is kept. `note`, `tried` and `open` are in words.
    """

    id: str
    paper: str
    place: str
    statement: str
    form: str
    published: Any
    criterion: str
    measured: Any
    interval: list[list[float]] | None
    here: bool | None
    trainings: Networks | None
    seeds: Networks | None
    networks: int | None
    counted: dict[str, int] | None
    verdict: str
    expected: str
    note: str
    tried: str | None
    open: str | None

    @property
    def as_expected(self) -> bool:
        """Whether the claim agrees or differs as the ledger says, or is not judged."""
        return is_as_expected(vars(self))

    def with_note(self, *words: str) -> "Verdict":
        """The same, with more words in its note."""
        return replace(self, note=" ".join(filter(None, (self.note, *words))))


def is_as_expected(row: Data) -> bool:
    """Whether the claim of a row agrees or differs as the ledger says, or is not judged."""
    return row["verdict"] == NOT_JUDGED or (row["verdict"] in DIFFERING) == (row["expected"] in DIFFERING)


def judge(
    claim: Data,
    recorded: Data,
    scale: str,
    retrained: pd.DataFrame | None = None,
    external: Collection[str] = (),
    kept: Data | None = None,
    seeds: Mapping[str, pd.DataFrame] | None = None,
    unjudgeable: str = "",
    counted: dict[str, int] | None = None,
) -> Verdict:
    """Compare one claim with the values its notebook recorded; raises ValueError, one line, for a value that it did not.

    `retrained` holds the rows of the same network trained from initial weights changed in their last bit, `seeds` those of
    further networks of the recipe, by population, `kept` the values of published weights that were measured once, used
    where these weights are not among the `external` ones, `unjudgeable` why the networks behind the value are none that
    the claim is about, `counted` how many these are. Not judged, with the reason: about published weights that nobody
    measured, at a scale the claim does not name, on a network short of the accuracy the claim needs, or trained by another
    recipe than the published one, or on too few networks to tell.
    """
    form = form_of(claim)
    network = recorded["network"]
    if network and "network" in claim:
        network = recorded["others"][claim["network"]]
    values, kept_only = recorded["values"], claim.get("external") not in (None, *external)
    if kept_only:
        values = values | (kept or {})
        counted = {"here": 0, "kept": 1} if claim["value"] in (kept or {}) else None
    measured = values.get(claim["value"])
    if kept_only and not counted:
        obstacle = f"needs published weights: datasets.{claim['external']} in the config"
    else:
        if claim["of"] == PUBLISHED:
            require_known(f"claim '{claim['id']}'.value", "name", [claim["value"]], values)
        obstacle = _obstacle(claim, measured, network, scale) or unjudgeable
    if not obstacle and claim["of"] == PUBLISHED and not form.has_number(measured):
        obstacle = "the network shown has no such number"
    if obstacle:
        outcome = Outcome(None, obstacle)
    else:
        outcome = form.judge(Evidence(measured, network, retrained, seeds or {}))
    texts = _texts(claim, values) if outcome.agrees is False else {}
    alone = ""
    if outcome.agrees is not None and _is_alone(claim, outcome.trainings):
        alone = ON_ONE_TRAINING.format(claim.get("one_because", "no row has its value."))
    return Verdict(
        id=claim["id"],
        paper=claim["paper"],
        place=claim["place"],
        statement=claim["statement"],
        form=type(form).__name__,
        published=claim.get("published"),
        criterion=form.sentence(outcome),
        measured=measured,
        interval=outcome.interval,
        here=outcome.here,
        trainings=outcome.trainings,
        seeds=outcome.seeds,
        networks=_networks(outcome, measured),
        counted=counted,
        verdict=_verdict(claim, form, outcome, measured),
        expected=_expected(claim, form),
        note=" ".join(filter(None, (alone, texts.get("explanation"), outcome.note))),
        tried=texts.get("tried"),
        open=texts.get("open"),
    )


def as_rows(verdicts: Iterable[Verdict]) -> list[dict[str, Any]]:
    """The verdicts as plain data, for tables."""
    return [asdict(verdict) for verdict in verdicts]


def with_claims(rows: Iterable[Data], ledger: Data) -> list[dict[str, Any]]:
    """Rows of figures/claims.json with all that the ledger says of their claims, None where it says nothing."""
    by_id = {claim["id"]: claim for claim in ledger["claims"]}
    keys = dict.fromkeys(key for claim in ledger["claims"] for key in claim)
    keys |= dict.fromkeys(claims.OPTIONAL)
    return [{**keys, **by_id[row["id"]], **row} for row in rows]


def rests_on_one(row: Data) -> bool:
    """Whether a claim, of a row `with_claims`, is judged on one training, and no retraining tells."""
    return row["verdict"] != NOT_JUDGED and _is_alone(row, row["trainings"])


def _is_alone(claim: Data, trainings: Any) -> bool:
    return claim["rests_on"] == ONE_TRAINING and claim["check"] != "retrainings" and not trainings


def _verdict(claim: Data, form: Form, outcome: Outcome, measured: Any) -> str:
    if outcome.agrees is None:
        return NOT_JUDGED
    if not outcome.agrees:
        return _difference(claim)
    return _of_kind(claim) or form.word(outcome, measured)


def _of_kind(claim: Data) -> str | None:
    """What a claim that is none of a paper is called, if it agrees."""
    return {claims.IDENTITY: CHECKED, claims.BEYOND: OURS_HOLDS}.get(claim["kind"])


def _difference(claim: Data) -> str:
    """What it is called if the claim differs: a hypothesis of ours fails, a paper slips only where the ledger says so."""
    return OURS_FAILS if claim["kind"] == claims.BEYOND else _DIFFERENCES.get(claim["expected"], NOT_REPRODUCED)


def _expected(claim: Data, form: Form) -> str:
    """The verdict that the ledger expects, in words."""
    if claim["expected"] != claims.AGREES:
        return _difference(claim)
    return _of_kind(claim) or ", or ".join(form.words).replace("or number", "or")


def _networks(outcome: Outcome, measured: Any) -> int | None:
    """How many networks a number rests on, as far as it says: the fewest of several."""
    of = [part["of"] for part in several(measured) if isinstance(part, Mapping) and "of" in part]
    return outcome.networks or min(of, default=None)


def _texts(claim: Data, values: Data) -> dict[str, str]:
    """What the claim says of a difference, with the recorded values filled in; else the two numbers that were compared."""
    try:
        texts = {key: filled(claim[key], values) for key in ("explanation", "tried", "open") if key in claim}
    except ValueError as error:
        raise ValueError(f"claim '{claim['id']}': {error}") from error
    if claim["of"] in LIMITS:  # a share was compared, not the value of the network shown
        return texts
    target = "threshold" if "threshold" in claim else "published"
    compared = f"{target} {show(claim[target])}, measured {show(values[claim['value']])}"
    return {"explanation": compared} | texts


def _obstacle(claim: Data, measured: Any, network: Data, scale: str) -> str | None:
    """Why the claim cannot be judged here, or None; published weights are as they are."""
    if claim.get("needs") and measured is None:
        return ABSENT
    if scale not in claim["scales"]:
        return f"at scale '{scale}'; judged at {', '.join(claim['scales'])}, with CONFIG={CONFIGS[claim['scales'][0]]}"
    return None if "external" in claim else _of_network(claim, network)


def _of_network(claim: Data, network: Data) -> str | None:
    """Why the network shown, if there is one, cannot judge the claim, or None."""
    if not network:
        return None
    if claim["chosen"] and claim["of"] == PUBLISHED and claim["rests_on"] == ONE_TRAINING:
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
