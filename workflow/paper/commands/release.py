"""Pack what a full build shows into results/release.zip: figures, values, proofs, checksums, citation, and the crate that
describes them (`make release`)."""

import argparse
import hashlib
import json
from collections.abc import Mapping
from io import BytesIO
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from modadd.core.files import write_whole
from paper.citation import crate, read_citation
from paper.commands.build import require_build

ZIP = Path("results/release.zip")
PACKED = ("figures", "results/values", "results/proofs", "data/proofs", "results/provenance.json")
TEXTS = ("CITATION.cff", "LICENSE", "README.md")
CRATE = "ro-crate-metadata.json"


def packed(files: Mapping[str, bytes]) -> bytes:
    """A zip of files by name, sorted; equal files give equal bytes. Scripts may be run after unpacking."""
    content = BytesIO()
    with ZipFile(content, "w") as archive:
        for name in sorted(files):
            entry = ZipInfo(name)  # of the first day of 1980
            entry.external_attr = (0o100755 if files[name].startswith(b"#!") else 0o100644) << 16
            archive.writestr(entry, files[name], ZIP_DEFLATED)
    return content.getvalue()


def files_to_pack(folder: Path) -> list[Path]:
    """What a build shows, and the texts that go with it, as far as they are there."""
    found = []
    for name in (*PACKED, *TEXTS):
        path = folder / name
        found += sorted(path.rglob("*")) if path.is_dir() else [path]
    return [path for path in found if path.is_file() and path.suffix not in (".vo", ".glob")]  # these are Coq's own


def release(folder: Path) -> bytes:
    """The archive, with its description as an RO-Crate and the SHA-256 of each file as `sha256sum -c` reads it.

    Raises ValueError, one line, if CITATION.cff has no day of release.
    """
    files = {str(path.relative_to(folder)): path.read_bytes() for path in files_to_pack(folder)}
    described = crate(read_citation(folder / "CITATION.cff"), files)
    files[CRATE] = (json.dumps(described, indent=1, ensure_ascii=False) + "\n").encode()
    sums = [f"{hashlib.sha256(content).hexdigest()}  {name}\n" for name, content in files.items()]
    return packed(files | {"sha256.txt": "".join(sums).encode()})


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """None."""


def run(options: argparse.Namespace) -> None:
    """Pack the build of this folder."""
    require_build("release")
    write_whole(ZIP, release(Path(".")))
    print(ZIP)
