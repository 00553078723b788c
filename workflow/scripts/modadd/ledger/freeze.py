"""What was fixed before networks were trained to judge it: claims, and the code that measures and counts for them."""

import hashlib
import json
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Any

from modadd.core.code import LIBRARY, code_behind, reached, read_code, read_module
from modadd.core.files import ROOT, read_json
from modadd.ledger.claims import counts_networks
from modadd.planning.paths import FROZEN, HELD_OUT
from modadd.planning.root import notebook_file
from modadd.planning.settings import require_valid
from modadd.planning.yaml_files import read_yaml

CHANGED = f"{HELD_OUT}/changed.yaml"
# What a claim says, by what it is judged, and on which networks. What is told of its verdict may still be written.
FIXED = (
    *("statement", "value", "check", "threshold", "published", "tolerance", "fraction", "frequency", "few_have_it"),
    *("of", "needs_accuracy", "judged_on", "counted_over", "network", "external", "scales"),
)
COLUMNS = LIBRARY / "populations/columns"  # they name all measures, which are measured by these modules' code
DRAWS = "modadd.page."  # modules that draw and write, on which no number depends
REMOVED = "removed"  # in the place of the checksum of what is no longer there


def digest(content: Any) -> str:
    """The sha256 of plain data."""
    text = json.dumps(content, sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()


def state(ledger: Mapping[str, Any]) -> dict[str, str]:
    """The checksum of every claim, of the code of all measures, and of each notebook that counts networks, by name."""
    found = fixed_claims(ledger)
    counting = [claim["notebook"] for claim in ledger["claims"] if counts_networks(claim)]
    notebooks = {ledger["notebooks"][name]["source"] for name in counting}
    modules = sorted(COLUMNS.glob("*.py"))
    found["measures"] = code_behind(*map(str, modules))
    for notebook in sorted(notebooks):
        found[f"notebook {notebook}"] = _counting(notebook_file(notebook))
    return found


def fixed_claims(ledger: Mapping[str, Any]) -> dict[str, str]:
    """The checksum of every claim, by name."""
    found = {}
    for claim in ledger["claims"]:
        fixed = {key: claim[key] for key in FIXED if key in claim}
        found[name_of(claim)] = digest(fixed)
    return found


def name_of(claim: Mapping[str, Any]) -> str:
    """What a claim is called in the freeze."""
    return f"claim {claim['id']}"


def _counting(notebook: str) -> str:
    """The checksum of a notebook's code and of all that it uses, but for what draws."""
    statements = read_code(Path(notebook)).statements
    texts = [statement.text for statement in statements]
    for module, position in sorted(reached(statements)):
        if not module.startswith(DRAWS):
            statement = read_module(module).statements[position]
            texts.append(f"{module}: {statement.text}")
    return digest(texts)


def frozen(project: Path = ROOT) -> dict[str, str]:
    """The checksums of the freeze, by name; empty where nothing is frozen."""
    file = project / FROZEN
    if not file.exists():
        return {}
    return read_json(file)["state"]


def whole(project: Path = ROOT) -> str:
    """The one checksum of the freeze; empty where nothing is frozen."""
    found = frozen(project)
    return digest(found) if found else ""


def differing(before: Mapping[str, str], now: Mapping[str, str]) -> dict[str, str]:
    """What is not as it was frozen, by name, with its checksum of now."""
    found = {}
    for name in {**before, **now}:
        if now.get(name) != before.get(name):
            found[name] = now.get(name, REMOVED)
    return found


def changes(project: Path = ROOT) -> list[dict[str, str]]:
    """What was changed after the freeze, and why; raises ValueError naming the file for an entry that does not say it."""
    file = project / CHANGED
    if not file.exists():
        return []
    content = read_yaml(file)
    require_valid(content, ROOT / "workflow/schemas/changed.schema.yaml", CHANGED)
    return content["changed"]


def require_explained(apart: Mapping[str, str], entries: Collection[Mapping[str, str]]) -> None:
    """Raise ValueError, one line, for a change after the freeze that no entry explains; new claims need none."""
    explained = {(entry["name"], entry["checksum"]) for entry in entries}
    for name, checksum in sorted(apart.items()):
        if (name, checksum) not in explained:
            raise ValueError(
                f"{name} is not as it was frozen; change it back, or add an entry to {CHANGED}: "
                f"{{date: …, name: {name}, checksum: {checksum}, what: …, why: …}}"
            )
