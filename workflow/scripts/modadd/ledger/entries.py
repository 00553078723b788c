"""The ledger of claims as it is read: every entry checked, and the numbers as the papers print them."""

from collections.abc import Mapping
from decimal import Decimal, InvalidOperation
from pathlib import Path
from typing import Any

from modadd.core.wording import unknown
from modadd.run.settings import read_yaml, require_valid

BEYOND = "beyond"  # expected of a claim of this project: that it holds
THRESHOLD_CHECKS = (
    "at_least",
    "at_most",
    "share_of_seeds",
)  # may compare with this project's number instead of a printed one


def read_ledger(path: Path | str, schema: Path | str) -> dict[str, Any]:
    """The ledger as plain data; raises ValueError in one line that names the entry, what was expected and the nearest name.

    Every notebook's entry then has a `source`, the file in notebooks/ that is executed, and its figures and tables.
    """
    ledger = read_yaml(path)
    require_valid(ledger, schema, str(path))
    ledger["notebooks"] = _with_sources(ledger["notebooks"], f"{path}: notebooks")
    seen: set[str] = set()
    for claim in ledger["claims"]:
        where = f"{path}: claim '{claim['id']}'"
        if claim["id"] in seen:
            raise ValueError(f"{where} stands twice; expected each id once")
        seen.add(claim["id"])
        if claim["notebook"] not in ledger["notebooks"]:
            raise ValueError(unknown(f"{where}.notebook", "notebook", claim["notebook"], ledger["notebooks"]))
        others = ledger["notebooks"][claim["notebook"]].get("others", [])
        if claim.get("network") not in (None, *others):
            raise ValueError(unknown(f"{where}.network", "network", claim["network"], others))
        if claim["paper"] not in ledger["papers"]:
            raise ValueError(unknown(f"{where}.paper", "paper", claim["paper"], ledger["papers"]))
        _require_comparable(claim, where)
        if claim["check"] == "within_spread" and "rounding" not in ledger["notebooks"][claim["notebook"]]:
            raise ValueError(f"{where}: check 'within_spread' needs the key 'rounding' in its notebook's entry")
        if claim["expected"] == BEYOND and ("published" in claim or "threshold" not in claim):
            raise ValueError(f"{where}: expected 'beyond' is for a claim with 'threshold' and without 'published'")
        if claim["expected"] == "differs" and "explanation" not in claim:
            raise ValueError(f"{where}: explanation is missing; a claim expected to differ says why")
    return ledger


def _with_sources(notebooks: Mapping[str, Any], where: str) -> dict[str, Any]:
    """The entries, those that execute another entry's notebook on a further network with that one's figures and tables."""
    resolved = {}
    for name, entry in notebooks.items():
        source = entry.get("source", name)
        if source not in notebooks:
            raise ValueError(unknown(f"{where}.{name}.source", "notebook", source, notebooks))
        if "source" in notebooks[source]:
            raise ValueError(f"{where}.{name}.source: '{source}' has a source itself; expected an entry without one")
        captions = {kind: notebooks[source][kind] for kind in ("figures", "tables") if kind in notebooks[source]}
        resolved[name] = {**captions, **entry, "source": source}
    return resolved


def _require_comparable(claim: Mapping[str, Any], where: str) -> None:
    """Raise ValueError for a claim without what its check compares with, or with what it cannot use."""
    check, published = claim["check"], claim.get("published")
    if "threshold" in claim and check not in THRESHOLD_CHECKS:
        raise ValueError(f"{where}.threshold: only for check {' or '.join(THRESHOLD_CHECKS)}, got check '{check}'")
    if "published" not in claim and "threshold" not in claim:
        hint = f"; where the paper prints no number, expected 'threshold' with check {' or '.join(THRESHOLD_CHECKS)}"
        raise ValueError(f"{where}: key 'published' is missing{hint}")
    if check == "within" and "tolerance" not in claim:
        raise ValueError(f"{where}: tolerance is missing; check 'within' expects a number")
    if check == "within" and "tolerance_source" not in claim:
        raise ValueError(f"{where}: tolerance_source is missing; check 'within' expects where its tolerance comes from")
    if check == "set_equals" and not isinstance(published, list):
        raise ValueError(f"{where}.published: check 'set_equals' expects a list, got {published!r}")
    try:
        finite = "published" not in claim or all(number.is_finite() for number in printed(published))
    except InvalidOperation:
        finite = False
    if not finite:
        raise ValueError(f"{where}.published: expected a number or a list of numbers, got {published!r}")


def printed(published: Any) -> list[Decimal]:
    """One published number, or several in order, with the digits that the ledger spells."""
    return [Decimal(str(number)) for number in (published if isinstance(published, list) else [published])]
