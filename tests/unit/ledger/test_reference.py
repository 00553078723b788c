import json

import pytest

from modadd.ledger.differences import sha256
from modadd.ledger.reference import (
    DEFAULT_RTOL,
    as_from_json,
    compare_with_reference,
    deviations_of,
    expected_numbers,
    limits_of,
    on_one_training,
    surprises,
)


def row(**changes):
    """A line of figures/claims.json."""
    plain = {
        "id": "slope",
        "measured": 2.0,
        "of": "published",
        "verdict": "number rounds to print",
        "expected": "number rounds to print",
        "one_training": False,
        "turned": False,
        "as_expected": True,
    }
    decided = {"check": "at_least", "published": 1.9, "threshold": None, "tolerance": None, "interval": None}
    return {**plain, **decided, "difference": 0.1, **changes}


def elsewhere(expected, **changes):
    """What another platform that measures something else is told of it."""
    return deviations_of(expected_numbers([expected]), [{**expected, **changes}], same_platform=False).get("slope")


@pytest.mark.parametrize(
    ("changes", "limits", "source"),
    [
        ({"interval": [[1.5, 2.5]]}, [[0.5, 3.5]], "interval of retrainings"),
        ({"measured": {"holds": 1, "of": 2, "low": 0.1, "high": 0.9}}, [[0.1, 0.9]], "interval of the population"),
        ({"measured": [{"value": 1.0, "low": 0.5, "high": 2.0, "of": 9}]}, [[0.5, 2.0]], "interval of the population"),
        ({"check": "within", "tolerance": 0.5}, [[1.5, 2.5]], "tolerance of the check"),
        ({"check": "equal_to_printed_digits", "published": "2.0"}, [[1.95, 2.05]], "printed digits"),
        ({}, None, "the check"),
        ({"measured": "none"}, None, "equality"),
        ({"of": "most", "interval": [[0.6, 0.9]]}, None, "the share of all networks"),
        ({"verdict": "not judged"}, [[1.8, 2.2]], f"relative distance {DEFAULT_RTOL}"),
        ({"measured": {"value": 2.0, "low": None, "high": None, "of": 1}}, None, "the check"),
        ({"measured": {"value": None, "low": None, "high": None, "of": 0}}, None, "equality"),
        ({"verdict": "not judged", "measured": -2.0}, [[-2.2, -1.8]], f"relative distance {DEFAULT_RTOL}"),
    ],
)
def test_limits_come_from_the_first_of_population_retrainings_check_and_distance(changes, limits, source):
    found, where = limits_of(row(**changes))
    assert where == source
    assert found == (limits if limits is None else [pytest.approx(pair) for pair in limits])


def test_on_the_same_platform_every_number_must_be_equal():
    expected = expected_numbers([row(interval=[[1.5, 2.5]])])
    assert deviations_of(expected, [row(measured=2.0)], same_platform=True) == {}
    assert deviations_of(expected, [row(measured=2.25)], same_platform=True) == {"slope": "2 → 2.25 (by 0.25)"}


def test_elsewhere_a_number_must_stay_within_its_limits():
    expected = row(interval=[[1.5, 2.5]])
    assert elsewhere(expected, measured=3.5) is None
    assert elsewhere(expected, measured=4.0) == ("2 → 4 (by 2); 0.5 outside 0.5–3.5 (interval of retrainings)")
    assert elsewhere(row(), measured=7.0) is None, "the check alone decides"
    assert elsewhere(row(measured="none"), measured="some") == "none → some"
    assert elsewhere(row(measured=[1.0, 2.0], check="within", tolerance=1.0), measured=[1.0]) == "1 numbers, expected 2"


def test_a_share_of_other_networks_must_lie_in_its_interval():
    share = {"holds": 5, "of": 10, "low": 0.25, "high": 0.75}
    assert elsewhere(row(measured=share), measured={**share, "holds": 7}) is None
    assert "outside" in elsewhere(row(measured=share), measured={**share, "holds": 9})


def test_another_verdict_a_new_claim_and_a_lost_one_are_named():
    expected = expected_numbers([row(), row(id="lost")])
    found = deviations_of(expected, [row(verdict="differs", measured=1.0), row(id="new")], same_platform=False)
    assert found["slope"] == "verdict differs, expected number rounds to print; 2 → 1 (by 1)"
    assert found["lost"] == "is not in the ledger any more" and found["new"].startswith("is new: measured 2")


def test_on_another_platform_what_rests_on_one_training_is_no_difference():
    expected, other = expected_numbers([row()]), row(measured=9.0, verdict="differs", one_training=True, turned=True)
    assert deviations_of(expected, [other], same_platform=False) == {}
    assert deviations_of(expected, [other], same_platform=True).keys() == {"slope"}
    assert on_one_training([row(), other]) == ["slope"]


def test_on_another_platform_a_number_may_round_to_print_or_lie_within_spread():
    within = row(verdict="number within spread")
    assert deviations_of(expected_numbers([row()]), [within], same_platform=False) == {}
    assert deviations_of(expected_numbers([row()]), [within], same_platform=True).keys() == {"slope"}


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


def test_another_platform_is_compared_by_its_numbers(kept):
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
