"""Claims about many networks, judged once more on networks that nobody had seen when the claims were fixed."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from modadd.core.files import json_of
from modadd.core.plain import Data
from modadd.core.statistics import share
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
_NOT_JUDGED = {"verdict": NOT_JUDGED, "measured": None, "note": ""}


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

    `kind` says when its threshold was set, `turned` whether it held and does not hold now, or the reverse; None where
    either is not judged, or the claim was changed since the freeze.
    """

    id: str
    kind: str
    kept: str
    unseen: str
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
            note = "Changed since everything was fixed."
        turned = None
        if NOT_JUDGED not in (before, verdict) and name not in judged.changed:
            turned = (before in AGREEING) != (verdict in AGREEING)
        kind = _KINDS.get(claim.get("threshold_set"), PRINTED)
        measured = now["measured"]
        parts = judged.parts.get(name, [])
        line = Line(name, kind, before, verdict, measured, note, turned, parts)
        found.append(line)
    return found


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
    for claim in filter(is_about_many, claims):
        names = populations_of(claim)
        if not tables.keys() >= set(names):
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
    apart = differing(frozen(), fixed_claims({"claims": claims}))
    changed = [claim["id"] for claim in claims if name_of(claim) in apart]
    rows = {row["id"]: row for row in as_rows(verdicts)}
    return Judged(
        tables=list(tables),
        verdicts=rows,
        parts=parts_by_claim(claims, tables),
        changed=changed,
    )


def counts(lines: Iterable[Line]) -> dict[str, dict[str, Any]]:
    """Of the claims that hold on kept networks, and could be judged, the share that holds on unseen ones, by kind and of all.

    Each with its 95 % interval, and the number of those `undecided` on the unseen networks.
    """
    outcomes = {kind: [] for kind in (EVERY, *KINDS)}
    for line in lines:
        if line.kept in AGREEING:
            holds = None if line.turned is None else not line.turned
            outcomes[EVERY].append(holds)
            outcomes[line.kind].append(holds)
    return {kind: _share(holding) for kind, holding in outcomes.items()}


def _share(outcomes: Sequence[bool | None]) -> dict[str, Any]:
    """Of outcomes that tell, the share that holds, with its interval; how many are undecided."""
    told = [holds for holds in outcomes if holds is not None]
    return {**asdict(share(told)), "undecided": len(outcomes) - len(told)}


def counts_elsewhere(lines: Iterable[Line]) -> dict[str, Any]:
    """The same of every claim and every table of a changed recipe, together: of those that tell, how many agree."""
    outcomes = []
    for line in lines:
        if line.kept in AGREEING:
            outcomes += [part["agrees"] for part in line.parts if part["other"]]
    return _share(outcomes)


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
