"""Pack the project with its full build for an archive that gives DOIs: results/release.zip (`make release`)."""

import json
import sys
from collections.abc import Mapping
from io import BytesIO
from pathlib import Path
from typing import Any
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

import own_library  # noqa: F401
import yaml
from build import PROVENANCE, require_build

from modadd.core.files import write_whole
from modadd.ledger.differences import sha256
from modadd.run.crate import METADATA, crate
from modadd.run.datasets import IMPORTED, datasets_of
from modadd.run.project import TIMED, outputs_of, project_files
from modadd.run.records import jobs_behind, record_of

ZIP = Path("results/release.zip")


def packed(files: Mapping[str, bytes]) -> bytes:
    """A zip of files by name, sorted; equal files give equal bytes. Scripts may be run after unpacking."""
    content = BytesIO()
    with ZipFile(content, "w") as archive:
        for name in sorted(files):
            entry = ZipInfo(name)  # of the first day of 1980
            entry.external_attr = (0o100755 if files[name].startswith(b"#!") else 0o100644) << 16
            archive.writestr(entry, files[name], ZIP_DEFLATED)
    return content.getvalue()


def refusal(provenance: Mapping[str, Any], built: list[str]) -> str | None:
    """Why a build cannot be released, in one line; None if it can."""
    if provenance["config"]["scale"] == "smoke":
        return "the build in this folder is a first look (scale smoke); expected a full one (`make`)"
    if imported := sorted(datasets_of(provenance["config"], IMPORTED)):
        return f"config: datasets.{imported[0]}: weights of others are not ours to pack; build without them"
    if missing := [name for name in built if not Path(name).is_file()]:
        return f"{missing[0]} is missing, with {len(missing) - 1} more of {len(built)} files; build the rest (`make`)"
    for name, hashed in {**provenance["inputs"], **provenance["networks"]}.items():
        if not Path(name).is_file() or sha256(name) != hashed:
            return f"{name} is not the one that the build read or made; build again (`make`)"
    return None


def release(built: list[str], provenance: Mapping[str, Any]) -> bytes:
    """The archive: the project's files, the build's with the records of what made them, and metadata on them all."""
    names = sorted({*project_files(Path(".")), *built, *(str(record_of(name)) for name in built)})
    files = {name: Path(name).read_bytes() for name in names}
    citation = yaml.safe_load(files["CITATION.cff"])
    day = str(citation.get("date-released", provenance["written"][:10]))
    jobs = jobs_behind(built).values()
    files[METADATA] = crate(files, citation, day, built, jobs, provenance["origin"]["snakemake"])
    return packed(files)


if __name__ == "__main__":
    require_build("release")
    origin = json.loads(PROVENANCE.read_text(encoding="utf-8"))
    try:
        built = sorted([*outputs_of(origin["config"]), *TIMED])
        if reason := refusal(origin, built):
            raise ValueError(reason)
        write_whole(ZIP, release(built, origin))
    except ValueError as error:
        sys.exit(f"release: {error}")
    print(ZIP)
