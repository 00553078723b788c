"""Build figures/index.html from verdicts, ledger, executed notebooks, tables, networks and populations."""

import json
from pathlib import Path

import pandas as pd

from modadd.core.jobs import begin
from modadd.core.parquet import read_table
from modadd.ledger.entries import read_ledger
from modadd.ledger.verdicts import show_interval, where_it_holds
from modadd.ledger.words import show
from modadd.networks.store import load_network
from modadd.page.cells import code_cells, recorded_in, saved_in
from modadd.page.front import brief, screens
from modadd.page.site import (
    POPULATION_COLUMNS,
    in_a_sentence,
    mark_of,
    network_table,
    population_table,
    recipe_table,
    size_of,
    table_html,
    verdict_counts,
)
from modadd.page.templates import render
from modadd.page.ways import network_anchor, places, ways


def build_site(
    claims: Path,
    executed: list[Path],
    networks: list[Path],
    populations: list[Path],
    kept: list[Path],
    template: Path,
    page: Path,
    studies: dict[str, str],
    pages: dict[str, str],
    scale: str,
    formats: list[str],
) -> None:
    """One page: the answer of each study, then the same by paper and figure, by question, and as a table of all claims."""
    rows, entries = json.loads(claims.read_text(encoding="utf-8")), read_ledger()
    notebooks, code = entries["notebooks"], {path.stem: code_cells(path) for path in executed}
    values = {name: [row["value"] for row in rows if row["notebook"] == name] for name in notebooks}
    tables = {
        name: {table: table_html(pd.read_csv(page.parent / name / f"{table}.csv")) for table in entry.get("tables", {})}
        for name, entry in notebooks.items()
    }
    captions = {
        f"{name}/{figure}": caption
        for name, entry in notebooks.items()
        for figure, caption in entry.get("figures", {}).items()
    }
    tables_here = {path.stem: read_table(path, POPULATION_COLUMNS) for path in populations}
    of_papers = {
        mark: places([item for item in entries["items"] if item["source"] == mark]) for mark in entries["papers"]
    }
    render(
        template,
        page,
        sentence=in_a_sentence(rows),
        trained_here=f"{len(networks) + sum(map(len, tables_here.values())):,}",
        kept=f"{sum(len(read_table(path, ['seed'])) for path in kept):,}",
        counts=verdict_counts(rows, entries["papers"]),
        unexpected=[row["id"] for row in rows if not row["as_expected"]],
        claims=rows,
        thresholds=sum(row["threshold"] is not None for row in rows),
        after=sum(row["threshold_set"] == "after" for row in rows),
        by_id={row["id"]: row for row in rows},
        screens=screens(entries["front"], rows, notebooks),
        ways=ways(entries["claims"], notebooks, of_papers),
        cells={
            name: {value: cell.id for value, cell in recorded_in(code[name], values[name]).items()}
            for name in notebooks
        },
        drawn={
            name: saved_in(code[name], entry.get("figures", {}), entry.get("tables", {}))
            for name, entry in notebooks.items()
        },
        brief=brief,
        network_anchor=network_anchor,
        sizes={name: size_of(page.parent / f"{name}.svg") for name in captions},
        show=show,
        show_interval=show_interval,
        where_it_holds=where_it_holds,
        mark_of=mark_of,
        scale=scale,
        scales=list(dict.fromkeys(name for row in rows for name in row["scales"])),
        networks=table_html(
            network_table({f"{path.parent.name}/{path.stem}": load_network(path) for path in networks}), "network"
        ),
        populations=table_html(population_table(tables_here), "population"),
        recipes=table_html(recipe_table()),
        studies={
            study: [name for name in studies if studies[name] == study] for study in dict.fromkeys(studies.values())
        },
        notebooks=notebooks,
        captions=captions,
        tables=tables,
        papers=entries["papers"],
        places=of_papers,
        pages=pages,
        formats=formats,
    )


if __name__ == "__main__":
    begin(snakemake.log[0])
    build_site(
        claims=Path(snakemake.input.claims),
        executed=[Path(path) for path in snakemake.input.executed],
        networks=[Path(path) for path in snakemake.input.networks if path.endswith(".safetensors")],
        populations=[Path(path) for path in snakemake.input.populations],
        kept=[Path(path) for path in snakemake.input.kept],
        template=Path(snakemake.input.template),
        page=Path(snakemake.output.page),
        studies=snakemake.params.studies,
        pages=snakemake.params.pages,
        scale=snakemake.params.scale,
        formats=snakemake.params.formats,
    )
