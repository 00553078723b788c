"""Judge every claim of the ledger; write the verdicts, and what answers each item of the sources."""

import json
import sys
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pandas as pd

from modadd.core.files import read_json, write_whole
from modadd.core.jobs import begin
from modadd.ledger.entries import read_ledger
from modadd.ledger.here import judge_built
from modadd.ledger.published import fresh_values, kept_values, same_as_kept
from modadd.ledger.telling import interval_in_words, measured_in_words, where_it_holds
from modadd.ledger.unseen import report
from modadd.ledger.verdicts import NOT_JUDGED, Verdict, as_rows, rests_on_one, with_claims
from modadd.ledger.words import show
from modadd.page.claims import claims_page, coverage_page
from modadd.page.unseen import turned_in_words
from modadd.planning.root import notebook_file


def write_verdicts(verdicts: list[Verdict], ledger: Mapping[str, Any], scale: str, outputs: Mapping[str, str]) -> None:
    """A row per claim, in the order of the ledger; LaTeX keeps what a reader compares. Two pages in Markdown."""
    rows = as_rows(verdicts)
    content = json.dumps(rows, indent=2, sort_keys=True, ensure_ascii=False) + "\n"
    Path(outputs["json"]).write_text(content, encoding="utf-8")
    pd.DataFrame(rows).to_csv(outputs["csv"], index=False)
    rows = with_claims(rows, ledger)
    short = pd.DataFrame(
        {
            "Claim": row["statement"],
            "Source": f"[{row['paper']}] {row['place']}",
            "Published": show(row["published"]),
            "Measured": measured_in_words(row),
            "Interval": interval_in_words(row) or "–",
            "Check": row["criterion"],
            "Networks": where_it_holds(row) or ("one training only" if rests_on_one(row) else "–"),
            "Verdict": f"not judged: {row['note']}" if row["verdict"] == NOT_JUDGED else row["verdict"],
        }
        for row in rows
    )
    notebooks = {name: notebook_file(entry["source"]) for name, entry in ledger["notebooks"].items()}
    Path(outputs["markdown"]).write_text(claims_page(rows, ledger["papers"], notebooks, scale), encoding="utf-8")
    Path(outputs["papers"]).write_text(coverage_page(ledger), encoding="utf-8")
    Path(outputs["latex"]).write_text(short.to_latex(index=False, escape=True), encoding="utf-8")


def say(verdicts: list[Verdict], claims: Sequence[Mapping[str, Any]], external: list[str], published: str) -> None:
    """Say which verdicts are not as expected, and which values of published weights are not the kept ones."""
    recorded = {name: read_json(f"results/values/{name}.json") for name in {claim["notebook"] for claim in claims}}
    for place, words in same_as_kept(kept_values(published), fresh_values(claims, recorded, external)).items():
        print(f"published weights, {place}: {words}; {published} holds another value", file=sys.stderr)
    for verdict in verdicts:
        if not verdict.as_expected:
            print(f"{verdict.id}: {verdict.verdict}, expected {verdict.expected}; {verdict.note}", file=sys.stderr)


if __name__ == "__main__":
    begin(snakemake.log[0])
    ledger, published, judged = read_ledger(), snakemake.input.published, snakemake.params.judged
    verdicts = judge_built(ledger["claims"], published=published, **judged)
    where = {"unseen": judged["unseen"], **snakemake.params.held_out}
    beside = report(ledger, as_rows(verdicts), published=published, reference=snakemake.input.reference, **where)
    content = json.dumps(beside, indent=2, sort_keys=True, ensure_ascii=False) + "\n"
    write_whole(Path(snakemake.output.unseen), content.encode())
    turned = turned_in_words(beside, {claim["id"]: claim for claim in ledger["claims"]})
    verdicts = [replace(verdict, note=f"{verdict.note} {turned.get(verdict.id, '')}".strip()) for verdict in verdicts]
    write_verdicts(verdicts, ledger, judged["scale"], dict(snakemake.output.items()))
    say(verdicts, ledger["claims"], judged["external"], published)
