"""The release: its metadata describe what is in it, and its archive depends on files only."""

import hashlib
import json
import re
import zipfile
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
from modadd.run.records import record_of

CITATION = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
FILES = {WORKFLOW: b"rule all:\n", "a folder/ä.csv": b"1\n", "LICENSE": b"MIT\n", "empty": b""}


def entities(files=FILES, citation=CITATION):
    return {entity["@id"]: entity for entity in json.loads(crate(files, citation, "2030-02-01"))["@graph"]}


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
    assert workflow["@type"] == ["File", "SoftwareSourceCode", "ComputationalWorkflow"]
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
        crate({"LICENSE": b""}, CITATION, "2030-02-01")


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
    }
    contents |= {"results/network": "weights", "figures/index.html": "<html>", "results/provenance.json": "{}"}
    for name, text in contents.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    (tmp_path / ".gitignore").write_text("results/\nfigures/\n")
    monkeypatch.chdir(tmp_path)
    outputs = ["figures/index.html", "results/network", "results/provenance.json"]
    for name in outputs:
        write_whole(record_of(name), b"{}")
    hashed = {name: hashlib.sha256(contents[name].encode()).hexdigest() for name in ("notebook.py", "results/network")}
    provenance = {
        "written": "2030-02-01T12:00:00+00:00",
        "config": {"scale": "laptop", "datasets": {}},
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
