"""One claim, as its question states it and as it is read, and the network it is judged on, for tests to change."""

from dataclasses import replace

from paper.ledger.judge.built import Built
from paper.ledger.judge.verdicts import as_rows, with_claims
from paper.ledger.judge.verdicts import verdict_on as verdict_by

ITEM = {"place": "§5", "says": "The discrepancy of the angles gives 0.15.", "prints": "0.15"}  # of a source
STATED = {  # under `claims: angle:` of a question
    "says": "The angle term is 0.15.",
    "answers": ["Q/angle_term"],
    "value": "angle_term",
    "rests_on": "many_trainings",
    "check": "within",
    "tolerance": 0.01,
    "tolerance_source": "Half a unit of the last digit, doubled.",
}
WITHIN = ("check", "tolerance", "tolerance_source")  # what another check than this one does not have
LIMIT = {"set_after": "An example."}  # what a question says of a limit of ours
CLAIM = {  # as it is read
    "id": "angle",
    "kind": "number",
    "paper": "Q",
    "place": "§5",
    "statement": "The angle term is 0.15.",
    "notebook": "phases",
    "answers": ["Q/angle_term"],
    "value": "angle_term",
    "rests_on": "many_trainings",
    "published": "0.15",
    "check": "within",
    "tolerance": 0.01,
    "tolerance_source": "Half a unit of the last digit, doubled.",
    "of": "published",
    "chosen": False,
    "judged_on": [],
    "counted_over": [],
    "expected": "agrees",
    "scales": ["laptop", "paper"],
    "needs_accuracy": 1.0,
}
NETWORK = {"accuracy": 1.0, "steps": 10_000, "frequencies": [12, 18], "deviations": {}}


def without(*keys, of=CLAIM, **changes):
    """The claim with changes, and without some of its keys."""
    return {key: value for key, value in (of | changes).items() if key not in keys}


# What is said of the network shown: a limit of ours.
STATEMENT = without("published", *WITHIN) | {"kind": "statement", "rests_on": "no_training", "threshold": 1.0}
STATEMENT |= {"check": "at_least", "value": "slope"}


def judge(claim, recorded, scale, retrained=None, external=(), kept=None, seeds=None):
    """The verdict on a claim by what its notebook recorded, by what was kept of published weights, and by further networks."""
    weights = {claim["external"]: {claim["notebook"]: kept or {}}} if "external" in claim else {}
    built = Built(scale=scale, external=external, weights=weights)
    built.recorded = {claim["notebook"]: recorded}.get
    return verdict_by(claim, replace(built.shown(claim), retrained=retrained, seeds=seeds or {}))


def verdict_on(measured, scale="laptop", network=NETWORK, retrained=None, seeds=None, of=CLAIM, **changes):
    """The verdict on a claim, with changes, for a measured value."""
    claim = of | changes
    return judge(claim, {"network": network, "values": {claim["value"]: measured}}, scale, retrained, seeds=seeds)


def row_of(verdict, claim=CLAIM):
    """What a page knows of a verdict."""
    return with_claims(as_rows([verdict]), {"claims": [claim | {"external": claim.get("external")}]})[0]
