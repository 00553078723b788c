"""Write docs/papers.md, which answers every item of the sources, from data/papers.yaml (`make readme`)."""

from pathlib import Path

import own_library  # noqa: F401

from modadd.ledger.coverage import read_papers
from modadd.ledger.entries import read_ledger
from modadd.page.claims import coverage_page

if __name__ == "__main__":
    schemas = Path("workflow/schemas")
    ledger = read_ledger("data/claims.yaml", schemas / "claims.schema.yaml")
    papers = read_papers("data/papers.yaml", schemas / "papers.schema.yaml", ledger)
    Path("docs/papers.md").write_text(coverage_page(papers, ledger), encoding="utf-8")
