"""Print what a build found: claims by source and verdict, those against expectation, where the page is."""

import json
from pathlib import Path

import own_library  # noqa: F401

from modadd.ledger.entries import read_ledger
from modadd.ledger.reference import on_one_training, surprises
from modadd.page.site import in_a_sentence, verdict_counts


def verdicts_in_words(claims: Path) -> str:
    """The table of verdicts and a line for every claim that did not come out as expected."""
    rows = json.loads(claims.read_text(encoding="utf-8"))
    counts = verdict_counts(rows, read_ledger()["papers"])
    against = [f"{name}: {words}" for name, words in surprises(rows).items()]
    lines = [
        in_a_sentence(rows),
        "",
        counts.rename_axis("source").to_markdown(),
        "",
        f"Against expectation: {len(against) or 'none'}",
        *against,
    ]
    if alone := on_one_training(rows):
        lines.append(
            f"Other verdicts than the reference's on one training only, which decide nothing: {', '.join(alone)}"
        )
    return "\n".join(lines)


def say_verdicts(folder: Path) -> None:
    """Print what a build in a folder found, and where its page is."""
    figures = folder / "figures"
    print(verdicts_in_words(figures / "claims.json"))
    print(f"Every figure, table and claim: {(figures / 'index.html').resolve().as_uri()}")
