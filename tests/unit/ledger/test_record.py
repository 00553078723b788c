"""What a notebook records: its values as plain JSON, and how the network stands to the published recipe."""

import json

import numpy as np
import pandas as pd
import pytest
from one_claim import CLAIM, judge

from modadd.core.neurons import neurons_of
from modadd.core.separable import accuracy
from modadd.core.statistics import AsItStands, Estimate
from paper.ledger.judge.verdicts import NOT_JUDGED
from paper.notebook import record


def test_recorded_values_are_plain_sorted_json_with_null_for_what_is_not_finite(untrained, tmp_path):
    values = {
        "b": np.float64(0.5),
        "a": np.array([1.0, np.nan, np.inf]),
        "c": pd.Series([1, 2]),
        "d": (np.int64(3), [True]),
        "e": {"k": np.nan},
        "f": Estimate(2.0, 2.0, 2.0, 9),
        "g": AsItStands(2.0, 9),
    }
    record(tmp_path / "values" / "phases.json", untrained, values)
    text = (tmp_path / "values" / "phases.json").read_text()
    content = json.loads(text, parse_constant=lambda name: pytest.fail(f"{name} is not JSON"))
    assert content["values"] == {
        "a": [1.0, None, None],
        "b": 0.5,
        "c": [1, 2],
        "d": [3, [True]],
        "e": {"k": None},
        "f": {"value": 2.0, "low": None, "high": None, "of": 9},  # networks that do not vary have no interval
        "g": {"value": 2.0, "of": 9},
    }
    assert text == json.dumps(content, indent=2, sort_keys=True) + "\n"


def test_record_says_how_the_network_stands_to_the_published_recipe(untrained, tmp_path):
    record(tmp_path / "phases.json", untrained, {"angle_term": 0.15})
    recorded = json.loads((tmp_path / "phases.json").read_text())
    expected = ["d_mlp 16 (published 512)", "d_model 8 (published 128)"]
    expected += ["modulus 7 (published 59)", "n_heads 2 (published 4)", "steps 40 (published 10000)"]
    assert sorted(recorded["network"].pop("deviations").values()) == expected
    assert recorded["network"].pop("frequencies") == neurons_of(untrained.separable()).key_frequencies()
    computed = accuracy(untrained.separable().logits())
    assert computed != untrained.results["accuracy"], "what a file says of itself decides nothing"
    assert recorded["network"] == {"accuracy": computed, "steps": 40}


def test_recorded_network_of_another_recipe_is_not_judged(untrained, tmp_path, monkeypatch):
    monkeypatch.setattr("paper.notebook.accuracy", lambda logits, right: 1.0)
    record(tmp_path / "phases.json", untrained, {"angle_term": 0.15})
    verdict = judge(CLAIM, json.loads((tmp_path / "phases.json").read_text()), "laptop")
    assert verdict.verdict == NOT_JUDGED
    assert "modulus 7 (published 59)" in verdict.note
