"""What the page of a notebook opens with, and where it leads on to."""

import pytest
from support import refuses

from paper.page.found import NOT_MEASURED, STOPPED_EARLY, found_in_words, neighbours

RECORDED = {
    "network": {"accuracy": 1.0},
    "values": {"slopes": [1.98, 2.01], "share": {"holds": 9, "of": 10}, "r2": 0.9871},
}


def test_what_was_found_is_told_with_the_values_of_this_build():
    says = "{slopes.least:.2f} to {slopes.largest:.2f}; {share[holds]} of {share[of]}; {r2:%} or {r2:.2f}"
    assert found_in_words("phases", says, RECORDED) == "1.98 to 2.01; 9 of 10; 98.7 % or 0.99"
    assert found_in_words("phases", "", RECORDED) == ""


def test_networks_that_answer_some_inputs_wrong_tell_nothing():
    early = RECORDED | {"network": {"accuracy": 0.93}}
    assert found_in_words("phases", "{slopes.least}", early) == STOPPED_EARLY


def test_a_value_that_this_build_lacks_is_no_dash_in_a_sentence():
    lacking = {**RECORDED, "values": {"accepted": None, "r2": 0.9}}
    assert found_in_words("machine_checked", "{accepted:%} and {r2:.1f}", lacking) == NOT_MEASURED
    assert found_in_words("machine_checked", "{r2:.1f}", lacking) == "0.9"


@pytest.mark.parametrize("says", ["{slops}", "{slopes.most}", "{r2.least}"])
def test_a_value_that_is_not_recorded_is_refused_in_one_line(says):
    with refuses("phases.yaml: found: ", says):
        found_in_words("phases", says, RECORDED)
    with refuses("unknown name 'slops'; did you mean 'slopes'?"):
        found_in_words("phases", "{slops}", RECORDED)


def test_a_notebook_leads_to_the_ones_before_and_after_it_in_its_study():
    entries = {name: {"title": f"{name}?", "source": name} for name in ("phases", "bounds", "seeds", "other")}
    entries["bounds_89"] = {"title": "89?", "source": "bounds"}
    studies = [{"parts": {"how well": ["phases"], "how sure": ["bounds", "seeds"]}}, {"parts": {"how well": ["other"]}}]
    near = {name: neighbours(name, {"notebooks": entries, "studies": studies}) for name in entries}
    assert near["bounds"] == near["bounds_89"] == {"before": ["phases", "phases?"], "after": ["seeds", "seeds?"]}
    assert near["seeds"] == {"before": ["bounds", "bounds?"]} and near["other"] == {}
