"""Print what a build found: a line of counts, the claims that went against expectation, where the page is."""

from pathlib import Path

import own_library  # noqa: F401

from modadd.core.files import json_of
from modadd.ledger.reference import surprises
from modadd.page.site import outcome_of


def verdicts_in_words(claims: Path) -> str:
    """A line of counts, and a line for every claim that did not come out as expected."""
    rows = json_of(claims)
    against = [f"  {name}: {words}" for name, words in surprises(rows).items()]
    counts = f"{len(rows)} claims: {outcome_of(rows)}"
    lines = [f"{counts}; {len(against) or 'none'} against expectation.", *against]
    return "\n".join(lines)


def say_verdicts(folder: Path) -> None:
    """Print what a build in a folder found, and where its page is."""
    figures = folder / "figures"
    print(verdicts_in_words(figures / "claims.json"))
    print(f"Every figure, table and claim: {(figures / 'index.html').resolve().as_uri()}")
