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
from support import ROOT, refuses

from modadd.core.files import write_whole
from modadd.ledger.entries import read_ledger
from modadd.run.archive import executables, packed
from modadd.run.crate import METADATA, WORKFLOW, crate
from modadd.run.records import Made, record_of

CITATION = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
SCRIPT = "workflow/scripts/train.py"
FILES = {WORKFLOW: b"rule all:\n", SCRIPT: b"1\n", "a folder/ä.csv": b"1\n", "LICENSE": b"MIT\n", "empty": b""}
TRAINED = Made("train/seed0", "train", SCRIPT, ("LICENSE", "gone"), ("empty",), 1_900_000_000.25, 1_900_000_060.0)
DRAWN = Made("draw/phases", "draw", SCRIPT, ("empty",), ("a folder/ä.csv",), 1_900_000_060.0, 1_900_000_061.5)
JOBS = [TRAINED, DRAWN]


def metadata(files=FILES, citation=CITATION, jobs=JOBS):
    return json.loads(crate(files, citation, "2030-02-01", jobs, "9.0.0"))


def entities(*arguments, **keywords):
    return {entity["@id"]: entity for entity in metadata(*arguments, **keywords)["@graph"]}


def named(reference):
    """Identifiers in a property of one value or several, as they stand in the archive."""
    references = reference if isinstance(reference, list) else [reference]
    return [unquote(one["@id"]) for one in references]


def test_the_root_is_a_dataset_with_name_description_date_and_licence():
    root = entities()["./"]
    assert root["@type"] == "Dataset" and root["name"] and root["description"]
    assert re.fullmatch(r"\d{4}-\d\d-\d\d", root["datePublished"])
    assert entities()[root["license"]["@id"]]["name"] == "MIT"


def test_the_root_is_identified_by_the_doi_if_there_is_one():
    doi = CITATION | {"doi": "10.5281/zenodo.1"}
    assert entities(citation=doi)["./"]["identifier"] == "https://doi.org/10.5281/zenodo.1"
    assert "identifier" not in entities(citation={key: value for key, value in CITATION.items() if key != "doi"})["./"]


def test_every_file_is_part_of_the_root_with_its_size_and_checksum():
    by_id = entities()
    parts = [by_id[part["@id"]] for part in by_id["./"]["hasPart"]]
    assert {unquote(part["@id"]) for part in parts} == set(FILES)
    for part in parts:
        content = FILES[unquote(part["@id"])]
        assert "File" in part["@type"] and re.fullmatch(r"[\w./%-]+", part["@id"]), "an identifier is a URI path"
        assert part["contentSize"] == str(len(content)) and part["sha256"] == hashlib.sha256(content).hexdigest()


def test_the_workflow_is_the_main_entity_in_a_language_that_is_described():
    by_id = entities()
    workflow = by_id[by_id["./"]["mainEntity"]["@id"]]
    assert workflow["@id"] == WORKFLOW and (ROOT / WORKFLOW).is_file() and workflow["name"]
    assert workflow["@type"] == ["File", "SoftwareSourceCode", "ComputationalWorkflow", "HowTo"]
    assert by_id[workflow["programmingLanguage"]["@id"]]["@type"] == "ComputerLanguage"


def test_authors_are_those_of_the_citation_file():
    people = [{"family-names": "Doe", "given-names": "Jane", "orcid": "https://orcid.org/0"}, {"name": "A group"}]
    by_id = entities(citation=CITATION | {"authors": people})
    authors = [by_id[author["@id"]] for author in by_id["./"]["author"]]
    assert [(author["@type"], author["name"]) for author in authors] == [
        ("Person", "Jane Doe"),
        ("Organization", "A group"),
    ]
    assert authors[0]["@id"] == "https://orcid.org/0"


def test_the_readme_is_about_the_crate():
    assert entities(FILES | {"README.md": b"# Readme\n"})["README.md"]["about"] == {"@id": "./"}


def test_a_crate_without_its_workflow_is_refused():
    with refuses(WORKFLOW, "1 files"):
        metadata({"LICENSE": b""})


def test_a_crate_without_what_a_job_made_is_refused():
    with refuses("empty is missing"):
        metadata({name: content for name, content in FILES.items() if name != "empty"})


def test_each_job_is_an_action_of_a_step_from_its_inputs_to_its_outputs():
    by_id = entities()
    profiles = {by_id[name]["name"] for name in named(by_id["./"]["conformsTo"])}
    assert profiles == {"Process Run Crate", "Workflow Run Crate", "Provenance Run Crate", "Workflow RO-Crate"}
    workflow, trained = by_id[WORKFLOW], by_id["#job/train/seed0"]
    assert named(by_id["./"]["mentions"]) == ["#run", "#job/train/seed0", "#job/draw/phases"]
    assert (trained["startTime"], trained["endTime"]) == (
        "2030-03-17T17:46:40.250+00:00",
        "2030-03-17T17:47:40.000+00:00",
    )
    assert named(trained["instrument"]) == [SCRIPT] and "SoftwareSourceCode" in by_id[SCRIPT]["@type"]
    assert named(trained["object"]) == ["LICENSE"], "what is not packed cannot be referred to"
    assert named(trained["result"]) == ["empty"] == named(by_id["#job/draw/phases"]["object"])
    assert named(workflow["hasPart"]) == [SCRIPT] and named(workflow["step"]) == ["#step/draw", "#step/train"]
    assert {name for step in named(workflow["step"]) for name in named(by_id[step]["workExample"])} == {SCRIPT}
    run, engine = by_id["#run"], by_id["#engine"]
    assert named(run["instrument"]) == [WORKFLOW] and named(run["object"]) == ["LICENSE"]
    assert named(run["result"]) == ["a folder/ä.csv", "empty"]
    assert (run["startTime"], run["endTime"]) == (trained["startTime"], by_id["#job/draw/phases"]["endTime"])
    assert engine["@type"] == "OrganizeAction" and named(engine["result"]) == ["#run"]
    assert by_id[named(engine["instrument"])[0]]["softwareVersion"] == "9.0.0"
    controls = [by_id[name] for name in named(engine["object"])]
    assert [named(control["object"]) for control in controls] == [["#job/train/seed0"], ["#job/draw/phases"]]
    assert [named(control["instrument"]) for control in controls] == [["#step/train"], ["#step/draw"]]


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
    asked = {"rocrate_uri": None, "profile_identifier": "provenance-run-crate-0.5", "metadata_only": True}
    check = lambda content: services.validate_metadata_as_dict(content, ValidationSettings(**asked, no_cache=True))
    whole, broken = metadata(), metadata()
    assert check(whole).passed(), [issue.message for issue in check(whole).get_issues()]
    (step,) = [entity for entity in broken["@graph"] if entity["@id"] == "#step/train"]
    del step["workExample"]
    assert not check(broken).passed()


def terms():
    """The context of RO-Crate 1.1: that of 1.3, which rocrate has, but for the terms that differ."""
    text = files("rocrate").joinpath("data/ro-crate.jsonld").read_text(encoding="utf-8")
    context = json.loads(text)["@context"]
    bioschemas = "https://bioschemas.org/"
    old = {name: f"{bioschemas}{name}" for name in ("ComputationalWorkflow", "FormalParameter")}
    old |= {name: f"{bioschemas}ComputationalWorkflow#{name}" for name in ("input", "output")}
    return {"@context": context | old}


def test_equal_files_give_equal_bytes_in_any_order():
    one, other = packed(FILES), packed(dict(reversed(FILES.items())))
    assert one == other and packed(FILES | {"empty": b"x"}) != one
    with zipfile.ZipFile(BytesIO(one)) as archive:
        assert archive.namelist() == sorted(FILES) and archive.read("LICENSE") == b"MIT\n"


def test_what_may_be_run_may_be_run_after_unpacking(tmp_path):
    (tmp_path / "run.sh").write_text("")
    (tmp_path / "run.sh").chmod(0o755)
    (tmp_path / "text").write_text("")
    assert executables(tmp_path, ["run.sh", "text"]) == {"run.sh"}
    with zipfile.ZipFile(BytesIO(packed({"run.sh": b"", "text": b""}, frozenset({"run.sh"})))) as archive:
        modes = [entry.external_attr >> 16 for entry in archive.infolist()]
    assert modes == [0o100755, 0o100644]


@pytest.fixture
def built(tmp_path, monkeypatch):
    """A small project with a build: its provenance, and the files of the build."""
    contents = {
        "CITATION.cff": yaml.safe_dump(CITATION),
        WORKFLOW: "rule all:\n",
        "LICENSE": "MIT\n",
        "notebook.py": "1",
        SCRIPT: "1",
    }
    contents |= {"results/network": "weights", "figures/index.html": "<html>", "results/provenance.json": "{}"}
    for name, text in contents.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    (tmp_path / ".gitignore").write_text("results/\nfigures/\n")
    monkeypatch.chdir(tmp_path)
    outputs = ["figures/index.html", "results/network", "results/provenance.json"]
    script = f'"../{SCRIPT.removeprefix("workflow/")}"'
    for name in outputs:
        record = {"rule": "train", "code": script, "input": [], "log": [f"results/logs/{name}.log"]}
        write_whole(record_of(name), json.dumps(record | {"starttime": 1.0, "endtime": 2.0}).encode())
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
    assert (
        {*sums, METADATA}
        == set(held)
        >= {*outputs, *(str(record_of(name)) for name in outputs), "LICENSE", ".gitignore", "notebook.py"}
    )
    assert all(sums[name] == hashlib.sha256(held[name]).hexdigest() for name in sums)
    assert next(entity for entity in described if entity["@id"] == "./")["datePublished"] == "2030-02-01"


def test_what_is_not_a_whole_full_build_of_our_own_is_refused_in_one_line(built, tmp_path):
    provenance, outputs = built
    smoke = provenance | {"config": {"scale": "smoke"}}
    assert "scale smoke" in release.refusal(smoke, outputs)
    others = provenance | {"config": {"scale": "laptop", "datasets": {"kissane": {"path": "w.pt"}}}}
    assert "datasets.kissane" in release.refusal(others, outputs)
    assert "gone.svg is missing, with 0 more of 4 files" in release.refusal(provenance, [*outputs, "gone.svg"])
    (tmp_path / "notebook.py").write_text("2")
    assert "notebook.py is not the one" in release.refusal(provenance, outputs)
    (tmp_path / "notebook.py").unlink()
    reason = release.refusal(provenance, outputs)
    assert "notebook.py is not the one" in reason and "\n" not in reason


def test_the_citation_names_every_paper_of_the_ledger():
    ledger = read_ledger()
    notes = " ".join(paper["notes"] for paper in CITATION["references"])
    assert {mark for mark in ledger["papers"] if mark != "B" and f"[{mark}]" not in notes} == set()
    cited = set(re.findall(r"arXiv (\d+\.\d+)", " ".join(ledger["papers"].values())))
    assert cited == set(re.findall(r"arXiv (\d+\.\d+)", notes))


@pytest.mark.parametrize("paper", CITATION["references"], ids=lambda paper: paper["title"])
def test_every_reference_has_what_the_citation_format_asks_for(paper):
    assert paper["type"] in {"article", "software-code"} and paper["title"] and paper["url"].startswith("https://")
    assert all({"family-names", "given-names"} <= set(author) for author in paper["authors"]) and paper["authors"]
    number = re.search(r"arXiv (\d+\.\d+)", paper["notes"])
    assert not number or paper["doi"] == f"10.48550/arXiv.{number[1]}" and paper["url"].endswith(number[1])


def test_the_citation_file_has_the_keys_that_its_format_demands():
    assert {"cff-version", "message", "title", "authors"} <= set(CITATION) and CITATION["cff-version"] == "1.2.0"
    assert CITATION["license"] == "MIT" and CITATION["type"] == "software"
