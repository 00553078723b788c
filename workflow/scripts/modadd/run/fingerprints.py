"""Fingerprints of code, looked up while all is as it was: every job reads the rules."""

import hashlib
import sys
from collections.abc import Iterable
from functools import cache
from pathlib import Path

from modadd.core.code import KNOWN, code_behind
from modadd.core.files import write_whole

ENVIRONMENT = "modadd.core.bits.job_variables"  # the rules give it to every job, and it decides the bits


def fingerprint(*files: str, definitions: Iterable[str] = ()) -> str:
    """`code_behind` of the files, of definitions by their full names, and of ENVIRONMENT.

    From KNOWN, if files, library and Python are as when it was computed.
    """
    definitions = [ENVIRONMENT, *definitions]
    seen = hashlib.sha256(_library() + " ".join(definitions).encode())
    for file in files:
        seen.update(_of_file(file, Path(file)))
    kept = KNOWN / seen.hexdigest()
    try:
        return kept.read_text(encoding="utf-8")
    except OSError:
        found = code_behind(*files, definitions=definitions)
        write_whole(kept, found.encode())
        return found


@cache
def _library() -> bytes:
    """A digest of the bytes of every module, and of the Python that takes them apart."""
    folder = Path(__file__).parents[1]
    digest = hashlib.sha256(sys.version.encode())
    for module in sorted(folder.rglob("*.py")):
        name = str(module.relative_to(folder))
        digest.update(_of_file(name, module))
    return digest.digest()


def _of_file(name: str, file: Path) -> bytes:
    """A name, and a digest of the bytes of its file."""
    content = hashlib.sha256(file.read_bytes())
    return name.encode() + b"\0" + content.digest()
