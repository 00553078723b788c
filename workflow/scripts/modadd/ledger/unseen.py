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
    for claim in filter(is_about_many, claims):
        name = claim["id"]
        before = kept.get(name, NOT_JUDGED)
        now = unseen.get(name, _NOT_JUDGED)
        verdict = now["verdict"]
        note = now["note"]
        absent = [population for population in populations_of(claim) if population not in tables]
        if absent:
            verdict = NOT_JUDGED
            note = f"No network of {', '.join(absent)} is among them."
        elif name in changed:
            note = "Changed since everything was fixed."
        turned = None
        if NOT_JUDGED not in (before, verdict) and name not in changed:
            turned = (before in AGREEING) != (verdict in AGREEING)
        kind = _KINDS.get(claim.get("threshold_set"), PRINTED)
        parts = []
        if claim["of"] != PUBLISHED:
            parts = parts_of(claim, tables, built)
        line = Line(name, kind, before, verdict, now["measured"], note, turned, parts)
        found.append(line)
    return found


def is_about_many(claim: Data) -> bool:
    """Whether a claim is judged on the networks of a dataset."""
    return claim["rests_on"] == MANY_TRAININGS and bool(populations_of(claim))


def parts_of(claim: Data, tables: Mapping[str, str], built: Built) -> list[Part]:
    """What each table says alone of a claim about each network: those of the claim's populations, and of changed recipes.

    A table of a changed recipe has the name of the population and more, as c91_batch_modulus has.
    """
    found = []
    form = form_of(claim)
    for name, file in tables.items():
        own = [population for population in claim["judged_on"] if f"{name}_".startswith(f"{population}_")]
        if not own:
            continue
        files = [file, *kept_rows(own[0])]
        rows = built.rows_of({name: files})[name]
        alike = rows.trained_here().judging
        other = what_is_other(rows.others, rows.judging)
        for networks, words in ((alike, ""), (rows.others, other)):
            if networks.empty:
                continue
            seeds = {name: rows_for(claim, networks)}
            outcome = form.judge(Evidence(None, {}, seeds=seeds))
            part = Part(name, words, outcome.seeds, outcome.agrees)
            found.append(part)
    return found


def judged_held_out(claims: Iterable[Data], published: str, tables: Mapping[str, str], values: str) -> dict[str, Any]:
    """The row of the verdict on each claim by committed tables of held-out networks, and by what notebooks recorded on these."""
    judged = []
    rows = {}
    for claim in filter(is_about_many, claims):
        names = populations_of(claim)
        notebook = claim["notebook"]
        recorded = Path(values, f"{notebook}.json")
        if not recorded.exists() or not tables.keys() >= set(names):
            continue
        files = rows.setdefault(notebook, {"retrainings": {}, "seeds": {}, "datasets": {}})
        kind = "seeds"
        if claim["of"] == PUBLISHED:
            kind = "datasets"
            claim = {**claim, "judged_on": []}
        judged.append(claim)
        for name in names:
            files[kind][name] = [tables[name], *kept_rows(name)]
    verdicts = judge_built(judged, "paper", (), published, rows, unseen=tables, values=values)
    return {row["id"]: row for row in as_rows(verdicts)}


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


def _share(outcomes: Iterable[bool | None]) -> dict[str, Any]:
    """Of outcomes that tell, the share that holds, with its interval; how many are undecided."""
    told = []
    undecided = 0
    for holds in outcomes:
        if holds is None:
            undecided += 1
        else:
            told.append(holds)
    return {**asdict(share(told)), "undecided": undecided}


def counts_elsewhere(lines: Iterable[Line]) -> dict[str, Any]:
    """The same of every claim and every table of a changed recipe, together: of those that tell, how many agree."""
    outcomes = []
    for line in lines:
        if line.kept in AGREEING:
            outcomes += [part.agrees for part in line.parts if part.other]
    return _share(outcomes)


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
    apart = differing(frozen(), fixed_claims(ledger))
    changed = {claim["id"] for claim in claims if name_of(claim) in apart}
    kept = {name: row["verdict"] for name, row in rows.items()}
    found = judged_held_out(claims, published, held_out, values)
    return lines_of(claims, kept, found, held_out, changed)
