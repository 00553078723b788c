"""Pack what a full build shows into results/release.zip: figures, values, proofs, checksums, citation, and the crate that
describes them (`make release`)."""

import argparse
import hashlib
import json
from collections.abc import Iterable, Mapping
from io import BytesIO
from pathlib import Path
from typing import Any
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from modadd.core.files import json_of, visible, write_whole
from paper.citation import crate, read_citation
from paper.commands.build import PROVENANCE, require_build
from paper.outputs import planned

ZIP = Path("results/release.zip")
PACKED = ("figures/", "results/values/", "results/proofs/", str(PROVENANCE))  # how the names of outputs begin
TEXTS = ("CITATION.cff", "LICENSE", "README.md", "figures/README.md", "data/proofs/*")
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


def files_to_pack(folder: Path, outputs: Iterable[str]) -> list[Path]:
    """What a build shows of its outputs, and the texts that go with it, as far as they are there."""
    found = [folder / name for name in outputs if name.startswith(PACKED)]
    for pattern in TEXTS:
        found += visible(folder, pattern)
    return [path for path in found if path.is_file()]


def outputs_up_to_date(config: dict[str, Any]) -> list[str]:
    """The files of a build of a config; raises ValueError, one line, if the next build would make one again."""
    files = planned(config)
    late = [name for name, _, is_late in files if is_late]
    if late:
        others = f" and {len(late) - 1} more" if len(late) > 1 else ""
        raise ValueError(f"{late[0]}{others}: not what today's code and config make; build everything again (`make`)")
    return [name for name, _, _ in files]


def release(folder: Path, outputs: Iterable[str]) -> bytes:
    """The archive, with its description as an RO-Crate and the SHA-256 of each file as `sha256sum -c` reads it.

    Raises ValueError, one line, if CITATION.cff has no day of release.
    """
    files = {str(path.relative_to(folder)): path.read_bytes() for path in files_to_pack(folder, outputs)}
    described = crate(read_citation(folder / "CITATION.cff"), files)
    files[CRATE] = (json.dumps(described, indent=1, ensure_ascii=False) + "\n").encode()
    sums = [f"{hashlib.sha256(content).hexdigest()}  {name}\n" for name, content in files.items()]
    return packed(files | {"sha256.txt": "".join(sums).encode()})


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """None."""


def run(options: argparse.Namespace) -> None:
    """Pack the build of this folder; raises ValueError, one line, if it is out of date."""
    require_build("release")
    outputs = outputs_up_to_date(json_of(PROVENANCE)["config"])
    write_whole(ZIP, release(Path("."), outputs))
    print(ZIP)
