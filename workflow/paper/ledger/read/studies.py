"""The questions of the studies, as their files beside the notebooks have them, in the order in which they are told."""

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from modadd.core.files import Data, visible
from modadd.core.wording import require_known
from paper.schemas import read_valid
from paper.yaml_files import named_files

NO_INPUTS = {"others": [], "datasets": [], "seeds": [], "retrainings": [], "proofs": []}  # besides the network shown
FURTHER = "further questions"  # those that a study's file does not name
OF_THE_SOURCE = ("figures", "tables", "found")  # what a question shares whose notebook is executed again


def read_studies(folder: Path) -> list[dict[str, Any]]:
    """Every folder of notebooks by its place, as its study.yaml has it, with its `questions` in order."""
    folders = {file.parent for file in visible(folder, "*/*.yaml")}
    if not folders:
        raise ValueError(f"{folder}: expected a folder for each study, with its study.yaml")
    studies = [_read_study(place) for place in sorted(folders)]
    return sorted(studies, key=lambda study: study["place"])


def _read_study(folder: Path) -> dict[str, Any]:
    """One study: `parts` of its story with the names of their questions, and every question by name."""
    path = folder / "study.yaml"
    if not path.exists():
        raise ValueError(f"{folder}: expected study.yaml beside the questions")
    study = read_valid(path, "study")
    questions = {}
    for file in named_files(folder, "*.yaml"):
        if file != path:
            questions[file.stem] = {**read_valid(file, "question"), "file": str(file)}
    parts = study["questions"]
    told = sum(parts.values(), [])
    require_known(f"{path}: questions", "question", told, questions)
    left = []
    for name, question in questions.items():
        if name not in told and "source" not in question:
            left.append(name)
    if left:
        parts = parts | {FURTHER: left}
    name = folder.name
    if "front" in study:
        name = study["front"]["mark"]
    return {
        "title": f"Study {name}",
        **study,
        "file": str(path),
        "name": name,
        "parts": parts,
        "questions": _in_order(told, questions),
    }


def _in_order(told: Iterable[str], questions: Data) -> dict[str, Any]:
    """Each question followed by those that execute its notebook on another network; those that are not told come last."""
    found = {}
    for first in (*told, *questions):
        found[first] = questions[first]
        for name, question in questions.items():
            if question.get("source") == first:
                found[name] = question
    return found


def questions_of(studies: Iterable[Data]) -> dict[str, dict[str, Any]]:
    """All questions by name; raises ValueError for a duplicate name."""
    found: dict[str, dict[str, Any]] = {}
    for study in studies:
        for name, question in study["questions"].items():
            if name in found:
                both = f"{found[name]['file']} and {question['file']}"
                raise ValueError(f"notebooks: duplicate question '{name}', in {both}")
            found[name] = question
    return found


def entry_of(name: str, questions: Data) -> dict[str, Any]:
    """What the build needs to know of a question: all but its claims, with the `source` whose notebook is executed.

    A question that executes the notebook of another one has that one's figures, tables and sentence.
    """
    question = questions[name]
    where = question["file"]
    source = question.get("source", name)
    require_known(f"{where}: source", "notebook", [source], questions)
    if "source" in questions[source]:
        expected = "expected an entry without one"
        raise ValueError(f"{where}: source: '{source}' has a source itself; {expected}")
    of_source = questions[source]
    for name in of_source.get("figures", ()):
        if name in of_source.get("tables", ()):
            raise ValueError(f"{where}: '{name}' names a figure and a table; both would write its CSV")
    entry = {key: of_source[key] for key in OF_THE_SOURCE if key in of_source}
    for key, value in question.items():
        if key not in ("claims", "shows", "file"):
            entry[key] = value
    entry["source"] = source
    entry["inputs"] = NO_INPUTS | question["inputs"]
    return entry


def require_own(study: Data, ledger: Data) -> None:
    """Raise ValueError for a source, figure or claim of a study's front that is not one of the study."""
    own = study["questions"]
    front = study.get("front")
    figures = []
    for name in own:
        entry = ledger["notebooks"][name]
        figures += [f"{name}/{figure}" for figure in entry.get("figures", ())]
    claims = [claim["id"] for claim in ledger["claims"] if claim["notebook"] in own]
    if front:
        where = f"{study['file']}: front"
        sources = [front["mark"], *front["sources"]]
        pictures = [front["figure"]]
        if "map" in front:
            pictures.append(front["map"])
        require_known(where, "source", sources, ledger["papers"])
        require_known(where, "figure", pictures, figures)
        require_known(where, "claim", front["claims"], claims)
