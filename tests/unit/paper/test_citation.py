"""CITATION.cff in the formats of archives, and the crate of a release."""

import io
import json
import tomllib
import zipfile

import pytest
from support import ROOT, refuses

from paper.citation import codemeta, crate, read_citation, zenodo
from paper.commands.release import CRATE, outputs_up_to_date, release

CITED = read_citation()
AUTHOR = {"given-names": "Ada", "family-names": "Lovelace"}


def test_an_entity_is_no_person_and_a_person_has_both_names():
    cited = CITED | {"authors": [{"name": "The authors and friends"}, AUTHOR]}
    entity, person = codemeta(cited)["author"]
    assert entity == {"@type": "Organization", "name": "The authors and friends"}
    assert person == {"@type": "Person", "givenName": "Ada", "familyName": "Lovelace"}
    assert [one["name"] for one in zenodo(cited)["creators"]] == ["The authors and friends", "Lovelace, Ada"]


def test_no_reference_is_lost():
    assert len(codemeta(CITED)["citation"]) == len(zenodo(CITED)["related_identifiers"]) == len(CITED["references"])


def test_version_licence_and_keywords_are_those_of_the_package():
    package = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert (CITED["version"], CITED["license"]) == (package["version"], package["license"])
    readme = " ".join((ROOT / "README.md").read_text(encoding="utf-8").split())
    assert f"Keywords: {', '.join(CITED['keywords'])}." in readme


@pytest.mark.parametrize("line", ["", "date-released: soon\n"])
def test_a_citation_without_a_day_is_refused_in_one_line(tmp_path, line):
    file = tmp_path / "CITATION.cff"
    file.write_text(f"title: modadd\n{line}")
    with refuses("CITATION.cff: expected date-released: YYYY-MM-DD, found '"):
        read_citation(file)


def test_files_of_one_name_in_two_folders_are_two_of_the_crate():
    described = crate(CITED, {"figures/a/law.png": b"1", "figures/b/law.png": b"22", "sums": b""})
    entities = {entity["@id"]: entity for entity in described["@graph"]}
    assert len(entities) == len(described["@graph"])
    parts = [part["@id"] for part in entities["./"]["hasPart"]]
    assert parts == ["figures/a/law.png", "figures/b/law.png", "sums"]
    assert entities["figures/b/law.png"]["contentSize"] == "2"
    assert entities["ro-crate-metadata.json"]["about"] == {"@id": "./"}
    assert entities[entities["./"]["author"]["@id"]]["@type"] == "Organization"
    assert entities["./"]["datePublished"] == CITED["date-released"]


TEXTS = ("CITATION.cff", "LICENSE", "README.md", "figures/README.md", "data/proofs/bits.py")
OUTPUTS = ("figures/phases/law.png", "results/values/phases.json", "results/networks/q/seed0.safetensors")
OTHERS = ("figures/network_mine.html", "figures/look_mine/phases.png", "figures/.DS_Store", "data/proofs/.DS_Store")


@pytest.fixture
def built(tmp_path):
    """A folder with what a release packs, and with files of a user and of a system beside it."""
    for name in (*OUTPUTS, *OTHERS):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes(b"content")
    for name in TEXTS:
        (tmp_path / name).write_bytes((ROOT / name).read_bytes())
    return tmp_path


def test_a_release_describes_every_file_and_has_its_checksum(built):
    content = release(built, OUTPUTS)
    assert content == release(built, OUTPUTS)
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        names = set(archive.namelist())
        described = json.loads(archive.read(CRATE))
        sums = archive.read("sha256.txt").decode()
    assert names == {*OUTPUTS[:2], *TEXTS, CRATE, "sha256.txt"}
    assert {line.split("  ")[1] for line in sums.splitlines()} == names - {"sha256.txt"}
    parts = {entity["@id"] for entity in described["@graph"] if entity["@type"] == "File"}
    assert parts == names - {CRATE, "sha256.txt"}


def test_a_build_that_is_out_of_date_is_not_packed(monkeypatch):
    files = [("figures/claims.json", "judge_claims", False), ("figures/index.html", "build_site", True)]
    monkeypatch.setattr("paper.commands.release.planned", lambda config: files)
    with refuses("figures/index.html: not what today's code and config make; build everything again (`make`)"):
        outputs_up_to_date({})
    monkeypatch.setattr("paper.commands.release.planned", lambda config: files[:1])
    assert outputs_up_to_date({}) == ["figures/claims.json"]
