"""Judge every claim of the ledger; write the verdicts, and what answers each item of the sources."""

import own_code  # noqa: F401

# isort: split

import sys

from paper.jobs import begin
from paper.unchanged import Parts, remember, stays

if __name__ == "__main__":
    begin(snakemake.log[0])
    if stays(snakemake):  # known before anything is imported that reads tables
        sys.exit()

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pandas as pd

from modadd.core.files import Data, read_json, write_whole
from paper.ledger.judge.again import Rows, judge_again
from paper.ledger.judge.built import Built
from paper.ledger.judge.held_out import HeldOut, against_held_out
from paper.ledger.judge.verdicts import NOT_JUDGED, with_claims
from paper.ledger.read.entries import read_ledger
from paper.ledger.read.published import fresh_values, kept_values, same_as_kept
from paper.ledger.read.words import show
from paper.ledger.tell.reference import surprises
from paper.ledger.tell.telling import interval_in_words, measured_in_words, on_which_networks
from paper.notebook_files import notebook_from_root
from paper.page.claims import claims_page, coverage_page
from paper.page.held_out import turned_in_words


def as_read(row: Data) -> dict[str, str]:
    """What a reader compares of a row `with_claims`, by the heading of its column."""
    verdict = row["verdict"]
    if verdict == NOT_JUDGED:
        verdict += f": {row['note']}"
    return {
        "Claim": row["statement"],
        "Source": f"[{row['paper']}] {row['place']}",
        "Published": show(row["published"]),
        "Measured": measured_in_words(row),
        "Interval": interval_in_words(row) or "–",
        "Check": row["criterion"],
        "Networks": on_which_networks(row) or "–",
        "Verdict": verdict,
    }


def as_json(content: Any) -> str:
    """Plain data as the text of a file that people read."""
    return json.dumps(content, indent=2, sort_keys=True, ensure_ascii=False) + "\n"


def write_verdicts(rows: Rows, ledger: Data, scale: str, outputs: Mapping[str, str]) -> None:
    """A row per claim, in the order of the ledger; LaTeX keeps what a reader compares. Two pages in Markdown."""
    whole = with_claims(rows, ledger)
    short = pd.DataFrame(as_read(row) for row in whole)
    notebooks = {}
    for name, entry in ledger["notebooks"].items():
        notebooks[name] = notebook_from_root(entry["source"])
    texts = {
        "json": as_json(rows),
        "csv": pd.DataFrame(rows).to_csv(index=False),
        "markdown": claims_page(whole, ledger["papers"], notebooks, scale),
        "papers": coverage_page(ledger),
        "latex": short.to_latex(index=False, escape=True),
    }
    for kind, text in texts.items():
        Path(outputs[kind]).write_text(text, encoding="utf-8")


def say(rows: Rows, claims: Sequence[Data], external: list[str], published: str) -> None:
    """Say which verdicts are not as expected, and which values of published weights are not the kept ones."""
    built = Built()
    fresh = fresh_values(claims, built.recorded, external)
    kept = kept_values(published)
    for place, words in same_as_kept(kept, fresh).items():
        print(f"published weights, {place}: {words}; {published} holds another value", file=sys.stderr)
    for name, words in surprises(rows).items():
        print(f"{name}: {words}", file=sys.stderr)


if __name__ == "__main__":
    ledger = read_ledger()
    claims = ledger["claims"]
    published = snakemake.input.published
    judged = snakemake.params.judged  # of `paper.build.Build.judged`
    rows = judge_again(claims, published, judged, snakemake.params.code, Parts(snakemake.rule))
    held_out = HeldOut(**read_json(snakemake.input.held_out))
    found = against_held_out(claims, rows, held_out)
    write_whole(Path(snakemake.output.unseen), as_json(found).encode())
    turned = turned_in_words(found, {claim["id"]: claim for claim in claims})
    told = [{**row, "note": " ".join(filter(None, (row["note"], turned.get(row["id"]))))} for row in rows]
    outputs = dict(snakemake.output.items())
    write_verdicts(told, ledger, judged["scale"], outputs)
    say(told, claims, judged["external"], published)
    remember(snakemake)
