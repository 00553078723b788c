"""Files of this project: complete or absent, and each with a checksum of itself that is verified when it is read."""

import hashlib
import json
import os
import platform
import re
from collections.abc import Mapping
from glob import escape
from pathlib import Path
from typing import Any
from uuid import uuid4

import psutil

Data = Mapping[str, Any]  # plain data, as a YAML or JSON file holds it
ROOT = Path(__file__).resolve().parents[3]  # of the project
UNSEALED = "sha256:" + "0" * 64  # stands once in a file's own metadata, in the place of its checksum
_SEAL = re.compile(rb"sha256:[0-9a-f]{64}")


def in_project(name: str) -> str:
    """The path of a file of the project, named from its root, as seen from the folder that is built in."""
    return os.path.relpath(ROOT / name)


def visible(folder: Path, pattern: str) -> list[Path]:
    """The files of a pattern, sorted, but for those in whose place a name begins with a dot: editors and systems leave such."""
    found = [
        path
        for path in folder.glob(pattern)
        if not any(part.startswith(".") for part in path.relative_to(folder).parts)
    ]
    return sorted(found)


class FileError(ValueError):
    """A file that cannot be trusted: absent, not of this project, or damaged."""


def write_whole(path: Path, content: bytes) -> None:
    """Write `content` so that `path` is either complete or untouched, whatever interrupts.

    What a killed writer of the same file left behind on this machine is removed. Raises OSError naming the file.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    here = f"{path.name}.{platform.node()}."
    partial = path.with_name(f"{here}{os.getpid()}.{uuid4().hex}.partial")  # a second writer must not share it
    try:
        partial.write_bytes(content)
        os.replace(partial, path)
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(path)) from error
    finally:
        partial.unlink(missing_ok=True)
        for left in path.parent.glob(f"{escape(here)}*.partial"):
            if not psutil.pid_exists(int(left.name.removeprefix(here).partition(".")[0])):
                left.unlink(missing_ok=True)


def write_sealed(path: Path, content: bytes) -> None:
    """Write content that holds UNSEALED once, with its checksum in that place; equal content gives equal bytes.

    The checksum is the sha256 of the whole content before it is put in.
    """
    if (places := content.count(UNSEALED.encode())) != 1:
        raise FileError(f"{path}: expected one place for a checksum, found {places}")
    write_whole(path, content.replace(UNSEALED.encode(), _checksum(content)))


def read_sealed(path: Path | str) -> bytes:
    """The content of a file of `write_sealed`; raises FileError if it is absent, or not as it was written."""
    try:
        content = Path(path).read_bytes()
    except OSError as error:
        raise FileError(f"{path}: {error.strerror}; expected a file written by this project") from error
    seals = _SEAL.findall(content)
    if len(seals) != 1 or _checksum(content.replace(seals[0], UNSEALED.encode())) != seals[0]:
        found = "its checksum does not fit its content" if len(seals) == 1 else "it has no checksum of this project"
        raise FileError(f"{path}: damaged, or written by another version: {found}; {_remedy(path)}")
    return content


def sha256(path: Path | str) -> str:
    """The SHA-256 of a file's bytes, in hexadecimal digits."""
    return hashlib.sha256(Path(path).read_bytes()).hexdigest()


def _checksum(content: bytes) -> bytes:
    return b"sha256:" + hashlib.sha256(content).hexdigest().encode()


def _remedy(path: Path | str) -> str:
    """What makes a file whole again: git for the project's own data, wherever a build is made, else the workflow."""
    data = Path(os.path.relpath(ROOT / "data"))
    if Path(os.path.relpath(path)).is_relative_to(data):
        elsewhere = "" if data == Path("data") else f"-C {data.parent} "
        return f"`git {elsewhere}restore {os.path.relpath(path, ROOT)}`"
    return f"delete it, and `snakemake --cores all {path}` makes it again"


def write_json(path: Path, content: Mapping[str, Any]) -> None:
    """Write a sealed JSON object, keys sorted."""
    text = json.dumps({**content, "checksum": UNSEALED}, indent=2, sort_keys=True, allow_nan=False)
    write_sealed(path, text.encode() + b"\n")


def read_json(path: Path | str) -> dict[str, Any]:
    """The object of `write_json`; raises FileError as `read_sealed` does."""
    content = json.loads(read_sealed(path))
    del content["checksum"]
    return content


def json_of(path: Path | str) -> Any:
    """What a JSON file holds that has no checksum of itself, such as a page's data."""
    return json.loads(Path(path).read_text(encoding="utf-8"))
