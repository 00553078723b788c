"""Claims judged on what a build has: networks trained here, and kept ones."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import pandas as pd
from pyarrow import BufferReader
from pyarrow.parquet import read_schema

from modadd.core.files import Data, read_json, read_sealed, sha256
from modadd.core.parquet import read_table
from modadd.populations.tables import NUMBER, auditable, numbered, of_kept_recipe, one_each, read_rows, what_is_other
from modadd.populations.unmeasured import NOT_MEASURED
from paper.ledger.judge.verdicts import Verdict, judge
from paper.ledger.read.claims import counts_networks
from paper.ledger.read.published import kept_values

POPULATIONS = "populations"  # the folder of tables with a row for each network of a population
VALUES = "results/values"
Tables = Mapping[str, Sequence[str]]  # files of each dataset: what is made here first, then what is kept


def trained_where(tables: Sequence[str], folder: Path = Path(".")) -> dict[str, int]:
    """How many networks the tables of a dataset have: trained `here`, and `kept` that were not trained here again.

    What is in results/ was made here, in `folder`. The columns up to the seed tell networks apart.
    """
    columns = [_columns(folder / table) for table in tables]
    first = columns[0]
    alike = first[: first.index("seed") + 1]
    for others in columns:
        alike = [name for name in alike if name in others]
    here = set()
    kept = set()
    for table in tables:
        place = here if table.startswith("results/") else kept
        networks = read_table(folder / table, alike).itertuples(index=False, name=None)
        place.update(networks)
    only_kept = kept - here
    return {"here": len(here), "kept": len(only_kept)}


def how_many_auditable(table: Path) -> int:
    """How many networks of a table can be trained again to the last bit; raises FileError as `read_sealed` does."""
    decides = [name for name in _columns(table) if name == "arithmetic"]
    rows = read_table(table, decides)
    return int(auditable(rows).sum())


def _columns(table: Path) -> list[str]:
    """The names of the columns of a sealed table; raises FileError as `read_sealed` does."""
    content = BufferReader(read_sealed(table))
    return read_schema(content).names


def judge_built(
    claims: Sequence[Data],
    scale: str,
    external: Sequence[str],
    published: Path | str,
    rows: Mapping[str, Mapping[str, Tables]],
    folder: Path = Path("."),
) -> list[Verdict]:
    """The verdict on each claim by what was built in a folder.

    `rows` has, for each notebook, the tables of its `retrainings`, of the `seeds` that its claims are judged on and of the
    `datasets` that it reads, by name: what is made here first, then what is kept. `published` is the file of values kept of
    weights that are not `external` here.
    """
    built = Built(folder)
    kept = kept_values(published)
    found = []
    for claim in claims:
        notebook = claim["notebook"]
        tables = rows[notebook]
        retrained = built.rows_of(tables["retrainings"])
        about = chosen(tables["seeds"], claim["judged_on"])
        seeds = built.rows_of(about)
        of_weights = kept.get(claim.get("external"), {})
        evidence = {
            "external": external,
            "kept": of_weights.get(notebook),
            "seeds": {},
        }
        for alike in retrained.values():  # of one population, if any
            evidence["retrained"] = one_each(alike.judging)
        for name, alike in seeds.items():
            evidence["seeds"][name] = rows_for(claim, alike.judging)
        if counts_networks(claim):
            datasets = chosen(tables["datasets"], claim["counted_over"])
            evidence |= built.counted(datasets, claim)
        recorded = built.recorded(notebook)
        verdict = judge(claim, recorded, scale, **evidence)
        found.append(with_left_out(verdict, claim, seeds | retrained))
    return found


def populations_of(claim: Data) -> Sequence[str]:
    """The datasets whose networks a claim about many networks is judged on."""
    return claim["counted_over"] if counts_networks(claim) else claim["judged_on"]


def chosen(tables: Tables, names: Sequence[str]) -> Tables:
    """The tables of some of the datasets."""
    return {name: tables[name] for name in names}


@dataclass
class Built:
    """What was built in a folder, each file read once; `values` is the place of what notebooks recorded."""

    folder: Path = Path(".")
    values: str = VALUES

    def __post_init__(self) -> None:
        self.recorded = cache(self._recorded)
        self._rows = cache(self._by_recipe)
        self.made_here = cache(self._made_here)
        self._trained = cache(trained_where)

    def _recorded(self, notebook: str) -> dict[str, Any]:
        """What the job of a notebook recorded; raises ValueError for values that another one wrote."""
        file = self.folder / self.values / f"{notebook}.json"
        said = file.with_suffix(".sha256")
        if said.exists() and said.read_text(encoding="utf-8").strip() != sha256(file):
            raise ValueError(
                f"{file}: expected what the job of the notebook recorded, found other values; delete the file"
            )
        return read_json(file)

    def _by_recipe(self, here: str, *kept: str) -> "ByRecipe":
        rows = numbered(read_rows(self.folder / here, *kept))
        alike = of_kept_recipe(rows)
        return ByRecipe(rows[alike], rows[~alike])

    def _made_here(self, *files: str) -> tuple["ByRecipe", str]:
        """The rows of the first of a dataset's files, and what the recipe of the others among them has otherwise."""
        rows = self._rows(*files)
        return rows.trained_here(), rows.what_is_other()

    def rows_of(self, tables: Tables) -> dict[str, "ByRecipe"]:
        """The rows of some populations, from the tables of each."""
        return {name: self._rows(*files) for name, files in tables.items()}

    def counted(self, datasets: Tables, claim: Data) -> dict[str, Any]:
        """Of a number that a notebook counted over some datasets: over how many networks, and why it is no evidence."""
        found = {"here": 0, "kept": 0}
        populations = {}
        for name, files in datasets.items():
            trained = self._trained(tuple(files), self.folder)
            for where, networks in trained.items():
                found[where] += networks
            if Path(files[0]).parent.name == POPULATIONS:
                populations |= self.rows_of({name: files})
        return {
            "counted": found if datasets else None,
            "unjudgeable": why_uncounted(claim, populations),
        }


class ByRecipe(NamedTuple):
    """Rows of a dataset that judge claims, and `others`: those trained here by a recipe that no kept row has."""

    judging: pd.DataFrame
    others: pd.DataFrame

    def trained_here(self) -> "ByRecipe":
        """Those that were trained here, of both."""
        is_new = self.judging.trained == "here"
        return ByRecipe(self.judging[is_new], self.others)

    def what_is_other(self) -> str:
        """What the recipe of the others has otherwise, in words."""
        return what_is_other(self.others, self.judging)

    def in_words(self, name: str, count: int) -> str:
        """How many of the others there are, and of which recipe."""
        networks = "network" if count == 1 else "networks"
        return f"{count} {networks} of {name} trained here with {self.what_is_other()}"


def would_count(claim: Data, rows: pd.DataFrame) -> int:
    """How many of some networks are right often enough for a claim."""
    enough = rows.accuracy >= claim["needs_accuracy"]
    return int(enough.sum())


def why_uncounted(claim: Data, populations: Mapping[str, ByRecipe]) -> str:
    """Why a number that was counted over some populations says nothing of the claim; empty where it does.

    Networks of another recipe may be among them, or none of a population is right often enough.
    """
    for name, rows in populations.items():
        # One that was stopped early, and answers wrong, is a first look, which notebooks leave out.
        others = rows.others
        as_long = others.steps >= rows.judging.steps.min()
        is_right = others.accuracy == 1
        counting = others[as_long | is_right]
        if count := would_count(claim, counting):
            words = rows.in_words(name, count)
            return f"{words} are counted in this number; the claim is about the kept recipe"
        if not would_count(claim, rows.judging):
            return f"none of {len(rows.judging)} networks of {name} has the accuracy {claim['needs_accuracy']:g}"
    return ""


def with_left_out(verdict: Verdict, claim: Data, judged_on: Mapping[str, ByRecipe]) -> Verdict:
    """The verdict, with a note on networks of another recipe that would otherwise have judged."""
    words = []
    for name, rows in judged_on.items():
        if count := would_count(claim, rows.others):
            words.append(rows.in_words(name, count))
    return verdict.with_note(f"Left out: {'; '.join(words)}.") if words else verdict


def rows_for(claim: Data, rows: pd.DataFrame) -> pd.DataFrame:
    """One row for each network of `numbered` rows: that trained here, unless only the kept one has the number of the claim.

    It has what judging asks for alone: of a hundred columns and more, most would be copied for each claim.
    """
    value = claim["value"]
    columns = [NUMBER, "trained", "accuracy", NOT_MEASURED]
    if value not in rows:
        return one_each(rows[columns])
    if value not in columns:
        columns.append(value)
    return one_each(rows[columns], value)
