"""The project and its build as a research object: ro-crate-metadata.json after RO-Crate 1.1, a workflow crate of it."""

import hashlib
import json
from collections.abc import Mapping, Sequence
from pathlib import PurePosixPath
from typing import Any
from urllib.parse import quote

METADATA = "ro-crate-metadata.json"
CRATE = "https://w3id.org/ro/crate/1.1"
PROFILE = "https://w3id.org/workflowhub/workflow-ro-crate/1.0"
WORKFLOW = "workflow/Snakefile"
SHA256 = {"sha256": "https://schema.org/sha256"}  # schema.org had no such term when the context of 1.1 was written
SNAKEMAKE = {
    "@id": "https://w3id.org/workflowhub/workflow-ro-crate#snakemake",
    "@type": "ComputerLanguage",
    "name": "Snakemake",
    "identifier": {"@id": "https://doi.org/10.1093/bioinformatics/bts480"},
    "url": {"@id": "https://snakemake.readthedocs.io"},
}
FORMATS = {
    ".cff": "application/yaml",
    ".css": "text/css",
    ".csv": "text/csv",
    ".html": "text/html",
    ".ipynb": "application/x-ipynb+json",
    ".js": "text/javascript",
    ".json": "application/json",
    ".md": "text/markdown",
    ".parquet": "application/vnd.apache.parquet",
    ".pdf": "application/pdf",
    ".png": "image/png",
    ".py": "text/x-python",
    ".rst": "text/x-rst",
    ".safetensors": "application/octet-stream",
    ".svg": "image/svg+xml",
    ".tex": "application/x-tex",
    ".toml": "application/toml",
    ".yaml": "application/yaml",
    ".yml": "application/yaml",
}
Entity = dict[str, Any]


def crate(files: Mapping[str, bytes], citation: Mapping[str, Any], day: str) -> bytes:
    """The metadata of files by name: root, workflow, every file with size and checksum, authors, papers, licence.

    `citation` is CITATION.cff, `day` the day of publication as YYYY-MM-DD. Raises ValueError without the workflow.
    """
    if WORKFLOW not in files:
        raise ValueError(f"{WORKFLOW} is missing; expected it among the {len(files)} files of the crate")
    parts = [_file(name, files[name]) for name in sorted(files)]
    authors, papers = _authors(citation["authors"]), [_paper(paper) for paper in citation["references"]]
    licence = {
        "@id": f"https://spdx.org/licenses/{citation['license']}",
        "@type": "CreativeWork",
        "name": citation["license"],
        "description": f"The text is in the file LICENSE: {citation['license']}.",
    }
    root = {
        "@id": "./",
        "@type": "Dataset",
        "name": citation["title"],
        "description": citation["abstract"].strip(),
        "version": citation["version"],
        "datePublished": day,
        "keywords": ", ".join(citation["keywords"]),
        "license": _to(licence),
        "author": _all(authors),
        "citation": _all(papers),
        "mainEntity": {"@id": WORKFLOW},
        "hasPart": _all(parts),
    }
    if "doi" in citation:
        root["identifier"] = f"https://doi.org/{citation['doi']}"
    about_workflow = {
        "@type": ["File", "SoftwareSourceCode", "ComputationalWorkflow"],
        "name": "From training rules through notebooks to figures, tables and verdicts",
        "programmingLanguage": _to(SNAKEMAKE),
        "license": _to(licence),
        "creator": _all(authors),
    }
    for part in parts:
        part |= {WORKFLOW: about_workflow, "README.md": {"about": {"@id": "./"}}}.get(part["@id"], {})
    descriptor = {
        "@id": METADATA,
        "@type": "CreativeWork",
        "about": {"@id": "./"},
        "conformsTo": [{"@id": CRATE}, {"@id": PROFILE}],
    }
    graph = [descriptor, root, *parts, *authors, *papers, licence, SNAKEMAKE]
    content = {"@context": [f"{CRATE}/context", SHA256], "@graph": graph}
    return json.dumps(content, indent=1, ensure_ascii=False).encode() + b"\n"


def _to(entity: Entity) -> Entity:
    """A reference to an entity."""
    return {"@id": entity["@id"]}


def _all(entities: Sequence[Entity]) -> Entity | list[Entity]:
    """References to entities; to a single one without a list, as JSON-LD in its compact form has it."""
    references = [_to(entity) for entity in entities]
    return references[0] if len(references) == 1 else references


def _file(name: str, content: bytes) -> Entity:
    return {
        "@id": quote(name),
        "@type": "File",
        "name": name,
        "contentSize": str(len(content)),
        "encodingFormat": FORMATS.get(PurePosixPath(name).suffix, "text/plain"),
        "sha256": hashlib.sha256(content).hexdigest(),
    }


def _authors(people: Sequence[Mapping[str, Any]]) -> list[Entity]:
    """Persons and groups; the identifier of a person who has one is the ORCID."""
    entities = []
    for number, person in enumerate(people, start=1):
        entity = {
            "@id": person.get("orcid", f"#author{number}"),
            "@type": "Organization" if "name" in person else "Person",
        }
        entity["name"] = person.get("name") or f"{person['given-names']} {person['family-names']}"
        entities.append(entity | {key: person[key] for key in ("email", "affiliation") if key in person})
    return entities


def _paper(paper: Mapping[str, Any]) -> Entity:
    """A reference of CITATION.cff, named by its address."""
    return {
        "@id": paper["url"],
        "@type": "ScholarlyArticle" if paper["type"] == "article" else "CreativeWork",
        "name": paper["title"],
        "author": ", ".join(f"{author['given-names']} {author['family-names']}" for author in paper["authors"]),
    }
