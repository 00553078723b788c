"""Build the pages of executed notebooks, each with the verdicts of its claims at its end; a page that would not change stays."""

import own_code  # noqa: F401

# isort: split

import hashlib
import json
from pathlib import Path

from modadd.core.files import json_of, read_json
from paper.jobs import begin
from paper.ledger.judge.verdicts import with_claims
from paper.ledger.read.entries import read_ledger
from paper.ledger.tell.telling import measured_in_words, on_which_networks
from paper.page.found import found_in_words, neighbours
from paper.page.notebooks import to_html
from paper.page.site import mark_of
from paper.unchanged import Memory


def digest_of(*parts: object) -> str:
    """The sha256 of what a page is made of: files by their content, plain data as it is."""
    found = hashlib.sha256()
    for part in parts:
        found.update(part.read_bytes() if isinstance(part, Path) else json.dumps(part, sort_keys=True).encode())
    return found.hexdigest()


if __name__ == "__main__":
    begin(snakemake.log[0])
    ledger = read_ledger()
    rows = with_claims(json_of(snakemake.input.claims), ledger)
    memory = Memory(snakemake.rule)
    shared = [Path(file) for file in (snakemake.input.template, *snakemake.input.layout)]
    for page in map(Path, snakemake.output.pages):
        name = page.stem
        executed = Path(f"results/notebooks/{name}.ipynb")
        values = Path(f"results/values/{name}.json")
        found = found_in_words(name, ledger["notebooks"][name].get("found", ""), read_json(values))
        near = neighbours(name, ledger)
        claims = [
            {
                **row,
                "words": measured_in_words(row),
                "networks": on_which_networks(row) or "–",
                "mark": mark_of(row["verdict"]),
            }
            for row in rows
            if row["notebook"] == name
        ]
        digest = digest_of(executed, *shared, found, near, claims, snakemake.params.code)
        if not memory.stays([page], digest):
            to_html(executed, page, shared[0], f"../{name}", found, near, claims)
            memory.keep([page], digest)
