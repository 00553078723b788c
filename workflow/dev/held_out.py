"""Judge every claim about many networks on those held out, and write data/held_out/verdicts.json (`python workflow/dev/held_out.py`).

This was done once: the networks were trained after claims and measures had been fixed, and none is added. It is done again only where
a claim is changed afterwards: name it with --changed, so that its old verdict is not taken for one of the new claim.
"""

import argparse
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from project import errors_of

from modadd.core.files import Data, read_json, write_json
from modadd.core.wording import require_known
from modadd.populations.tables import what_is_other
from paper.datasets import kept_rows
from paper.ledger.judge.built import Built, ByRecipe, populations_of, rows_for, why_uncounted
from paper.ledger.judge.evidence import Evidence, Networks
from paper.ledger.judge.forms import form_of
from paper.ledger.judge.held_out import FOLDER, VERDICTS, HeldOut, is_about_many
from paper.ledger.judge.verdicts import Verdict, as_rows, verdict_on
from paper.ledger.read.claims import EXPECTED_NOT_REPRODUCED, NEEDS, SHOWN, counts_networks
from paper.ledger.read.entries import read_ledger

VALUES = f"{FOLDER}/values"  # what notebooks recorded of numbers that they count over these networks
TEXTS = NEEDS[EXPECTED_NOT_REPRODUCED]  # what a claim tells of a difference on kept networks, and not on these


@dataclass(frozen=True)
class Part:
    """For how many networks of one table a claim about each network holds; `other` is what its recipe has otherwise."""

    table: str
    other: str
    networks: Networks | None
    agrees: bool | None


def tables_held_out() -> dict[str, list[str]]:
    """The tables of networks held out, by name: of each, its file, then the kept rows of the population of its name."""
    files = sorted(Path(FOLDER).glob("*.parquet"))
    return {file.stem: [str(file), *kept_rows(file.stem)] for file in files}


def judge_held_out(
    claims: Sequence[Data], changed: Sequence[str], tables: dict[str, list[str]], values: str = VALUES
) -> tuple[dict[str, Data], dict[str, list[Data]]]:
    """The rows of the verdicts on networks held out of all claims that are not `changed`, and what each table says alone, by claim.

    `values` is the folder of what notebooks recorded. The network that a claim shows was seen before, so it does not judge.
    """
    built = Built(values=values, scale="paper")
    verdicts = []
    parts = {}
    for claim in filter(is_about_many, claims):
        name = claim["id"]
        if claim["of"] != SHOWN:
            parts[name] = [asdict(part) for part in parts_of(claim, tables, built)]
        if name not in changed and tables.keys() >= set(populations_of(claim)):
            verdicts += _verdicts(claim, tables, built)
    return {row["id"]: row for row in as_rows(verdicts)}, parts


def _verdicts(claim: Data, tables: dict[str, list[str]], built: Built) -> list[Verdict]:
    """The verdict on one claim; none if it is about a number that notebooks count, and none recorded it on these networks."""
    told = {key: claim[key] for key in claim if key not in TEXTS}
    made_here = {name: _made_here(built.by_recipe(*tables[name])) for name in populations_of(claim)}
    if not counts_networks(claim):
        seeds = {name: rows_for(claim, judging) for name, (judging, _) in made_here.items()}
        return [verdict_on(told, Evidence(None, {}, scale=built.scale, seeds=seeds))]
    if not Path(built.values, f"{claim['notebook']}.json").exists():
        return []
    counted = {"here": 0, "kept": sum(len(judging) + len(others) for judging, others in made_here.values())}
    evidence = replace(built.shown(claim), counted=counted, obstacle=why_uncounted(claim, made_here))
    return [verdict_on(told | {"judged_on": []}, evidence)]


def _made_here(rows: ByRecipe) -> ByRecipe:
    """The same without what is kept."""
    judging, others = rows
    return judging[judging.trained == "here"], others


def parts_of(claim: Data, tables: dict[str, list[str]], built: Built) -> list[Part]:
    """What each table of the claim's populations says, and those of changed recipes, as c91_batch_modulus is."""
    found = []
    form = form_of(claim)
    for name, (file, *_) in tables.items():
        own = [population for population in claim["judged_on"] if f"{name}_".startswith(f"{population}_")]
        if not own:
            continue
        rows = built.by_recipe(file, *kept_rows(own[0]))
        alike, others = _made_here(rows)
        for networks, words in ((alike, ""), (others, what_is_other(others, rows[0]))):
            if not networks.empty:
                outcome = form.judge(Evidence(None, {}, seeds={name: rows_for(claim, networks)}))
                found.append(Part(name, words, outcome.seeds, outcome.agrees))
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--changed", nargs="+", default=[], metavar="CLAIM", help="claims that were changed since")
    asked = parser.parse_args()
    claims = read_ledger()["claims"]
    require_known("--changed", "claim", asked.changed, [claim["id"] for claim in claims])
    before = HeldOut(**read_json(Path(VERDICTS)))
    changed = sorted({*before.changed, *asked.changed})
    tables = tables_held_out()
    verdicts, parts = judge_held_out(claims, changed, tables)
    write_json(Path(VERDICTS), asdict(HeldOut(before.fixed, before.trained, list(tables), verdicts, parts, changed)))


if __name__ == "__main__":
    with errors_of("held_out"):
        main()
