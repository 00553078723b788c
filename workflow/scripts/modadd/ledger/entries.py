"""The ledger of claims as it is read: every entry checked, and the numbers as the papers print them."""

from collections.abc import Mapping
from decimal import Decimal, InvalidOperation
from pathlib import Path
from typing import Any

from modadd.core.wording import unknown
from modadd.run.settings import require_valid
from modadd.run.yaml_files import read_yaml

NUMBER, STATEMENT, IDENTITY, BEYOND = "number", "statement", "identity", "beyond"  # kinds of claims, counted apart
# What the ledger expects of a claim: that it agrees, or that it differs since the paper slips, contradicts itself, or else.
AGREES, SLIP, INCONSISTENT, NOT_REPRODUCED = "agrees", "slip", "inconsistent", "not_reproduced"
# What a claim says of a difference: a slip is explained; what is not reproduced has been tried, and leaves something open.
NEEDS = {
    AGREES: (),
    SLIP: ("explanation",),
    INCONSISTENT: ("explanation",),
    NOT_REPRODUCED: ("explanation", "tried", "open"),
}
ONE_TRAINING, MANY_TRAININGS, NO_TRAINING = "one_training", "many_trainings", "no_training"  # what a value rests on
ROWS = ("populations", "stages", "pilot", "competition")  # inputs of a notebook that hold many networks
# These checks may compare with a number of this project instead of a printed one.
THRESHOLD_CHECKS = ("at_least", "at_most", "share_of_networks")


def read_ledger(path: Path | str, schema: Path | str) -> dict[str, Any]:
    """The ledger as plain data; raises ValueError naming the entry, what was expected and the nearest name.

    Every notebook's entry then has a `source`, the file in notebooks/ that is executed, and its figures and tables, and
    every claim says what it rests on. Of a ledger without `front` that is empty.
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
        claim.setdefault("rests_on", _rests_on(claim, ledger["notebooks"][claim["notebook"]]))
        _require_comparable(claim, where)
        if claim["check"] == "retrainings" and "rounding" not in ledger["notebooks"][claim["notebook"]]:
            raise ValueError(f"{where}: check 'retrainings' needs the key 'rounding' in its notebook's entry")
        _require_kind(claim, where)
        for key in NEEDS[claim["expected"]]:
            if key not in claim:
                raise ValueError(f"{where}: {key} is missing; a claim of expected '{claim['expected']}' has it")
    ledger["front"] = ledger.get("front", {})
    _require_front(ledger, f"{path}: front")
    return ledger


def _require_front(ledger: Mapping[str, Any], where: str) -> None:
    """Raise ValueError for a study, source, figure or claim of the front that is not one of the ledger."""
    figures = [f"{name}/{own}" for name, entry in ledger["notebooks"].items() for own in entry.get("figures", {})]
    valid = {"source": ledger["papers"], "figure": figures, "claim": [claim["id"] for claim in ledger["claims"]]}
    for study, screen in ledger["front"].items():
        named = {"source": [study, *screen["sources"]], "figure": [screen["figure"]], "claim": screen["claims"]}
        for kind, names in named.items():
            for name in names:
                if name not in valid[kind]:
                    raise ValueError(unknown(f"{where}.{study}", kind, name, valid[kind]))


def _with_sources(notebooks: Mapping[str, Any], where: str) -> dict[str, Any]:
    """The entries; one that executes another entry's notebook has that one's figures and tables."""
    resolved = {}
    for name, entry in notebooks.items():
        source = entry.get("source", name)
        if source not in notebooks:
            raise ValueError(unknown(f"{where}.{name}.source", "notebook", source, notebooks))
        if "source" in notebooks[source]:
            raise ValueError(f"{where}.{name}.source: '{source}' has a source itself; expected an entry without one")
        captions = {kind: notebooks[source][kind] for kind in ("figures", "tables") if kind in notebooks[source]}
        if twice := set(captions.get("figures", {})) & set(captions.get("tables", {})):
            raise ValueError(f"{where}.{name}: '{min(twice)}' names a figure and a table; both would write its CSV")
        resolved[name] = {**captions, **entry, "source": source}
    return resolved


def _rests_on(claim: Mapping[str, Any], entry: Mapping[str, Any]) -> str:
    """What the value of a claim hangs on where the ledger does not say."""
    if "external" in claim or claim["kind"] == IDENTITY:
        return NO_TRAINING
    return MANY_TRAININGS if any(rows in entry for rows in ROWS) else ONE_TRAINING


def _require_kind(claim: Mapping[str, Any], where: str) -> None:
    """Raise ValueError for a claim whose kind does not fit its source or what it compares with."""
    kind, ours = claim["kind"], claim["paper"] == "B"
    if kind != IDENTITY and ours != (kind == BEYOND):
        raise ValueError(f"{where}.kind: '{kind}' of paper '{claim['paper']}'; expected '{BEYOND}' of paper 'B' alone")
    needed = {NUMBER: "published", STATEMENT: "threshold", BEYOND: "threshold"}.get(kind)
    if needed and needed not in claim:
        raise ValueError(f"{where}: {needed} is missing; kind '{kind}' has it")
    if kind in (STATEMENT, BEYOND) and "published" in claim:
        raise ValueError(f"{where}: kind '{kind}' has no 'published'; a printed number is of kind '{NUMBER}'")
    for key in ("threshold_set", "threshold_reason"):
        if ("threshold" in claim) != (key in claim):
            raise ValueError(f"{where}.{key}: expected with 'threshold', and only with it")


def _require_comparable(claim: Mapping[str, Any], where: str) -> None:
    """Raise ValueError for a claim without what its check compares with, or with what it cannot use."""
    check, published = claim["check"], claim.get("published")
    if "threshold" in claim and check not in THRESHOLD_CHECKS:
        raise ValueError(f"{where}.threshold: only for check {' or '.join(THRESHOLD_CHECKS)}, got check '{check}'")
    if "published" not in claim and "threshold" not in claim:
        hint = f"; where the paper prints no number, expected 'threshold' with check {' or '.join(THRESHOLD_CHECKS)}"
        raise ValueError(f"{where}: key 'published' is missing{hint}")
    if check == "share_of_networks" and "threshold" not in claim:
        raise ValueError(f"{where}: threshold is missing; check 'share_of_networks' expects one")
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


class _Shown:
    """A value of a notebook in a template: by the given digits, or else as `show` does."""

    def __init__(self, value: Any):
        self.value = value

    def __getitem__(self, part: int | str) -> "_Shown":
        if isinstance(self.value, Mapping) and part not in self.value:
            raise ValueError(unknown("part", "name", str(part), self.value))
        return _Shown(self.value[part])

    def __format__(self, digits: str) -> str:
        return format(self.value, digits).replace("-", "−") if digits and self.value is not None else show(self.value)


def filled(template: str, values: Mapping[str, Any]) -> str:
    """A text of the ledger with the recorded values in its places: "{means[0]:.3g}" or "{share}".

    Raises ValueError in one line for a name that is not recorded, or a part that it does not have.
    """
    try:
        return template.format_map({name: _Shown(value) for name, value in values.items()})
    except KeyError as error:
        raise ValueError(f"'{template}': {unknown('value', 'name', error.args[0], values)}") from error
    except (AttributeError, IndexError, TypeError, ValueError) as error:
        raise ValueError(f"'{template}': {error}") from error


def show(value: Any) -> str:
    """A published or measured value for reading: five significant digits, lists in order, an en dash for nothing."""
    if isinstance(value, Mapping) and {"low", "high", "of"} <= set(value):  # of networks: a share, or a number
        found = f"{value['holds']} of {value['of']}" if "holds" in value else show(value["value"])
        if value["low"] is None:  # of too few networks
            return found
        return f"{found} (95 %: {value['low']:.3g}–{value['high']:.3g})".replace("-", "−")
    if isinstance(value, list):
        return ", ".join(show(item) for item in value)
    if value is None:
        return "–"
    return f"{value:.5g}".replace("-", "−") if isinstance(value, float) else str(value).replace("-", "−")


def printed(published: Any) -> list[Decimal]:
    """One published number, or several in order, with the digits that the ledger spells."""
    return [Decimal(str(number)) for number in (published if isinstance(published, list) else [published])]
