"""Verdicts: what a build has of a claim, compared with what its paper prints or states."""

from collections.abc import Iterable
from dataclasses import asdict, dataclass
from typing import Any

from modadd.core.files import Data
from paper.coq import ABSENT
from paper.ledger.judge.evidence import Evidence, Networks, Outcome
from paper.ledger.judge.forms import form_of
from paper.ledger.read import claims
from paper.ledger.read.claims import LIMITS, MOST, NEARLY_ALL, ONE_TRAINING, SHOWN
from paper.ledger.read.words import show
from paper.ledger.tell import notes

# A printed number is that of the network shown to its last digit, or lies where further trainings or networks would,
# or, without any spread, within a tolerance of ours.
ROUNDS, WITHIN_SPREAD, WITHIN_TOLERANCE = "number rounds to print", "number within spread", "number within tolerance"
HOLDS = "statement holds"
# The paper's words leave open which network they mean: those of the network shown, and too few of the other seeds.
HOLDS_NOT_FOR_NEARLY_ALL = "holds for the network shown, not for nearly all"
HOLDS_NOT_FOR_MOST = "holds for the network shown, not for most"
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
# What a claim is called if it agrees: one that is none of a paper by its kind, else by the check, first where it rounds to print.
_OF_KIND = {claims.IDENTITY: CHECKED, claims.BEYOND: OURS_HOLDS}
_OF_CHECK = {
    "equal_to_printed_digits": (ROUNDS,),
    "set_equals": (ROUNDS,),
    "within": (ROUNDS, WITHIN_TOLERANCE),
    "retrainings": (ROUNDS, WITHIN_SPREAD),
    "interval": (ROUNDS, WITHIN_SPREAD),
}
_DIFFERENCES = {claims.EXPECTED_SLIP: SLIP, claims.EXPECTED_INCONSISTENT: INCONSISTENT}


@dataclass(frozen=True)
class Verdict:
    """One line of the verdict table: what was found of a claim; the ledger has the rest of it by its id.

    `form` is the name of the claim's form, and `criterion` its sentence; `interval`, `here`, `trainings`, `seeds` and `networks`
    are those of an `Outcome`, `counted` that of its `Evidence`. `note`, `tried` and `open` are in words.
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


def verdict_on(claim: Data, evidence: Evidence) -> Verdict:
    """Judge one claim by its form; it is not judged, with the reason, where the evidence is none."""
    form = form_of(claim)
    reason = obstacle(claim, evidence)
    outcome = Outcome(None, reason) if reason else form.judge(evidence)
    texts = notes.of_difference(claim, evidence.values) if outcome.agrees is False else {}
    alone = ""
    if outcome.agrees is not None and _is_alone(claim, outcome.trainings):
        alone = notes.ON_ONE_TRAINING.format(claim.get("one_because", "no row has its value."))
    form_name = type(form).__name__
    return Verdict(
        id=claim["id"],
        paper=claim["paper"],
        place=claim["place"],
        statement=claim["statement"],
        form=form_name,
        published=claim.get("published"),
        criterion=notes.criterion(claim, form_name, outcome.trainings),
        measured=evidence.measured,
        interval=outcome.interval,
        here=outcome.here,
        trainings=outcome.trainings,
        seeds=outcome.seeds,
        networks=outcome.networks or evidence.networks,
        counted=evidence.counted,
        verdict=_called(claim, outcome),
        expected=_expected(claim),
        note=" ".join(filter(None, (alone, texts.get("explanation"), outcome.note, evidence.left_out))),
        tried=texts.get("tried"),
        open=texts.get("open"),
    )


def obstacle(claim: Data, evidence: Evidence) -> str:
    """Why a claim cannot be judged on what a build has, or nothing.

    It may be about published weights that nobody measured, at a scale that the claim does not name, on a network short of the
    accuracy that it needs or trained by another recipe than the published one, or counted over other networks.
    """
    network = evidence.network
    if "external" in claim and evidence.obstacle:
        return evidence.obstacle
    if claim.get("needs") and evidence.measured is None:
        return ABSENT
    if evidence.scale not in claim["scales"]:
        config = CONFIGS[claim["scales"][0]]
        return f"at scale '{evidence.scale}'; judged at {', '.join(claim['scales'])}, with CONFIG={config}"
    if "external" in claim or not network:  # published weights are as they are
        return evidence.obstacle
    if claim["chosen"] and claim["of"] == SHOWN and claim["rests_on"] == ONE_TRAINING:
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
    return evidence.obstacle


def _called(claim: Data, outcome: Outcome) -> str:
    """The word for what was found."""
    if outcome.agrees is None:
        return NOT_JUDGED
    if not outcome.agrees:
        return _difference(claim)
    if claim["kind"] in _OF_KIND:
        return _OF_KIND[claim["kind"]]
    if outcome.seeds and claim["of"] == SHOWN:
        if outcome.seeds.high < LIMITS[MOST]:
            return HOLDS_NOT_FOR_MOST
        if outcome.seeds.high < LIMITS[NEARLY_ALL]:
            return HOLDS_NOT_FOR_NEARLY_ALL
    called = _OF_CHECK.get(claim["check"], (HOLDS,))
    return called[0] if outcome.rounds else called[-1]


def _difference(claim: Data) -> str:
    """What it is called if the claim differs: a hypothesis of ours fails, a paper slips only where the ledger says so."""
    return OURS_FAILS if claim["kind"] == claims.BEYOND else _DIFFERENCES.get(claim["expected"], NOT_REPRODUCED)


def _expected(claim: Data) -> str:
    """The verdict that the ledger expects, in words."""
    if claim["expected"] != claims.AGREES:
        return _difference(claim)
    called = _OF_CHECK.get(claim["check"], (HOLDS,))
    return _OF_KIND.get(claim["kind"]) or ", or ".join(called).replace("or number", "or")


def as_rows(verdicts: Iterable[Verdict]) -> list[dict[str, Any]]:
    """The verdicts as plain data, for tables."""
    return [asdict(verdict) for verdict in verdicts]


def with_claims(rows: Iterable[Data], ledger: Data) -> list[dict[str, Any]]:
    """Rows of figures/claims.json with all that the ledger says of their claims, None where it says nothing."""
    by_id = {claim["id"]: claim for claim in ledger["claims"]}
    keys = dict.fromkeys(key for claim in ledger["claims"] for key in claim)
    keys |= dict.fromkeys(claims.OPTIONAL)
    return [{**keys, **by_id[row["id"]], **row} for row in rows]


def is_as_expected(row: Data) -> bool:
    """Whether the claim of a row agrees or differs as the ledger says, or is not judged."""
    return row["verdict"] == NOT_JUDGED or (row["verdict"] in DIFFERING) == (row["expected"] in DIFFERING)


def rests_on_one(row: Data) -> bool:
    """Whether a claim, of a row `with_claims`, is judged on one training, and no retraining tells."""
    return row["verdict"] != NOT_JUDGED and _is_alone(row, row["trainings"])


def _is_alone(claim: Data, trainings: Any) -> bool:
    return claim["rests_on"] == ONE_TRAINING and claim["check"] != "retrainings" and not trainings
