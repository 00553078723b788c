"""The release: its metadata describe what is in it, and its archive depends on files only."""

import hashlib
import json
import re
import zipfile
from importlib.resources import files
from io import BytesIO
from urllib.parse import unquote

import pytest
import release
import yaml
from support import LEDGER, ROOT, refuses

from modadd.core.files import write_whole
from modadd.run.crate import METADATA, WORKFLOW, crate
from modadd.run.records import Made, keep_records_beside_results, record_of

CITATION = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
FILES = {WORKFLOW: b"rule all:\n", "README.md": b"1\n", "a folder/ä.csv": b"1\n", "LICENSE": b"MIT\n", "empty": b""}
TRAINED = Made("train/seed0", ("LICENSE", "gone"), 1_900_000_000.25, 1_900_000_060.0)
DRAWN = Made("draw/phases", ("empty",), 1_900_000_060.0, 1_900_000_061.5)
MADE = ["a folder/ä.csv", "empty"]


def metadata(files=FILES, citation=CITATION):
    return json.loads(crate(files, citation, "2030-02-01", MADE, [TRAINED, DRAWN], "9.0.0"))


def entities(*arguments, **keywords):
    return {entity["@id"]: entity for entity in metadata(*arguments, **keywords)["@graph"]}


def named(reference):
    """Identifiers in a property of one value or several, as they stand in the archive."""
    references = reference if isinstance(reference, list) else [reference]
    return [unquote(one["@id"]) for one in references]


def test_the_root_says_what_it_is_and_by_which_licence_and_doi():
    by_id = entities(citation=CITATION | {"doi": "10.5281/zenodo.1"})
    root = by_id["./"]
    assert root["@type"] == "Dataset" and root["name"] and root["description"] and root["datePublished"] == "2030-02-01"
    assert by_id[root["license"]["@id"]]["name"] == "MIT" and by_id["README.md"]["about"] == {"@id": "./"}
    assert root["identifier"] == "https://doi.org/10.5281/zenodo.1"
    assert "identifier" not in entities(citation={key: value for key, value in CITATION.items() if key != "doi"})["./"]


def test_every_file_is_part_of_the_root_with_its_size_and_checksum():
    by_id = entities()
    parts = [by_id[part["@id"]] for part in by_id["./"]["hasPart"]]
    assert {unquote(part["@id"]) for part in parts} == set(FILES)
    for part in parts:
        content = FILES[unquote(part["@id"])]
        assert "File" in part["@type"] and re.fullmatch(r"[\w./%-]+", part["@id"]), "an identifier is a URI path"
        assert part["contentSize"] == str(len(content)) and part["sha256"] == hashlib.sha256(content).hexdigest()


def test_authors_are_those_of_the_citation_file():
    people = [{"family-names": "Doe", "given-names": "Jane", "orcid": "https://orcid.org/0"}, {"name": "A group"}]
    by_id = entities(citation=CITATION | {"authors": people})
    authors = [by_id[author["@id"]] for author in by_id["./"]["author"]]
    assert [(author["@type"], author["name"]) for author in authors] == [
        ("Person", "Jane Doe"),
        ("Organization", "A group"),
    ]
    assert authors[0]["@id"] == "https://orcid.org/0"


@pytest.mark.parametrize("missing", [WORKFLOW, "empty"])
def test_a_crate_without_its_workflow_or_what_it_made_is_refused(missing):
    with refuses(f"{missing} is missing", "4 files"):
        metadata({name: content for name, content in FILES.items() if name != missing})


def test_the_build_is_an_action_of_the_workflow_from_what_was_read_to_what_was_made():
    by_id = entities()
    run, workflow = by_id["#run"], by_id[by_id["./"]["mainEntity"]["@id"]]
    assert named(run["instrument"]) == [WORKFLOW] == [workflow["@id"]] and workflow["name"]
    assert by_id[workflow["programmingLanguage"]["@id"]]["@type"] == "ComputerLanguage"
    assert named(run["object"]) == ["LICENSE"], "what is not packed cannot be referred to"
    assert named(run["result"]) == MADE and named(by_id["./"]["mentions"]) == ["#run"]
    assert (run["startTime"], run["endTime"]) == ("2030-03-17T17:46:40.250+00:00", "2030-03-17T17:47:41.500+00:00")


@pytest.mark.filterwarnings("default::DeprecationWarning")  # of what the validator stands on
def test_the_validator_of_the_profile_finds_every_required_rule_kept(monkeypatch):
    """Where `pip install -e ".[validate]"` has been run; without a network, on the terms that this test has."""
    services = pytest.importorskip("rocrate_validator.services")
    from requests import Response
    from rocrate_validator.models import ValidationSettings
    from rocrate_validator.utils.http import HttpRequester

    def served(self, url, *_, **__):
        assert str(url).startswith("https://w3id.org/ro/crate/1.1/context")
        response = Response()
        response.status_code, response.url, response._content = 200, str(url), json.dumps(terms()).encode()
        response.headers["Content-Type"] = "application/ld+json"
        return response

    monkeypatch.setattr(HttpRequester, "get", served, raising=False)
    asked = {"rocrate_uri": None, "profile_identifier": "workflow-run-crate-0.5", "metadata_only": True}
    check = lambda content: services.validate_metadata_as_dict(content, ValidationSettings(**asked, no_cache=True))
    whole, broken = metadata(), metadata()
    assert check(whole).passed(), [issue.message for issue in check(whole).get_issues()]
    (run,) = [entity for entity in broken["@graph"] if entity["@id"] == "#run"]
    del run["instrument"]
    assert not check(broken).passed()


def terms():
    """The context of RO-Crate 1.1: that of 1.3, which rocrate has, but for the terms that differ."""
    text = files("rocrate").joinpath("data/ro-crate.jsonld").read_text(encoding="utf-8")
    context = json.loads(text)["@context"]
    bioschemas = "https://bioschemas.org/"
    old = {name: f"{bioschemas}{name}" for name in ("ComputationalWorkflow", "FormalParameter")}
    old |= {name: f"{bioschemas}ComputationalWorkflow#{name}" for name in ("input", "output")}
    return {"@context": context | old}


def test_equal_files_give_equal_bytes_in_any_order_and_scripts_may_be_run():
    content = FILES | {"run.sh": b"#!/bin/sh\n"}
    one, other = release.packed(content), release.packed(dict(reversed(content.items())))
    assert one == other and release.packed(content | {"empty": b"x"}) != one
    with zipfile.ZipFile(BytesIO(one)) as archive:
        assert archive.namelist() == sorted(content) and archive.read("LICENSE") == b"MIT\n"
        modes = {entry.filename: entry.external_attr >> 16 for entry in archive.infolist()}
    assert modes == dict.fromkeys(FILES, 0o100644) | {"run.sh": 0o100755}


@pytest.fixture
def built(tmp_path, monkeypatch):
    """A small project with a build: its provenance, and the files of the build."""
    contents = {
        "CITATION.cff": yaml.safe_dump(CITATION),
        WORKFLOW: "rule all:\n",
        "LICENSE": "MIT\n",
        "notebook.py": "1",
    }
    contents |= {"results/network": "weights", "figures/index.html": "<html>", "results/provenance.json": "{}"}
    for name, text in contents.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    (tmp_path / ".gitignore").write_text("results/\nfigures/\n.snakemake\n")
    monkeypatch.chdir(tmp_path)
    keep_records_beside_results()
    outputs = ["figures/index.html", "results/network", "results/provenance.json"]
    for name in outputs:
        record = {"input": ["notebook.py"], "log": [f"results/logs/{name}.log"], "starttime": 1.0, "endtime": 2.0}
        write_whole(record_of(name), json.dumps(record).encode())
    hashed = {name: hashlib.sha256(contents[name].encode()).hexdigest() for name in ("notebook.py", "results/network")}
    provenance = {
        "written": "2030-02-01T12:00:00+00:00",
        "config": {"scale": "laptop", "datasets": {}},
        "origin": {"snakemake": "9.0.0"},
        "inputs": {"notebook.py": hashed["notebook.py"]},
        "networks": {"results/network": hashed["results/network"]},
    }
    return provenance, outputs


def test_a_whole_build_is_released_with_everything_in_it_and_the_same_bytes_again(built):
    provenance, outputs = built
    assert release.refusal(provenance, outputs) is None
    once, again = (release.release(outputs, provenance) for _ in range(2))
    assert once == again
    with zipfile.ZipFile(BytesIO(once)) as archive:
        described = json.loads(archive.read(METADATA))["@graph"]
        held = {name: archive.read(name) for name in archive.namelist()}
    sums = {unquote(entity["@id"]): entity["sha256"] for entity in described if "sha256" in entity}
    records = [str(record_of(name)) for name in outputs]
    assert {*sums, METADATA} == set(held) >= {*outputs, *records, "LICENSE", ".gitignore", "notebook.py"}
    assert all(sums[name] == hashlib.sha256(held[name]).hexdigest() for name in sums)


def test_what_is_not_a_whole_full_build_of_our_own_is_refused_in_one_line(built, tmp_path):
    provenance, outputs = built
    smoke = provenance | {"config": {"scale": "smoke"}}
    assert "scale smoke" in release.refusal(smoke, outputs)
    others = provenance | {"config": {"scale": "laptop", "datasets": {"kissane": {"path": "w.pt"}}}}
    assert "datasets.kissane" in release.refusal(others, outputs)
    assert "gone.svg is missing, with 0 more of 4 files" in release.refusal(provenance, [*outputs, "gone.svg"])
    (tmp_path / "notebook.py").write_text("2")
    assert "notebook.py is not the one" in release.refusal(provenance, outputs)


def test_the_citation_names_every_paper_of_the_ledger():
    notes = " ".join(paper["notes"] for paper in CITATION["references"])
    assert {mark for mark in LEDGER["papers"] if mark != "B" and f"[{mark}]" not in notes} == set()
    cited = set(re.findall(r"arXiv (\d+\.\d+)", " ".join(LEDGER["papers"].values())))
    assert cited == set(re.findall(r"arXiv (\d+\.\d+)", notes))
    for paper in CITATION["references"]:
        number = re.search(r"arXiv (\d+\.\d+)", paper["notes"])
        assert not number or paper["doi"] == f"10.48550/arXiv.{number[1]}" and paper["url"].endswith(number[1])
