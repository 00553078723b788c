"""What the sources state and print: every file of data/papers, item by item."""

from collections.abc import Mapping
from decimal import InvalidOperation
from pathlib import Path
from typing import Any

from modadd.core.wording import unknown
from paper.ledger.read.words import printed, several
from paper.schemas import read_valid
from paper.yaml_files import named_files

NOTHING, MODEL = "nothing", "model"  # what an item states, other than a sentence on trained networks
Items = dict[str, dict[str, Any]]  # by SOURCE/NAME


def read_sources(folder: Path) -> tuple[dict[str, str], Items]:
    """The reference of each source, by its mark, and all items, with what shows and answers them still to be filled in."""
    papers = {}
    items = {}
    for path in named_files(folder, "*.yaml"):
        mark = path.stem
        source = read_valid(path, "source")
        papers[mark] = source["reference"]
        for key, item in source.get("items", {}).items():
            name = f"{mark}/{key}"
            if "prints" in item:
                _require_numbers(item["prints"], f"{path}: items.{key}.prints")
            items[name] = {"claims": [], "shown": [], **item, "source": mark, "id": key, "name": name}
    return papers, items


def require_item(name: str, items: Items, where: str) -> None:
    """Raise ValueError for a source that is not there, or an item that it does not have."""
    if name in items:
        return
    source = name.split("/")[0]
    of_source = [other for other in items if items[other]["source"] == source]
    if of_source:
        raise ValueError(unknown(where, "item", name, of_source))
    sources = {item["source"] for item in items.values()}
    raise ValueError(unknown(where, "source", source, sources))


def answer_of(item: Mapping[str, Any]) -> str:
    """How an item of a source is answered.

    judged: a claim has a verdict on it. shown: a figure or table has it, and there is nothing to judge. weak: claims or
    figures answer a part of it, and its `reason` says what is left out. missing: nothing answers it.
    """
    if not (item["claims"] or item["shown"]):
        return "missing"
    if "reason" in item:
        return "weak"
    return "judged" if item["claims"] else "shown"


def _require_numbers(prints: Any, where: str) -> None:
    """Raise ValueError for what is neither a finite number, nor a list of such, nor some of these by name.

    A number with a decimal point is text in quotes: as a number it would lose zeros at its end.
    """
    if isinstance(prints, Mapping):
        for name, one in prints.items():
            _require_numbers(one, f"{where}.{name}")
        return
    for one in several(prints):
        if isinstance(one, float):
            raise ValueError(f"{where}: expected {one!r} in quotes, as text with every digit that is printed")
    try:
        numbers = printed(prints)
        are_numbers = numbers and all(number.is_finite() for number in numbers)
    except InvalidOperation:
        are_numbers = False
    if not are_numbers:
        raise ValueError(f"{where}: expected a number or a list of numbers, got {prints!r}")
