"""The committed ledger and the committed notebooks speak of the same figures, tables and numbers."""

import ast
import re
from functools import cache

import pytest
from support import NOTEBOOKS as SOURCES
from support import ROOT, texts_of

from modadd.ledger.entries import read_ledger
from modadd.networks.overrides import recipe_of
from modadd.networks.recipes import PUBLISHED, RECIPES
from modadd.populations.rows import measures_of
from modadd.run.config import saved_by, shards_of
from modadd.run.settings import notebook_parameters
from modadd.run.yaml_files import read_yaml

LEDGER = read_ledger()
CONFIG = read_yaml(ROOT / "config/config.yaml")
CLAIMS, NOTEBOOKS = LEDGER["claims"], LEDGER["notebooks"]
every_notebook = pytest.mark.parametrize("notebook", NOTEBOOKS)


def path_of(notebook):
    return next(path for path in SOURCES if path.stem == NOTEBOOKS[notebook]["source"])


@cache
def source_of(notebook):
    path = path_of(notebook)
    assert path.exists(), f"the ledger's entry '{notebook}' needs {path.name}, but there is no such notebook"
    return path.read_text(encoding="utf-8")


@cache
def names_in(notebook):
    """Patterns of the values that a notebook may record: its texts."""
    return texts_of(ast.parse(source_of(notebook)))


def assert_saved(notebook, function, kind):
    """What the notebook saves and what has a caption in the ledger match; a name filled in stands for any."""
    calls = [node for node in ast.walk(ast.parse(source_of(notebook))) if isinstance(node, ast.Call)]
    patterns, captioned = saved_by(calls, function), NOTEBOOKS[notebook].get(kind, {})
    plain = {pattern for pattern in patterns if ".*" not in pattern}
    assert plain <= set(captioned), f"{notebook} saves {kind} that have no caption"
    unsaved = [name for name in captioned if not any(re.fullmatch(pattern, name) for pattern in patterns)]
    assert not unsaved, f"{notebook} never saves the {kind} {unsaved}"


def test_every_notebook_stands_in_the_ledger():
    assert {path.stem for path in SOURCES} == {entry["source"] for entry in NOTEBOOKS.values()}


@every_notebook
def test_figures_saved_are_those_of_the_ledger(notebook):
    assert_saved(notebook, "save_figure", "figures")


@every_notebook
def test_tables_saved_are_those_of_the_ledger(notebook):
    assert_saved(notebook, "save_table", "tables")


@pytest.mark.parametrize("notebook", [name for name, entry in NOTEBOOKS.items() if entry["source"] == name])
def test_every_notebook_has_a_claim(notebook):
    """An entry that executes another one's notebook may draw alone."""
    entries = [name for name, entry in NOTEBOOKS.items() if entry["source"] == notebook]
    assert any(claim["notebook"] in entries for claim in CLAIMS), f"nothing is claimed of what {notebook} measures"


@every_notebook
def test_every_notebook_declares_what_the_workflow_hands_over(notebook):
    source_of(notebook)
    declared = notebook_parameters(path_of(notebook))
    assert {"network_file", "figures", "values_file", "published"} <= set(declared)


@pytest.mark.parametrize("notebook", [name for name, entry in NOTEBOOKS.items() if entry["source"] == name])
def test_every_notebook_opens_with_the_question_of_the_ledger(notebook):
    first = source_of(notebook).splitlines()[1]
    assert first == f"# # {NOTEBOOKS[notebook]['title']}", "the page and the notebook should ask the same question"


@every_notebook
def test_every_notebook_reads_a_network_of_a_published_recipe(notebook):
    place, which = NOTEBOOKS[notebook]["network"].split("/")
    if which != "exhibit":
        assert place in RECIPES or recipe_of(place, CONFIG["studies"][place]) in PUBLISHED
        return
    (recipe,) = {shard.recipe for shard in shards_of(place, CONFIG["populations"][place])}
    assert recipe in PUBLISHED


OF_NOTEBOOKS = [claim for claim in CLAIMS if claim["of"] == "published"]  # others are judged by rows alone


@pytest.mark.parametrize("claim", OF_NOTEBOOKS, ids=lambda claim: claim["id"])
def test_value_of_the_claim_is_recorded_by_its_notebook(claim):
    assert any(re.fullmatch(text, claim["value"]) for text in names_in(claim["notebook"])), (
        f"{path_of(claim['notebook']).name} never names '{claim['value']}', which claim '{claim['id']}' is judged by"
    )


@every_notebook
def test_every_figure_and_table_has_a_caption(notebook):
    for kind in ("figures", "tables"):
        for name, caption in NOTEBOOKS[notebook].get(kind, {}).items():
            assert len(caption) > 20, f"{notebook}/{name} needs a caption that can stand alone"
            assert caption.endswith((".", ").")), f"the caption of {notebook}/{name} is not a sentence"


def test_accuracy_of_the_network_is_judged_whatever_it_is():
    (claim,) = (claim for claim in CLAIMS if claim["id"] == "accuracy")
    assert claim["needs_accuracy"] == 0, "a claim that is judged at accuracy 1 only could never fail"


def test_one_value_of_a_notebook_has_one_list_of_published_numbers():
    published = {}
    for claim in CLAIMS:
        if isinstance(claim.get("published"), list):
            key = (claim["notebook"], claim["value"])
            assert published.setdefault(key, claim["published"]) == claim["published"], f"two lists for {key}"


def test_every_claim_that_is_judged_by_retrainings_is_about_a_measure_of_the_rows():
    values = {claim["value"] for claim in CLAIMS if claim["check"] == "retrainings"}
    assert values <= set(measures_of("pizza_transformer"))
