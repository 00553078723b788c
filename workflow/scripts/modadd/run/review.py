"""The project for reviewers who must not know who made it: its files without the names of its authors, as one zip."""

import re
import subprocess
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import yaml

from modadd.run.archive import executables, packed

ANONYMOUS = "Anonymous authors"
PLACES = ("repository-code", "repository", "repository-artifact", "url", "doi")  # keys of CITATION.cff


def names_in(root: Path) -> list[str]:
    """Names and addresses of the artifact's authors, longest first.

    They are those of CITATION.cff, LICENSE, pyproject.toml and the git history. Whom the artifact cites is not among
    them, unless it is an author.
    """
    citation = yaml.safe_load((root / "CITATION.cff").read_text(encoding="utf-8"))
    project = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    people = [*citation.get("authors", []), *project.get("authors", []), *project.get("maintainers", [])]
    names = [name for person in people for name in _spellings(person)]
    names += [str(citation[key]) for key in PLACES if key in citation]
    names += project.get("urls", {}).values()
    names += re.findall(r"^Copyright \(c\) \d{4} (.+)$", (root / "LICENSE").read_text(encoding="utf-8"), re.MULTILINE)
    names += _git_names(root)
    return sorted({name.strip() for name in names if name.strip() and name != ANONYMOUS}, key=lambda n: (-len(n), n))


def _spellings(person: Mapping[str, Any]) -> list[str]:
    """The ways a person of CITATION.cff or pyproject.toml is written."""
    given, family = person.get("given-names"), person.get("family-names")
    both = [f"{given} {family}", f"{family}, {given}"] if given and family else []
    kept = ("name", "email", "orcid", "affiliation", "alias", "website")
    return [*both, *(str(person[key]) for key in kept if person.get(key))]


def _git_names(root: Path) -> list[str]:
    """Names and addresses of all who wrote or committed, and of the clone's origins; none outside a clone."""
    names = []
    for command in (["log", "--format=%an%n%ae%n%cn%n%ce"], ["config", "--get-regexp", r"remote\..*\.url"]):
        done = subprocess.run(["git", *command], cwd=root, capture_output=True, encoding="utf-8")
        names += [line.split()[-1] if command[0] == "config" else line for line in done.stdout.splitlines()]
    return names


def removable(name: str) -> bool:
    """Whether a name can be replaced everywhere: several words or an address; one word may be code."""
    return bool(re.search(r"[\s@/]", name))


def anonymous(text: str, names: list[str]) -> str:
    """The text with every removable name, in any case of letters, replaced."""
    for name in filter(removable, names):
        text = re.sub(re.escape(name), ANONYMOUS, text, flags=re.IGNORECASE)
    return text


def bundle(root: Path, files: list[str], names: list[str], folder: str) -> bytes:
    """A zip of the files under `folder`, without the names but in pictures and tables; equal files, equal bytes."""
    without = {name: _without((root / name).read_bytes(), names) for name in files}
    if "CITATION.cff" in without:
        without["CITATION.cff"] = _without_authors(without["CITATION.cff"])
    executable = frozenset(f"{folder}/{name}" for name in executables(root, files))
    return packed({f"{folder}/{name}": content for name, content in without.items()}, executable)


def _without_authors(citation: bytes) -> bytes:
    """CITATION.cff with one author, anonymous, and without the places where the artifact lies; references stay."""
    content = yaml.safe_load(citation)
    kept = {key: value for key, value in content.items() if key not in PLACES}
    kept["authors"] = [{"name": ANONYMOUS}]
    return yaml.safe_dump(kept, sort_keys=False, allow_unicode=True).encode()


def _without(content: bytes, names: list[str]) -> bytes:
    try:
        return anonymous(content.decode(), names).encode()
    except UnicodeDecodeError:
        return content
