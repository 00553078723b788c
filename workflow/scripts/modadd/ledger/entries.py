"""The ledger as it is read: questions beside their notebooks, printed facts by source, every entry checked."""

from collections.abc import Iterable, Mapping
from decimal import InvalidOperation
from pathlib import Path
from typing import Any

from modadd.core.files import ROOT
from modadd.core.wording import unknown
from modadd.ledger.words import printed
from modadd.run.settings import require_valid
from modadd.run.yaml_files import read_yaml

SCHEMAS = ROOT / "workflow/schemas"
ANSWERS = ("judged", "shown", "weak", "missing")
OURS = "B"  # the mark of what this project claims itself
REFERENCE = "Beyond the papers: asked there, or nowhere, and answered by this project"
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
ON_EACH = ("at_least", "at_most")  # checks that a network passes or not, whatever others do
# These checks may compare with a number of this project instead of a printed one.
THRESHOLD_CHECKS = ("at_least", "at_most", "share_of_networks")
PRINTED = "printed"  # a limit that the source prints
PUBLISHED, MOST, NEARLY_ALL = "published", "most", "nearly_all"  # the networks that a claim is about
# What an entry leaves out.
DEFAULTS = {"of": PUBLISHED, "scales": ["laptop", "paper"], "needs_accuracy": 1.0, "expected": AGREES}


def ledger_files(project: Path | str = ROOT) -> list[Path]:
    """The files that `read_ledger` reads, in order."""
    project = Path(project)
    return sorted(project.glob("notebooks/*/*.yaml")) + sorted(project.glob("data/papers/*.yaml"))


def read_ledger(project: Path | str = ROOT) -> dict[str, Any]:
    """The ledger of a project as plain data; raises ValueError naming the file, what was expected and the nearest name.

    papers: reference of each source by its mark. items: what the sources state, each with `source`, `id`, the ids of the
    `claims` that answer it, the NOTEBOOK/FIGURE that it is `shown` in, and its `answer`. front: what the page opens with,
    by the mark of the study. notebooks: every entry with its `source`, the notebook that is executed. claims: every
    claim with its `notebook`, and all defaults filled in.
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
        "front": {front["mark"]: front for front in fronts},
        "notebooks": _with_sources({name: _entry(question) for name, question in notebooks.items()}),
        "claims": [],
    }
    for name, question in notebooks.items():
        where = f"{question['file']}: claims"
        ledger["claims"] += [
            _claim(key, entry, name, ledger, f"{where}.{key}") for key, entry in question.get("claims", {}).items()
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
    """Raise ValueError for what is neither a finite number, nor a list of such, nor some of these by name."""
    if isinstance(prints, Mapping):
        for name, one in prints.items():
            _require_numbers(one, f"{where}.{name}")
        return
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
        for name in study["questions"]:
            if name not in files:
                raise ValueError(unknown(f"{path}: questions", "question", name, files))
        order = [*study["questions"], *(name for name in files if name not in study["questions"])]
        questions = {name: {**_read(files[name], "question"), "file": str(files[name])} for name in order}
        studies.append({**study, "file": str(path), "questions": questions})
    if not studies:
        raise ValueError(f"{folder}: expected a folder for each study, with its study.yaml")
    return sorted(studies, key=lambda study: study["place"])


def _by_name(studies: Iterable[Mapping[str, Any]]) -> dict[str, dict[str, Any]]:
    """All questions by name; raises ValueError for a name that stands in two folders."""
    found: dict[str, dict[str, Any]] = {}
    for study in studies:
        for name, question in study["questions"].items():
            if name in found:
                both = f"{found[name]['file']} and {question['file']}"
                raise ValueError(f"notebooks: question '{name}' stands in {both}; expected each name once")
            found[name] = question
    return found


def _read(path: Path, kind: str) -> dict[str, Any]:
    content = read_yaml(path)
    require_valid(content, SCHEMAS / f"{kind}.schema.yaml", str(path))
    return content


def _entry(question: Mapping[str, Any]) -> dict[str, Any]:
    """What the build needs to know of a question: all but its claims."""
    return {key: value for key, value in question.items() if key not in ("claims", "shows")}


def _claim(key: str, entry: Mapping[str, Any], notebook: str, ledger: Mapping[str, Any], where: str) -> dict[str, Any]:
    """A claim with what its item and its notebook say of it, and what it leaves out."""
    answers = entry.get("answers", [])
    for name in answers:
        _require_item(name, ledger, f"{where}.answers")
    claim = {name: value for name, value in entry.items() if name not in ("says", "place", "set", "why", "printed")}
    claim = {"id": key, "statement": entry["says"], "notebook": notebook, **DEFAULTS, **claim, "answers": answers}
    claim |= _compared(claim, entry, where)
    if not answers and "place" not in entry:
        raise ValueError(f"{where}: expected 'answers', or 'place' for a claim of ours")
    if "place" in entry:
        claim |= {"paper": OURS, "place": entry["place"]}
    else:
        item = ledger["items"][answers[0]]
        claim |= {"paper": item["source"], "place": item["place"]}
        claim |= _printed(claim, entry, item, where)
        if "networks" in item:
            claim.setdefault("networks_in_paper", item["networks"])
    claim.setdefault("kind", BEYOND if claim["paper"] == OURS else NUMBER if "published" in claim else STATEMENT)
    others = ledger["notebooks"][notebook].get("others", [])
    if claim.get("network") not in (None, *others):
        raise ValueError(unknown(f"{where}.network", "network", claim["network"], others))
    claim["chosen"] = claim.get("network", ledger["notebooks"][notebook]["network"]).endswith("/exhibit")
    claim.setdefault("rests_on", _rests_on(claim, ledger["notebooks"][notebook]))
    _require_comparable(claim, where)
    if claim["check"] == "retrainings" and "rounding" not in ledger["notebooks"][notebook]:
        raise ValueError(f"{where}: check 'retrainings' needs the key 'rounding' in its notebook's entry")
    if claim["of"] != PUBLISHED and "seeds" not in ledger["notebooks"][notebook]:
        raise ValueError(f"{where}.of: '{claim['of']}' needs the key 'seeds' in its question")
    expected = claim["expected"]
    for name in NEEDS[NOT_REPRODUCED]:
        if name in NEEDS[expected] and name not in claim:
            raise ValueError(f"{where}: {name} is missing; a claim of expected '{expected}' has it")
        if name in claim and name not in NEEDS[expected]:
            raise ValueError(f"{where}: {name}: a claim of expected '{expected}' has none")
    return claim


def _compared(claim: dict[str, Any], entry: Mapping[str, Any], where: str) -> dict[str, Any]:
    """The check of a claim, with its threshold and what is said of that; `at_least: 3` is a check and its threshold."""
    checks = ("check", *THRESHOLD_CHECKS)
    named = [key for key in checks if key in entry]
    if len(named) != 1:
        raise ValueError(f"{where}: expected one of {', '.join(checks)}, got {', '.join(named) or 'none'}")
    (check,) = named
    limit = claim.pop(check)
    ours = check != "check" and limit != PRINTED
    if ours and isinstance(limit, str):
        raise ValueError(f"{where}.{check}: expected a number, or the word '{PRINTED}', got {limit!r}")
    for key in ("set", "why"):
        if (key in entry) != ours:
            raise ValueError(f"{where}.{key}: expected with a threshold of ours, and only with it")
    if ours:
        return {"check": check, "threshold": limit, "threshold_set": entry["set"], "threshold_reason": entry["why"]}
    return {"check": limit if check == "check" else check}


def _printed(claim: Mapping[str, Any], entry: Mapping[str, Any], item: Mapping[str, Any], where: str) -> dict[str, Any]:
    """What the item prints for a claim that is not compared with a threshold of ours."""
    prints, key = item.get("prints"), entry.get("printed")
    if "threshold" in claim:
        if key is not None:
            raise ValueError(f"{where}.printed: expected without a threshold of ours")
        return {}
    if prints is None:
        raise ValueError(f"{where}: item '{item['name']}' prints no number; expected a threshold, or 'prints' there")
    if not isinstance(prints, Mapping):
        if key is not None:
            raise ValueError(f"{where}.printed: item '{item['name']}' prints one number, or one list; expected no name")
        return {"published": prints}
    if key not in prints:
        raise ValueError(unknown(f"{where}.printed", "number", str(key), prints))
    return {"published": prints[key]}


def _require_item(name: str, ledger: Mapping[str, Any], where: str) -> None:
    """Raise ValueError for a source that is not there, or an item that it does not have."""
    source = name.split("/")[0]
    of_source = [other for other, item in ledger["items"].items() if item["source"] == source]
    if not of_source:
        raise ValueError(unknown(where, "source", source, {item["source"] for item in ledger["items"].values()}))
    if name not in of_source:
        raise ValueError(unknown(where, "item", name, of_source))


def _require_once(claims: Iterable[Mapping[str, Any]]) -> None:
    seen: dict[str, str] = {}
    for claim in claims:
        if claim["id"] in seen:
            both = f"{seen[claim['id']]}.yaml and {claim['notebook']}.yaml"
            raise ValueError(f"notebooks: claim '{claim['id']}' stands in {both}; expected each id once")
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
            _require_item(item, ledger, f"{where}.{picture}")
            ledger["items"][item]["shown"].append(f"{name}/{picture}")


def _require_front(study: Mapping[str, Any], ledger: Mapping[str, Any]) -> None:
    """Raise ValueError for a source, figure or claim of a study's front that is not one of the study."""
    if "front" not in study:
        return
    own = study["questions"]
    figures = [f"{name}/{figure}" for name in own for figure in ledger["notebooks"][name].get("figures", {})]
    claims = [claim["id"] for claim in ledger["claims"] if claim["notebook"] in own]
    valid = {"source": ledger["papers"], "figure": figures, "claim": claims}
    front = study["front"]
    named = {
        "source": [front["mark"], *front["sources"]],
        "figure": [front["figure"], *filter(None, [front.get("map")])],
        "claim": front["claims"],
    }
    for kind, names in named.items():
        for name in names:
            if name not in valid[kind]:
                raise ValueError(unknown(f"{study['file']}: front", kind, name, valid[kind]))


def _with_sources(notebooks: Mapping[str, Any]) -> dict[str, Any]:
    """The entries; one that executes another entry's notebook has that one's figures and tables."""
    resolved = {}
    for name, entry in notebooks.items():
        source, where = entry.get("source", name), entry["file"]
        if source not in notebooks:
            raise ValueError(unknown(f"{where}: source", "notebook", source, notebooks))
        if "source" in notebooks[source]:
            raise ValueError(f"{where}: source: '{source}' has a source itself; expected an entry without one")
        captions = {kind: notebooks[source][kind] for kind in ("figures", "tables") if kind in notebooks[source]}
        if twice := set(captions.get("figures", {})) & set(captions.get("tables", {})):
            raise ValueError(f"{where}: '{min(twice)}' names a figure and a table; both would write its CSV")
        own = {key: value for key, value in entry.items() if key != "file"}
        resolved[name] = {**captions, **own, "source": source}
    return resolved


def _rests_on(claim: Mapping[str, Any], entry: Mapping[str, Any]) -> str:
    """What the value of a claim hangs on where the ledger does not say."""
    if "external" in claim or claim["kind"] == IDENTITY:
        return NO_TRAINING
    many = claim["of"] != PUBLISHED or any(rows in entry for rows in ROWS)
    return MANY_TRAININGS if many else ONE_TRAINING


def _require_comparable(claim: Mapping[str, Any], where: str) -> None:
    """Raise ValueError for a claim without what its check compares with, or with what it cannot use."""
    check, published = claim["check"], claim.get("published")
    if claim["paper"] == OURS and "threshold" not in claim:
        raise ValueError(
            f"{where}: a claim of ours is compared with a threshold; expected {' or '.join(THRESHOLD_CHECKS)}"
        )
    for key in ("tolerance", "tolerance_source"):
        if (key in claim) != (check == "within"):
            raise ValueError(f"{where}: {key}: check 'within' has it, and no other; got check '{check}'")
    if isinstance(claim.get("tolerance"), list) and len(claim["tolerance"]) != len(printed(published)):
        numbers = len(printed(published))
        raise ValueError(f"{where}.tolerance: expected one number, or {numbers}, one for each that is printed")
    if check == "set_equals" and not isinstance(published, list):
        raise ValueError(f"{where}: check 'set_equals' expects a list of printed numbers, got {published!r}")
