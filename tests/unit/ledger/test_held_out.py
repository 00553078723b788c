"""Claims judged once more on networks held out."""

import json
from dataclasses import asdict

import pandas as pd
import pytest
from build_unseen import build_unseen
from held_out import VALUES, judge_held_out, tables_held_out
from one_claim import NETWORK, STATEMENT
from support import ROOT

from modadd.core.files import read_json, write_json
from modadd.core.parquet import write_table
from modadd.networks.recipes import RECIPES
from paper.ledger.judge.held_out import (
    AFTER,
    EVERY,
    HOLDS,
    OUTCOMES,
    PRINTED,
    REFUTED,
    UNDECIDED,
    VERDICTS,
    WITHOUT,
    HeldOut,
    Line,
    counts,
    counts_elsewhere,
    lines_of,
)
from paper.ledger.read.entries import read_ledger
from paper.page.held_out import counts_table, in_a_sentence, refuted_elsewhere, turned_in_words

CLAIM = STATEMENT | {"id": "slope", "of": "nearly_all", "judged_on": ["q"], "rests_on": "many_trainings"}
CLAIM |= {"threshold_set": "after"}
COUNTED = CLAIM | {"id": "share", "of": "published", "judged_on": ["absent"], "counted_over": ["q"]}
COUNTED |= {"check": "share_of_networks", "threshold": 0.5, "value": "above"}
AGREES, DIFFERS, NOT = "statement holds", "differs: not reproduced", "not judged"


def rows(file, slopes, **changes):
    recipe = RECIPES["pizza_transformer"].as_dict() | {"accuracy": 1.0} | changes
    file.parent.mkdir(parents=True, exist_ok=True)
    lines = [recipe | {"seed": seed, "slope": slope} for seed, slope in enumerate(slopes)]
    write_table(pd.DataFrame(lines), file)
    return str(file)


@pytest.fixture
def tables(tmp_path, monkeypatch):
    """Held-out networks: 40 of the kept recipe, of which two tell nothing and the slope of 3 is too small; 40 of another modulus."""
    kept = rows(tmp_path / "data/populations/q.parquet", [2.0] * 5)
    monkeypatch.setattr("held_out.kept_rows", lambda name: [kept] if name == "q" else [])
    folder = tmp_path / "data/held_out"
    own = rows(folder / "q.parquet", [2.0] * 35 + [0.0] * 3 + [None] * 2)
    return {"q": [own, kept], "q_modulus": [rows(folder / "q_modulus.parquet", [0.0] * 40, modulus=61)]}


def held_out(claims, tables, values=VALUES, changed=()):
    """What networks held out say of some claims, as read again from a file."""
    found = HeldOut("fixed", "trained", list(tables), *judge_held_out(claims, changed, tables, str(values)), changed)
    return HeldOut(**json.loads(json.dumps(asdict(found))))


@pytest.fixture
def judged(tables, tmp_path):
    """The lines of two claims that hold on kept networks."""
    found = {"value": 0.3, "low": 0.2, "high": 0.4, "of": 40, "holds": 12}
    values = tmp_path / "data/held_out/values"
    write_json(values / "phases.json", {"network": NETWORK, "values": {"slope": 2.0, "above": found}})
    found = held_out([CLAIM, COUNTED], tables, values)
    return lines_of([CLAIM, COUNTED], dict.fromkeys(("slope", "share"), {"verdict": AGREES}), found)


def test_a_claim_about_each_network_is_told_table_by_table(judged):
    own, other = judged[0].parts
    assert (own["table"], own["other"], own["agrees"]) == ("q", "", None), "35 of 38: the interval contains nine tenths"
    assert (own["networks"]["holds"], own["networks"]["of"], own["networks"]["without"]) == (35, 38, 2)
    assert (other["table"], other["other"], other["agrees"]) == ("q_modulus", "modulus 61", False)
    assert (other["networks"]["holds"], other["networks"]["of"]) == (0, 40)


def test_the_verdict_is_of_the_kept_recipe_alone_and_undecided_is_no_turn(judged):
    assert (judged[0].unseen, judged[0].outcome, judged[0].turned, judged[0].kind) == (NOT, UNDECIDED, None, AFTER)
    assert "contains 0.9" in judged[0].note


def test_a_number_that_a_notebook_counted_is_judged_by_what_it_recorded_on_them(judged):
    assert (judged[1].unseen, judged[1].outcome, judged[1].turned, judged[1].parts) == (DIFFERS, REFUTED, True, [])


def test_a_claim_about_each_network_needs_no_recorded_value_and_the_network_shown_does_not_count(tables, tmp_path):
    tables["q"] = [rows(tmp_path / "data/held_out/new.parquet", [2.0] * 40), *tables["q"][1:]]
    found = held_out([CLAIM, COUNTED], tables, tmp_path / "nothing").verdicts
    assert list(found) == ["slope"] and found["slope"]["verdict"] == AGREES and found["slope"]["seeds"]["of"] == 40


def test_what_turns_is_said_beside_the_claims_own_verdict(judged):
    found = {"lines": [vars(judged[1]) | {"parts": []}]}
    words = turned_in_words(found, {"share": COUNTED | {"published": None}})
    assert words == {"share": "Did not hold on held-out networks: 12 of 40 (95 %: 0.2–0.4)."}


@pytest.mark.parametrize(
    ("changes", "changed", "note"),
    [({"judged_on": ["q", "r"]}, (), "No network of r is among them."), ({}, ("slope",), "Changed since")],
)
def test_without_networks_or_after_a_change_nothing_is_told(tables, changes, changed, note):
    found = {"verdict": DIFFERS, "measured": None, "note": "", "interval": None}
    judged = HeldOut("fixed", "trained", list(tables), {"slope": found}, {}, changed)
    (line,) = lines_of([CLAIM | changes], {"slope": {"verdict": AGREES}}, judged)
    assert line.turned is None and line.note.startswith(note)
    assert (line.unseen, line.outcome) == (NOT, WITHOUT)


def test_of_a_claim_that_was_changed_no_table_is_counted(tables):
    parts = {"slope": [{"other": "modulus 61", "networks": {"holds": 0, "of": 40}, "agrees": False}]}
    judged = HeldOut("fixed", "trained", list(tables), {}, parts, ("slope",))
    lines = lines_of([CLAIM], {"slope": {"verdict": AGREES}}, judged)
    assert lines[0].parts == [] and sum(counts_elsewhere(lines).values()) == 0


def test_a_claim_that_was_changed_is_not_judged_again(tables, tmp_path):
    assert held_out([CLAIM], tables, tmp_path, changed=["slope"]).verdicts == {}


def test_a_claim_about_one_network_has_no_line(tables):
    nothing = HeldOut("fixed", "trained", list(tables), {}, {}, ())
    assert not lines_of([CLAIM | {"rests_on": "one_training"}], {}, nothing)


def test_the_committed_verdicts_are_those_of_the_committed_rows():
    """A claim that was changed gets no verdict here: `workflow/dev/held_out.py --changed CLAIM` marks it."""
    kept = HeldOut(**read_json(ROOT / VERDICTS))
    verdicts, parts = judge_held_out(read_ledger()["claims"], kept.changed, tables_held_out())
    assert json.loads(json.dumps([verdicts, parts])) == [kept.verdicts, kept.parts]


def line(kind, kept, outcome, turned=None, parts=()):
    return Line("a", kind, kept, NOT, outcome, None, "", turned, list(parts))


def test_of_claims_that_hold_each_is_counted_as_one_of_four_that_add_up(judged):
    lines = [line(PRINTED, AGREES, HOLDS, False)] * 3
    lines += [line(AFTER, AGREES, outcome) for outcome in (REFUTED, UNDECIDED, UNDECIDED, WITHOUT)]
    lines.append(line(AFTER, DIFFERS, HOLDS, True))
    found = counts(lines)
    assert found[EVERY] == dict(zip(OUTCOMES, (3, 1, 2, 1), strict=True))
    assert found[PRINTED] == dict(zip(OUTCOMES, (3, 0, 0, 0), strict=True))
    agreeing = [one for one in lines if one.kept == AGREES]
    assert sum(found[EVERY].values()) == len(agreeing) == 7
    elsewhere = counts_elsewhere(judged)
    assert elsewhere == dict(zip(OUTCOMES, (0, 1, 0, 0), strict=True))
    plain = [asdict(one) for one in lines]
    words = in_a_sentence({"counts": found, "elsewhere": elsewhere, "lines": plain})
    assert words.startswith(
        "Of 6 statements about networks, 3 hold again on networks trained after these claims were fixed, 2 are undecided, and 1 is "
        "refuted"
    )
    assert f"{PRINTED} 3 of 3, {AFTER} 0 of 3" in words and "1 more came later, have no such networks" in words
    assert "At another modulus or number of updates 1 is refuted." in words
    assert words.endswith("Of the claims that differ on kept networks, 1 agrees on these.")
    none = in_a_sentence({"counts": counts([line(AFTER, AGREES, WITHOUT)])})
    assert none.startswith("No statement about networks could be asked of networks trained after")
    assert len(counts_table({"counts": found, "elsewhere": elsewhere})) == 6


def test_what_is_refuted_by_another_recipe_is_named_with_the_networks_that_do(judged):
    found = {"lines": [asdict(one) for one in judged]}
    (name,) = refuted_elsewhere(found)
    assert name == "slope" and refuted_elsewhere(found)[name].startswith("0 of 40 in q_modulus (modulus 61) (95 %")


def test_undecided_is_never_told_as_refuted_nor_left_out():
    found = counts([line(AFTER, AGREES, UNDECIDED)])
    words = in_a_sentence({"counts": found, "elsewhere": counts([])[EVERY], "lines": []})
    assert "0 hold again" in words and "1 is undecided, and none is refuted" in words


def test_what_is_found_is_plain_data(judged):
    assert json.loads(json.dumps([asdict(found) for found in judged]))[0]["parts"][1]["other"] == "modulus 61"


def test_the_page_has_the_counts_and_every_claim_what_turned_first(judged, tmp_path):
    lines = [asdict(found) for found in judged]
    found = {"fixed": "0123456789abcdef", "trained": "fedcba9876543210", "lines": lines}
    found |= {"counts": counts(judged), "elsewhere": counts_elsewhere(judged)}
    claims = [CLAIM | {"statement": "slopes <b> are small"}, COUNTED | {"statement": "shares", "published": None}]
    build_unseen(found, claims, ROOT / "workflow/templates/unseen.html.j2", tmp_path / "unseen.html")
    page = (tmp_path / "unseen.html").read_text(encoding="utf-8")
    assert "<th>hold on these</th>" in page and "&lt;table" not in page and "<b>" not in page
    assert page.index("claim-share") < page.index("claim-slope"), "the claim that turned comes first"
    assert "0123456789ab<" in page and "fedcba987654<" in page
