"""The networks behind a claim that were trained here, and the verdict on these alone."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pandas as pd

from modadd.core.parquet import read_table
from modadd.ledger.claims import MANY_TRAININGS, PUBLISHED
from modadd.ledger.verdicts import NOT_JUDGED, Verdict, judge

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


def judge_here(
    claim: Mapping[str, Any],
    recorded: Mapping[str, Any],
    scale: str,
    retrained: pd.DataFrame | None = None,
    external: Iterable[str] = (),
    kept: Mapping[str, Any] | None = None,
    seeds: Mapping[str, pd.DataFrame] | None = None,
    datasets: Iterable[Mapping[str, int]] = (),
) -> Verdict:
    """What `judge` finds, with the networks that were counted and the verdict on those trained here alone.

    `datasets` has `trained_where` of each dataset of the claim's notebook. A number that the notebook counted over kept rows
    stays what it is, so there is no verdict on the networks trained here.
    """
    external = tuple(external)
    verdict = judge(claim, recorded, scale, retrained, external, kept, seeds)
    counted = claim["rests_on"] == MANY_TRAININGS and claim["of"] == PUBLISHED and [*datasets]
    rows = {place: sum(dataset[place] for dataset in counted) for place in ("here", "kept")} if counted else None
    if rows and rows["kept"] and verdict.verdict != NOT_JUDGED:
        return replace(verdict, rows=rows, alone=RESTS_ON_KEPT)
    own = {name: _here(table) for name, table in (seeds or {}).items()}
    alone = judge(claim, recorded, scale, None if retrained is None else _here(retrained), external, kept, own)
    return replace(verdict, rows=rows, alone=alone.verdict)


def _apart(tables: Iterable[str]) -> tuple[list[str], list[str]]:
    """Tables made here, and committed ones."""
    made = [table for table in tables if table.startswith("results/")]
    return made, [table for table in tables if table not in made]


def _here(rows: pd.DataFrame) -> pd.DataFrame:
    return rows[rows.trained == "here"]
