"""Where the networks of a verdict were trained."""

import numpy as np
import pandas as pd
from one_claim import CLAIM, NETWORK

from modadd.core.parquet import write_table
from modadd.ledger.here import judge_here, rows_for, trained_where
from modadd.networks.recipes import RECIPES
from modadd.populations.columns.every import COSTLY
from modadd.populations.tables import NUMBER, numbered, one_each


def rows(here, kept, value=2.0):
    """Networks trained here and kept, all with the same value."""
    trained = ["here"] * here + ["kept"] * kept
    return pd.DataFrame(
        {
            "accuracy": 1.0,
            "steps": NETWORK["steps"],
            "frequencies": [[12, 18]] * (here + kept),
            "slope": value,
            "trained": trained,
        }
    )


def found(claim, **given):
    claim = CLAIM | {"value": "slope", "check": "at_least", "threshold": 1, "kind": "beyond"} | claim
    claim = {key: value for key, value in claim.items() if key not in ("published", "tolerance", "tolerance_source")}
    return judge_here(claim, {"network": NETWORK, "values": {"slope": 2.0}}, "laptop", **given)


def test_a_number_counted_over_datasets_says_where_their_networks_were_trained():
    claim = {"of": "published", "rests_on": "many_trainings"}
    verdict = found(claim, datasets=[{"here": 3, "kept": 9}, {"here": 1, "kept": 0}])
    assert (verdict.verdict, verdict.rows) == ("ours holds", {"here": 4, "kept": 9})
    shares = found({"of": "most", "rests_on": "many_trainings"}, seeds={"seeds": rows(1, 40)})
    assert (shares.verdict, shares.seeds["here"], shares.rows) == ("ours holds", 1, None)


def test_retrainings_tell_how_many_were_trained_here():
    verdict = found({"of": "published", "rests_on": "one_training"}, retrained=rows(2, 7))
    assert (verdict.trainings["of"], verdict.trainings["here"]) == (10, 3)


def test_a_network_that_was_trained_here_is_not_counted_as_kept(tmp_path):
    (tmp_path / "results").mkdir()
    write_table(pd.DataFrame({"steps": 5, "seed": [0, 1], "slope": 2.0}), tmp_path / "results/here.parquet")
    write_table(pd.DataFrame({"steps": 5, "added": 1, "seed": [1, 2, 2]}), tmp_path / "kept.parquet")
    assert trained_where(["results/here.parquet", "kept.parquet"], tmp_path) == {"here": 2, "kept": 1}


def test_numbers_of_networks_choose_and_sort_rows_as_their_recipes_do():
    drawn = np.random.default_rng(0)
    recipe = RECIPES["embedding_mlp"].as_dict() | {"architecture": "embedding_mlp", "steps": drawn.choice([9, 50], 40)}
    measure = drawn.choice([1.0, 2.0, np.nan], 40)
    rows = pd.DataFrame(recipe | {"seed": drawn.choice(6, 40), "measure": measure, "place": range(40)})
    for asked in ((), ("measure",)):
        pd.testing.assert_frame_equal(one_each(numbered(rows), *asked).drop(columns=NUMBER), one_each(rows, *asked))


def test_a_costly_measure_that_only_the_kept_row_of_a_network_has_is_judged_on_that_row():
    costly, (measure, *_) = next(iter(COSTLY)), COSTLY[next(iter(COSTLY))]
    recipe = {**RECIPES[costly].as_dict(), "architecture": costly, "seed": [0, 1, 0, 1]}
    recipe |= {"accuracy": 1.0, "trained": ["here", "here", "kept", "kept"]}
    both = numbered(pd.DataFrame(recipe | {measure: [0.5, None, 2.0, 3.0]}))
    assert rows_for({"value": measure}, both)[measure].tolist() == [0.5, 3.0]
    assert rows_for({"value": "accuracy"}, both).trained.tolist() == ["here", "here"]
