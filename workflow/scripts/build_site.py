"""Build figures/index.html and figures/claims.html from verdicts, ledger, notebooks, tables, networks and populations."""

import own_code  # noqa: F401

# isort: split

from base64 import b64encode
from collections.abc import Iterable
from functools import partial
from pathlib import Path
from typing import Any

import pandas as pd

from modadd.core.files import Data, json_of, read_json
from modadd.core.parquet import read_table
from modadd.networks.store import load_network
from paper.executed import code_cells, saved_in
from paper.jobs import begin
from paper.ledger.judge.built import how_many_auditable, trained_where
from paper.ledger.judge.verdicts import NOT_JUDGED, is_as_expected, with_claims
from paper.ledger.read.claims import SHOWN
from paper.ledger.read.entries import read_ledger
from paper.ledger.read.words import show
from paper.ledger.tell.telling import interval_in_words, measured_in_words, seen_with_power, where_it_holds
from paper.page.cards import card, kept_card
from paper.page.cells import computed_at
from paper.page.found import found_in_words
from paper.page.front import Finding, captions_of, findings, screens
from paper.page.held_out import in_a_sentence as held_out_in_a_sentence
from paper.page.outcomes import EVERY, Papers, bars, outcome, whose, why_outside, with_reference
from paper.page.sentences import brief, first_sentence
from paper.page.site import (
    POPULATION_COLUMNS,
    cells_of,
    in_a_sentence,
    network_table,
    outcome_of,
    population_table,
    recipe_table,
    size_of,
    verdict_counts,
)
from paper.page.templates import render
from paper.page.told import read_words
from paper.page.typesetting import markdown, typeset
from paper.page.ways import network_anchor, places, twins, ways


def build_site(
    claims: Path,
    reference: Path,
    unseen: Path,
    executed: list[Path],
    values: list[Path],
    networks: list[Path],
    populations: list[str],
    kept: list[str],
    templates: dict[str, Path],
    pages: dict[str, Path],
    others: dict[str, str],
    scale: str,
    formats: list[str],
) -> None:
    """Two pages: what came out, by study, by paper and figure, and by question; and a table of all claims.

    `reference` is the folder of what the reference build found: it stands for what this build could not judge, and says so.
    """
    entries = read_ledger()
    rows = with_reference(with_claims(json_of(claims), entries), json_of(reference / "numbers.json"))
    told = read_words(entries["papers"])
    results = findings(told["results"], rows)
    cards = [one for one in results if one.title]
    notebooks = entries["notebooks"]
    code = {path.stem: code_cells(path) for path in executed}
    figures = pages["page"].parent
    captions = captions_of(notebooks)
    of_papers = {}
    for mark in entries["papers"]:
        items = [item for item in entries["items"] if item["source"] == mark]
        of_papers[mark] = places(items, entries["claims"])
    seeds = {}
    for entry in entries["front"].values():
        if name := entry.get("map"):
            seeds |= dict.fromkeys(pd.read_csv(figures / f"{name}.csv", nrows=0), name)
    computed, tables = {}, {}
    for name, entry in notebooks.items():
        values_of = [row["value"] for row in rows if row["notebook"] == name]
        computed[name] = computed_at(code[name], values_of)
        files = {table: figures / name / f"{table}.csv" for table in entry.get("tables", {})}
        tables[name] = {table: cells_of(pd.read_csv(file)) for table, file in files.items()}
    shared = {
        "claims": rows,
        "by_id": {row["id"]: row for row in rows},
        "counts": verdict_counts(rows, entries["papers"]),
        "ways": ways(entries["claims"], notebooks, of_papers, seeds),
        "cells": computed,
        "papers": entries["papers"],
        "notebooks": notebooks,
        "scale": scale,
        "sentence": in_a_sentence(rows),
        "authors": [bar.authors for bar in bars(rows, told["papers"])],
        "lent": sum(row["from_reference"] for row in rows),
        "judged_here": sum(row["verdict"] != NOT_JUDGED and not row["from_reference"] for row in rows),
        "outcomes": EVERY,
        "whose": partial(whose, papers=told["papers"]),
        "not_judged": NOT_JUDGED,
        "shown": SHOWN,
    }
    words = [
        brief,
        first_sentence,
        interval_in_words,
        measured_in_words,
        network_anchor,
        outcome,
        outcome_of,
        show,
        typeset,
    ]
    shared |= {word.__name__: word for word in [*words, seen_with_power, where_it_holds, why_outside]}
    render(
        templates["page"],
        pages["page"],
        **shared,
        **_of_networks(networks, populations, kept),
        unseen=held_out_in_a_sentence(json_of(unseen)),
        cards=cards,
        drawings=dict(_drawings(cards, figures, reference)),
        others=[one for one in results if not one.title],
        guesses=findings(told["guesses"], rows),
        bars=bars(rows, told["papers"]),
        words=told["words"],
        check_takes=told["check_takes"],
        markdown=markdown,
        headings=_headings(entries["studies"], told["papers"]),
        unexpected=[row for row in rows if not is_as_expected(row)],
        screens=screens(entries["front"], rows, notebooks),
        drawn={name: saved_in(code[name]) for name in notebooks},
        sizes={name: size_of(figures / f"{name}.svg") for name in captions},
        recipes=cells_of(recipe_table()),
        studies=entries["studies"],
        found={
            path.stem: found_in_words(path.stem, notebooks[path.stem].get("found", ""), read_json(path))
            for path in values
        },
        twins=twins(notebooks),
        captions=captions,
        tables=tables,
        places=of_papers,
        pages=others,
        formats=formats,
    )
    render(
        templates["claims_page"],
        pages["claims_page"],
        **shared,
        thresholds=sum(row["threshold"] is not None for row in rows),
        after=sum(row["threshold_set"] == "after" for row in rows),
        scales=list(dict.fromkeys(name for row in rows for name in row["scales"])),
    )


def _drawings(cards: Iterable[Finding], figures: Path, reference: Path) -> Iterable[tuple[str, str]]:
    """The picture of each card by its figure, as base64 of an SVG: that of the reference build where the sentence is."""
    for one in cards:
        kept = reference / kept_card(one.figure)
        picture = (
            kept.read_text(encoding="utf-8") if one.from_reference and kept.exists() else card(one.figure, figures)
        )
        yield one.figure, b64encode(picture.encode()).decode()


def _headings(studies: Iterable[Data], papers: Papers) -> dict[str, str]:
    """What a study is called: by the authors of its paper, or by its title."""
    found = {study["name"]: study["title"] for study in studies}
    for authors, sources in papers.items():
        found |= {mark: authors for mark in sources if mark in found}
    return found


def _of_networks(networks: list[Path], populations: list[str], kept: list[str]) -> dict[str, Any]:
    """What the page says of networks: how many were trained here and kept, and tables of them."""
    alone = {f"{path.parent.name}/{path.stem}": load_network(path) for path in networks}
    tables = {Path(path).stem: read_table(path, [*POPULATION_COLUMNS]) for path in populations}
    alike = {Path(path).stem: path for path in kept}
    counts = [trained_where([path, *filter(None, [alike.get(Path(path).stem)])]) for path in populations]
    return {
        "trained_here": f"{len(networks) + sum(count['here'] for count in counts):,}",
        "kept": f"{sum(count['kept'] for count in counts):,}",
        "auditable": f"{sum(how_many_auditable(Path(path)) for path in kept):,}",
        "networks": cells_of(network_table(alone)),
        "populations": cells_of(population_table(tables)),
        "population_names": list(tables),
    }


if __name__ == "__main__":
    begin(snakemake.log[0])
    build_site(
        claims=Path(snakemake.input.claims),
        reference=Path(snakemake.input.reference).parent,
        unseen=Path(snakemake.input.unseen),
        executed=[Path(path) for path in snakemake.input.executed],
        values=[Path(path) for path in snakemake.input["values"]],
        networks=[Path(path) for path in snakemake.input.networks if path.endswith(".safetensors")],
        populations=list(snakemake.input.populations),
        kept=list(snakemake.input.kept),
        templates={"page": Path(snakemake.input.template), "claims_page": Path(snakemake.input.claims_template)},
        pages={"page": Path(snakemake.output.page), "claims_page": Path(snakemake.output.claims_page)},
        others=snakemake.params.pages,
        scale=snakemake.params.scale,
        formats=snakemake.params.formats,
    )
