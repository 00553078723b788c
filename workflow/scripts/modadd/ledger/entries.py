"""The ledger as it is read: questions beside their notebooks, printed facts by source, every entry checked."""

from collections.abc import Iterable, Mapping
from decimal import InvalidOperation
from pathlib import Path
from typing import Any

from modadd.core.files import ROOT
from modadd.core.wording import unknown
from modadd.ledger.claims import OURS, claim_of, require_item
from modadd.ledger.words import printed
from modadd.planning.settings import require_valid
from modadd.planning.yaml_files import read_yaml

SCHEMAS = ROOT / "workflow/schemas"
ANSWERS = ("judged", "shown", "weak", "missing")
NO_INPUTS = {"others": [], "datasets": [], "seeds": [], "retrainings": [], "proofs": []}  # besides the network shown
FURTHER = "further questions"  # those that a study's file does not name
REFERENCE = "Beyond the papers: asked there, or nowhere, and answered by this project"


def ledger_files(project: Path | str = ROOT) -> list[Path]:
    """The files that `read_ledger` reads, in order."""
    project = Path(project)
    return sorted(project.glob("notebooks/*/*.yaml")) + sorted(project.glob("data/papers/*.yaml"))


def read_ledger(project: Path | str = ROOT) -> dict[str, Any]:
    """The ledger of a project as plain data; raises ValueError naming the file, what was expected and the nearest name.

    papers: reference of each source by its mark. items: what the sources state, each with `source`, `id`, the ids of the
    `claims` that answer it, the NOTEBOOK/FIGURE that it is `shown` in, and its `answer`. results: what the page opens with,
    of all studies in order; front: what follows, by the mark of the study. studies: name (its mark, or its folder) and title of
    each, and its questions by the part of its story, in a reader's order. notebooks: every entry with its `source`, the
    notebook that is executed. claims: every claim with its `notebook`, and all defaults filled in.
    """
    project = Path(project)
    papers, items = _read_sources(project / "data/papers")
    studies = _read_studies(project / "notebooks")
    notebooks = _by_name(studies)
    fronts = [study["front"] for study in studies if "front" in study]
    told = [mark for front in fronts for mark in (front["mark"], *front["sources"]) if mark in papers]
    ledger = {
        "papers": {mark: papers[mark] for mark in dict.fromkeys([*told, *papers])} | {OURS: REFERENCE},
        "items": items,
        "results": [result for study in studies for result in study.get("results", [])],
        "front": {front["mark"]: front for front in fronts},
        "studies": [{key: study[key] for key in ("name", "title", "parts")} for study in studies],
        "notebooks": _with_sources({name: _entry(question) for name, question in notebooks.items()}),
        "claims": [],
    }
    for name, question in notebooks.items():
        where = f"{question['file']}: claims"
        ledger["claims"] += [
            claim_of(key, entry, name, ledger, f"{where}.{key}") for key, entry in question.get("claims", {}).items()
        ]
    _require_once(ledger["claims"])
    for name, question in notebooks.items():
        _show(name, question, ledger)
    for item in items.values():
        item["claims"] = [claim["id"] for claim in ledger["claims"] if item["name"] in claim["answers"]]
        item["answer"] = answer_of(item)
    for study in studies:
        _require_front(study, ledger)
    order = list(ledger["papers"])
    return ledger | {"items": sorted(items.values(), key=lambda item: order.index(item["source"]))}


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


def _read_sources(folder: Path) -> tuple[dict[str, str], dict[str, dict[str, Any]]]:
    """The reference of each source, by its mark, and all items, by SOURCE/NAME."""
    papers, items = {}, {}
    for path in sorted(folder.glob("*.yaml")):
        source, mark = _read(path, "source"), path.stem
        papers[mark] = source["reference"]
        for key, item in source.get("items", {}).items():
            name = f"{mark}/{key}"
            if "prints" in item:
                _require_numbers(item["prints"], f"{path}: items.{key}.prints")
            items[name] = {"claims": [], "shown": [], **item, "source": mark, "id": key, "name": name}
    return papers, items


def _require_numbers(prints: Any, where: str) -> None:
    """Raise ValueError for what is neither a finite number, nor a list of such, nor some of these by name.

    A number with a decimal point is text in quotes: as a number it would lose zeros at its end.
    """
    if isinstance(prints, Mapping):
        for name, one in prints.items():
            _require_numbers(one, f"{where}.{name}")
        return
    for one in prints if isinstance(prints, list) else [prints]:
        if isinstance(one, float):
            raise ValueError(f"{where}: expected {one!r} in quotes, as text with every digit that is printed")
    try:
        numbers = printed(prints)
    except InvalidOperation:
        numbers = []
    if not numbers or not all(number.is_finite() for number in numbers):
        raise ValueError(f"{where}: expected a number or a list of numbers, got {prints!r}")


def _read_studies(folder: Path) -> list[dict[str, Any]]:
    """Every folder of notebooks with its questions, in the order in which they are told."""
    studies = []
    for place in sorted({file.parent for file in folder.glob("*/*.yaml")}):
        path = place / "study.yaml"
        if not path.exists():
            raise ValueError(f"{place}: expected study.yaml beside the questions")
        study = _read(path, "study")
        files = {file.stem: file for file in sorted(place.glob("*.yaml")) if file != path}
        told = [name for names in study["questions"].values() for name in names]
        for name in told:
            if name not in files:
                raise ValueError(unknown(f"{path}: questions", "question", name, files))
        found = {name: {**_read(file, "question"), "file": str(file)} for name, file in files.items()}
        left = [name for name in found if "source" not in found[name] and name not in told]
        parts = study["questions"] | ({FURTHER: left} if left else {})
        name = study["front"]["mark"] if "front" in study else place.name
        own = {"file": str(path), "name": name, "parts": parts, "questions": _in_order(parts, found)}
        studies.append({"title": f"Study {name}"} | study | own)
    if not studies:
        raise ValueError(f"{folder}: expected a folder for each study, with its study.yaml")
    return sorted(studies, key=lambda study: study["place"])


def _in_order(parts: Mapping[str, list[str]], questions: Mapping[str, Any]) -> dict[str, Any]:
    """The questions part by part, each followed by those that execute its notebook on another network; then all others."""
    told = [name for names in parts.values() for name in names]
    twins = {name: [other for other in questions if questions[other].get("source") == name] for name in questions}
    order = dict.fromkeys(name for first in (*told, *questions) for name in (first, *twins[first]))
    return {name: questions[name] for name in order}


def _by_name(studies: Iterable[Mapping[str, Any]]) -> dict[str, dict[str, Any]]:
    """All questions by name; raises ValueError for a duplicate name."""
    found: dict[str, dict[str, Any]] = {}
    for study in studies:
        for name, question in study["questions"].items():
            if name in found:
                both = f"{found[name]['file']} and {question['file']}"
                raise ValueError(f"notebooks: duplicate question '{name}', in {both}")
            found[name] = question
    return found


def _read(path: Path, kind: str) -> dict[str, Any]:
    content = read_yaml(path)
    require_valid(content, SCHEMAS / f"{kind}.schema.yaml", str(path))
    return content


def _entry(question: Mapping[str, Any]) -> dict[str, Any]:
    """What the build needs to know of a question: all but its claims."""
    return {key: value for key, value in question.items() if key not in ("claims", "shows")}


def _require_once(claims: Iterable[Mapping[str, Any]]) -> None:
    seen: dict[str, str] = {}
    for claim in claims:
        if claim["id"] in seen:
            both = f"{seen[claim['id']]}.yaml and {claim['notebook']}.yaml"
            raise ValueError(f"notebooks: duplicate claim id '{claim['id']}', in {both}")
        seen[claim["id"]] = claim["notebook"]


def _show(name: str, question: Mapping[str, Any], ledger: Mapping[str, Any]) -> None:
    """Name the figures and tables of a question in the items that they show."""
    where = f"{question['file']}: shows"
    entry = ledger["notebooks"][name]
    own = [*entry.get("figures", {}), *entry.get("tables", {})]
    for picture, shown in question.get("shows", {}).items():
        if picture not in own:
            raise ValueError(unknown(where, "figure or table", picture, own))
        for item in shown:
            require_item(item, ledger, f"{where}.{picture}")
            ledger["items"][item]["shown"].append(f"{name}/{picture}")


def _require_front(study: Mapping[str, Any], ledger: Mapping[str, Any]) -> None:
    """Raise ValueError for a source, figure or claim of a study's results or front that is not one of the study."""
    own = study["questions"]
    figures = [f"{name}/{figure}" for name in own for figure in ledger["notebooks"][name].get("figures", {})]
    claims = [claim["id"] for claim in ledger["claims"] if claim["notebook"] in own]
    valid = {"source": ledger["papers"], "figure": figures, "claim": claims}
    named = [("results", "figure", result["figure"]) for result in study.get("results", [])]
    named += [("results", "claim", claim) for result in study.get("results", []) for claim in result["claims"]]
    if front := study.get("front"):
        named += [("front", "source", mark) for mark in (front["mark"], *front["sources"])]
        named += [("front", "figure", figure) for figure in (front["figure"], front.get("map")) if figure]
        named += [("front", "claim", claim) for claim in front["claims"]]
    for key, kind, name in named:
        if name not in valid[kind]:
            raise ValueError(unknown(f"{study['file']}: {key}", kind, name, valid[kind]))


def _with_sources(notebooks: Mapping[str, Any]) -> dict[str, Any]:
    """The entries; one that executes another entry's notebook has that one's figures, tables and sentence."""
    resolved = {}
    for name, entry in notebooks.items():
        source, where = entry.get("source", name), entry["file"]
        if source not in notebooks:
            raise ValueError(unknown(f"{where}: source", "notebook", source, notebooks))
        if "source" in notebooks[source]:
            raise ValueError(f"{where}: source: '{source}' has a source itself; expected an entry without one")
        captions = {
            kind: notebooks[source][kind] for kind in ("figures", "tables", "found") if kind in notebooks[source]
        }
        if twice := set(captions.get("figures", {})) & set(captions.get("tables", {})):
            raise ValueError(f"{where}: '{min(twice)}' names a figure and a table; both would write its CSV")
        own = {key: value for key, value in entry.items() if key != "file"}
        resolved[name] = {**captions, **own, "source": source, "inputs": NO_INPUTS | entry["inputs"]}
    return resolved
