"""What a config trains under the name of kept networks, by another recipe, is named before anything is trained."""

import pytest
from support import LEDGER, ROOT

from modadd.planning.config import read_config
from modadd.planning.kept_recipes import trained_otherwise
from modadd.planning.plan import Plan


def said(**datasets):
    config = read_config(ROOT / "config/config.yaml")
    config["datasets"] = {"q_seeds": config["datasets"]["q_seeds"]} | datasets
    return trained_otherwise(Plan({"figure_formats": ["svg"], "proofs": False, **config}, LEDGER).populations)


def test_networks_of_the_kept_recipe_are_not_worth_a_word(monkeypatch):
    monkeypatch.chdir(ROOT)
    assert said() == ""


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"modulus": 31, "weight_decay": 0.3}, "q_seeds (modulus 31, train_pairs "),
        ({"steps": 9000}, "q_seeds (steps 9000)"),
        ({"activation": "abs"}, "q_seeds (activation abs)"),
    ],
)
def test_another_recipe_under_the_name_of_kept_networks_is_named_with_what_differs(monkeypatch, changes, words):
    monkeypatch.chdir(ROOT)
    found = said(q_seeds={"recipe": "pizza_transformer", "seeds": [0]} | changes)
    assert found.startswith("Of another recipe than the kept networks, so these judge no claim:") and words in found


def test_numbers_that_are_kept_apart_and_not_together_are_another_recipe(monkeypatch):
    monkeypatch.chdir(ROOT)
    batches = {"modulus": 31, "train_pairs": 775, "batch_size": 31}
    assert said(c_moduli_batch={"recipe": "embedding_mlp", "seeds": [0], **batches}) == ""
    found = said(
        c_moduli_batch={"recipe": "embedding_mlp", "seeds": [0], "learning_rate": 0.0005, **batches, "steps": 28_000}
    )
    assert "c_moduli_batch (" in found
