"""Rows judge a claim if their recipe is one that was kept: what a config trains under the same name does not."""

import json

import pandas as pd
import pytest
from one_claim import NETWORK, without

from modadd.core.files import write_json
from modadd.core.parquet import write_table
from modadd.networks.overrides import OVERRIDABLE
from modadd.networks.recipes import DRAWS, RECIPES
from modadd.populations.tables import of_kept_recipe, without_others
from paper.ledger.judge.built import judge_built

CHANGES = {
    **{"optimiser": "sgd", "decayed": "none", "operation": "subtraction", "scaled": "W_in", "activation": "abs"},
    "reshuffled": True,
}


def row(recipe, seed, **changes):
    return RECIPES[recipe].as_dict() | {"seed": seed, "accuracy": 1.0, "slope": 2.0, "frequencies": [12, 18]} | changes


def changed(recipe, key):
    """Another value of a key of a recipe."""
    value = getattr(RECIPES[recipe], key)
    return CHANGES[key] if isinstance(value, bool | str) else value + 1


@pytest.mark.parametrize("recipe", RECIPES)
@pytest.mark.parametrize("key", OVERRIDABLE)
def test_a_row_with_one_key_of_its_recipe_changed_judges_nothing_but_another_draw_does(recipe, key):
    kept = pd.DataFrame([row(recipe, 0), row(recipe, 1)]).assign(trained="kept")
    here = pd.DataFrame([row(recipe, 2), row(recipe, 3, **{key: changed(recipe, key)})]).assign(trained="here")
    alike = of_kept_recipe(pd.concat([here, kept], ignore_index=True)).tolist()
    assert alike == [True, key in DRAWS, True, True]


def test_figures_leave_out_other_recipes_than_the_kept_ones_and_a_line_says_which(capsys):
    kept = pd.DataFrame([row("embedding_mlp", 0), row("embedding_mlp", 1)]).assign(trained="kept")
    here = pd.DataFrame([row("embedding_mlp", 2), row("embedding_mlp", 3, modulus=31)]).assign(trained="here")
    assert without_others(pd.concat([here, kept])).seed.tolist() == [2, 0, 1]
    assert capsys.readouterr().err == "1 networks of another recipe than the kept ones are left out: modulus 31.\n"
    assert without_others(here).modulus.tolist() == [91, 31] and capsys.readouterr().err == ""


def test_without_kept_rows_all_judge():
    assert of_kept_recipe(pd.DataFrame([row("pizza_transformer", 0)]).assign(trained="here")).tolist() == [True]


@pytest.fixture
def judged(tmp_path):
    """The verdict on a claim about slopes where one network of another modulus was trained here, beside 40 kept ones."""

    def verdict(kind, of="published", accuracy=1.0, steps=NETWORK["steps"], **claimed):
        write_json(tmp_path / "results/values/phases.json", {"network": NETWORK, "values": {"slope": 2.0}})
        here, kept = tmp_path / "results/populations/q.parquet", tmp_path / "q.parquet"
        other = row("pizza_transformer", 7, modulus=31, slope=-9.0, accuracy=accuracy)
        for file, rows in ((here, [other]), (kept, [row("pizza_transformer", seed) for seed in range(40)])):
            file.parent.mkdir(parents=True, exist_ok=True)
            write_table(pd.DataFrame(rows).assign(steps=steps if file == here else NETWORK["steps"]), file)
        files = {"q": ["results/populations/q.parquet", str(kept)]}
        tables = {name: files if name == kind else {} for name in ("seeds", "retrainings", "datasets")}
        claim = without("published", "tolerance", "tolerance_source") | {"value": "slope", "check": "at_least"}
        claim |= {"threshold": 1.0, "kind": "statement", "of": of, "judged_on": [*tables["seeds"]]}
        claim |= {"counted_over": [*tables["datasets"]], "rests_on": "many_trainings"} | claimed
        published = tmp_path / "published.json"
        published.write_text(json.dumps({}))
        (found,) = judge_built([claim], "laptop", (), published, {"phases": tables}, tmp_path)
        return found

    return verdict


LEFT_OUT = "Left out: 1 network of q trained here with modulus 31."


def test_a_network_of_another_recipe_is_left_out_of_a_share_and_named(judged):
    found = judged("seeds", of="nearly_all")
    assert (found.verdict, found.seeds.holds, found.seeds.of, found.note) == ("statement holds", 40, 40, LEFT_OUT)


def test_a_network_of_another_recipe_is_no_retraining(judged):
    found = judged("retrainings", rests_on="one_training")
    assert (found.verdict, found.trainings.of, found.trainings.holds) == ("statement holds", 41, 41)
    assert found.note == LEFT_OUT


def test_a_number_counted_over_networks_of_another_recipe_is_not_judged(judged):
    found = judged("datasets")
    assert found.verdict == "not judged" and found.counted == {"here": 1, "kept": 40}
    assert "1 network of q trained here with modulus 31" in found.note and "counted in this number" in found.note


def test_a_first_look_is_left_out_of_a_number_that_asks_for_no_accuracy(judged):
    found = judged("datasets", accuracy=0.3, steps=300, needs_accuracy=0.0)
    assert found.verdict == "statement holds" and found.counted == {"here": 0, "kept": 40}, "nor is it counted"
    assert judged("datasets", accuracy=0.3, needs_accuracy=0.0).verdict == "not judged"


@pytest.mark.parametrize("kind", ["seeds", "datasets"])
def test_a_network_that_has_not_learned_is_not_worth_a_word(judged, kind):
    found = judged(kind, of="nearly_all" if kind == "seeds" else "published", accuracy=0.3)
    assert (found.verdict, found.note) == ("statement holds", "")
