"""Build figures/index.html from verdicts, ledger, executed notebooks, tables, networks and populations."""

import json
from pathlib import Path

import pandas as pd

from modadd.core.files import read_table
from modadd.core.jobs import begin
from modadd.ledger.coverage import read_papers
from modadd.ledger.entries import read_ledger, show
from modadd.ledger.verdicts import show_interval
from modadd.networks.store import load_network
from modadd.page.site import (
    POPULATION_COLUMNS,
    mark_of,
    network_table,
    population_table,
    recipe_table,
    recorded_in,
    table_html,
    verdict_counts,
)
from modadd.page.templates import render


def build_site(
    claims: Path,
    ledger: Path,
    papers: Path,
    schemas: Path,
    executed: list[Path],
    networks: list[Path],
    populations: list[Path],
    template: Path,
    page: Path,
    studies: dict[str, str],
    pages: dict[str, str],
    scale: str,
    formats: list[str],
) -> None:
    """One page: verdict counts, claims, and per study the figures and tables of its notebooks with their captions."""
    rows, entries = json.loads(claims.read_text(encoding="utf-8")), read_ledger(ledger, schemas / "claims.schema.yaml")
    items = read_papers(papers, schemas / "papers.schema.yaml", entries)
    cells = {path.stem: recorded_in(path, (row["value"] for row in rows)) for path in executed}
    tables = {
        name: {table: table_html(pd.read_csv(page.parent / name / f"{table}.csv")) for table in entry.get("tables", {})}
        for name, entry in entries["notebooks"].items()
    }
    render(
        template,
        page,
        counts=verdict_counts(rows, entries["papers"]),
        unexpected=[row["id"] for row in rows if not row["as_expected"]],
        claims=rows,
        thresholds=sum(row["threshold"] is not None for row in rows),
        after=sum(row["threshold_set"] == "after" for row in rows),
        cells=cells,
        show=show,
        show_interval=show_interval,
        mark_of=mark_of,
        scale=scale,
        scales=list(dict.fromkeys(name for row in rows for name in row["scales"])),
        networks=table_html(
            network_table({f"{path.parent.name}/{path.stem}": load_network(path) for path in networks})
        ),
        populations=table_html(
            population_table({path.stem: read_table(path, POPULATION_COLUMNS) for path in populations})
        ),
        recipes=table_html(recipe_table()),
        studies={
            study: [name for name in studies if studies[name] == study] for study in dict.fromkeys(studies.values())
        },
        notebooks=entries["notebooks"],
        tables=tables,
        papers=entries["papers"],
        items={mark: [item for item in items if item["source"] == mark] for mark in entries["papers"]},
        pages=pages,
        formats=formats,
    )


if __name__ == "__main__":
    begin(snakemake.log[0])
    build_site(
        claims=Path(snakemake.input.claims),
        ledger=Path(snakemake.input.ledger),
        papers=Path(snakemake.input.papers),
        schemas=Path(snakemake.params.schemas),
        executed=[Path(path) for path in snakemake.input.executed],
        networks=[Path(path) for path in snakemake.input.networks if path.endswith(".safetensors")],
        populations=[Path(path) for path in snakemake.input.populations],
        template=Path(snakemake.input.template),
        page=Path(snakemake.output.page),
        studies=snakemake.params.studies,
        pages=snakemake.params.pages,
        scale=snakemake.params.scale,
        formats=snakemake.params.formats,
    )
