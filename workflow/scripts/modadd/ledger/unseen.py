"""Claims about many networks, judged once more on networks that nobody had seen when the claims were fixed."""

import json
from collections.abc import Collection, Iterable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from modadd.core.plain import Data
from modadd.core.statistics import share
from modadd.ledger.claims import MANY_TRAININGS, PUBLISHED
from modadd.ledger.forms import Evidence, Networks, form_of
from modadd.ledger.freeze import differing, fixed_claims, frozen, name_of, whole
from modadd.ledger.here import Built, judge_built, populations_of, rows_for
from modadd.ledger.verdicts import AGREEING, NOT_JUDGED, as_rows
from modadd.planning.paths import kept_rows, table_of
from modadd.populations.tables import what_is_other

# What a claim is compared with, in the order of how little freedom its threshold had.
PRINTED, GIVEN, BEFORE, AFTER = KINDS = (
    "printed in the paper",
    "given by the words",
    "set before looking",
    "set after looking",
)
_KINDS = {"given": GIVEN, "before": BEFORE, "after": AFTER}
EVERY = "all"


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
    parts: list[Part]


def lines_of(
    claims: Iterable[Data],
    kept: Mapping[str, str],
    unseen: Mapping[str, Mapping[str, Any]],
    tables: Mapping[str, str],
    changed: Collection[str] = (),
) -> list[Line]:
    """A line for each claim about many networks.

    `kept` has the verdict of each on kept networks, `unseen` the row of its verdict on those of `tables`, which are files by
    dataset, and `changed` the claims that are not as they were frozen.
    """
    found = []
    built = Built()
    for claim in claims:
        if claim["rests_on"] != MANY_TRAININGS or not populations_of(claim):
            continue
        name = claim["id"]
        before = kept.get(name, NOT_JUDGED)
        now = unseen.get(name, {"verdict": NOT_JUDGED, "measured": None, "note": ""})
        note = now["note"]
        if absent := [name for name in populations_of(claim) if name not in tables]:
            note = f"No network of {', '.join(absent)} is among them."
        elif name in changed:
            note = "Changed since everything was fixed."
        verdict = NOT_JUDGED if absent else now["verdict"]
        is_told = NOT_JUDGED not in (before, verdict) and name not in changed
        turned = (before in AGREEING) != (verdict in AGREEING) if is_told else None
        kind = _KINDS.get(claim.get("threshold_set"), PRINTED)
        parts = [] if claim["of"] == PUBLISHED else parts_of(claim, tables, built)
        found.append(Line(name, kind, before, verdict, now["measured"], note, turned, parts))
    return found


def parts_of(claim: Data, tables: Mapping[str, str], built: Built) -> list[Part]:
    """What each table says alone of a claim about each network: those of the claim's populations, and of changed recipes.

    A table of a changed recipe has the name of the population and more, as c91_batch_modulus has.
    """
    found = []
    for name, file in tables.items():
        population = next((own for own in claim["judged_on"] if f"{name}_".startswith(f"{own}_")), None)
        if population is None:
            continue
        (rows,) = built.rows_of({name: [file, *kept_rows(population)]}).values()
        own = rows.trained_here().judging
        for networks, other in ((own, ""), (rows.others, what_is_other(rows.others, rows.judging))):
            if len(networks):
                outcome = form_of(claim).judge(Evidence(None, {}, seeds={name: rows_for(claim, networks)}))
                found.append(Part(name, other, outcome.seeds, outcome.agrees))
    return found


def judged_held_out(claims: Iterable[Data], published: str, tables: Mapping[str, str], values: str) -> dict[str, Any]:
    """The row of the verdict on each claim by committed tables of held-out networks, and by what notebooks recorded on these."""
    judged, rows = [], {}
    for claim in claims:
        names = populations_of(claim)
        kind = "datasets" if claim["of"] == PUBLISHED else "seeds"
        there = set(names) <= tables.keys() and Path(values, f"{claim['notebook']}.json").exists()
        if claim["rests_on"] == MANY_TRAININGS and names and there:
            judged.append(claim if kind == "seeds" else {**claim, "judged_on": []})
            files = rows.setdefault(claim["notebook"], {"retrainings": {}, "seeds": {}, "datasets": {}})
            files[kind] |= {name: [tables[name], *kept_rows(name)] for name in names}
    verdicts = judge_built(judged, "paper", (), published, rows, unseen=tables, values=values)
    return {row["id"]: row for row in as_rows(verdicts)}


def counts(lines: Iterable[Line]) -> dict[str, dict[str, Any]]:
    """Of the claims that hold on kept networks, and could be judged, the share that holds on unseen ones, by kind and of all.

    Each with its 95 % interval, and the number of those `undecided` on the unseen networks.
    """
    holding = [line for line in lines if line.kept in AGREEING]
    found = {}
    for kind in (EVERY, *KINDS):
        own = [line for line in holding if kind in (EVERY, line.kind)]
        told = [not line.turned for line in own if line.turned is not None]
        found[kind] = {**asdict(share(told)), "undecided": len(own) - len(told)}
    return found


def counts_elsewhere(lines: Iterable[Line]) -> dict[str, Any]:
    """The same of every claim and every table of a changed recipe, together: of those that tell, how many agree."""
    told, undecided = [], 0
    for line in lines:
        for part in line.parts:
            if part.other and line.kept in AGREEING and part.agrees is None:
                undecided += 1
            elif part.other and line.kept in AGREEING:
                told.append(part.agrees)
    return {**asdict(share(told)), "undecided": undecided}


def reference_verdicts(file: Path | str) -> dict[str, str]:
    """The verdict of the reference build on each claim."""
    content = json.loads(Path(file).read_text(encoding="utf-8"))
    return {name: numbers["verdict"] for name, numbers in content.items()}


def report(ledger: Mapping[str, Any], rows: Iterable[Mapping[str, Any]], **where: Any) -> dict[str, Any]:
    """What `unseen.json` holds: the checksum of the `freeze`, a line for each claim, and their counts; empty without lines.

    `rows` are the verdicts of this build, `where` is that of `lines_here`.
    """
    lines = lines_here(ledger, {row["id"]: row for row in rows}, **where)
    if not lines:
        return {}
    return {
        "freeze": whole(),
        "own": bool(where["unseen"]),
        "lines": [asdict(line) for line in lines],
        "counts": counts(lines),
        "elsewhere": counts_elsewhere(lines),
    }


def lines_here(
    ledger: Mapping[str, Any],
    rows: Mapping[str, Mapping[str, Any]],
    unseen: Collection[str],
    held_out: Mapping[str, str],
    values: str,
    published: str,
    reference: str,
) -> list[Line]:
    """The lines of a build: of its own `unseen` datasets, beside the reference build; else of those `held_out`, beside its own.

    `held_out` are committed tables by name, `values` is where that is which notebooks recorded on them.
    """
    claims = ledger["claims"]
    if unseen:
        tables = {name: table_of(name) for name in unseen}
        return lines_of(claims, reference_verdicts(reference), rows, tables)
    if not held_out:
        return []
    changed = differing(frozen(), fixed_claims(ledger))
    kept = {name: row["verdict"] for name, row in rows.items()}
    found = judged_held_out(claims, published, held_out, values)
    return lines_of(claims, kept, found, held_out, {claim["id"] for claim in claims if name_of(claim) in changed})
