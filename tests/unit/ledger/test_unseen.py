"""Claims judged once more on networks that nobody had seen."""

import json
from dataclasses import asdict, replace

import pandas as pd
import pytest
from one_claim import NETWORK, STATEMENT
from support import ROOT

from build_unseen import build_unseen
from modadd.core.files import write_json
from modadd.core.parquet import write_table
from modadd.ledger.unseen import (
    AFTER,
    EVERY,
    PRINTED,
    Judged,
    Line,
    counts,
    counts_elsewhere,
    judged_held_out,
    lines_of,
)
from modadd.networks.recipes import RECIPES
from modadd.page.unseen import counts_table, in_a_sentence, turned_in_words

CLAIM = STATEMENT | {"id": "slope", "of": "nearly_all", "judged_on": ["q"], "rests_on": "many_trainings"}
CLAIM |= {"threshold_set": "after"}
COUNTED = CLAIM | {"id": "share", "of": "published", "judged_on": ["absent"], "counted_over": ["q"]}
COUNTED |= {"check": "share_of_networks", "threshold": 0.5, "value": "above"}
HOLDS, DIFFERS, NOT = "statement holds", "differs: not reproduced", "not judged"


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
    monkeypatch.setattr("modadd.ledger.unseen.kept_rows", lambda name: [kept] if name == "q" else [])
    folder = tmp_path / "data/held_out"
    own = rows(folder / "q.parquet", [2.0] * 35 + [0.0] * 3 + [None] * 2)
    return {"q": own, "q_modulus": rows(folder / "q_modulus.parquet", [0.0] * 40, modulus=61)}


@pytest.fixture
def judged(tables, tmp_path):
    """The lines of two claims that hold on kept networks."""
    found = {"value": 0.3, "low": 0.2, "high": 0.4, "of": 40, "holds": 12}
    values = tmp_path / "data/held_out/values"
    write_json(values / "phases.json", {"network": NETWORK, "values": {"slope": 2.0, "above": found}})
    published = tmp_path / "published.json"
    published.write_text("{}")
    unseen = judged_held_out([CLAIM, COUNTED], str(published), tables, str(values))
    return lines_of([CLAIM, COUNTED], dict.fromkeys(("slope", "share"), {"verdict": HOLDS}), as_frozen(unseen))


def as_frozen(judged):
    """As read again from a file, and as if these claims had been frozen as they are."""
    return replace(Judged(**json.loads(json.dumps(asdict(judged)))), changed=[])


def test_a_claim_about_each_network_is_told_table_by_table(judged):
    own, other = judged[0].parts
    assert (own["table"], own["other"], own["agrees"]) == ("q", "", None), "35 of 38: the interval contains nine tenths"
    assert (own["networks"]["holds"], own["networks"]["of"], own["networks"]["without"]) == (35, 38, 2)
    assert (other["table"], other["other"], other["agrees"]) == ("q_modulus", "modulus 61", False)
    assert (other["networks"]["holds"], other["networks"]["of"]) == (0, 40)


def test_the_verdict_is_of_the_kept_recipe_alone_and_undecided_is_no_turn(judged):
    assert (judged[0].unseen, judged[0].turned, judged[0].kind) == (NOT, None, AFTER)
    assert "contains 0.9" in judged[0].note


def test_a_number_that_a_notebook_counted_is_judged_by_what_it_recorded_on_them(judged):
    assert (judged[1].unseen, judged[1].turned, judged[1].parts) == (DIFFERS, True, [])


def test_a_claim_about_each_network_needs_no_recorded_value_and_the_network_shown_does_not_count(tables, tmp_path):
    tables["q"] = rows(tmp_path / "data/held_out/new.parquet", [2.0] * 40)
    published = tmp_path / "published.json"
    published.write_text("{}")
    found = judged_held_out([CLAIM, COUNTED], str(published), tables, str(tmp_path / "nothing")).verdicts
    assert list(found) == ["slope"] and found["slope"]["verdict"] == HOLDS and found["slope"]["seeds"]["of"] == 40


def test_what_turns_is_said_beside_the_claims_own_verdict(judged):
    found = {"own": False, "lines": [vars(judged[1]) | {"parts": []}]}
    words = turned_in_words(found, {"share": COUNTED | {"published": None}})
    assert words == {"share": "Did not hold on held-out networks: 12 of 40 (95 %: 0.2–0.4)."}
    assert turned_in_words(found | {"own": True}, {}) == turned_in_words({}, {}) == {}


@pytest.mark.parametrize(
    ("changes", "changed", "note"),
    [({"judged_on": ["q", "r"]}, (), "No network of r is among them."), ({}, ("slope",), "Changed since")],
)
def test_without_networks_or_after_a_change_nothing_is_told(tables, changes, changed, note):
    judged = Judged(list(tables), {"slope": {"verdict": DIFFERS, "measured": None, "note": ""}}, {}, changed)
    (line,) = lines_of([CLAIM | changes], {"slope": {"verdict": HOLDS}}, judged)
    assert line.turned is None and line.note.startswith(note)


def test_a_claim_about_one_network_has_no_line(tables):
    assert not lines_of([CLAIM | {"rests_on": "one_training"}], {}, Judged(list(tables), {}, {}))


def line(kind, kept, unseen, turned, parts=()):
    return Line("a", kind, kept, unseen, None, "", turned, list(parts))


def test_of_claims_that_hold_those_that_hold_again_are_counted_by_kind(judged):
    lines = [line(PRINTED, HOLDS, HOLDS, False)] * 3
    lines += [line(AFTER, HOLDS, DIFFERS, True), line(AFTER, HOLDS, NOT, None), line(AFTER, DIFFERS, HOLDS, True)]
    found = counts(lines)
    assert [
        (found[kind]["holds"], found[kind]["of"], found[kind]["undecided"]) for kind in (EVERY, PRINTED, AFTER)
    ] == [
        (3, 4, 1),
        (3, 3, 0),
        (0, 1, 1),
    ]
    elsewhere = counts_elsewhere(judged)
    assert (elsewhere["holds"], elsewhere["of"]) == (0, 1)
    plain = [asdict(one) for one in lines]
    words = in_a_sentence({"counts": found, "elsewhere": elsewhere, "own": False, "lines": plain})
    assert words.startswith(
        "Of 4 statements about networks, 3 also hold on networks trained after everything was fixed (95 %"
    )
    assert f"{PRINTED} 3 of 3, {AFTER} 0 of 1; 1 more could not be judged" in words
    assert words.endswith("Of the claims that differ on kept networks, 1 agrees on these.")
    none = in_a_sentence({"counts": counts([line(AFTER, HOLDS, NOT, None)]), "own": True})
    assert none.startswith("None of 1 statements about networks could be judged on networks trained in this build")
    assert in_a_sentence({}) == "" and len(counts_table({"counts": found, "elsewhere": elsewhere})) == 6


def test_what_is_found_is_plain_data(judged):
    assert json.loads(json.dumps([asdict(found) for found in judged]))[0]["parts"][1]["other"] == "modulus 61"


@pytest.mark.parametrize("own", [False, True])
def test_the_page_has_the_counts_and_every_claim_what_turned_first(judged, tmp_path, own):
    lines = [asdict(found) for found in judged]
    found = {"own": own, "freeze": "0123456789abcdef", "lines": lines}
    found |= {"counts": counts(judged), "elsewhere": counts_elsewhere(judged)}
    claims = [CLAIM | {"statement": "slopes <b> are small"}, COUNTED | {"statement": "shares", "published": None}]
    build_unseen(found, claims, ROOT / "workflow/templates/unseen.html.j2", tmp_path / "unseen.html")
    page = (tmp_path / "unseen.html").read_text(encoding="utf-8")
    assert "<th>also on these</th>" in page and "&lt;table" not in page and "<b>" not in page
    assert page.index("claim-share") < page.index("claim-slope"), "the claim that turned comes first"
    assert ("0123456789ab…" in page) != own
