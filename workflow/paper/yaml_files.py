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
    """Plain data of a YAML file, as `plain_data` has it; raises ValueError, one line, that names the file."""
    return plain_data(read_text(path), str(path))


def read_text(path: Path | str) -> str:
    """The text of a file in UTF-8; raises ValueError, one line, that names the file, for other bytes."""
    try:
        return Path(path).read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise ValueError(f"{path}: expected UTF-8, found other bytes at {error.start}") from error


def plain_data(text: str, place: str) -> Any:
    """What a text in YAML holds (safe loader: nothing in it is executed).

    Raises ValueError, one line, that names the text's place and the line of what is no YAML, of a duplicate key, or of what
    holds itself.
    """
    try:
        loader = LOADER(text)
        root = loader.get_single_node()
        for line, key, first in _repeated(root):  # the loader would keep the last one
            raise ValueError(f"{place}: line {line}: duplicate key '{key}', first on line {first}")
        for line in _endless(root):
            raise ValueError(f"{place}: line {line}: expected plain data, found an alias of what it stands in")
        return None if root is None else loader.construct_document(root)
    except yaml.YAMLError as error:
        mark, words = getattr(error, "problem_mark", None), getattr(error, "problem", None) or str(error)
        where = f" line {mark.line + 1}:" if mark else ""
        raise ValueError(f"{place}: not YAML:{where} {' '.join(words.split())}") from error


def _endless(node: yaml.Node | None, around: tuple[int, ...] = (), done: set[int] | None = None) -> Iterator[int]:
    """The first line of every list and mapping that stands in itself; one that is used often is looked into once."""
    done = set() if done is None else done
    if not isinstance(node, yaml.CollectionNode) or id(node) in done:
        return
    if id(node) in around:
        yield node.start_mark.line + 1
        return
    for part in node.value:
        for inner in part if isinstance(part, tuple) else (part,):
            yield from _endless(inner, (*around, id(node)), done)
    done.add(id(node))


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
