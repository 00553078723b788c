"""What was frozen before networks were trained to judge it is as it was, or an entry says what was changed, and why."""

from copy import deepcopy

import pytest
from freeze import freeze
from support import LEDGER, ROOT, refuses

from modadd.core.files import write_json
from modadd.ledger.freeze import (
    CHANGED,
    FROZEN,
    REMOVED,
    changes,
    differing,
    fixed_claims,
    frozen,
    require_explained,
    state,
    whole,
)

pytestmark = pytest.mark.usefixtures("in_root")
NAME = "claim phase_line"
ENTRY = {"date": "2026-12-01", "what": "The threshold is 0.98.", "why": "A misprint; nothing had been seen."}


def test_nothing_is_other_than_it_was_frozen_without_an_entry():
    before = frozen()
    if not before:
        pytest.skip(f"{FROZEN} does not exist: nothing is frozen yet")
    now = state(LEDGER)
    added = now.keys() - before.keys()
    require_explained({name: found for name, found in differing(before, now).items() if name not in added}, changes())


def test_the_freeze_has_every_claim_all_measures_and_the_notebooks_that_count():
    found = state(LEDGER)
    claims = {f"claim {claim['id']}" for claim in LEDGER["claims"]}
    assert {*claims, "measures", "notebook cluster_frequencies"} <= found.keys() and "notebook phases" not in found
    assert len(set(found.values())) == len(found)


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("statement", "Other words."),
        ("threshold", 0.98),
        ("check", "at_most"),
        ("of", "most"),
        ("judged_on", ["c91_full"]),
    ],
)
def test_words_check_threshold_quantifier_and_populations_are_fixed(key, value):
    ledger = {"claims": deepcopy(LEDGER["claims"])}
    (claim,) = (claim for claim in ledger["claims"] if claim["id"] == "phase_line")
    claim[key] = value
    assert list(differing(fixed_claims(LEDGER), fixed_claims(ledger))) == [NAME]


@pytest.mark.parametrize("key", ["explanation", "tried", "open", "place", "expected"])
def test_what_is_told_of_a_verdict_may_still_be_written(key):
    ledger = {"claims": [claim | {key: "told later"} for claim in LEDGER["claims"]]}
    assert not differing(fixed_claims(LEDGER), fixed_claims(ledger))


def test_an_entry_explains_one_change_and_no_later_one():
    apart = differing({NAME: "a", "measures": "m"}, {NAME: "b", "measures": "m"})
    require_explained(apart, [ENTRY | {"name": NAME, "checksum": "b"}])
    for entries in ([], [ENTRY | {"name": NAME, "checksum": "c"}], [ENTRY | {"name": "measures", "checksum": "b"}]):
        with refuses(f"{NAME} is not as it was frozen", CHANGED, "checksum: b", "why"):
            require_explained(apart, entries)


def test_a_claim_that_was_taken_away_needs_an_entry():
    assert differing({NAME: "a"}, {}) == {NAME: REMOVED}


@pytest.mark.parametrize(
    ("entry", "fragments"),
    [
        (ENTRY, ("changed.0", "'checksum' is missing")),
        (ENTRY | {"name": NAME, "checksum": "b", "why": ""}, ("changed.0.why",)),
        (ENTRY | {"name": NAME, "checksum": "b", "date": "yesterday"}, ("changed.0.date: expected the day",)),
    ],
)
def test_an_entry_says_when_what_and_why(tmp_path, entry, fragments):
    (tmp_path / CHANGED).parent.mkdir(parents=True)
    (tmp_path / CHANGED).write_text(f"changed: [{entry}]".replace("'", '"'), encoding="utf-8")
    with refuses(CHANGED, *fragments):
        changes(tmp_path)


def test_the_committed_changes_are_well_formed():
    assert isinstance(changes(), list)


def test_a_freeze_comes_before_the_networks_that_are_judged_by_it(tmp_path, monkeypatch):
    monkeypatch.setattr("freeze.read_ledger", lambda project: LEDGER)
    assert freeze(tmp_path) == whole(tmp_path) and frozen(tmp_path) == state(LEDGER)
    (tmp_path / "data/held_out/q_seeds.parquet").touch()
    with refuses("q_seeds.parquet holds networks that were trained after a freeze"):
        freeze(tmp_path)


def test_every_row_held_out_carries_the_checksum_of_the_freeze():
    from modadd.core.parquet import read_table

    for table in sorted(ROOT.glob("data/held_out/*.parquet")):
        assert set(read_table(table, ["freeze"]).freeze) == {whole()}, table


def test_a_checksum_of_nothing_is_none(tmp_path):
    assert whole(tmp_path) == "" and frozen(tmp_path) == {}
    write_json(tmp_path / FROZEN, {"state": {NAME: "a"}, "whole": ""})
    assert frozen(tmp_path) == {NAME: "a"} and whole(tmp_path)
