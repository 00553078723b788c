import json
import shutil

import pandas as pd
from support import ROOT

from paper.commands.build import verdicts_in_words
from paper.ledger.judge.verdicts import HOLDS, NOT_JUDGED, SLIP
from paper.page.site import cells_of, in_a_sentence, outcome_of, verdict_counts
from paper.page.templates import filled_in


def test_verdicts_are_counted_by_source_in_the_order_of_the_ledger():
    rows = [("Q", "number rounds to print"), ("B", "ours holds"), ("Q", SLIP), ("Q", "number rounds to print")]
    claims = [{"paper": paper, "verdict": verdict} for paper, verdict in rows]
    counts = verdict_counts(claims, {"Q": "a paper", "M": "without claims", "B": "beyond"})
    assert counts.index.tolist() == ["Q", "B", "all"]
    assert counts.loc["Q", ["number rounds to print", SLIP]].tolist() == [2, 1] and counts.loc["Q"].sum() == 3
    assert counts.loc["all", ["number rounds to print", "ours holds", SLIP]].tolist() == [2, 1, 1]
    assert counts.loc["all"].sum() == 4


def test_rows_of_a_table_have_ids_where_links_lead_to_them(tmp_path):
    table = pd.DataFrame({"network": ["mlp/seed0", "<i>"], "size": [0.123456, None], "steps": [3, 20_000]})
    cells = cells_of(table)
    assert cells["rows"] == [["mlp/seed0", "0.1235", "3"], ["<i>", "–", "20000"]]
    (tmp_path / "page.html.j2").write_text('{% from "table.html.j2" import wide %}{{ wide("Sizes", of, anchors) }}')
    shutil.copy(ROOT / "workflow/templates/table.html.j2", tmp_path)
    html = filled_in(tmp_path / "page.html.j2", of=cells, anchors="network")
    assert '<tr id="network-mlp-seed0">' in html and '<th scope="row">mlp/seed0</th>' in html
    assert "<i>" not in html and "&lt;i&gt;" in html
    assert "id=" not in filled_in(tmp_path / "page.html.j2", of=cells, anchors="")


def test_the_terminal_shows_the_counts_and_every_claim_against_expectation(tmp_path):
    rows = [
        {"id": f"claim_{i}", "paper": "Q", "verdict": verdict, "expected": "number rounds to print", "measured": 0.5}
        | {"published": "0.25", "criterion": "equal to printed digits"}
        for i, verdict in enumerate(("number rounds to print", "number rounds to print", SLIP))
    ]
    (tmp_path / "claims.json").write_text(json.dumps(rows))
    shown = verdicts_in_words(tmp_path / "claims.json")
    assert shown.startswith("3 claims: 2 agree, 1 differs; 1 against expectation.\n")
    assert "claim_2: differs: slip of the paper, expected number rounds to print: measured 0.5, published 0.25" in shown


def test_values_kept_of_published_weights_are_counted_apart():
    row = {"paper": "M", "kind": "number", "verdict": "number rounds to print", "external": None, "counted": None}
    kept = {"external": "theirs", "counted": {"here": 0, "kept": 1}}
    sentence = in_a_sentence([row, row | kept, row | kept | {"verdict": HOLDS}])
    assert "2 printed numbers, which round to print, and 1 statements." in sentence
    assert "2 of those that agree were measured once on published weights, and kept." in sentence
    assert "kept" not in in_a_sentence([row])


def test_what_came_out_of_a_question_is_said_in_a_few_words():
    rows = [{"verdict": verdict} for verdict in (HOLDS, HOLDS, SLIP, NOT_JUDGED)]
    assert outcome_of(rows) == "2 agree, 1 differs, 1 not judged" and outcome_of([]) == "no claim"
