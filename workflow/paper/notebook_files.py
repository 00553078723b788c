"""The notebooks as files: where each lies, and what its cell `parameters` declares."""

import ast
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from modadd.core.files import ROOT, in_project, visible
from modadd.core.wording import require_known, unknown
from paper.schemas import require_like
from paper.yaml_files import read_text

_KINDS = {
    bool: "boolean",
    int: "integer",
    float: "number",
    str: "string",
    dict: "object",
    list: "array",
    tuple: "array",
}


def notebook_file(name: str) -> str:
    """The file of a notebook, in the folder of its study; raises ValueError for no such name, and for two files of it."""
    folder = Path(in_project("notebooks"))
    files = [str(path) for path in visible(folder, f"*/{name}.py")]
    if not files:
        known = {path.stem for path in visible(folder, "*/*.py")}
        raise ValueError(unknown("ledger: notebooks: source", "notebook", name, known))
    if len(files) > 1:
        found = ", ".join(files)
        raise ValueError(f"notebooks: expected one file named {name}.py, found {found}; rename or delete one")
    return files[0]


def notebook_from_root(name: str) -> str:
    """The file of a notebook, as named from the project's root: a page says so wherever it is built."""
    return str(Path(notebook_file(name)).resolve().relative_to(ROOT))


def question_file(name: str) -> str:
    """The file of a question, beside its notebook, as named from the project's root."""
    (path,) = visible(ROOT, f"notebooks/*/{name}.yaml")
    return str(path.relative_to(ROOT))


def parsed(source: str, name: Path | str) -> ast.Module:
    """The syntax tree of a notebook's code; raises ValueError, one line, if it is not Python."""
    try:
        return ast.parse(source)
    except SyntaxError as error:
        raise ValueError(f"{name}: not Python: {error.msg} in {(error.text or '').strip()!r}") from error


def notebook_parameters(notebook: Path | str) -> dict[str, Any]:
    """Names assigned in a notebook's `parameters` cell with their defaults, None for what is no literal."""
    cells = read_text(notebook).split("\n# %%")
    tagged = [cell for cell in cells if 'tags=["parameters"]' in cell.splitlines()[0]]
    if len(tagged) != 1:
        count = len(tagged) or "no"
        raise ValueError(f"{notebook}: {count} cells tagged 'parameters'; expected one '# %% tags=[\"parameters\"]'")
    found = {}
    for node in parsed(tagged[0].split("\n", 1)[1], notebook).body:
        for target in node.targets if isinstance(node, ast.Assign) else ():
            if isinstance(target, ast.Name):
                found[target.id] = _literal(node.value)
    return found


def require_parameters(given: Mapping[str, Any], notebook: Path | str, where: str) -> None:
    """Raise ValueError for a parameter that the notebook does not declare (papermill warns), or of another type."""
    declared = notebook_parameters(notebook)
    require_known(where, "notebook parameter", given, declared)
    require_like({**given}, {"properties": {parameter: _like(declared[parameter]) for parameter in given}}, f"{where}.")


def _literal(value: ast.expr) -> Any:
    """The value of a literal, None for any other expression."""
    try:
        return ast.literal_eval(value)
    except (ValueError, TypeError):
        return None


def _like(default: Any) -> dict[str, Any]:
    """A schema of what may replace a default: its type, whole numbers for decimals, lists of its items; anything for None."""
    if type(default) not in _KINDS:
        return {}
    schema = {"type": _KINDS[type(default)]}
    if isinstance(default, list | tuple):
        kinds = {type(item) for item in default}
        if len(kinds) == 1 or kinds == {int, float}:
            item = next(item for item in default if type(item) is float) if float in kinds else default[0]
            schema["items"] = _like(item)
    return schema
