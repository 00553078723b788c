"""Judge every claim of the ledger; write the verdicts, and what answers each item of the sources."""

import json
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pandas as pd

from modadd.core.files import read_json
from modadd.core.jobs import begin
from modadd.ledger.entries import read_ledger
from modadd.ledger.here import judge_here, trained_where
from modadd.ledger.published import fresh_values, kept_values, same_as_kept
from modadd.ledger.telling import interval_in_words, measured_in_words, where_it_holds
from modadd.ledger.verdicts import NOT_JUDGED, as_rows
from modadd.ledger.words import show
from modadd.page.claims import claims_page, coverage_page
from modadd.populations.tables import read_population
from modadd.run.root import notebook_file


def judge_claims(
    ledger: Mapping[str, Any],
    values: list[Path],
    roundings: dict[str, list[str]],
    seeds: dict[str, dict[str, list[str]]],
    datasets: dict[str, dict[str, list[str]]],
    external: list[str],
    published: Path,
    scale: str,
    outputs: dict[str, Path],
) -> None:
    """Write a row per claim, in the order of the ledger; LaTeX keeps what a reader compares. Two pages in Markdown."""
    recorded = {path.stem: read_json(path) for path in values}
    retrained = {notebook: read_population(*tables) for notebook, tables in roundings.items()}
    tables = {name: read_population(*files) for of in seeds.values() for name, files in of.items()}
    counted = {name: trained_where(files) for of in datasets.values() for name, files in of.items()}
    kept, claims = kept_values(published), ledger["claims"]
    verdicts = [
        judge_here(
            claim,
            recorded[claim["notebook"]],
            scale,
            retrained.get(claim["notebook"]),
            external,
            kept.get(claim.get("external"), {}).get(claim["notebook"]),
            {name: tables[name] for name in claim["judged_on"]},
            [counted[name] for name in datasets.get(claim["notebook"], {}) if name in claim["counted_over"]],
        )
        for claim in claims
    ]
    rows = as_rows(verdicts)
    content = json.dumps(rows, indent=2, sort_keys=True, ensure_ascii=False) + "\n"
    Path(outputs["json"]).write_text(content, encoding="utf-8")
    pd.DataFrame(rows).to_csv(outputs["csv"], index=False)
    short = pd.DataFrame(
        {
            "Claim": row["statement"],
            "Source": f"[{row['paper']}] {row['place']}",
            "Published": show(row["published"]),
            "Measured": measured_in_words(row),
            "Interval": interval_in_words(row) or "–",
            "Check": row["criterion"],
            "Networks": where_it_holds(row) or ("one training only" if row["one_training"] else "–"),
            "Verdict": f"not judged: {row['note']}" if row["verdict"] == NOT_JUDGED else row["verdict"],
        }
        for row in rows
    )
    notebooks = {name: notebook_file(entry["source"]) for name, entry in ledger["notebooks"].items()}
    Path(outputs["markdown"]).write_text(claims_page(rows, ledger["papers"], notebooks, scale), encoding="utf-8")
    Path(outputs["papers"]).write_text(coverage_page(ledger), encoding="utf-8")
    Path(outputs["latex"]).write_text(short.to_latex(index=False, escape=True), encoding="utf-8")
    for place, words in same_as_kept(kept, fresh_values(claims, recorded, external)).items():
        print(f"published weights, {place}: {words}; {published} holds another value", file=sys.stderr)
    for verdict in verdicts:
        if not verdict.as_expected:
            print(f"{verdict.id}: {verdict.verdict}, expected {verdict.expected}; {verdict.note}", file=sys.stderr)


if __name__ == "__main__":
    begin(snakemake.log[0])
    judge_claims(
        ledger=read_ledger(),
        values=[Path(path) for path in snakemake.input.values],
        roundings=snakemake.params.roundings,
        seeds=snakemake.params.seeds,
        datasets=snakemake.params.datasets,
        external=snakemake.params.external,
        published=Path(snakemake.input.published),
        scale=snakemake.params.scale,
        outputs=dict(snakemake.output.items()),
    )
