"""Build figures/unseen.html: how claims fare on networks that nobody had seen."""

import json
from pathlib import Path

from modadd.core.jobs import begin
from modadd.core.plain import Data
from modadd.ledger.entries import read_ledger
from modadd.page.site import mark_of, table_html
from modadd.page.templates import render
from modadd.page.typesetting import typeset
from modadd.page.unseen import counts_table, evidence_in_words, in_a_sentence


def order(line: Data) -> int:
    """First claims that turn, then those that do not, then those that are not judged."""
    if line["turned"] is None:
        return 2
    return 0 if line["turned"] else 1


if __name__ == "__main__":
    begin(snakemake.log[0])
    found = json.loads(Path(snakemake.input.unseen).read_text(encoding="utf-8"))
    render(
        Path(snakemake.input.template),
        Path(snakemake.output.page),
        found=found,
        lines=sorted(found["lines"], key=order),
        claims={claim["id"]: claim for claim in read_ledger()["claims"]},
        counts=table_html(counts_table(found)),
        sentence=in_a_sentence(found),
        words={word.__name__: word for word in (evidence_in_words, mark_of, typeset)},
    )
