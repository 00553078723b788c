"""The project and its build as a research object: ro-crate-metadata.json after RO-Crate 1.1, a Provenance Run Crate.

The profile is that of 0.5: 0.6 stands on RO-Crate 1.3, and no validator knows it yet.
"""

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import PurePosixPath
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
    "https://w3id.org/ro/wfrun/provenance/0.5": "Provenance Run Crate",
    "https://w3id.org/workflowhub/workflow-ro-crate/1.0": "Workflow RO-Crate",
}
ENGINE = "https://snakemake.github.io"
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


def crate(
    files: Mapping[str, bytes], citation: Mapping[str, Any], day: str, jobs: Sequence[Made], engine: str
) -> bytes:
    """The metadata of files by name: root, workflow, every file with size and checksum, authors, papers, licence, run.

    `citation` is CITATION.cff, `day` the day of publication as YYYY-MM-DD, `jobs` those that made files of the build,
    and `engine` the version of Snakemake that ran them. Raises ValueError without the workflow, and for a script or an
    output of a job that is not among the files.
    """
    _require([WORKFLOW, *(name for job in jobs for name in (job.script, *job.outputs))], files)
    found = ROCrate(version="1.1")
    found.metadata.extra_terms.update(SHA256)
    licence = found.add(_licence(found, citation["license"]))
    authors = [found.add(_author(found, number, person)) for number, person in enumerate(citation["authors"], start=1)]
    papers = [found.add(_paper(found, paper)) for paper in citation["references"]]
    scripts = {job.script for job in jobs}
    entities = {}
    for name in sorted(files):
        about = _about(name, files[name])
        if name == WORKFLOW:
            about |= {"@type": ["File", "SoftwareSourceCode", "ComputationalWorkflow", "HowTo"], "name": TITLE}
            about |= {"license": licence, "creator": _single(authors), "version": citation["version"]}
            entities[name] = found.add_workflow(dest_path=name, main=True, lang="snakemake", properties=about)
            continue
        if name in scripts:
            about |= {"@type": ["File", "SoftwareSourceCode"], "version": citation["version"]}
        entities[name] = found.add_file(dest_path=name, properties=about)
    root = {
        "name": citation["title"],
        "description": citation["abstract"].strip(),
        "version": citation["version"],
        "datePublished": day,
        "keywords": ", ".join(citation["keywords"]),
        "license": licence,
        "author": authors,
        "citation": papers,
        "conformsTo": [found.add(_profile(found, address)) for address in PROFILES],
        "mentions": _add_run(found, entities, jobs, engine),
    }
    if "doi" in citation:
        root["identifier"] = f"https://doi.org/{citation['doi']}"
    for key, value in root.items():
        found.root_dataset[key] = _single(value)
    return json.dumps(found.metadata.generate(), indent=1, ensure_ascii=False).encode() + b"\n"


def _require(names: Iterable[str], files: Mapping[str, bytes]) -> None:
    for name in names:
        if name not in files:
            raise ValueError(f"{name} is missing; expected it among the {len(files)} files of the crate")


def _add_run(of: ROCrate, entities: Mapping[str, Entity], jobs: Sequence[Made], engine: str) -> list[Entity]:
    """What ran, as the profile has it: the actions that made files, of the workflow and of each job.

    A rule is a step of the workflow, and its script the tool. Who ran it is not recorded, so no action has an agent.
    """
    workflow = entities[WORKFLOW]

    def add(identifier: str, kind: str, **properties: Any) -> Entity:
        about = {key: _single(value) for key, value in properties.items()}
        return of.add(ContextEntity(of, identifier, {"@type": kind, **about}))

    def named(names: Iterable[str]) -> list[Entity]:
        return [entities[name] for name in sorted(names) if name in entities]

    tools = {job.rule: entities[job.script] for job in jobs}
    steps = {rule: add(f"#step/{rule}", "HowToStep", name=rule, workExample=tools[rule]) for rule in sorted(tools)}
    workflow["hasPart"] = _single(named({job.script for job in jobs}))
    workflow["step"] = _single(list(steps.values()))
    made = {name for job in jobs for name in job.outputs}
    run = add(
        "#run",
        "CreateAction",
        name="The build",
        description=f"Snakemake {engine} ran {len(jobs)} jobs of {WORKFLOW}",
        instrument=workflow,
        object=named({name for job in jobs for name in job.inputs} - made),
        result=named(made),
        **_times(min(job.started for job in jobs), max(job.ended for job in jobs)),
    )
    actions, controls = [], []
    for job in jobs:
        action = add(
            f"#job/{job.name}",
            "CreateAction",
            name=job.name,
            description=f"{job.script} as the rule {job.rule}",
            instrument=tools[job.rule],
            object=named(job.inputs),
            result=named(job.outputs),
            **_times(job.started, job.ended),
        )
        step = {"name": f"Step {job.rule}: {job.name}", "instrument": steps[job.rule], "object": action}
        controls.append(add(f"#control/{job.name}", "ControlAction", **step))
        actions.append(action)
    software = add(ENGINE, "SoftwareApplication", name="Snakemake", url=ENGINE, softwareVersion=engine)
    add(
        "#engine", "OrganizeAction", name=f"Run of Snakemake {engine}", instrument=software, object=controls, result=run
    )
    return [run, *actions]


def _single(value: Any) -> Any:
    """The only one of a list of one, as RO-Crate wants it; other values as they are."""
    return value[0] if isinstance(value, list) and len(value) == 1 else value


def _times(started: float, ended: float) -> dict[str, str]:
    whole = {"startTime": started, "endTime": ended}
    return {key: datetime.fromtimestamp(time, UTC).isoformat(timespec="milliseconds") for key, time in whole.items()}


def _profile(of: ROCrate, address: str) -> ContextEntity:
    about = {"@type": "CreativeWork", "name": PROFILES[address], "version": address.rpartition("/")[2]}
    return ContextEntity(of, address, about)


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
