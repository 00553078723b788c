"""Build figures/unseen.html: how claims fare on networks that nobody had seen."""

import own_code  # noqa: F401

# isort: split

import sys

from paper.jobs import begin
from paper.unchanged import remember, stays

if __name__ == "__main__":
    begin(snakemake.log[0])
    if stays(snakemake):
        sys.exit()

from collections.abc import Iterable
from pathlib import Path

from modadd.core.files import Data, json_of
from paper.ledger.judge.held_out import EVERY
from paper.ledger.read.entries import read_ledger
from paper.page.site import cells_of, mark_of
from paper.page.templates import render
from paper.page.typesetting import typeset
from paper.page.unseen import counts_table, evidence_in_words, in_a_sentence


def build_unseen(found: Data, claims: Iterable[Data], template: Path, page: Path) -> None:
    """Write the page from the content of figures/unseen.json: what turned comes first."""
    render(
        template,
        page,
        found=found,
        lines=sorted(found["lines"], key=order),
        claims={claim["id"]: claim for claim in claims},
        counts=cells_of(counts_table(found)) if any(found["counts"][EVERY].values()) else None,
        sentence=in_a_sentence(found),
        words={word.__name__: word for word in (evidence_in_words, mark_of, typeset)},
    )


def order(line: Data) -> int:
    """First claims that turn, then those that do not, then those that are not judged."""
    if line["turned"] is None:
        return 2
    return 0 if line["turned"] else 1


if __name__ == "__main__":
    build_unseen(
        json_of(snakemake.input.unseen),
        read_ledger()["claims"],
        Path(snakemake.input.template),
        Path(snakemake.output.page),
    )
    remember(snakemake)
