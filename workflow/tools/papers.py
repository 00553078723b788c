"""Write docs/papers.md, which answers every item of the sources, from data/papers (`make readme`)."""

from pathlib import Path

import own_library  # noqa: F401

from modadd.ledger.entries import read_ledger
from modadd.page.claims import coverage_page

if __name__ == "__main__":
    Path("docs/papers.md").write_text(coverage_page(read_ledger()), encoding="utf-8")
