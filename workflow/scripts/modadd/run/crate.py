"""The project and its build as a research object: ro-crate-metadata.json after RO-Crate 1.1, a workflow crate of it."""

import hashlib
import json
from collections.abc import Mapping
from pathlib import PurePosixPath
from typing import Any

from rocrate.model.contextentity import ContextEntity
from rocrate.rocrate import ROCrate

METADATA = "ro-crate-metadata.json"
WORKFLOW = "workflow/Snakefile"
TITLE = "From training rules through notebooks to figures, tables and verdicts"  # of the workflow
SHA256 = {"sha256": "https://schema.org/sha256"}  # schema.org had no such term when the context of 1.1 was written
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


def crate(files: Mapping[str, bytes], citation: Mapping[str, Any], day: str) -> bytes:
    """The metadata of files by name: root, workflow, every file with size and checksum, authors, papers, licence.

    `citation` is CITATION.cff, `day` the day of publication as YYYY-MM-DD. Raises ValueError without the workflow.
    """
    if WORKFLOW not in files:
        raise ValueError(f"{WORKFLOW} is missing; expected it among the {len(files)} files of the crate")
    found = ROCrate(version="1.1")
    found.metadata.extra_terms.update(SHA256)
    licence = found.add(_licence(found, citation["license"]))
    authors = [found.add(_author(found, number, person)) for number, person in enumerate(citation["authors"], start=1)]
    papers = [found.add(_paper(found, paper)) for paper in citation["references"]]
    for name in sorted(files):
        about = _about(name, files[name])
        if name == WORKFLOW:
            about |= {"name": TITLE, "license": licence, "creator": authors}
            found.add_workflow(dest_path=name, main=True, lang="snakemake", properties=about)
        else:
            found.add_file(dest_path=name, properties=about)
    root = {
        "name": citation["title"],
        "description": citation["abstract"].strip(),
        "version": citation["version"],
        "datePublished": day,
        "keywords": ", ".join(citation["keywords"]),
        "license": licence,
        "author": authors,
        "citation": papers,
    }
    if "doi" in citation:
        root["identifier"] = f"https://doi.org/{citation['doi']}"
    for key, value in root.items():
        found.root_dataset[key] = value
    return json.dumps(found.metadata.generate(), indent=1, ensure_ascii=False).encode() + b"\n"


def _about(name: str, content: bytes) -> dict[str, Any]:
    about = {
        "name": name,
        "contentSize": str(len(content)),
        "encodingFormat": FORMATS.get(PurePosixPath(name).suffix, "text/plain"),
        "sha256": hashlib.sha256(content).hexdigest(),
    }
    return about | ({"about": {"@id": "./"}} if name == "README.md" else {})


def _licence(of: ROCrate, name: str) -> ContextEntity:
    about = {"@type": "CreativeWork", "name": name, "description": f"The text is in the file LICENSE: {name}."}
    return ContextEntity(of, f"https://spdx.org/licenses/{name}", about)


def _author(of: ROCrate, number: int, person: Mapping[str, Any]) -> ContextEntity:
    """A person or a group; the identifier of a person who has one is the ORCID."""
    about = {"@type": "Organization" if "name" in person else "Person"}
    about["name"] = person.get("name") or f"{person['given-names']} {person['family-names']}"
    about |= {key: person[key] for key in ("email", "affiliation") if key in person}
    return ContextEntity(of, person.get("orcid", f"#author{number}"), about)


def _paper(of: ROCrate, paper: Mapping[str, Any]) -> ContextEntity:
    """A reference of CITATION.cff, named by its address."""
    about = {
        "@type": "ScholarlyArticle" if paper["type"] == "article" else "CreativeWork",
        "name": paper["title"],
        "author": ", ".join(f"{author['given-names']} {author['family-names']}" for author in paper["authors"]),
    }
    return ContextEntity(of, paper["url"], about)
