"""The ledger as it is read: questions beside their notebooks, printed facts by source, every entry checked."""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from modadd.core.files import ROOT, Data, visible
from modadd.core.wording import require_known
from paper.ledger.read.claims import OURS, claim_of
from paper.ledger.read.sources import answer_of, read_sources, require_item
from paper.ledger.read.studies import entry_of, questions_of, read_studies, require_own

ANSWERS = ("judged", "shown", "weak", "missing")
REFERENCE = "Beyond the papers: asked there, or nowhere, and answered by this project"


def ledger_files(project: Path | str = ROOT) -> list[Path]:
    """The files that `read_ledger` reads, in order."""
    project = Path(project)
    return visible(project, "notebooks/*/*.yaml") + visible(project, "data/papers/*.yaml")


def read_ledger(project: Path | str = ROOT) -> dict[str, Any]:
    """The ledger of a project as plain data; raises ValueError naming the file, what was expected and the nearest name.

    papers: reference of each source by its mark. items: what the sources state, each with `source`, `id`, the ids of the
    `claims` that answer it, the NOTEBOOK/FIGURE that it is `shown` in, and its `answer`. front: what the page
    shows of a study, by its mark. studies: name (its mark, or its folder) and title of
    each, and its questions by the part of its story, in a reader's order. notebooks: every entry with its `source`, the
    notebook that is executed. claims: every claim with its `notebook`, and all defaults filled in.
    """
    project = Path(project)
    papers, items = read_sources(project / "data/papers")
    studies = read_studies(project / "notebooks")
    questions = questions_of(studies)
    ledger: dict[str, Any] = {
        "papers": _in_order(papers, studies),
        "items": items,
        "front": {},
        "studies": [],
        "notebooks": {name: entry_of(name, questions) for name in questions},
        "claims": [],
    }
    for name, question in questions.items():
        claims = question.get("claims", {})
        for key in claims:
            where = f"{question['file']}: claims.{key}"
            claim = claim_of(key, claims[key], name, ledger, where)
            ledger["claims"].append(claim)
    _require_once(ledger["claims"])
    for name, question in questions.items():
        _show(name, question, ledger)
    _answer(items, ledger["claims"])
    for study in studies:
        require_own(study, ledger)
        told = {key: study[key] for key in ("name", "title", "parts")}
        ledger["studies"].append(told)
        if "front" in study:
            front = study["front"]
            ledger["front"][front["mark"]] = front
    order = list(ledger["papers"])
    by_source = lambda item: order.index(item["source"])
    ledger["items"] = sorted(items.values(), key=by_source)
    return ledger


def _in_order(papers: Mapping[str, str], studies: Iterable[Data]) -> dict[str, str]:
    """The references as the studies tell them, then all others, and this project."""
    told = []
    for study in studies:
        if "front" in study:
            told.append(study["front"]["mark"])
            told += study["front"]["sources"]
    found = {}
    for mark in (*told, *papers):
        if mark in papers:
            found[mark] = papers[mark]
    found[OURS] = REFERENCE
    return found


def _require_once(claims: Iterable[Data]) -> None:
    seen: dict[str, str] = {}
    for claim in claims:
        name = claim["id"]
        notebook = claim["notebook"]
        if name in seen:
            both = f"{seen[name]}.yaml and {notebook}.yaml"
            raise ValueError(f"notebooks: duplicate claim id '{name}', in {both}")
        seen[name] = notebook


def _show(name: str, question: Data, ledger: Data) -> None:
    """Name the figures and tables of a question in the items that they show."""
    where = f"{question['file']}: shows"
    entry = ledger["notebooks"][name]
    own = [*entry.get("figures", {}), *entry.get("tables", {})]
    for picture, shown in question.get("shows", {}).items():
        require_known(where, "figure or table", [picture], own)
        for item in shown:
            require_item(item, ledger["items"], f"{where}.{picture}")
            ledger["items"][item]["shown"].append(f"{name}/{picture}")


def _answer(items: Data, claims: Iterable[Data]) -> None:
    """Name the claims that answer each item, and how it is answered."""
    for claim in claims:
        for name in claim["answers"]:
            items[name]["claims"].append(claim["id"])
    for item in items.values():
        item["answer"] = answer_of(item)
