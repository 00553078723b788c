import json

import numpy as np
import pandas as pd
import pytest

from modadd.core.parquet import write_table
from modadd.networks.store import write_tensors
from paper.ledger.judge.verdicts import NOT_REPRODUCED
from paper.ledger.tell.reference import (
    against_list,
    as_lines,
    checksum,
    checksums_of,
    deviations_of,
    expected_numbers,
    listed,
    surprises,
)


def row(**changes):
    """A line of figures/claims.json."""
    plain = {"id": "slope", "measured": 2.0, "verdict": "number rounds to print", "expected": "number rounds to print"}
    return {**plain, "published": "1.9", "criterion": "within ±0.1", **changes}


def test_every_number_must_be_equal():
    expected = expected_numbers([row()])
    assert deviations_of(expected, [row(measured=2.0)]) == {}
    assert deviations_of(expected, [row(measured=2.25)]) == {"slope": "2 → 2.25 (by 0.25)"}


def test_another_verdict_a_new_claim_and_a_lost_one_are_named():
    expected = expected_numbers([row(), row(id="lost")])
    found = deviations_of(expected, [row(verdict="differs", measured=1.0), row(id="new")])
    assert found["slope"] == "verdict differs, expected number rounds to print; 2 → 1 (by 1)"
    assert found["lost"] == "is not in the ledger any more" and found["new"].startswith("is new: measured 2")


def test_a_claim_that_did_not_come_out_as_expected_says_how_far_off_it_is():
    assert surprises([row()]) == {}
    words = f"{NOT_REPRODUCED}, expected number rounds to print: measured 1.5"
    differs = row(verdict=NOT_REPRODUCED, measured=1.5)
    assert surprises([differs]) == {"slope": f"{words}, published 1.9"}
    ours = differs | {"published": None, "criterion": "at least 2"}
    assert surprises([ours]) == {"slope": f"{words}, at least 2"}


def network(path, processor="A", bit=0.0, steps=5):
    metadata = {"recipe": {"steps": steps}, "origin": {"processor": processor, "code": processor}}
    write_tensors(path, {"W": np.array([1.0 + bit, 2.0], np.float32)}, metadata)
    return checksum(path)


def test_a_network_has_the_same_checksum_whoever_trained_it_and_another_with_one_bit_changed(tmp_path):
    file = tmp_path / "seed0.safetensors"
    one = network(file)
    assert network(file, processor="B") == one
    assert network(file, bit=2.0**-23) != one and network(file, steps=6) != one


def rows(path, processor="A", slope=2.0):
    write_table(pd.DataFrame({"seed": [0, 1], "processor": processor, "slope": [slope, np.nan]}), path)
    return checksum(path)


def test_rows_have_the_same_checksum_whoever_measured_them_and_another_with_one_bit_changed(tmp_path):
    file = tmp_path / "rows.parquet"
    one = rows(file)
    assert rows(file, processor="B") == one and rows(file, slope=2.0 + 2.0**-51) != one


@pytest.fixture
def built(tmp_path):
    """A build of three files, and the list of it."""
    for name in ("figures/phases/law.svg", "results/values/phases.json", "results/networks/q/seed0.history"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(json.dumps(name))
    names = [str(path.relative_to(tmp_path)) for path in tmp_path.rglob("*.*") if path.is_file()]
    return tmp_path, listed(as_lines("smoke", checksums_of(tmp_path, [*names, "not/there"])), "smoke")


def test_the_list_names_what_differs_from_where_the_graph_begins(built):
    folder, expected = built
    assert against_list(expected, folder) == {}
    (folder / "figures/phases/law.svg").write_text("<svg/>")
    (folder / "results/networks/q/seed0.history").write_text("other")
    (folder / "results/values/phases.json").unlink()
    found = against_list(expected, folder)
    assert list(found.items()) == [
        ("results/networks/q/seed0.history", "other content"),
        ("results/values/phases.json", "was not built"),
        ("figures/phases/law.svg", "other content"),
    ]


def test_a_list_holds_several_scales():
    text = as_lines("smoke", {"a": "1"}) + as_lines("laptop", {"a": "2"})
    assert listed(text, "smoke") == {"a": "1"} and listed(text, "laptop") == {"a": "2"} and listed(text, "paper") == {}
