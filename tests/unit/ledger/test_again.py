"""Claims are judged again where something that they are judged on has changed, and only there."""

import json
from pathlib import Path

import pandas as pd
import pytest
from one_claim import NETWORK, STATEMENT

from modadd.core.files import write_json
from modadd.core.parquet import write_table
from modadd.networks.recipes import RECIPES
from paper.ledger.judge import again
from paper.ledger.judge.verdicts import as_rows
from paper.unchanged import FOLDER, Parts

NOTEBOOKS = ("phases", "seeds")
WEIGHTS = Path("published.json")
ROWS = "results/populations/{}.parquet"


def record(notebook, slope):
    write_json(Path(f"results/values/{notebook}.json"), {"network": NETWORK, "values": {"slope": slope}})


def write_rows(notebook, slopes):
    recipe = RECIPES["pizza_transformer"].as_dict() | {"accuracy": 1.0, "frequencies": [12, 18], "trained": "here"}
    rows = pd.DataFrame([recipe | {"seed": seed, "slope": slope} for seed, slope in enumerate(slopes)])
    write_table(rows.assign(steps=NETWORK["steps"]), Path(ROWS.format(notebook)))


@pytest.fixture
def build(tmp_path, monkeypatch):
    """Two notebooks with a claim each, judged on the network shown and on rows; and which claims are asked of `judge_built`."""
    monkeypatch.chdir(tmp_path)
    WEIGHTS.write_text("{}")
    Path("results/populations").mkdir(parents=True)
    asked = []
    real = again.judge_built

    def judge_built(claims, **given):
        asked.extend(claim["id"] for claim in claims)
        return real(claims, **given)

    monkeypatch.setattr(again, "judge_built", judge_built)
    rows = {}
    for notebook in NOTEBOOKS:
        record(notebook, 2.0)
        write_rows(notebook, [2.0] * 40)
        seeds = {notebook: [ROWS.format(notebook)]}
        rows[notebook] = {"seeds": seeds, "retrainings": {}, "datasets": {}}
    claims = [
        {**STATEMENT, "id": name, "notebook": name, "of": "nearly_all", "judged_on": [name]} for name in NOTEBOOKS
    ]
    judged = {"scale": "laptop", "external": [], "rows": rows}

    def judge(claims=claims, code="1", **changes):
        asked.clear()
        return again.judge_again(claims, str(WEIGHTS), judged | changes, code, Parts("judge")), sorted(asked)

    found, first = judge()
    assert first == sorted(NOTEBOOKS) and [row["id"] for row in found] == list(NOTEBOOKS)
    assert found == json.loads(json.dumps(as_rows(real(claims, weights=WEIGHTS, **judged))))
    return found, claims, judge


def test_nothing_is_judged_again_where_nothing_changed(build):
    found, _, judge = build
    again_found, asked = judge()
    assert asked == []
    assert json.dumps(again_found) == json.dumps(found), "keys have their order, too: tables are written from them"


def test_a_changed_value_or_row_is_judged_again_in_its_notebook_alone(build):
    found, _, judge = build
    record("phases", 3.0)
    rows, asked = judge()
    assert asked == ["phases"] and rows[0]["measured"] == 3.0 and rows[1] == found[1]
    write_rows("seeds", [-9.0] * 40)
    rows, asked = judge()
    assert asked == ["seeds"] and rows[1]["seeds"]["holds"] == 0 and rows[1]["verdict"] != found[1]["verdict"]


def test_an_edited_claim_is_judged_again_with_those_of_its_notebook(build):
    _, claims, judge = build
    harder = [claims[0] | {"threshold": 5.0}, claims[1]]
    rows, asked = judge(harder)
    assert asked == ["phases"] and rows[0]["verdict"].startswith("differs")
    assert judge(harder[::-1])[0] == rows[::-1], "in the order of the ledger"
    assert judge([claims[1]])[1] == []


@pytest.mark.parametrize("change", [{"code": "2"}, {"scale": "paper"}, {"external": ["a"]}])
def test_other_code_another_scale_and_other_weights_judge_all_again(build, change):
    _, _, judge = build
    assert judge(**change)[1] == sorted(NOTEBOOKS)
    WEIGHTS.write_text("{ }")
    assert judge(**change)[1] == sorted(NOTEBOOKS)


def test_values_that_the_notebook_did_not_record_are_refused_as_ever(build):
    _, _, judge = build
    Path("results/values/phases.sha256").write_text("0" * 64 + "\n")
    with pytest.raises(ValueError, match="expected what the job of the notebook recorded"):
        judge()


@pytest.mark.parametrize("damage", [b"", b"{", b"holds", None])
def test_a_damaged_record_is_not_taken(build, damage):
    found, _, judge = build
    record_of_parts = FOLDER / "judge.parts.json"
    content = record_of_parts.read_bytes()
    if damage is None:
        record_of_parts.unlink()
    else:
        record_of_parts.write_bytes(content.replace(b"holds", b"fails", 1) if damage == b"holds" else damage)
        assert record_of_parts.read_bytes() != content
    assert judge() == (found, sorted(NOTEBOOKS))
