"""What the sources state, item by item, and which claims, figures and tables of the ledger answer it."""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from modadd.core.wording import unknown
from modadd.run.settings import notebook_file, read_yaml, require_valid

ANSWERS = ("judged", "shown", "weak", "missing")

HEAD = """# What the sources state, and what answers it

Written by `make readme` from [data/papers.yaml](../data/papers.yaml). An item is a figure, a table, a numbered statement, a
printed number or a worded claim that can be checked. Questions that the authors leave open are items too. Motivation, history
and statements about other work are not counted. *Judged*: a claim has a verdict on it. *Shown*: a figure or table has it, and
there is nothing to judge. *Weak*: it is answered in part. *Missing*: nothing answers it. A claim leads to its verdict, a figure
to the notebook that draws it. Figures show networks that this project has trained; numbers of
published weights are judged where a claim names them.
"""


def read_papers(path: Path | str, schema: Path | str, ledger: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The items of all sources as plain data, each with its lists `claims` and `shown`.

    Raises ValueError in one line that names the item and the nearest name, if a source, a claim, a figure or a table is not
    one of the ledger (as `read_ledger` returns it).
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


def coverage_page(papers: Sequence[Mapping[str, Any]], ledger: Mapping[str, Any]) -> str:
    """The Markdown text of docs/papers.md: the items counted by source and answer, then a table for each source.

    Links lead from docs/ to the notebooks, which are looked up in the folder where the project is run.
    """
    sources = {item["source"]: [] for item in papers}
    for item in papers:
        sources[item["source"]].append(item)
    counts = [[mark, *_counts(items)] for mark, items in sources.items()]
    parts = [HEAD, _table(["source", "items", *ANSWERS], [*counts, ["all", *_counts(papers)]])]
    for mark, items in sources.items():
        rows = [
            [
                item["place"],
                item["says"],
                item["answer"] + (f": {item['reason']}" if "reason" in item else ""),
                ", ".join(f"[{claim}](claims.md#{claim})" for claim in item["claims"]),
                ", ".join(_link(picture, picture.split("/")[0], ledger) for picture in item["shown"]),
            ]
            for item in items
        ]
        table = _table(["place", "what it says", "answer", "claims", "figures and tables"], rows)
        parts.append(f"## {mark}\n\n{ledger['papers'][mark]}.\n\n{table}")
    return "\n".join(parts)


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


def _counts(items: Sequence[Mapping[str, Any]]) -> list[str]:
    """The number of items, then that of each answer."""
    return [str(len(items)), *(str(sum(item["answer"] == answer for item in items)) for answer in ANSWERS)]


def _link(name: str, notebook: str, ledger: Mapping[str, Any]) -> str:
    """The name as a link to the notebook that has it."""
    return f"[{name}](../{notebook_file(ledger['notebooks'][notebook]['source'])})"


def _table(header: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A Markdown table without padding, so that a change of one cell changes one line."""
    lines = [[cell.replace("|", r"\|") for cell in row] for row in (header, ["---"] * len(header), *rows)]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)
