"""Claims judged on what a build has: networks trained here, and kept ones."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import Any

import pandas as pd
from pyarrow import BufferReader
from pyarrow.parquet import read_schema

from modadd.core.files import Data, read_json, read_sealed, sha256
from modadd.core.parquet import read_table
from modadd.core.wording import require_known
from modadd.populations.tables import NUMBER, auditable, numbered, of_kept_recipe, one_each, read_rows, what_is_other
from modadd.populations.unmeasured import NOT_MEASURED
from paper.ledger.judge.evidence import Evidence
from paper.ledger.judge.verdicts import Verdict, verdict_on
from paper.ledger.read.claims import SHOWN, counts_networks
from paper.ledger.read.published import Values, kept_values
from paper.ledger.tell import notes

POPULATIONS = "populations"  # the folder of tables with a row for each network of a population
VALUES = "results/values"
WHERE = ("here", "kept")  # a network was trained in this build, or is of the committed rows
# What judging asks of rows, beside the number of the claim: of a hundred columns and more, most would be copied for each claim.
COLUMNS = (NUMBER, "trained", "accuracy", "steps", "frequencies", NOT_MEASURED)
Tables = Mapping[str, Sequence[str]]  # files of each dataset: what is made here first, then what is kept
# Rows of a population: those that judge claims, and those of another recipe.
ByRecipe = tuple[pd.DataFrame, pd.DataFrame]


def judge_built(
    claims: Sequence[Data],
    scale: str,
    external: Collection[str],
    weights: Path | str,
    rows: Mapping[str, Mapping[str, Tables]],
    folder: Path = Path("."),
) -> list[Verdict]:
    """The verdict on each claim by what was built in a folder.

    `rows` has, for each notebook, the tables of its `retrainings`, of the `seeds` that its claims are judged on and of the
    `datasets` that it reads, by name: what is made here first, then what is kept. `weights` is the file of values kept of
    published weights, for those that are not `external` here.
    """
    built = Built(folder, scale=scale, external=external, weights=kept_values(weights), tables=rows)
    return [verdict_on(claim, built.evidence(claim)) for claim in claims]


@dataclass
class Built:
    """What was built in a folder at a scale, each file read once; `values` is the place of what notebooks recorded.

    `tables` and `external` are those of `judge_built`, `weights` the values kept of published weights that are not `external`.
    """

    folder: Path = Path(".")
    values: str = VALUES
    scale: str = ""
    external: Collection[str] = ()
    weights: Values = field(default_factory=dict)
    tables: Mapping[str, Mapping[str, Tables]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.recorded = cache(self._recorded)
        self.by_recipe = cache(self._by_recipe)
        self._trained = cache(trained_where)

    def evidence(self, claim: Data) -> Evidence:
        """What its notebook recorded of a claim, and the rows of the networks that it is about.

        Raises ValueError, one line, for a value that the notebook did not record.
        """
        evidence = self.shown(claim)
        tables = self.tables[claim["notebook"]]
        seeds = {name: self.by_recipe(*tables["seeds"][name]) for name in claim["judged_on"]}
        retrainings = {name: self.by_recipe(*files) for name, files in tables["retrainings"].items()}
        evidence = replace(
            evidence,
            seeds={name: rows_for(claim, judging) for name, (judging, _) in seeds.items()},
            left_out=why_left_out(claim, seeds | retrainings),
        )
        for judging, _ in retrainings.values():  # of one population, if any
            evidence = replace(evidence, retrained=rows_for(claim, judging))
        if counts_networks(claim):
            populations, counts = {}, []
            for name in claim["counted_over"]:
                files = tables["datasets"][name]
                if Path(files[0]).parent.name == POPULATIONS:
                    populations[name] = self.by_recipe(*files)
                else:
                    counts.append(self._trained(tuple(files), self.folder))
            obstacle = why_uncounted(claim, populations)
            for judging, others in populations.values():
                counts.append(by_where(pd.concat([judging, others]) if obstacle else judging))
            counted = {where: sum(count[where] for count in counts) for where in WHERE} if counts else None
            evidence = replace(evidence, counted=counted, obstacle=obstacle)
        return evidence

    def shown(self, claim: Data) -> Evidence:
        """What a notebook recorded of the network shown; of published weights that are not here, what was kept of them."""
        notebook = claim["notebook"]
        recorded = self.recorded(notebook)
        network = recorded["network"]
        if network and "network" in claim:
            network = recorded["others"][claim["network"]]
        values = recorded["values"]
        value = claim["value"]
        counted = None
        if claim.get("external") not in (None, *self.external):
            kept = self.weights.get(claim["external"], {}).get(notebook, {})
            if value not in kept:
                missing = notes.NO_WEIGHTS.format(claim["external"])
                return Evidence(values.get(value), network, values, self.scale, obstacle=missing)
            values = values | kept
            counted = {"here": 0, "kept": 1}
        if claim["of"] == SHOWN:
            require_known(f"claim '{claim['id']}'.value", "name", [value], values)
        return Evidence(values.get(value), network, values, self.scale, counted=counted)

    def _recorded(self, notebook: str) -> dict[str, Any]:
        """What the job of a notebook recorded; raises ValueError for values that another one wrote."""
        file = self.folder / self.values / f"{notebook}.json"
        said = file.with_suffix(".sha256")
        if said.exists() and said.read_text(encoding="utf-8").strip() != sha256(file):
            raise ValueError(
                f"{file}: expected what the job of the notebook recorded, found other values; delete the file"
            )
        return read_json(file)

    def _by_recipe(self, here: str, *kept: str) -> ByRecipe:
        """The rows of a recipe that a kept row has, all of them where none is kept; and the others, which judge no claim."""
        rows = numbered(read_rows(self.folder / here, *kept))
        alike = of_kept_recipe(rows)
        return rows[alike], rows[~alike]


def rows_for(claim: Data, rows: pd.DataFrame) -> pd.DataFrame:
    """One row for each network of `numbered` rows: that trained here, unless only the kept one has the number of the claim."""
    value = claim["value"]
    columns = [name for name in dict.fromkeys((*COLUMNS, value)) if name in rows]
    return one_each(rows[columns], value if value in columns else None)


def why_left_out(claim: Data, populations: Mapping[str, ByRecipe]) -> str:
    """Which networks would judge a claim if they were of the kept recipe, in words; empty if none would."""
    told = [_right(claim, name, others, judging) for name, (judging, others) in populations.items()]
    words = "; ".join(filter(None, told))
    return notes.LEFT_OUT.format(words) if words else ""


def why_uncounted(claim: Data, populations: Mapping[str, ByRecipe]) -> str:
    """Why a number that was counted over some populations says nothing of the claim; empty where it does.

    Networks of another recipe may be among them, or none of a population is right often enough.
    """
    for name, (judging, others) in populations.items():
        # One that was stopped early, and answers wrong, is a first look, which notebooks leave out.
        counted = others[(others.steps >= judging.steps.min()) | (others.accuracy == 1)]
        if words := _right(claim, name, counted, judging):
            return notes.COUNTED.format(words)
        if not (judging.accuracy >= claim["needs_accuracy"]).any():
            return notes.NONE_RIGHT.format(of=len(judging), name=name, accuracy=claim["needs_accuracy"])
    return ""


def _right(claim: Data, name: str, others: pd.DataFrame, judging: pd.DataFrame) -> str:
    """Networks of another recipe that are right often enough for a claim, in words; empty if there are none."""
    right = others[others.accuracy >= claim["needs_accuracy"]]
    if right.empty:
        return ""
    networks = "network" if len(right) == 1 else "networks"
    other = what_is_other(right, judging)
    return notes.OF_OTHER_RECIPE.format(count=len(right), networks=networks, name=name, other=other)


def populations_of(claim: Data) -> Sequence[str]:
    """The datasets whose networks a claim about many networks is judged on."""
    return claim["counted_over"] if counts_networks(claim) else claim["judged_on"]


def by_where(rows: pd.DataFrame) -> dict[str, int]:
    """How many networks some `numbered` rows are of: trained here, and kept ones that were not trained here again."""
    trained = one_each(rows[[NUMBER, "trained"]]).trained
    return {where: int((trained == where).sum()) for where in WHERE}


def trained_where(tables: Sequence[str], folder: Path = Path(".")) -> dict[str, int]:
    """How many networks the tables of a dataset have: trained `here`, and `kept` that were not trained here again.

    What is in results/ was made here, in `folder`. The columns up to the seed tell networks apart.
    """
    files = [folder / table if _made_here(table) else Path(table) for table in tables]
    columns = [_columns(file) for file in files]
    first = columns[0]
    alike = first[: first.index("seed") + 1]
    for others in columns:
        alike = [name for name in alike if name in others]
    here = set()
    kept = set()
    for table, file in zip(tables, files, strict=True):
        place = here if _made_here(table) else kept
        place.update(read_table(file, alike).itertuples(index=False, name=None))
    only_kept = kept - here
    return {"here": len(here), "kept": len(only_kept)}


def _made_here(table: str) -> bool:
    return table.startswith("results/")


def how_many_auditable(table: Path) -> int:
    """How many networks of a table can be trained again to the last bit; raises FileError as `read_sealed` does."""
    decides = [name for name in _columns(table) if name == "arithmetic"]
    rows = read_table(table, decides)
    return int(auditable(rows).sum())


def _columns(table: Path) -> list[str]:
    """The names of the columns of a sealed table; raises FileError as `read_sealed` does."""
    content = BufferReader(read_sealed(table))
    return read_schema(content).names
