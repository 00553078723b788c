"""The page on networks of others is what the formats say, and its examples are read."""

import hashlib

import pytest
from support import CONFIG_SCHEMA, ROOT, SCHEMAS

from modadd.networks.architectures import ACTIVATIONS
from modadd.networks.formats import FORMATS
from modadd.networks.importers import read_external
from modadd.page.networks_of_others import example, formats_page
from modadd.planning.yaml_files import read_yaml


def test_committed_page_is_the_one_of_the_formats():
    assert (ROOT / "docs/formats.md").read_text(encoding="utf-8") == formats_page(), (
        "run `python workflow/dev/manual.py`"
    )


@pytest.mark.parametrize("name", FORMATS)
def test_an_example_file_is_of_its_format(tmp_path, monkeypatch, name):
    monkeypatch.chdir(tmp_path)
    exec(example(name), {})
    path = tmp_path / f"{name}.pt"
    assert read_external(path, name, hashlib.sha256(path.read_bytes()).hexdigest()).modulus == 113


def test_config_and_questions_know_every_format_and_activation():
    keys = read_yaml(CONFIG_SCHEMA)["$defs"]["imported"]["properties"]
    assert keys["format"]["enum"] == list(FORMATS) and keys["activation"]["enum"] == list(ACTIVATIONS)
    shown = read_yaml(SCHEMAS / "question.schema.yaml")["properties"]["formats"]
    assert shown["items"]["enum"] == list(FORMATS)
