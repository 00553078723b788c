"""YAML files as plain data; what YAML would pass over in silence is refused with file and line."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import yaml

LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)  # the same data, read by libyaml where there is one


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
