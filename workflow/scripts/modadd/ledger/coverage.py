"""What the sources state, item by item, and which claims, figures and tables of the ledger answer it."""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from modadd.core.wording import unknown
from modadd.run.settings import require_valid
from modadd.run.yaml_files import read_yaml

ANSWERS = ("judged", "shown", "weak", "missing")


def read_papers(path: Path | str, schema: Path | str, ledger: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The items of all sources as plain data, each with its lists `claims` and `shown`.

    Raises ValueError in one line that names the item and the nearest name, if a source, a claim, a figure or a table is
    not one of the ledger (as `read_ledger` returns it).
    """
    papers = read_yaml(path)
    require_valid(papers, schema, str(path))
    claims = [claim["id"] for claim in ledger["claims"]]
    pictures = _pictures(ledger)
    items = [{"claims": [], "shown": [], **item} for item in papers]
    for item in items:
        where = f"{path}: [{item['source']}] {item['place']}"
        _require_known(f"{where}: source", "source", [item["source"]], ledger["papers"])
        _require_known(f"{where}: claims", "claim", item["claims"], claims)
        for picture in item["shown"]:
            notebook = picture.split("/")[0]
            _require_known(f"{where}: shown", "notebook", [notebook], pictures)
            _require_known(f"{where}: shown", "figure or table", [picture], pictures[notebook])
    return items


def _pictures(ledger: Mapping[str, Any]) -> dict[str, list[str]]:
    """NOTEBOOK/FIGURE and NOTEBOOK/TABLE of every notebook's captions."""
    return {
        name: [f"{name}/{own}" for kind in ("figures", "tables") for own in entry.get(kind, {})]
        for name, entry in ledger["notebooks"].items()
    }


def _require_known(where: str, kind: str, names: Iterable[str], valid: Iterable[str]) -> None:
    """Raise ValueError, with the nearest name, for the first of the names that is not valid."""
    for name in names:
        if name not in valid:
            raise ValueError(unknown(where, kind, name, valid))
