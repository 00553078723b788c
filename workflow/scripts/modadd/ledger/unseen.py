"""Claims about many networks, judged once more on networks that nobody had seen when the claims were fixed."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from modadd.core.files import json_of
from modadd.core.plain import Data
from modadd.ledger.claims import MANY_TRAININGS, PUBLISHED, counts_networks
from modadd.ledger.forms import Evidence, Networks, form_of
from modadd.ledger.freeze import differing, fixed_claims, frozen, name_of, whole
from modadd.ledger.here import Built, judge_built, populations_of, rows_for, without_texts
from modadd.ledger.verdicts import AGREEING, NONE_SHOWN, NOT_JUDGED, as_rows, judge
from modadd.planning.paths import kept_rows, table_of

# What a claim is compared with, in the order of how little freedom its threshold had.
PRINTED, GIVEN, BEFORE, AFTER = KINDS = (
    "printed in the paper",
    "given by the words",
    "set before looking",
    "set after looking",
)
_KINDS = {"given": GIVEN, "before": BEFORE, "after": AFTER}
EVERY = "all"
# What networks held out say of a claim. UNDECIDED: they were asked, and are too few to tell. WITHOUT: none was asked, as none
# has the number, or as the claim was changed since the freeze.
HOLDS, REFUTED, UNDECIDED, WITHOUT = OUTCOMES = ("holds", "refuted", "undecided", "without networks")
_NOT_JUDGED = {"verdict": NOT_JUDGED, "measured": None, "note": "", "interval": None}


@dataclass(frozen=True)
class Part:
    """For how many networks of one table a claim about each network holds; `other` is what its recipe has otherwise."""

    table: str
    other: str
    networks: Networks | None
    agrees: bool | None


@dataclass(frozen=True)
class Line:
    """A claim beside its verdicts on kept networks and on unseen ones, which are `not judged` with a reason in `note`.

    `kind` says when its threshold was set, `outcome` is one of OUTCOMES, `turned` says whether it held and does not hold now, or
    the reverse; None where either is not judged, or the claim was changed since the freeze.
    """

    id: str
    kind: str
    kept: str
    unseen: str
    outcome: str
    measured: Any
    note: str
    turned: bool | None
    parts: list[Data]


@dataclass(frozen=True)
class Judged:
    """What unseen networks say: the row of each `verdict`, and each `Part` as plain data, by claim.

    `tables` names the tables that were read; claims that are `changed` are not as they were frozen.
    """

    tables: list[str]
    verdicts: Mapping[str, Data]
    parts: Mapping[str, list[Data]]
    changed: Collection[str] = ()


def lines_of(claims: Iterable[Data], kept: Mapping[str, Data], judged: Judged) -> list[Line]:
    """A line for each claim about many networks; `kept` has the row of its verdict on kept ones."""
    found = []
    for claim in filter(is_about_many, claims):
        name = claim["id"]
        before = kept.get(name, _NOT_JUDGED)["verdict"]
        now = judged.verdicts.get(name, _NOT_JUDGED)
        verdict = now["verdict"]
        note = now["note"]
        absent = [population for population in populations_of(claim) if population not in judged.tables]
        if absent:
            verdict = NOT_JUDGED
            note = f"No network of {', '.join(absent)} is among them."
        elif name in judged.changed:
            verdict = NOT_JUDGED
            note = "Changed since everything was fixed."
        outcome = _outcome(verdict, now)
        if absent or name in judged.changed:
            outcome = WITHOUT
        turned = None
        if NOT_JUDGED not in (before, verdict) and name not in judged.changed:
            turned = (before in AGREEING) != (verdict in AGREEING)
        kind = _KINDS.get(claim.get("threshold_set"), PRINTED)
        measured = now["measured"]
        parts = judged.parts.get(name, [])
        line = Line(name, kind, before, verdict, outcome, measured, note, turned, parts)
        found.append(line)
    return found


def _outcome(verdict: str, row: Data) -> str:
    """Which of OUTCOMES a verdict is; one that is not judged, but has an interval, was asked and is undecided."""
    if verdict != NOT_JUDGED:
        return HOLDS if verdict in AGREEING else REFUTED
    return UNDECIDED if row["interval"] else WITHOUT


def is_about_many(claim: Data) -> bool:
    """Whether a claim is judged on the networks of a dataset."""
    return claim["rests_on"] == MANY_TRAININGS and bool(populations_of(claim))


def parts_by_claim(claims: Iterable[Data], tables: Mapping[str, str]) -> dict[str, list[Data]]:
    """What each table says alone of each claim about each network, by claim."""
    built = Built()
    found = {}
    for claim in filter(is_about_many, claims):
        if claim["of"] == PUBLISHED:
            continue
        name = claim["id"]
        parts = _parts_of(claim, tables, built)
        found[name] = [asdict(part) for part in parts]
    return found


def _parts_of(claim: Data, tables: Mapping[str, str], built: Built) -> list[Part]:
    """What the tables of the claim's populations say, and those of changed recipes.

    A table of a changed recipe has the name of the population and more, as c91_batch_modulus has.
    """
    found = []
    form = form_of(claim)
    for name, file in tables.items():
        own = [population for population in claim["judged_on"] if f"{name}_".startswith(f"{population}_")]
        if not own:
            continue
        made_here, other = built.made_here(file, *kept_rows(own[0]))
        for networks, words in ((made_here.judging, ""), (made_here.others, other)):
            if networks.empty:
                continue
            seeds = {name: rows_for(claim, networks)}
            outcome = form.judge(Evidence(None, {}, seeds=seeds))
            part = Part(name, words, outcome.seeds, outcome.agrees)
            found.append(part)
    return found


def judged_held_out(claims: Sequence[Data], published: str, tables: Mapping[str, str], values: str) -> Judged:
    """What committed tables of held-out networks say, which are files by dataset, and what notebooks recorded on these.

    The network that a claim shows was seen before, so it does not judge.
    """
    counted = []
    verdicts = []
    files = {name: [tables[name], *kept_rows(name)] for name in tables}
    built = Built()
    apart = differing(frozen(), fixed_claims({"claims": claims}))
    changed = [claim["id"] for claim in claims if name_of(claim) in apart]
    for claim in filter(is_about_many, claims):
        names = populations_of(claim)
        if claim["id"] in changed or not tables.keys() >= set(names):
            continue
        if not counts_networks(claim):
            seeds = {}
            for name in names:
                made_here, _ = built.made_here(*files[name])
                seeds[name] = rows_for(claim, made_here.judging)
            told = without_texts(claim)
            verdicts.append(judge(told, NONE_SHOWN, "paper", seeds=seeds))
        elif Path(values, f"{claim['notebook']}.json").exists():
            counted.append({**claim, "judged_on": []})
    alike = {"retrainings": {}, "seeds": {}, "datasets": files}
    rows = {claim["notebook"]: alike for claim in counted}
    verdicts += judge_built(counted, "paper", (), published, rows, unseen=tables, values=values)
    rows = {row["id"]: row for row in as_rows(verdicts)}
    return Judged(
        tables=list(tables),
        verdicts=rows,
        parts=parts_by_claim(claims, tables),
        changed=changed,
    )


def counts(lines: Iterable[Line]) -> dict[str, dict[str, int]]:
    """Of the claims that hold on kept networks, how many have each of OUTCOMES on unseen ones, by kind and of all."""
    outcomes = {kind: [] for kind in (EVERY, *KINDS)}
    for line in lines:
        if line.kept in AGREEING:
            outcomes[EVERY].append(line.outcome)
            outcomes[line.kind].append(line.outcome)
    return {kind: _counted(found) for kind, found in outcomes.items()}


def counts_elsewhere(lines: Iterable[Line]) -> dict[str, int]:
    """The same of every claim and every table of a changed recipe, together."""
    outcomes = []
    for line in lines:
        if line.kept in AGREEING:
            outcomes += [_outcome_of_part(part) for part in line.parts if part["other"]]
    return _counted(outcomes)


def _outcome_of_part(part: Data) -> str:
    """What the networks of one table say."""
    if part["networks"] is None:
        return WITHOUT
    return {True: HOLDS, False: REFUTED, None: UNDECIDED}[part["agrees"]]


def _counted(outcomes: Sequence[str]) -> dict[str, int]:
    """How often each of OUTCOMES is among some: the four add up to all of these."""
    return {outcome: outcomes.count(outcome) for outcome in OUTCOMES}


def report(
    claims: Sequence[Data], rows: Iterable[Data], unseen: Collection[str], held_out: Judged, reference: str
) -> dict[str, Any]:
    """What `unseen.json` holds: the checksum of the `freeze`, a line for each claim, and their counts; empty without networks.

    A build with `unseen` datasets tells of these, beside the verdicts of the reference build. Others tell of networks
    `held_out`, beside the verdicts of their own `rows`.
    """
    verdicts = {row["id"]: row for row in rows}
    if unseen:
        before = json_of(reference)
        tables = {name: table_of(name) for name in unseen}
        parts = parts_by_claim(claims, tables)
        judged = Judged(list(tables), verdicts, parts)
        lines = lines_of(claims, before, judged)
    elif held_out.tables:
        lines = lines_of(claims, verdicts, held_out)
    else:
        return {}
    return {
        "freeze": whole(),
        "own": bool(unseen),
        "lines": [asdict(line) for line in lines],
        "counts": counts(lines),
        "elsewhere": counts_elsewhere(lines),
    }
