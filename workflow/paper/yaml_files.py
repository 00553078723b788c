"""YAML files as plain data; what YAML would pass over in silence is refused with file and line."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import yaml

from modadd.core.files import visible

NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]*")
LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)  # the same data, read by libyaml where there is one


def named_files(folder: Path, pattern: str) -> list[Path]:
    """The visible files of a pattern, each of which is named for what it holds, such as a source or a question.

    Raises ValueError for a name with other characters than letters, digits and underscores, as a copy has that was made by a
    click: what it holds would be told beside the original.
    """
    found = visible(folder, pattern)
    for path in found:
        if not NAME.fullmatch(path.stem):
            raise ValueError(
                f"{path}: expected a name of letters, digits and underscores, got '{path.stem}'; rename the file, or remove it "
                "if it is a copy"
            )
    return found


def read_yaml(path: Path | str) -> Any:
    """Plain data of a YAML file (safe loader: nothing in it is executed).

    Raises ValueError, one line, that names file and line of what is no YAML, or of a duplicate key.
    """
    try:
        loader = LOADER(Path(path).read_text(encoding="utf-8"))
        root = loader.get_single_node()
        for line, key, first in _repeated(root):  # the loader would keep the last one
            raise ValueError(f"{path}: line {line}: duplicate key '{key}', first on line {first}")
        return None if root is None else loader.construct_document(root)
    except yaml.YAMLError as error:
        mark, words = getattr(error, "problem_mark", None), getattr(error, "problem", None) or str(error)
        where = f" line {mark.line + 1}:" if mark else ""
        raise ValueError(f"{path}: not YAML:{where} {' '.join(words.split())}") from error
    except UnicodeDecodeError as error:
        raise ValueError(f"{path}: not YAML: expected UTF-8, found other bytes at {error.start}") from error


def _repeated(root: yaml.Node | None) -> Iterator[tuple[int, str, int]]:
    """Line, name and first line of every key that its mapping has already."""
    waiting = [root]
    met = set()
    while waiting:
        node = waiting.pop()
        if not isinstance(node, yaml.CollectionNode) or id(node) in met:
            continue
        met.add(id(node))  # an anchor's node stands wherever it is named
        if isinstance(node, yaml.SequenceNode):
            waiting.extend(node.value)
            continue
        waiting.extend(value for _, value in node.value)
        lines: dict[str, int] = {}
        for key in (key for key, _ in node.value if isinstance(key, yaml.ScalarNode)):
            line = key.start_mark.line + 1
            if key.value in lines:
                yield line, key.value, lines[key.value]
            lines.setdefault(key.value, line)
