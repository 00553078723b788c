import json

import numpy as np
import pandas as pd
import pytest

from paper.ledger.tell.differences import difference, difference_in_words


@pytest.fixture
def pair(tmp_path):
    """Two folders for files of one name."""
    for name in ("one", "other"):
        (tmp_path / name).mkdir()
    return lambda name: (tmp_path / "one" / name, tmp_path / "other" / name)


def test_equal_bytes_do_not_differ_and_a_missing_file_does(pair):
    one, other = pair("picture.png")
    other.write_bytes(b"\x89PNG")
    assert difference(one, other) == "is missing"
    one.write_bytes(b"\x89PNG")
    assert difference(one, other) is None


def test_numbers_of_json_are_named_and_measured(pair):
    one, other = pair("values.json")
    one.write_text(json.dumps({"network": {"steps": 5}, "values": {"slope": [2.0, 1.5], "set": [12, 18]}}))
    other.write_text(json.dumps({"network": {"steps": 5}, "values": {"slope": [2.0, 1.75], "set": [12, 18], "new": 1}}))
    assert difference(one, other) == "values.new is new; values.slope[1]: 1.5 → 1.75 (by 0.25)"


def test_an_entry_of_a_list_goes_by_its_id_and_only_the_first_few_are_spelled_out(pair):
    one, other = pair("claims.json")
    one.write_text(json.dumps([{"id": name, "verdict": "holds"} for name in "abcde"]))
    other.write_text(json.dumps([{"id": name, "verdict": "differs"} for name in "abcde"]))
    words = difference(one, other)
    assert words.startswith("[a].verdict: holds → differs; [b]") and words.endswith("; and 2 more")


def test_columns_of_a_table_say_how_many_numbers_differ_and_the_largest_distance(pair):
    one, other = pair("table.csv")
    pd.DataFrame({"k": [1, 2, 3], "x": [0.5, np.nan, 1.0]}).to_csv(one, index=False)
    pd.DataFrame({"k": [1, 2, 3], "x": [0.25, np.nan, 1.125]}).to_csv(other, index=False)
    assert difference(one, other) == "x: 2 of 3 numbers, by at most 0.25"


def test_rows_of_a_population_may_hold_lists_of_unequal_length(pair):
    one, other = pair("rows.parquet")
    pd.DataFrame({"frequencies": [[1, 2], [3]], "accuracy": [1.0, 0.5]}).to_parquet(one)
    pd.DataFrame({"frequencies": [[1, 2], [4]], "accuracy": [1.0, 0.5]}).to_parquet(other)
    assert difference(one, other) == "frequencies: [[1, 2], [3]] → [[1, 2], [4]]"


@pytest.mark.parametrize("name", ["seed0.safetensors", "drawing.svg", "values.json"])
def test_any_other_file_and_one_that_cannot_be_read_has_other_bytes(pair, name):
    one, other = pair(name)
    one.write_text("half")
    other.write_text("another")
    assert difference(one, other) == "other bytes"


def test_distance_of_values():
    assert difference_in_words(0.5, 0.5) is None and difference_in_words("holds", "holds") is None
    assert difference_in_words([1, 2], [1, 2, 3]) == "[1, 2] → [1, 2, 3]"
    assert difference_in_words(None, 0.5) == "None → 0.5"
    assert difference_in_words(1.5, 1.75) == "1.5 → 1.75 (by 0.25)"
    assert difference_in_words([0.5, np.nan, 1.0], [0.25, np.nan, 1.125]) == "2 of 3 numbers, by at most 0.25"
    assert difference_in_words([np.nan], np.array([np.nan])) is None, "nothing differs where both have no number"
    assert difference_in_words([[1, 2], [3]], [[1, 2], [4]]) == "[[1, 2], [3]] → [[1, 2], [4]]"
    assert difference_in_words("long " * 20, "short") == f"{('long ' * 20)[:39]}… → short"
