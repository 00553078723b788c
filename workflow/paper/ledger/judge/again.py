"""Verdicts of a build, judged again for the notebooks whose claims, values or rows have changed; those of the others stay."""

import hashlib
import json
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from modadd.core.files import Data, sha256
from paper.ledger.judge.built import VALUES, judge_built
from paper.ledger.judge.verdicts import as_rows
from paper.unchanged import Parts

Rows = list[dict[str, Any]]


def judge_again(claims: Sequence[Data], weights: str, judged: Data, code: str, parts: Parts) -> Rows:
    """The row of the verdict on each claim, as of `as_rows`, which `judge_built` finds if `parts` does not know it.

    weights, judged: what `judge_built` takes. code: the checksum of the code that judges.
    """
    of_notebook: dict[str, list[Data]] = {}
    for claim in claims:
        of_notebook.setdefault(claim["notebook"], []).append(claim)
    digest = cache(sha256)  # several notebooks read one table
    shared = [code, judged["scale"], judged["external"], digest(weights)]
    of = {}
    for notebook, own in of_notebook.items():
        read = {str(file): digest(file) for file in _files_of(notebook, judged)}
        of[notebook] = hashlib.sha256(json.dumps([shared, own, read], sort_keys=True).encode()).hexdigest()
    known = {notebook: parts.get(notebook, of[notebook]) for notebook in of_notebook}
    changed = [claim for claim in claims if known[claim["notebook"]] is None]
    # As the file of parts gives them back: a row is the same whether it was judged now or before.
    fresh = json.loads(json.dumps(as_rows(judge_built(changed, weights=weights, **judged))))
    for claim, row in zip(changed, fresh, strict=True):
        known[claim["notebook"]] = [*(known[claim["notebook"]] or ()), row]
    parts.keep({notebook: (of[notebook], rows) for notebook, rows in known.items()})
    by_id = {row["id"]: row for rows in known.values() for row in rows}
    return [by_id[claim["id"]] for claim in claims]


def _files_of(notebook: str, judged: Data) -> Iterator[Path]:
    """What the claims of a notebook are judged on: its values, and tables of rows."""
    values = Path(VALUES) / f"{notebook}.json"
    yield from (file for file in (values, values.with_suffix(".sha256")) if file.exists())
    for datasets in judged["rows"][notebook].values():
        for tables in datasets.values():
            yield from map(Path, tables)
