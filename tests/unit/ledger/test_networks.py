"""Claims judged network by network: who passes, who cannot be judged, what decides, and the verdict over all."""

from dataclasses import asdict

import numpy as np
import pandas as pd
import pytest
from one_claim import CLAIM, NETWORK, without

from modadd.core.statistics import share
from modadd.ledger.exceptions import exceptions
from modadd.ledger.networks import claims_by_network, criterion, judged_networks, mostly_judged, over_seeds, passing
from modadd.ledger.telling import where_it_holds
from modadd.ledger.verdicts import judge

AT_LEAST = without(
    "published", "tolerance", "tolerance_source", check="at_least", threshold=1.0, value="slope", id="slope"
)
AT_MOST = AT_LEAST | {"check": "at_most", "id": "small_slope"}
ROWS = pd.DataFrame(
    {
        "seed": [9, 8, 7, 6],
        "trained": "kept",
        "accuracy": [1.0, 1.0, 1.0, 0.5],
        "frequencies": [[3], [1, 4], [], [2]],
        "neurons": [[16], [4, 12], [], [1]],
        "absolute_coefficients": [[5.0], [3.0, 7.0], [], [1.0]],
        "slope": [[2.0], [3.0, 0.5], [], [9.0]],
        "later": [0.5, np.nan, 2.0, 2.0],
        "partly": [[2.0, np.nan], [np.nan], [3.0], [1.0]],
        "rare": [0.5, np.nan, np.nan, np.nan],
    }
)


@pytest.mark.parametrize(
    ("claim", "expected"),
    [
        (AT_LEAST, [True, False, None, None]),
        (AT_MOST, [False, False, None, None]),
        (AT_LEAST | {"value": "partly"}, [None, None, True, None]),
        (AT_LEAST | {"value": "later"}, [False, None, True, None]),
        (AT_LEAST | {"value": "later", "needs_accuracy": 0.0}, [False, None, True, True]),
        (AT_LEAST | {"value": "nowhere"}, [None] * 4),
        (AT_LEAST | {"frequency": 3}, [None] * 4),
        (CLAIM | {"value": "slope"}, [None] * 4),
    ],
    ids=[
        "every key frequency",
        "at most",
        "not of every frequency",
        "measured later",
        "any accuracy",
        "no column",
        "one frequency",
        "number",
    ],
)
def test_a_network_passes_fails_or_cannot_be_judged(claim, expected):
    found = passing(claim, ROWS)
    assert [None if pd.isna(one) else bool(one) for one in found] == expected


RARE = AT_LEAST | {"id": "rare", "value": "rare"}


def test_the_share_is_over_all_populations_and_there_is_none_where_no_row_tells():
    later = AT_LEAST | {"value": "later"}
    here = ROWS.assign(trained=["kept", "here", "here", "here"])
    both = asdict(over_seeds(judged_networks(later, rows) for rows in (ROWS, here)))
    told = {"here": 1, "without": 0}
    assert both == asdict(share(np.array([False, True, False, True]))) | told, "of those that can be judged"
    assert over_seeds([]) is None
    assert over_seeds([judged_networks(later | {"value": "nowhere"}, ROWS)]) is None


def test_networks_without_the_number_are_no_part_of_the_share_and_are_counted():
    claim = AT_LEAST | {"value": "later", "of": "most", "kind": "statement", "rests_on": "many_trainings"}
    found = judge(claim, {"network": NETWORK, "values": {}}, "laptop", seeds={"seeds": ROWS.assign(later=np.nan)})
    assert (found.verdict, found.seeds) == ("not judged", None)
    rows = pd.concat([ROWS] * 20)
    found = judge(claim, {"network": NETWORK, "values": {}}, "laptop", seeds={"seeds": rows})
    assert (found.seeds["of"], found.seeds["without"]) == (40, 20), "those short of the accuracy are not counted"
    assert (found.verdict, found.note) == ("not judged", "20 of 60 networks have no such number")
    told = judge(
        claim | {"few_have_it": "Few do."}, {"network": NETWORK, "values": {}}, "laptop", seeds={"seeds": rows}
    )
    assert told.verdict != "not judged" or "Undecided" in told.note
    assert where_it_holds(vars(found)).endswith("; 20 more have no such number)")


def test_networks_are_shown_that_most_claims_can_be_judged_on():
    holds = pd.DataFrame({"one": [True, pd.NA, False], "other": [pd.NA, pd.NA, True]}, dtype="boolean")
    assert mostly_judged(holds).tolist() == [True, False, True]


def test_the_map_has_a_column_for_each_claim_that_half_of_the_networks_or_many_can_be_judged_on(monkeypatch):
    monkeypatch.setattr("modadd.ledger.networks.MANY", 1)
    assert "rare" in claims_by_network([AT_LEAST, RARE], ROWS), "one network is many here"
    monkeypatch.undo()
    found = claims_by_network([AT_LEAST, AT_MOST, AT_LEAST | {"id": "none", "value": "nowhere"}, RARE], ROWS)
    assert list(found) == ["slope", "small_slope"]
    assert criterion(AT_MOST) == "small slope ≤ 1"


def test_exceptions_name_the_worst_key_frequency_its_rank_and_its_neurons():
    rows = ROWS.rename(columns={"slope": "phase_line_slope", "later": "identity_evens_out"})
    slope, evens_out = [AT_LEAST | {"value": "phase_line_slope"}], [AT_LEAST | {"value": "identity_evens_out"}]
    found = exceptions(slope, rows, claims_by_network(slope, rows)).replace({pd.NA: None})
    assert found.seed.tolist() == [8], "one without key frequencies breaks nothing"
    assert found.loc[0, ["value", "key frequencies", "worst at k", "rank of C_k", "neurons there"]].tolist() == [
        *(0.5, 2, 4, 1, 12)
    ]
    assert exceptions(evens_out, rows, claims_by_network(evens_out, rows))["worst at k"].isna().all()


def verdict(of, rows, value=2.0, **changes):
    claim = AT_LEAST | {"of": of} | changes
    return judge(claim, {"network": NETWORK, "values": {"slope": value}}, "laptop", seeds={"seeds": rows})


def rows_with(holding, of):
    return pd.DataFrame({"accuracy": 1.0, "slope": [2.0] * holding + [0.0] * (of - holding), "trained": "kept"})


@pytest.mark.parametrize(
    ("of", "holding", "verdict_"),
    [
        ("most", 30, "statement holds"),
        ("most", 10, "differs: not reproduced"),
        ("most", 20, "not judged"),
        ("nearly_all", 40, "statement holds"),
        ("nearly_all", 30, "differs: not reproduced"),
        ("nearly_all", 37, "not judged"),
    ],
)
def test_a_claim_about_networks_is_judged_by_the_interval_of_its_share(of, holding, verdict_):
    found = verdict(of, rows_with(holding, 40), kind="statement", rests_on="many_trainings")
    assert found.verdict == verdict_
    assert (found.seeds["holds"], found.seeds["of"], found.networks) == (holding, 40, 40)
    assert not found.one_training


@pytest.mark.parametrize(
    ("holding", "verdict_"), [(38, "statement holds"), (36, "statement holds"), (30, "differs: not reproduced")]
)
def test_many_networks_of_one_population_do_not_outvote_a_small_one_that_contradicts(holding, verdict_):
    claim = AT_LEAST | {
        "of": "nearly_all",
        "kind": "statement",
        "rests_on": "many_trainings",
        "judged_on": ["large", "small"],
    }
    rows = {"large": rows_with(1000, 1000), "small": rows_with(holding, 40)}
    found = judge(claim, {"network": NETWORK, "values": {}}, "laptop", seeds=rows)
    assert found.verdict == verdict_ and "below it in no population" in found.criterion
    assert found.note == ("By population the share is too low: 30 of 40 in small." if holding == 30 else "")


def test_the_network_shown_does_not_decide_a_claim_about_most_networks():
    found = verdict("most", rows_with(40, 40), value=0.0, kind="statement", rests_on="many_trainings")
    assert found.verdict == "statement holds" and found.here is False
    assert where_it_holds({"here": False, "trainings": None, "seeds": found.seeds}) == (
        "does not hold here; in 40 of 40 seeds (0 trained here, 40 kept; 95 %: 0.91–1.00)"
    )


def test_other_seeds_are_told_of_a_claim_about_the_published_network_and_do_not_decide():
    for holding, expected in ((40, ""), (36, ""), (30, ", not for nearly all"), (0, ", not for most")):
        found = verdict("published", rows_with(holding, 40), kind="statement", rests_on="one_training")
        words = f"holds for the network shown{expected}" if expected else "statement holds"
        assert (found.verdict, found.seeds["holds"], found.as_expected) == (words, holding, True)
    ours = verdict("published", rows_with(0, 40), kind="beyond", rests_on="one_training")
    assert ours.verdict == "ours holds", "a claim of ours says which networks it is about"


def test_without_rows_a_claim_about_networks_is_not_judged():
    found = verdict(
        "most", pd.DataFrame({"accuracy": [1.0], "trained": "kept"}), kind="statement", rests_on="many_trainings"
    )
    assert found.verdict == "not judged" and "no row of another seed" in found.note


def test_a_network_that_was_chosen_is_no_judge():
    found = verdict("published", rows_with(40, 40), kind="statement", rests_on="one_training", chosen=True)
    assert found.verdict == "not judged" and "chosen" in found.note


def test_of_several_populations_each_must_agree():
    wide, narrow = {"value": 2.0, "low": 0.5, "high": 3.5, "of": 9}, {"value": 2.0, "low": 1.5, "high": 2.5, "of": 9}
    low = {"value": 0.0, "low": -0.5, "high": 0.5, "of": 9}

    def on(*measured):
        claim = AT_LEAST | {"kind": "statement", "rests_on": "many_trainings"}
        return judge(claim, {"network": NETWORK, "values": {"slope": list(measured)}}, "laptop")

    assert on(narrow, narrow).verdict == "statement holds"
    assert on(narrow, wide).verdict == "not judged"
    assert on(narrow, wide, low).verdict == "differs: not reproduced"
    assert on(narrow, wide).interval == [[1.5, 2.5], [0.5, 3.5]]


def test_a_claim_about_networks_needs_no_value_of_its_notebook():
    claim = AT_LEAST | {"of": "most", "kind": "statement", "rests_on": "many_trainings"}
    found = judge(claim, {"network": NETWORK, "values": {}}, "laptop", seeds={"seeds": rows_with(40, 40)})
    assert found.verdict == "statement holds" and found.here is None and found.as_expected
    assert where_it_holds(vars(found)) == "in 40 of 40 seeds (0 trained here, 40 kept; 95 %: 0.91–1.00)"
