"""A claim as it is read: its entry checked, with what its item and its question say of it, and all that it leaves out."""

from collections.abc import Mapping
from typing import Any

from modadd.core.files import Data
from modadd.core.wording import require_known
from paper.ledger.read.sources import MODEL, NOTHING, require_item
from paper.ledger.read.words import printed

OURS = "B"  # the mark of what this project claims itself
NUMBER, STATEMENT, IDENTITY, BEYOND = "number", "statement", "identity", "beyond"  # kinds of claims, counted apart
# What the ledger expects of a claim: that it agrees, or that it differs since the paper slips, contradicts itself, or else.
AGREES, EXPECTED_SLIP, EXPECTED_INCONSISTENT, EXPECTED_NOT_REPRODUCED = (
    "agrees",
    "slip",
    "inconsistent",
    "not_reproduced",
)
# What a claim says of a difference: a slip is explained; what is not reproduced has been tried, and leaves something open.
NEEDS = {
    AGREES: (),
    EXPECTED_SLIP: ("explanation",),
    EXPECTED_INCONSISTENT: ("explanation",),
    EXPECTED_NOT_REPRODUCED: ("explanation", "tried", "open"),
}
ONE_TRAINING, MANY_TRAININGS, NO_TRAINING = "one_training", "many_trainings", "no_training"  # what a value rests on
# These checks may compare with a number of this project instead of a printed one.
THRESHOLD_CHECKS = ("at_least", "at_most", "share_of_networks")
PRINTED = "printed"  # a limit that the source prints
# The keys under which an entry gives the reason for a threshold of ours, and what they say of when it was set.
WHEN_SET = {"given": "given", "set_before": "before", "set_after": "after"}
_CHECKS = ("check", *THRESHOLD_CHECKS)
_READ_APART = ("says", "place", "printed", *_CHECKS, *WHEN_SET)
SHOWN, MOST, NEARLY_ALL = "published", "most", "nearly_all"  # the networks that a claim is about, by its key `of`
LIMITS = {MOST: 0.5, NEARLY_ALL: 0.9}  # of the share of all networks
# Share of the trainings in which a yes or no about one network must come out: set after looking at kept retrainings.
NEEDED = 0.9
# What an entry leaves out. A claim of ours on one training says itself which networks it is about.
DEFAULTS = {"of": SHOWN, "scales": ["laptop", "paper"], "needs_accuracy": 1.0, "expected": AGREES}

# What some claims have, and a ledger may have in none.
OPTIONAL = (
    *("external", "network", "published", "threshold", "threshold_set", "threshold_reason", "tolerance"),
    *(
        "tolerance_source",
        "uncertain_by",
        "readings",
        "fraction",
        "frequency",
        "from_steps",
        "needs",
        "few_have_it",
        "one_because",
    ),
    *("networks_in_paper", "explanation", "tried", "open"),
)


def claim_of(key: str, entry: Data, notebook: str, ledger: Data, where: str) -> dict[str, Any]:
    """A claim with what its item and its notebook say of it, and what it leaves out."""
    inputs = ledger["notebooks"][notebook]["inputs"]
    claim = {"id": key, "statement": entry["says"], "notebook": notebook, "answers": [], **DEFAULTS}
    for name in entry:
        if name not in _READ_APART:
            claim[name] = entry[name]
    claim |= _compared(entry, where)
    claim |= _source(claim, entry, ledger, where)
    claim |= _networks(claim, inputs)
    _require_stated(claim, ledger, where)
    _require_networks(claim, entry, inputs, where)
    _require_comparable(claim, where)
    _require_texts(claim, where)
    return claim


def counts_networks(claim: Data) -> bool:
    """Whether the value of a claim is a number that its notebook counted over many networks."""
    return claim["rests_on"] == MANY_TRAININGS and claim["of"] == SHOWN


def _compared(entry: Data, where: str) -> dict[str, Any]:
    """The check of a claim, with its threshold and what is said of that; `at_least: 3` is a check and its threshold."""
    named = [key for key in _CHECKS if key in entry]
    if len(named) != 1:
        got = ", ".join(named) or "none"
        raise ValueError(f"{where}: expected one of {', '.join(_CHECKS)}, got {got}")
    (check,) = named
    limit = entry[check]
    ours = check != "check" and limit != PRINTED
    if ours and isinstance(limit, str):
        raise ValueError(f"{where}.{check}: expected a number, or the word '{PRINTED}', got {limit!r}")
    reasons = [key for key in WHEN_SET if key in entry]
    if len(reasons) != ours:
        raise ValueError(f"{where}: expected one of {', '.join(WHEN_SET)} with a threshold of ours, and only with it")
    if check == "check":
        return {"check": limit}
    if not ours:
        return {"check": check}
    (reason,) = reasons
    return {
        "check": check,
        "threshold": limit,
        "threshold_set": WHEN_SET[reason],
        "threshold_reason": entry[reason],
    }


def _source(claim: Data, entry: Data, ledger: Data, where: str) -> dict[str, Any]:
    """The paper and the place of a claim, what is printed there, and the kind that follows from it."""
    for name in claim["answers"]:
        require_item(name, ledger["items"], f"{where}.answers")
    if "place" in entry:
        return {"paper": OURS, "place": entry["place"], "kind": entry.get("kind", BEYOND)}
    if not claim["answers"]:
        raise ValueError(f"{where}: expected 'answers', or 'place' for a claim of ours")
    item = ledger["items"][claim["answers"][0]]
    if item.get("states") == NOTHING:
        raise ValueError(f"{where}.answers: '{item['name']}' states nothing; expected 'place', as the claim is ours")
    found = {"paper": item["source"], "place": item["place"]}
    found |= _printed(claim, entry, item, where)
    if "published" in found and "uncertain_by" in item:
        found["uncertain_by"] = item["uncertain_by"]
    if "networks" in item:
        found["networks_in_paper"] = entry.get("networks_in_paper", item["networks"])
    kind = NUMBER if "published" in found else STATEMENT
    return {"kind": entry.get("kind", kind), **found}


def _printed(claim: Data, entry: Data, item: Data, where: str) -> dict[str, Any]:
    """What the item prints for a claim that is not compared with a threshold of ours."""
    prints = item.get("prints")
    key = entry.get("printed")
    if "threshold" in claim:
        if key is not None:
            raise ValueError(f"{where}.printed: expected without a threshold of ours")
        return {}
    if prints is None:
        raise ValueError(f"{where}: item '{item['name']}' prints no number; expected a threshold, or 'prints' there")
    if not isinstance(prints, Mapping):
        if key is not None:
            raise ValueError(f"{where}.printed: item '{item['name']}' prints one number, or one list; expected no name")
        return {"published": prints}
    require_known(f"{where}.printed", "number", [str(key)], prints)
    return {"published": prints[key]}


def _networks(claim: Data, inputs: Data) -> dict[str, Any]:
    """The networks that a claim is about and that its value was counted over, and what the value rests on."""
    judged_on = claim.get("judged_on", inputs["seeds"])
    counted_over = claim.get("counted_over", inputs["datasets"])
    if "external" in claim or claim["kind"] == IDENTITY:
        rests_on = NO_TRAINING
    elif claim["of"] != SHOWN or counted_over:
        rests_on = MANY_TRAININGS
    else:
        rests_on = ONE_TRAINING
    return {
        "judged_on": judged_on,
        "counted_over": counted_over,
        "rests_on": claim.get("rests_on", rests_on),
        "chosen": claim.get("network", inputs["shown"]).endswith("/exhibit"),
    }


def _require_stated(claim: Data, ledger: Data, where: str) -> None:
    """Raise ValueError for a claim on trained networks that a source states of its model, or of other networks."""
    if claim["paper"] == OURS or claim["rests_on"] == NO_TRAINING:
        return
    item = ledger["items"][claim["answers"][0]]
    name = item["name"]
    if item.get("states") == MODEL:
        expected = "expected 'place', as a claim on trained networks is ours"
        raise ValueError(f"{where}.answers: '{name}' is stated of a model; {expected}")
    judging = claim["counted_over"] if counts_networks(claim) else claim["judged_on"]
    stated_of = item.get("stated_of", judging)
    others = [dataset for dataset in judging if dataset not in stated_of]
    if others:
        expected = "expected 'place', as a claim on other networks is ours"
        raise ValueError(
            f"{where}: '{name}' is stated of {', '.join(stated_of)}, not of {', '.join(others)}; {expected}"
        )


def _require_networks(claim: Data, entry: Data, inputs: Data, where: str) -> None:
    """Raise ValueError for networks that the question does not read, and for a claim that does not say what it is about."""
    if "network" in claim:
        require_known(f"{where}.network", "network", [claim["network"]], inputs["others"])
    require_known(f"{where}.judged_on", "population", claim["judged_on"], inputs["seeds"])
    require_known(f"{where}.counted_over", "dataset", claim["counted_over"], inputs["datasets"])
    if claim["of"] != SHOWN and not claim["judged_on"]:
        raise ValueError(f"{where}.of: '{claim['of']}' needs the key 'seeds' of its question's inputs")
    if claim["check"] == "retrainings" and not inputs["retrainings"]:
        raise ValueError(f"{where}: check 'retrainings' needs the key 'retrainings' of its question's inputs")
    about = f"expected of a claim of ours that rests on {ONE_TRAINING}: {SHOWN}, {MOST} or {NEARLY_ALL}"
    on_one = claim["rests_on"] == ONE_TRAINING
    if on_one and claim["kind"] == BEYOND and "of" not in entry:
        raise ValueError(f"{where}.of: {about}")
    if "one_because" in claim and not on_one:
        rests_on = f"expected of a claim that rests on {ONE_TRAINING}, not {claim['rests_on']}"
        raise ValueError(f"{where}.one_because: {rests_on}")


def _require_comparable(claim: Data, where: str) -> None:
    """Raise ValueError for a claim without what its check compares with, or with what it cannot use."""
    check = claim["check"]
    published = claim.get("published")
    if claim["paper"] == OURS and "threshold" not in claim:
        limits = " or ".join(THRESHOLD_CHECKS)
        raise ValueError(f"{where}: a claim of ours is compared with a threshold; expected {limits}")
    for key in ("tolerance", "tolerance_source"):
        if (key in claim) != (check == "within"):
            raise ValueError(f"{where}: {key}: check 'within' has it, and no other; got check '{check}'")
    if "frequency" in claim and check != "retrainings":
        raise ValueError(f"{where}.frequency: check 'retrainings' has it, and no other; got check '{check}'")
    tolerance = claim.get("tolerance")
    if isinstance(tolerance, list) and len(tolerance) != len(printed(published)):
        numbers = len(printed(published))
        raise ValueError(f"{where}.tolerance: expected one number, or {numbers}, one for each that is printed")
    if check == "set_equals" and not isinstance(published, list):
        raise ValueError(f"{where}: check 'set_equals' expects a list of printed numbers, got {published!r}")


def _require_texts(claim: Data, where: str) -> None:
    """Raise ValueError for a claim that does not say of a difference what is expected, or says more."""
    expected = claim["expected"]
    for name in NEEDS[EXPECTED_NOT_REPRODUCED]:
        if name in NEEDS[expected] and name not in claim:
            raise ValueError(f"{where}: {name} is missing; a claim of expected '{expected}' has it")
        if name in claim and name not in NEEDS[expected]:
            raise ValueError(f"{where}: {name}: a claim of expected '{expected}' has none")
