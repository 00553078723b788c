"""Who made this artifact, from what and under which licence: CITATION.cff, in the formats that archives read."""

import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from modadd.core.files import ROOT
from paper.yaml_files import read_yaml

CITATION = ROOT / "CITATION.cff"
LICENCES = "https://spdx.org/licenses"
MEDIA = {
    **{
        ".csv": "text/csv",
        ".html": "text/html",
        ".md": "text/markdown",
        ".pdf": "application/pdf",
        ".png": "image/png",
    },
    **{".json": "application/json", ".svg": "image/svg+xml", ".tex": "text/x-tex", ".txt": "text/plain"},
}
DAY = re.compile(r"\d{4}-\d{2}-\d{2}")

Citation = Mapping[str, Any]


def read_citation(file: Path = CITATION) -> dict[str, Any]:
    """The content of CITATION.cff; raises ValueError, one line, without a day of release, which every archive asks for."""
    citation = read_yaml(file)
    day = str(citation.get("date-released", ""))
    if not DAY.fullmatch(day):
        raise ValueError(f"{file.name}: expected date-released: YYYY-MM-DD, found '{day}'")
    return citation | {"date-released": day}


def agents(people: Iterable[Mapping[str, str]]) -> list[dict[str, str]]:
    """People as schema.org has them; who has one `name` alone is no person."""
    found = []
    for one in people:
        if "name" in one:
            found.append({"@type": "Organization", "name": one["name"]})
        else:
            found.append({"@type": "Person", "givenName": one["given-names"], "familyName": one["family-names"]})
    return found


def full_name(one: Mapping[str, str]) -> str:
    """Family name, given names; of an entity its name."""
    return one.get("name") or f"{one['family-names']}, {one['given-names']}"


def codemeta(citation: Citation) -> dict[str, Any]:
    """The content of codemeta.json, of CodeMeta 3.0."""
    works = []
    for work in citation["references"]:
        kind = "ScholarlyArticle" if work["type"] == "article" else "SoftwareSourceCode"
        works.append({"@type": kind, "name": work["title"], "author": agents(work["authors"]), "url": work["url"]})
    return {
        "@context": "https://w3id.org/codemeta/3.0",
        "@type": "SoftwareSourceCode",
        "name": citation["title"],
        "description": citation["abstract"],
        "version": citation["version"],
        "datePublished": citation["date-released"],
        "license": f"{LICENCES}/{citation['license']}",
        "author": agents(citation["authors"]),
        "keywords": citation["keywords"],
        "programmingLanguage": ["Python", "Snakemake", "Coq"],
        "citation": works,
    }


def zenodo(citation: Citation) -> dict[str, Any]:
    """The content of .zenodo.json."""
    related = []
    for work in citation["references"]:
        is_article = work["type"] == "article"
        kind = "publication-preprint" if is_article else "software"
        related.append(
            {"identifier": work.get("doi", work["url"]), "relation": "references", "resource_type": kind},
        )
    return {
        "title": citation["title"],
        "upload_type": "software",
        "description": citation["abstract"],
        "version": citation["version"],
        "publication_date": citation["date-released"],
        "access_right": "open",
        "license": citation["license"],
        "creators": [{"name": full_name(one)} for one in citation["authors"]],
        "keywords": citation["keywords"],
        "related_identifiers": related,
    }


def codecheck(citation: Citation, manifest: Sequence[Mapping[str, str]]) -> dict[str, Any]:
    """The content of codecheck.yml as authors write it; who checks adds name, report and certificate."""
    return {
        "version": "https://codecheck.org.uk/spec/config/1.0/",
        "paper": {
            "title": citation["title"],
            "authors": [{"name": full_name(one)} for one in citation["authors"]],
        },
        "manifest": list(manifest),
    }


def crate(citation: Citation, content: Mapping[str, bytes]) -> dict[str, Any]:
    """The content of ro-crate-metadata.json, of RO-Crate 1.1: each file by its whole path, which alone tells it from others."""
    licence = {"@id": f"{LICENCES}/{citation['license']}"}
    makers = [{"@id": f"#{place}"} | agent for place, agent in enumerate(agents(citation["authors"]), 1)]
    authors = [{"@id": maker["@id"]} for maker in makers]
    files = []
    for name in sorted(content):
        media = MEDIA.get(Path(name).suffix, "application/octet-stream")
        size = str(len(content[name]))
        files.append({"@id": name, "@type": "File", "name": name, "encodingFormat": media, "contentSize": size})
    about = {
        "@id": "ro-crate-metadata.json",
        "@type": "CreativeWork",
        "conformsTo": {"@id": "https://w3id.org/ro/crate/1.1"},
        "about": {"@id": "./"},
    }
    root = {
        "@id": "./",
        "@type": "Dataset",
        "name": citation["title"],
        "description": citation["abstract"],
        "version": citation["version"],
        "datePublished": citation["date-released"],
        "license": licence,
        "author": authors[0] if len(authors) == 1 else authors,  # as RO-Crate asks for
        "keywords": ", ".join(citation["keywords"]),
        "hasPart": [{"@id": file["@id"]} for file in files],
    }
    name = {"@type": "CreativeWork", "name": citation["license"]}
    return {
        "@context": "https://w3id.org/ro/crate/1.1/context",
        "@graph": [about, root, licence | name, *makers, *files],
    }
