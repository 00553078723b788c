"""Claims judged on what a build has: networks trained here, and kept ones."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import pandas as pd

from modadd.core.files import read_json
from modadd.core.parquet import read_table
from modadd.ledger.claims import counts_networks
from modadd.ledger.published import kept_values
from modadd.ledger.verdicts import Verdict, judge
from modadd.populations.tables import NUMBER, numbered, of_kept_recipe, one_each, read_rows, what_is_other

POPULATIONS = "results/populations/"


def trained_where(tables: Sequence[str], folder: Path = Path(".")) -> dict[str, int]:
    """How many networks the tables of a dataset have: trained `here`, and `kept` that were not trained here again.

    What is in results/ was made here, in `folder`. The columns up to the seed tell networks apart.
    """
    read = {table: read_table(folder / table) for table in tables}
    first = list(read[tables[0]])
    names = first[: first.index("seed") + 1]
    alike = [name for name in names if all(name in rows for rows in read.values())]
    here, kept = set(), set()
    for table, rows in read.items():
        place = here if table.startswith("results/") else kept
        place.update(rows[alike].itertuples(index=False, name=None))
    return {"here": len(here), "kept": len(kept - here)}


def judge_built(
    claims: Sequence[Mapping[str, Any]],
    scale: str,
    external: Sequence[str],
    published: Path | str,
    rows: Mapping[str, Mapping[str, Mapping[str, Sequence[str]]]],
    folder: Path = Path("."),
) -> list[Verdict]:
    """The verdict on each claim by what was built in a folder.

    `rows` has, for each notebook, the tables of its `retrainings`, of the `seeds` that its claims are judged on and of the
    `datasets` that it reads, by name: what is made here first, then what is kept. `published` is the file of values kept
    of weights that are not `external` here.
    """
    built = Built(folder)
    kept = kept_values(published)
    found = []
    for claim in claims:
        notebook = claim["notebook"]
        tables = rows[notebook]
        seeds = built.read_all({name: tables["seeds"][name] for name in claim["judged_on"]})
        retrained = built.read_all(tables["retrainings"])
        evidence = {
            "retrained": one_each(next(iter(retrained.values())).judging) if retrained else None,
            "seeds": {name: rows_for(claim, rows.judging) for name, rows in seeds.items()},
            "external": external,
            "kept": kept.get(claim.get("external"), {}).get(notebook),
        }
        if counts_networks(claim):
            evidence |= built.counted({name: tables["datasets"][name] for name in claim["counted_over"]}, claim)
        verdict = judge(claim, built.recorded(notebook), scale, **evidence)
        found.append(with_left_out(verdict, claim, seeds | retrained))
    return found


class Built:
    """What was built in a folder, each file read once."""

    def __init__(self, folder: Path) -> None:
        self.recorded = cache(lambda notebook: read_json(folder / f"results/values/{notebook}.json"))
        self._read = cache(lambda here, *kept: by_recipe(numbered(read_rows(folder / here, *kept))))
        self._trained = cache(lambda *tables: trained_where(tables, folder))

    def read_all(self, tables: Mapping[str, Sequence[str]]) -> dict[str, "ByRecipe"]:
        """The rows of some populations, from the tables of each."""
        return {name: self._read(*files) for name, files in tables.items()}

    def counted(self, datasets: Mapping[str, Sequence[str]], claim: Mapping[str, Any]) -> dict[str, Any]:
        """Of a number that a notebook counted over some datasets: over how many networks, and why it is no evidence."""
        populations = {name: files for name, files in datasets.items() if files[0].startswith(POPULATIONS)}
        places = [self._trained(*files) for files in datasets.values()]
        counted = {place: sum(one[place] for one in places) for place in ("here", "kept")}
        return {
            "counted": counted if places else None,
            "unjudgeable": why_uncounted(claim, self.read_all(populations)),
        }


class ByRecipe(NamedTuple):
    """Rows of a dataset that judge claims, and `others`: those trained here by a recipe that no kept row has."""

    judging: pd.DataFrame
    others: pd.DataFrame

    def in_words(self, name: str, count: int) -> str:
        """How many of the others there are, and of which recipe."""
        networks = f"{count} network{'s' * (count != 1)} of {name}"
        return f"{networks} trained here with {what_is_other(self.others, self.judging)}"


def by_recipe(rows: pd.DataFrame) -> ByRecipe:
    """The rows apart by whether claims are about networks of their recipe."""
    alike = of_kept_recipe(rows)
    return ByRecipe(rows[alike], rows[~alike])


def would_count(claim: Mapping[str, Any], rows: pd.DataFrame) -> int:
    """How many of some networks are right often enough for a claim."""
    return int((rows.accuracy >= claim["needs_accuracy"]).sum())


def why_uncounted(claim: Mapping[str, Any], populations: Mapping[str, ByRecipe]) -> str:
    """Why a number that was counted over some populations says nothing of the claim; empty where it does.

    Networks of another recipe may be among them, or none of a population is right often enough.
    """
    for name, rows in populations.items():
        # One that was stopped early, and answers wrong, is a first look, which notebooks leave out.
        whole = (rows.others.accuracy == 1) | (rows.others.steps >= rows.judging.steps.min())
        if others := would_count(claim, rows.others[whole]):
            return f"{rows.in_words(name, others)} are counted in this number; the claim is about the kept recipe"
        if not would_count(claim, rows.judging):
            return f"none of {len(rows.judging)} networks of {name} has the accuracy {claim['needs_accuracy']:g}"
    return ""


def with_left_out(verdict: Verdict, claim: Mapping[str, Any], judged_on: Mapping[str, ByRecipe]) -> Verdict:
    """The verdict, with a note on networks of another recipe that would otherwise have judged."""
    words = []
    for name, rows in judged_on.items():
        if count := would_count(claim, rows.others):
            words.append(rows.in_words(name, count))
    if not words:
        return verdict
    left_out = f"{verdict.note} Left out: {'; '.join(words)}."
    return replace(verdict, note=left_out.strip())


def rows_for(claim: Mapping[str, Any], rows: pd.DataFrame) -> pd.DataFrame:
    """One row for each network of `numbered` rows: that trained here, unless only the kept one has the number of the claim.

    It has what judging asks for alone: of a hundred columns and more, most would be copied for each claim.
    """
    measure = [claim["value"]] if claim["value"] in rows else []
    columns = dict.fromkeys([NUMBER, "trained", "accuracy", *measure])
    return one_each(rows[[*columns]], *measure)
