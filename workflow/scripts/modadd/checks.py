"""Everything wrong with a config, found before any job starts."""

import ast
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from modadd.recipes import recipe_of
from modadd.settings import parsed, require_parameters, require_valid
from modadd.shards import shards_of
from modadd.suggestions import unknown

# Parameters that the rule which executes a notebook fills in.
FILLED_IN = (
    *("network_file", "losses_file", "others", "external", "populations", "kept"),
    *("figures", "values_file", "published"),
)


def check_config(config: Mapping[str, Any], schema: Path | str, ledger: Mapping[str, Any]) -> None:
    """Raise ValueError, one line, for the first bad key, study, seed list or notebook parameter of a config.

    Also for a figure or table of the ledger that its notebook does not save: it would fail only after training.
    """
    require_valid(config, schema, "config")
    studies = config["studies"]
    populations = config.get("populations", {})
    try:
        for study, settings in studies.items():
            recipe_of(f"studies.{study}", settings)
        for population, settings in populations.items():
            shards_of(population, settings)
    except ValueError as error:
        raise ValueError(f"config: {error}") from error
    for notebook, entry in ledger["notebooks"].items():
        named = [name.split("/") for name in (entry["network"], *entry.get("others", []))]
        for study in (place for place, which in named if which != "exhibit"):
            if study not in studies:
                raise ValueError(unknown(f"config: studies: notebook '{notebook}' needs", "study", study, studies))
        exhibits = [place for place, which in named if which == "exhibit"]
        for population in [*exhibits, *entry.get("populations", []), *filter(None, [entry.get("rounding")])]:
            if population not in populations:
                where = f"config: populations: notebook '{notebook}' needs"
                raise ValueError(unknown(where, "population", population, populations))
        _require_saved(notebook, entry)
    for notebook, parameters in config.get("notebooks", {}).items():
        if notebook not in ledger["notebooks"]:
            raise ValueError(unknown("config: notebooks", "notebook", notebook, ledger["notebooks"]))
        for parameter in sorted(set(parameters) & set(FILLED_IN)):
            raise ValueError(
                f"config: notebooks.{notebook}.{parameter}: the workflow fills this in; it cannot be overridden"
            )
        source = ledger["notebooks"][notebook]["source"]
        require_parameters(parameters, f"notebooks/{source}.py", f"config: notebooks.{notebook}")


def _require_saved(notebook: str, entry: Mapping[str, Any]) -> None:
    """Raise ValueError for a figure or table of the ledger's entry that its notebook does not save."""
    path = Path(f"notebooks/{entry['source']}.py")
    if not path.exists():
        present = (other.stem for other in path.parent.glob("*.py"))
        raise ValueError(unknown(f"ledger: notebooks: {path} does not exist", "notebook", notebook, present))
    tree = parsed(path.read_text(), path)
    for kind in ("figure", "table"):
        saved = saved_by(tree, f"save_{kind}")
        for name in entry.get(f"{kind}s", {}):
            if not any(re.fullmatch(pattern, name) for pattern in saved):
                where = f"ledger: notebooks.{notebook}.{kind}s: {path} never calls save_{kind} with it"
                raise ValueError(unknown(where, kind, name, saved))


def saved_by(tree: ast.Module, function: str) -> list[str]:
    """The last part of every path handed to `function`, as a pattern in which any text stands for what is filled in."""
    calls = (
        node
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and function in (getattr(node.func, "id", None), getattr(node.func, "attr", None))
    )
    patterns = []
    for call in calls:
        stem = call.args[1] if len(call.args) > 1 else next((k.value for k in call.keywords if k.arg == "stem"), None)
        parts = stem.values if isinstance(stem, ast.JoinedStr) else [stem]
        text = (re.escape(part.value) if isinstance(part, ast.Constant) else ".*" for part in parts)
        patterns.append("".join(text).rpartition("/")[2])
    return patterns
