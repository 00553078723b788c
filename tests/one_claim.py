"""One claim and the network it is judged on, for the tests of the ledger to change."""

from modadd.ledger.verdicts import judge

CLAIM = {
    "id": "angle",
    "kind": "number",
    "paper": "Q",
    "place": "§5",
    "statement": "The angle term is 0.15.",
    "notebook": "phases",
    "value": "angle_term",
    "rests_on": "many_trainings",
    "published": 0.15,
    "check": "within",
    "tolerance": 0.01,
    "tolerance_source": "Half a unit of the last digit, doubled.",
    "of": "published",
    "chosen": False,
    "expected": "agrees",
    "scales": ["laptop", "paper"],
    "needs_accuracy": 1.0,
}
NETWORK = {"accuracy": 1.0, "steps": 10_000, "frequencies": [12, 18], "deviations": {}}
OURS = {"kind": "statement", "threshold_set": "after", "threshold_reason": "An example."}


def without(*keys, **changes):
    """The claim with changes, and without some of its keys."""
    return {key: value for key, value in (CLAIM | changes).items() if key not in keys}


def verdict_on(measured, scale="laptop", network=NETWORK, **changes):
    """The verdict on the claim, with changes, for a measured value."""
    return judge(CLAIM | changes, {"network": network, "values": {"angle_term": measured}}, scale)
