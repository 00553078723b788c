"""The project and its build as a research object: ro-crate-metadata.json after RO-Crate 1.1, a Workflow Run Crate.

The profile is that of 0.5: 0.6 stands on RO-Crate 1.3, and no validator knows it yet.
"""

import hashlib
import json
from collections.abc import Collection, Mapping
from datetime import UTC, datetime
from typing import Any

from rocrate.model.contextentity import ContextEntity
from rocrate.model.entity import Entity
from rocrate.rocrate import ROCrate

from modadd.run.records import Made

METADATA = "ro-crate-metadata.json"
WORKFLOW = "workflow/Snakefile"
TITLE = "From training rules through notebooks to figures, tables and verdicts"  # of the workflow
PROFILES = {
    "https://w3id.org/ro/wfrun/process/0.5": "Process Run Crate",
    "https://w3id.org/ro/wfrun/workflow/0.5": "Workflow Run Crate",
    "https://w3id.org/workflowhub/workflow-ro-crate/1.0": "Workflow RO-Crate",
}
SHA256 = {"sha256": "https://schema.org/sha256"}  # schema.org had no such term when the context of 1.1 was written


def crate(
    files: Mapping[str, bytes],
    citation: Mapping[str, Any],
    day: str,
    made: Collection[str],
    jobs: Collection[Made],
    engine: str,
) -> bytes:
    """The metadata of files by name: root, workflow, every file with size and checksum, authors, papers, licence, run.

    `citation` is CITATION.cff, `day` the day of publication as YYYY-MM-DD, `made` the files of the build, `jobs` those that
    made them, and `engine` the version of Snakemake that ran these. Raises ValueError without the workflow, and for a
    file of the build that is missing.
    """
    for name in (WORKFLOW, *made):
        if name not in files:
            raise ValueError(f"{name} is missing; expected it among the {len(files)} files of the crate")
    found = ROCrate(version="1.1")
    found.metadata.extra_terms.update(SHA256)
    licence = _add(
        found,
        f"https://spdx.org/licenses/{citation['license']}",
        "CreativeWork",
        name=citation["license"],
        description="The text is in the file LICENSE.",
    )
    authors = [_add_author(found, number, person) for number, person in enumerate(citation["authors"], start=1)]
    plain = sorted({*files} - {WORKFLOW})
    entities = {name: found.add_file(dest_path=name, properties=_about(name, files[name])) for name in plain}
    about = {"name": TITLE, "license": licence, "creator": _single(authors), "version": citation["version"]}
    entities[WORKFLOW] = found.add_workflow(
        dest_path=WORKFLOW, main=True, lang="snakemake", properties=_about(WORKFLOW, files[WORKFLOW]) | about
    )
    read = {name for job in jobs for name in job.inputs} - {*made}
    root = {
        "name": citation["title"],
        "description": citation["abstract"].strip(),
        "version": citation["version"],
        "datePublished": day,
        "keywords": ", ".join(citation["keywords"]),
        "license": licence,
        "author": _single(authors),
        "citation": _single([_add_paper(found, paper) for paper in citation["references"]]),
        "conformsTo": [
            _add(found, address, "CreativeWork", name=name, version=address.rpartition("/")[2])
            for address, name in PROFILES.items()
        ],
        "mentions": _add(
            found,
            "#run",
            "CreateAction",
            name="The build",
            description=f"Snakemake {engine} ran {len(jobs)} jobs of {WORKFLOW}",
            instrument=entities[WORKFLOW],
            object=_single([entities[name] for name in sorted(read) if name in entities]),
            result=_single([entities[name] for name in sorted(made)]),
            startTime=_time(min(job.started for job in jobs)),
            endTime=_time(max(job.ended for job in jobs)),
        ),
    }
    if "doi" in citation:
        root["identifier"] = f"https://doi.org/{citation['doi']}"
    for key, value in root.items():
        found.root_dataset[key] = value
    return json.dumps(found.metadata.generate(), indent=1, ensure_ascii=False).encode() + b"\n"


def _add(of: ROCrate, identifier: str, kind: str, **properties: Any) -> Entity:
    return of.add(ContextEntity(of, identifier, {"@type": kind, **properties}))


def _single(values: list[Any]) -> Any:
    """The only one of a list of one, as RO-Crate wants it; else the list."""
    return values[0] if len(values) == 1 else values


def _time(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="milliseconds")


def _about(name: str, content: bytes) -> dict[str, Any]:
    about = {"name": name, "contentSize": str(len(content)), "sha256": hashlib.sha256(content).hexdigest()}
    return about | ({"about": {"@id": "./"}} if name == "README.md" else {})


def _add_author(of: ROCrate, number: int, person: Mapping[str, Any]) -> Entity:
    """A person or a group; the identifier of a person who has one is the ORCID."""
    kind = "Organization" if "name" in person else "Person"
    name = person.get("name") or f"{person['given-names']} {person['family-names']}"
    more = {key: person[key] for key in ("email", "affiliation") if key in person}
    return _add(of, person.get("orcid", f"#author{number}"), kind, name=name, **more)


def _add_paper(of: ROCrate, paper: Mapping[str, Any]) -> Entity:
    """A reference of CITATION.cff, named by its address."""
    kind = "ScholarlyArticle" if paper["type"] == "article" else "CreativeWork"
    authors = ", ".join(f"{author['given-names']} {author['family-names']}" for author in paper["authors"])
    return _add(of, paper["url"], kind, name=paper["title"], author=authors)
