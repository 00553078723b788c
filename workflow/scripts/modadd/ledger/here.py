"""Claims judged on what a build has: on all networks, and on those that were trained here alone."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pandas as pd

from modadd.core.files import read_json
from modadd.core.parquet import read_table
from modadd.ledger.claims import MANY_TRAININGS, PUBLISHED
from modadd.ledger.published import kept_values
from modadd.ledger.verdicts import NOT_JUDGED, Verdict, judge
from modadd.populations.tables import NUMBER, numbered, one_each, read_rows

RESTS_ON_KEPT = "rests on kept rows"  # in place of a verdict: the number was counted over kept networks, too


def trained_where(tables: Sequence[str], folder: Path = Path(".")) -> dict[str, int]:
    """How many networks the tables of a dataset have: trained `here`, and `kept` that were not trained here again.

    What is in results/ was made here, in `folder`. The columns up to the seed tell networks apart.
    """
    read = {table: read_table(folder / table) for table in tables}
    first = list(next(iter(read.values())))
    alike = [name for name in first[: first.index("seed") + 1] if all(name in rows for rows in read.values())]
    here, kept = (
        {network for table in chosen for network in read[table][alike].itertuples(index=False, name=None)}
        for chosen in _apart(tables)
    )
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
    kept = kept_values(published)
    recorded = cache(lambda notebook: read_json(folder / f"results/values/{notebook}.json"))
    read = cache(lambda here, *kept: numbered(read_rows(folder / here, *kept)))
    retrained = cache(lambda *files: one_each(read(*files)))
    counts = cache(lambda *tables: trained_where(tables, folder))
    found = []
    for claim in claims:
        notebook = claim["notebook"]
        retrainings, seeds, datasets = (rows[notebook][kind] for kind in ("retrainings", "seeds", "datasets"))
        found.append(
            judge_here(
                claim,
                recorded(notebook),
                scale,
                [counts(*files) for name, files in datasets.items() if name in claim["counted_over"]],
                retrained=next((retrained(*files) for files in retrainings.values()), None),
                seeds={name: rows_for(claim, read(*seeds[name])) for name in claim["judged_on"]},
                external=external,
                kept=kept.get(claim.get("external"), {}).get(notebook),
            )
        )
    return found


def rows_for(claim: Mapping[str, Any], rows: pd.DataFrame) -> pd.DataFrame:
    """One row for each network of `numbered` rows: that trained here, unless only the kept one has the number of the claim.

    It has what `judged_networks` asks for alone: of a hundred columns and more, most would be copied for each claim.
    """
    measure = [claim["value"]] if claim["value"] in rows else []
    columns = dict.fromkeys([NUMBER, "trained", "accuracy", *measure])
    return one_each(rows[[*columns]], *measure)


def judge_here(
    claim: Mapping[str, Any],
    recorded: Mapping[str, Any],
    scale: str,
    datasets: Sequence[Mapping[str, int]] = (),
    retrained: pd.DataFrame | None = None,
    seeds: Mapping[str, pd.DataFrame] | None = None,
    **weights: Any,
) -> Verdict:
    """What `judge` finds, with the networks that were counted and the verdict on those trained here alone.

    `datasets` has `trained_where` of each dataset of the claim's notebook. A number that the notebook counted over kept rows
    stays what it is, so there is no verdict on the networks trained here. `weights` are what `judge` is told of these.
    """
    verdict = judge(claim, recorded, scale, retrained, seeds=seeds, **weights)
    counted = claim["rests_on"] == MANY_TRAININGS and claim["of"] == PUBLISHED and datasets
    rows = {place: sum(dataset[place] for dataset in datasets) for place in ("here", "kept")} if counted else None
    if rows and rows["kept"] and verdict.verdict != NOT_JUDGED:
        return replace(verdict, rows=rows, alone=RESTS_ON_KEPT)
    own = {name: _here(table) for name, table in (seeds or {}).items()}
    alone = judge(claim, recorded, scale, None if retrained is None else _here(retrained), seeds=own, **weights)
    return replace(verdict, rows=rows, alone=alone.verdict)


def _apart(tables: Iterable[str]) -> tuple[list[str], list[str]]:
    """Tables made here, and committed ones."""
    made = [table for table in tables if table.startswith("results/")]
    return made, [table for table in tables if table not in made]


def _here(rows: pd.DataFrame) -> pd.DataFrame:
    return rows[rows.trained == "here"]
