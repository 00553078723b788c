"""Jobs that are asked again though nothing that they read has other content: what they made stays as it is.

Snakemake runs a job whenever one before it has run: an edited plot would judge all claims again, on the same numbers.
It removes outputs before a job, so that none is left of one that fails. So copies are kept here, and put back.
"""

import hashlib
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from modadd.core.files import FileError, json_of, read_json, sha256, write_json, write_whole

FOLDER = Path("results/unchanged")  # a file and a folder for each rule: no output, only known for the next time


class Memory:
    """What the files of a rule were made of when they were made last, and a copy of each, named by its checksum."""

    def __init__(self, rule: str) -> None:
        self.record, self.copies = FOLDER / f"{rule}.json", FOLDER / rule
        try:
            self.known = json_of(self.record)
        except (OSError, ValueError):  # absent or damaged: all is made again
            self.known = {}

    def stays(self, files: Sequence[str | Path], of: str) -> bool:
        """Whether files were made of the same, whose checksum is `of`; then they are put back, with a new time."""
        before, checksums = self.known.get(_name(files), (None, []))
        copies = [self.copies / checksum for checksum in checksums]
        if before != of or any(not copy.exists() or sha256(copy) != copy.name for copy in copies):
            return False
        for file, copy in zip(map(Path, files), copies, strict=True):
            write_whole(file, copy.read_bytes())
        return True

    def keep(self, files: Sequence[str | Path], of: str) -> None:
        """Keep files, and what they were made of."""
        checksums = [sha256(file) for file in files]
        for file, checksum in zip(map(Path, files), checksums, strict=True):
            write_whole(self.copies / checksum, file.read_bytes())
        self.known[_name(files)] = [of, checksums]
        write_whole(self.record, json.dumps(self.known, indent=1, sort_keys=True).encode())
        used = {checksum for _, checksums in self.known.values() for checksum in checksums}
        for copy in self.copies.iterdir():
            if copy.name not in used:
                copy.unlink()


class Parts:
    """Plain data that a rule finds in parts: each is kept with a checksum of what it was found of, in a sealed file.

    As text, in which the keys of a mapping keep their order.
    """

    def __init__(self, rule: str) -> None:
        self.record = FOLDER / f"{rule}.parts.json"
        try:
            self.known = read_json(self.record)
        except FileError:  # absent or damaged: all is found again
            self.known = {}

    def get(self, part: str, of: str) -> Any:
        """What was found of the same, whose checksum is `of`; None if nothing was, or of something else."""
        before, found = self.known.get(part, (None, "null"))
        return json.loads(found) if before == of else None

    def keep(self, parts: Mapping[str, tuple[str, Any]]) -> None:
        """Keep these parts, each with the checksum of what it was found of, and no others."""
        write_json(self.record, {part: [of, json.dumps(found)] for part, (of, found) in parts.items()})


def stays(job: Any) -> bool:
    """Whether all outputs of a job, the object `snakemake` of its script, stay: all that it reads has the content that it had."""
    return Memory(job.rule).stays(job.output, _read_by(job))


def remember(job: Any) -> None:
    """Keep what all outputs of a job are made of."""
    Memory(job.rule).keep(job.output, _read_by(job))


def _name(files: Sequence[str | Path]) -> str:
    return " ".join(map(str, files))


def _read_by(job: Any) -> str:
    """A checksum of params and of the content of every input."""
    params = json.dumps(dict(job.params.items()), sort_keys=True)
    read = {file: sha256(file) for file in job.input}
    return hashlib.sha256(json.dumps([params, read]).encode()).hexdigest()
