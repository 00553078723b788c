"""The committed ledger and the committed notebooks speak of the same numbers."""

from functools import cache

import pytest
from support import LEDGER, ROOT
from support import NOTEBOOKS as SOURCES

from modadd.networks.overrides import recipe_of
from modadd.networks.recipes import PUBLISHED_RECIPES, RECIPES
from modadd.populations.columns.pizza_transformer import COLUMNS
from paper.datasets import datasets_of
from paper.notebook_files import notebook_parameters
from paper.yaml_files import read_yaml


def path_of(notebook):
    return next(path for path in SOURCES if path.stem == NOTEBOOKS[notebook]["source"])


@cache
def source_of(notebook):
    path = path_of(notebook)
    assert path.exists(), f"the ledger's entry '{notebook}' needs {path.name}, but there is no such notebook"
    return path.read_text(encoding="utf-8")


CONFIG = read_yaml(ROOT / "config/config.yaml")
POPULATIONS = datasets_of(CONFIG).populations
CLAIMS, NOTEBOOKS = LEDGER["claims"], LEDGER["notebooks"]
every_notebook = pytest.mark.parametrize("notebook", NOTEBOOKS)


def test_every_notebook_stands_in_the_ledger():
    assert {path.stem for path in SOURCES} == {entry["source"] for entry in NOTEBOOKS.values()}


@every_notebook
def test_every_notebook_reads_a_network_of_a_published_recipe(notebook):
    place, which = NOTEBOOKS[notebook]["inputs"]["shown"].split("/")
    if which != "exhibit":
        assert place in RECIPES or recipe_of(place, CONFIG["datasets"][place]) in PUBLISHED_RECIPES
        return
    (recipe,) = {shard.recipe for shard in POPULATIONS[place].shards}
    assert recipe in PUBLISHED_RECIPES


def test_accuracy_of_the_network_is_judged_whatever_it_is():
    (claim,) = (claim for claim in CLAIMS if claim["id"] == "accuracy")
    assert claim["needs_accuracy"] == 0, "a claim that is judged at accuracy 1 only could never fail"


def test_every_claim_that_is_judged_by_retrainings_is_about_a_measure_of_the_rows():
    values = {claim["value"] for claim in CLAIMS if claim["check"] == "retrainings"}
    assert values <= set(COLUMNS)


@every_notebook
def test_every_notebook_declares_what_the_workflow_hands_over(notebook):
    source_of(notebook)
    declared = notebook_parameters(path_of(notebook))
    assert {"network_file", "figures", "values_file", "published"} <= set(declared)


@pytest.mark.parametrize("notebook", [name for name, entry in NOTEBOOKS.items() if entry["source"] == name])
def test_every_notebook_opens_with_the_question_of_the_ledger(notebook):
    first = source_of(notebook).splitlines()[1]
    assert first == f"# # {NOTEBOOKS[notebook]['title']}", "the page and the notebook should ask the same question"


def test_one_value_of_a_notebook_has_one_list_of_published_numbers():
    published = {}
    for claim in CLAIMS:
        if isinstance(claim.get("published"), list):
            key = (claim["notebook"], claim["value"])
            assert published.setdefault(key, claim["published"]) == claim["published"], f"two lists for {key}"
