"""Why a claim came out as it did, and by what it is judged, in words."""

from collections.abc import Mapping
from typing import Any

from modadd.core.files import Data
from paper.ledger.judge.evidence import COVERAGE, OWN_COVERAGE
from paper.ledger.read.claims import LIMITS, NEEDED, SHOWN
from paper.ledger.read.words import filled, printed, show

NO_WEIGHTS = "needs published weights: datasets.{} in the config"
LACKS = "the network shown has no such number"
FEW_RETRAININGS = "needs {fewest} retrainings with the key frequencies of this network, there are {there}"
OUTSIDE = f"the network shown lies outside the {100 * OWN_COVERAGE:g} % interval of its own retrainings"
NO_ONE_OF_THEM = "it does not hold for the network shown, and nothing tells whether that is like its retrainings"
AT_EDGE = f"the network shown lies outside the {100 * COVERAGE:g} % interval of its retrainings"
NO_ROW = "no row of another seed has this number"
MANY_WITHOUT = "{without:,} of {of:,} networks have no such number"
BELOW_IN = "By population the share is too low: {populations}."
UNDECIDED = "Undecided: the interval over {of:,} networks contains {limit:g}"
FEW_HAVE_IT = "too few networks have this number"
NO_NETWORK = "no network tells"
FEWER_THAN_TWO = "there is no interval of fewer than two networks"
ALL_THE_SAME = "there is no interval: the number is the same in all {of:,} networks"
ON_ONE_TRAINING = "One training only: {}"
LEFT_OUT = "Left out: {}."
OF_OTHER_RECIPE = "{count} {networks} of {name} trained here with {other}"
COUNTED = "{} are counted in this number; the claim is about the kept recipe"
NONE_RIGHT = "none of {of} networks of {name} has the accuracy {accuracy:g}"
_SHARES = {1: "in all networks", 0.5: "in at least half of the networks"}
_ANSWERS = {True: "it agrees", False: "it differs", None: "it cannot be judged"}


def criterion(claim: Data, form: str, trainings: Any) -> str:
    """By what a claim of a form is judged, and for which networks; `trainings` are those that were compared, if any."""
    check = claim["check"]
    limit = show(claim["threshold"] if "threshold" in claim else claim["published"])
    if check == "equal_to_printed_digits":
        return "equal to printed digits"
    if check == "within":
        return f"within ±{show(claim['tolerance'])}"
    if check in ("retrainings", "interval"):
        where = "prediction interval over retrainings" if check == "retrainings" else "interval"
        return f"in the {100 * COVERAGE:g} % {where}, {_widened(claim)}"
    if check == "share_of_networks":
        return f"{_share(claim, limit)}, by the interval of the share"
    compared = "set equals" if check == "set_equals" else f"{check.replace('_', ' ')} {limit}"
    return compared if form == "PopulationNumber" else compared + _of_which_networks(claim, trainings)


def _widened(claim: Data) -> str:
    """By how much an interval is widened."""
    if "uncertain_by" in claim:
        return f"widened by {claim['uncertain_by']:g}, as the printed number is rounded"
    return "widened by half the last printed digit"


def _share(claim: Data, limit: str) -> str:
    """In how many of the networks."""
    in_networks = f"in at least {limit} of the networks"
    limits = printed(claim["threshold"] if "threshold" in claim else claim["published"])
    return _SHARES.get(float(limits[0]), in_networks) if len(limits) == 1 else in_networks


def _of_which_networks(claim: Data, trainings: Any) -> str:
    """For which networks a statement must hold."""
    if claim["of"] == SHOWN:
        return f", in {NEEDED} of the trainings" if trainings else ""
    apart = ", below it in no population" if len(claim["judged_on"]) > 1 else ""
    of = claim["of"].replace("_", " ")
    return f", for {of} networks: a share above {LIMITS[claim['of']]:g} by its interval{apart}"


def by_reading(found: Mapping[str, tuple[bool | None, str]]) -> str:
    """What each reading of a recipe says, where they do not all agree or all differ."""
    told = []
    for name, (agrees, note) in found.items():
        told.append(f"by {name} {_ANSWERS[agrees]}" + (f" ({note})" if note else ""))
    undecided = any(agrees is None for agrees, _ in found.values())
    begins = "Not every reading can be judged" if undecided else "Depends on the reading"
    return f"{begins}: {'; '.join(told)}."


def of_difference(claim: Data, values: Data) -> dict[str, str]:
    """What a claim says of a difference, with the recorded values filled in; else the two numbers that were compared.

    Raises ValueError, one line, for a value that was not recorded.
    """
    try:
        texts = {key: filled(claim[key], values) for key in ("explanation", "tried", "open") if key in claim}
    except ValueError as error:
        raise ValueError(f"claim '{claim['id']}': {error}") from error
    if claim["of"] in LIMITS:  # a share was compared, not the value of the network shown
        return texts
    target = "threshold" if "threshold" in claim else "published"
    compared = f"{target} {show(claim[target])}, measured {show(values[claim['value']])}"
    return {"explanation": compared} | texts
