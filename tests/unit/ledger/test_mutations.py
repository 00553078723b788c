"""Every claim can lose: a wrong measurement turns its verdict.

An identity is left out: its own test breaks the mathematics.
"""

import json
from functools import cache

import numpy as np
import pandas as pd
import pytest
from one_claim import judge
from support import LEDGER, ROOT

from paper.ledger.judge.retrainings import numbers
from paper.ledger.judge.verdicts import AGREEING, NOT_JUDGED
from paper.ledger.read.claims import IDENTITY, SHOWN

MEASURED = {
    name: entry["measured"] for name, entry in json.loads((ROOT / "data/reference/numbers.json").read_text()).items()
}
CLAIMS = [claim for claim in LEDGER["claims"] if claim["kind"] != IDENTITY]
FACTORS = {"negated": -1, "ten times": 10, "a tenth": 0.1, "zero": 0}


def mapped(value, change):
    """A recorded value with every number in it changed; yes and no count as numbers."""
    if isinstance(value, list):
        return [mapped(item, change) for item in value]
    if isinstance(value, dict):  # of networks: their number stays
        return {key: item if key == "of" else mapped(item, change) for key, item in value.items()}
    return None if value is None else change(value)


def kind_of(value):
    """What a check reads of a value: its type, and which numbers a share or a mean has."""
    return type(value), sorted(value) if isinstance(value, dict) else None


def mutations(claim):
    """Wrong measurements: every number multiplied or replaced, a list in another order, the value of a neighbour."""
    value = MEASURED[claim["id"]]
    yield from (mapped(value, lambda x, factor=factor: x * factor) for factor in FACTORS.values())
    yield from (mapped(value, lambda x, far=far: far) for far in (1e6, -1e6))
    if isinstance(value, list):
        yield value[::-1]
        yield value[1:] + value[:1]
    for other in CLAIMS:
        if other["notebook"] == claim["notebook"] and other["value"] != claim["value"]:
            neighbour = MEASURED.get(other["id"])
            if numbers(neighbour).shape == numbers(value).shape and kind_of(neighbour) == kind_of(value):
                yield neighbour


@cache
def retrained(population):
    """The kept rows of a population, and the frequencies that most of its networks learn."""
    rows = pd.read_parquet(ROOT / f"data/populations/{population}.parquet")
    return rows, list(rows.frequencies.map(tuple).mode()[0])


def verdict_on(claim, measured):
    """The verdict on a network of the published recipe; what the ledger says of a difference is not needed."""
    plain = {key: text for key, text in claim.items() if key not in ("explanation", "tried", "open")}
    populations = LEDGER["notebooks"][claim["notebook"]]["inputs"]["retrainings"]
    rows, learned = next(map(retrained, populations), (None, []))
    steps = 0 if rows is None else int(rows.steps.max())
    network = {"accuracy": 1.0, "steps": steps, "frequencies": learned, "deviations": {}}
    recorded = {"network": network, "values": {claim["value"]: measured}}
    if "network" in claim:
        recorded["others"] = {claim["network"]: network}
    return judge(plain, recorded, claim["scales"][0], rows, list(filter(None, [claim.get("external")]))).verdict


def test_every_claim_has_a_measured_value():
    unknown = [claim["id"] for claim in CLAIMS if claim["id"] not in MEASURED]
    if unknown:  # a new claim breaks no test before the next full build
        pytest.skip(f"`python workflow/dev/reference.py` after a full build keeps the values of {', '.join(unknown)}")


@pytest.mark.parametrize("claim", [claim for claim in CLAIMS if claim["id"] in MEASURED], ids=lambda claim: claim["id"])
def test_a_claim_that_agrees_survives_no_longer_when_its_value_is_wrong(claim):
    verdict = verdict_on(claim, MEASURED[claim["id"]])
    if verdict not in AGREEING:
        pytest.skip(f"{verdict} with the value of the reference")
    assert any(verdict_on(claim, wrong) != verdict for wrong in mutations(claim)), (
        "no wrong measurement turns this verdict"
    )


FEW = 40  # rows of each table: enough for an interval to tell
MANY = [claim for claim in CLAIMS if claim["of"] != SHOWN]


@cache
def few_rows(population):
    """The first kept rows of a population; None where none are kept."""
    file = ROOT / f"data/populations/{population}.parquet"
    return pd.read_parquet(file).head(FEW).assign(trained="kept") if file.exists() else None


@pytest.mark.parametrize("claim", MANY, ids=lambda claim: claim["id"])
def test_a_claim_about_many_networks_turns_when_their_rows_are_wrong(claim):
    rows = {name: few_rows(name) for name in claim["judged_on"] if few_rows(name) is not None}
    verdicts = set()
    for factor, shift in ((1, 0), (-1, 0), (10, 0), (0.1, 0), (0, 0), (1e6, 0), (-1e6, 0), (1, 1)):
        seeds = {file: wrong(table, claim["value"], factor, shift) for file, table in rows.items()}
        verdicts.add(verdict_over(claim, seeds))
        if len(verdicts) > 1:
            return
    if verdicts == {NOT_JUDGED}:
        pytest.skip("no kept row has this number yet")
    pytest.fail("no wrong measurement turns this verdict")


def wrong(rows, column, factor, shift):
    """The rows with every number of a column multiplied, and moved, as all may be 0."""
    if column not in rows:
        return rows
    return rows.assign(**{column: [np.asarray(value, float) * factor + shift for value in rows[column]]})


def verdict_over(claim, seeds):
    plain = {key: text for key, text in claim.items() if key not in ("explanation", "tried", "open")}
    network = {"accuracy": 1.0, "steps": 0, "frequencies": [], "deviations": {}}
    recorded = {"network": network, "values": {}, "others": {claim.get("network"): network}}
    return judge(plain, recorded, claim["scales"][0], seeds=seeds).verdict


@pytest.mark.parametrize("claim", CLAIMS, ids=lambda claim: claim["id"])
def test_what_is_not_a_number_never_agrees(claim):
    missing = mapped(MEASURED.get(claim["id"]), lambda x: np.nan)
    assert verdict_on(claim, missing) not in AGREEING


@pytest.mark.parametrize("claim", MANY, ids=lambda claim: claim["id"])
def test_rows_that_lack_the_number_never_agree(claim):
    rows = {name: few_rows(name) for name in claim["judged_on"] if few_rows(name) is not None}
    lacking = {name: wrong(table, claim["value"], np.nan, 0) for name, table in rows.items()}
    assert verdict_over(claim, lacking) not in AGREEING
