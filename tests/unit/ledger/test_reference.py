import json

import pytest

from modadd.ledger.differences import sha256
from modadd.ledger.reference import (
    as_from_json,
    compare_with_reference,
    deviations_of,
    expected_numbers,
    surprises,
)


def row(**changes):
    """A line of figures/claims.json."""
    plain = {
        "id": "slope",
        "measured": 2.0,
        "verdict": "number rounds to print",
        "expected": "number rounds to print",
        "one_training": False,
        "as_expected": True,
    }
    return {**plain, "published": 1.9, "threshold": None, "difference": 0.1, **changes}


def test_on_the_same_platform_every_number_must_be_equal():
    expected = expected_numbers([row()])
    assert deviations_of(expected, [row(measured=2.0)], same_platform=True) == {}
    assert deviations_of(expected, [row(measured=2.25)], same_platform=True) == {"slope": "2 → 2.25 (by 0.25)"}


def test_another_verdict_a_new_claim_and_a_lost_one_are_named():
    expected = expected_numbers([row(), row(id="lost")])
    found = deviations_of(expected, [row(verdict="differs", measured=1.0), row(id="new")], same_platform=False)
    assert found["slope"] == "verdict differs, expected number rounds to print; 2 → 1 (by 1)"
    assert found["lost"] == "is not in the ledger any more" and found["new"].startswith("is new: measured 2")


def test_on_another_platform_a_number_may_move_as_far_as_its_verdict_stays():
    assert deviations_of(expected_numbers([row()]), [row(measured=7.0)], same_platform=False) == {}


def test_on_another_platform_a_number_that_rounds_to_print_still_does():
    within = row(verdict="number within spread")
    assert deviations_of(expected_numbers([row()]), [within], same_platform=False).keys() == {"slope"}


def test_a_claim_that_did_not_come_out_as_expected_says_how_far_off_it_is():
    assert surprises([row()]) == {}
    assert surprises([row(verdict="differs", as_expected=False, measured=1.5, difference=0.4)]) == {
        "slope": "differs, expected number rounds to print: measured 1.5, published 1.9, 0.4 apart"
    }


@pytest.fixture
def kept(tmp_path):
    """A reference of one claim and one file, and a build of it."""
    reference, build = tmp_path / "reference", tmp_path / "build"
    reference.mkdir()
    build.mkdir()
    (build / "figure.svg").write_text("<svg/>")
    (reference / "numbers.json").write_text(json.dumps(expected_numbers([row()])))
    (reference / "sha256.txt").write_text(f"{sha256(build / 'figure.svg')}  figure.svg\n")
    origin = {"commit": "a", "torch": "2", "processor": "P"}
    (reference / "provenance.json").write_text(
        json.dumps({"origin": origin, "config": as_from_json({"scale": "laptop"})})
    )
    return reference, build, origin


def test_the_same_platform_is_compared_byte_by_byte(kept):
    reference, build, origin = kept
    arguments = (reference, build, [row()], {"scale": "laptop"})
    assert compare_with_reference(*arguments, {**origin, "commit": "b"}).differences == {}
    (build / "figure.svg").write_text("<svg></svg>")
    assert compare_with_reference(*arguments, origin).differences == {"figure.svg": "other bytes"}
    (build / "figure.svg").unlink()
    assert compare_with_reference(*arguments, origin).differences == {"figure.svg": "was not built"}


def test_another_platform_is_compared_by_its_verdicts(kept):
    reference, build, origin = kept
    (build / "figure.svg").write_text("<svg></svg>")
    arguments = (reference, build, [row(measured=2.5)], {"scale": "laptop"})
    found = compare_with_reference(*arguments, {**origin, "processor": "Q"})
    assert found.differences == {} and "processor Q, there P" in found.sentence


def test_nothing_is_compared_with_another_config_or_without_a_reference(kept, tmp_path):
    reference, build, origin = kept
    found = compare_with_reference(reference, build, [row(measured=9.0)], {"scale": "smoke"}, origin)
    assert found.differences == {} and "another config" in found.sentence
    found = compare_with_reference(tmp_path / "none", build, [row(measured=9.0)], {"scale": "laptop"}, origin)
    assert found.differences == {} and "is empty" in found.sentence
