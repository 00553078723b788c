"""A statement about each network: of the network shown and its retrainings, or of most or nearly all networks."""

from dataclasses import asdict

import numpy as np
import pandas as pd
import pytest
from one_claim import CLAIM, NETWORK, STATEMENT, judge, row_of, verdict_on

from modadd.core.statistics import share
from modadd.populations.unmeasured import NOT_MEASURED, stacked
from paper.ledger.judge.exceptions import exceptions
from paper.ledger.judge.forms import form_of
from paper.ledger.judge.networks import claims_by_network, criterion, mostly_judged, passing
from paper.ledger.judge.verdicts import HOLDS, NOT_JUDGED, NOT_REPRODUCED, OURS_HOLDS, ROUNDS
from paper.ledger.read.claims import NEEDED
from paper.ledger.tell.telling import where_it_holds

ALONE = STATEMENT | {"rests_on": "one_training"}
AT_MOST = STATEMENT | {"check": "at_most", "id": "small_slope"}
MANY = STATEMENT | {"of": "nearly_all", "rests_on": "many_trainings", "judged_on": ["large", "small"]}
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
    ("check", "limit", "measured", "agrees"),
    [
        ("at_least", "0.99", 0.99, True),
        ("at_least", "0.99", 0.9899, False),
        ("at_least", "0.99", [0.999, 0.995], True),
        ("at_least", "0.99", [0.999, 0.98], False),
        ("at_most", "0.0", -0.1, True),
        ("at_most", "0.0", 0.1, False),
        ("at_most", "1e-09", 1e-16, True),
        ("at_most", "1.0", [0.5, 1.5], False),
        ("at_most", "1.0", [[0.5], [0.5, 1.5]], False),
        ("at_most", "1.0", "0.5", False),
        ("at_most", "1.0", {"k": 0.5}, False),
        ("set_equals", [12, 18, 21], [21, 12, 18], True),
        ("set_equals", [12, 18, 21], [12, 18], False),
        ("set_equals", [12, 18], [12, 18, 21], False),
        ("set_equals", [12, 18], [], False),
    ],
)
def test_each_check_agrees_exactly_where_it_says(check, limit, measured, agrees):
    found = verdict_on(measured, check=check, published=limit, rests_on="no_training")
    assert found.verdict == ((ROUNDS if check == "set_equals" else HOLDS) if agrees else NOT_REPRODUCED)
    assert found.as_expected == agrees
    limit = "" if check == "set_equals" else f" {limit}".replace("-", "−")
    assert found.criterion == check.replace("_", " ") + limit


@pytest.mark.parametrize("measured", [None, [None, 2.0], [], float("nan"), [2.0, float("nan")]])
def test_a_number_that_the_network_shown_lacks_is_not_judged(measured):
    found = verdict_on(measured, of=STATEMENT)
    assert (found.verdict, found.here, found.note) == (NOT_JUDGED, None, "the network shown has no such number")


def retrained(values, **changes):
    """As many retrainings as there are values, with the frequencies of the network shown."""
    rows = pd.DataFrame({"slope": values, "accuracy": 1.0, "steps": NETWORK["steps"]} | changes)
    return rows.assign(frequencies=[NETWORK["frequencies"]] * len(rows))


@pytest.mark.parametrize(
    ("own", "holding", "verdict"),
    [(0.985, 19, HOLDS), (0.995, 17, HOLDS), (0.985, 17, NOT_REPRODUCED), (0.995, 0, NOT_REPRODUCED)],
)
def test_a_yes_or_no_is_judged_by_its_share_of_the_trainings_and_not_by_this_one(own, holding, verdict):
    rows = retrained([*np.linspace(0.991, 0.999, holding), *np.linspace(0.97, 0.98, 19 - holding)])
    found = verdict_on(own, retrained=rows, of=ALONE, threshold=0.99)
    holds = share([own > 0.99] + [True] * holding + [False] * (19 - holding))
    assert asdict(found.trainings) == asdict(holds) | {"here": 1, "without": 0, "not_measured": 0}, (
        "no row was trained here"
    )
    assert (found.trainings.share >= NEEDED) == (verdict == HOLDS) and found.here == (own > 0.99)
    assert found.verdict == verdict and found.criterion == "at least 0.99, in 0.9 of the trainings"


@pytest.mark.parametrize("own", [0.5, 5.0, -0.995])
def test_it_turns_if_the_network_shown_is_not_one_of_its_retrainings(own):
    rows = retrained(np.random.default_rng(0).normal(0.15, 0.01, 24))
    found = verdict_on(own, retrained=rows, of=ALONE, check="at_most", threshold=0.3)
    assert found.trainings.holds == 24 + (own < 0)
    assert found.verdict == (HOLDS if own < 0 else NOT_REPRODUCED) and ("outside the 99.9 %" in found.note) == (own > 0)


def test_of_too_few_retrainings_no_interval_is_spoken_of():
    found = verdict_on(0.5, retrained=retrained([0.1, 0.2]), of=ALONE, check="at_most", threshold=0.3)
    assert found.verdict == NOT_REPRODUCED and found.interval is None
    assert "interval" not in found.note and "nothing tells whether" in found.note


def test_the_interval_of_retrainings_is_told_beside_a_number_and_those_trained_here_are_counted():
    rows = retrained(np.linspace(1, 2, 9), trained=["here"] * 2 + ["kept"] * 7)
    found = verdict_on(1.5, retrained=rows, of=ALONE)
    assert found.interval[0][0] < 1 < 2 < found.interval[0][1]
    assert where_it_holds(row_of(found, ALONE)) == "holds here; in 10 of 10 trainings (3 trained here, 7 kept)"


def test_retrainings_without_the_number_of_other_steps_or_short_of_the_accuracy_are_left_out():
    rows = retrained([2.0, np.nan, 0.0, 0.0], steps=[NETWORK["steps"]] * 2 + [5, NETWORK["steps"]])
    found = verdict_on(2.0, retrained=rows.assign(accuracy=[1.0, 1.0, 1.0, 0.5]), of=ALONE)
    assert (found.trainings.holds, found.trainings.of) == (2, 2)


@pytest.mark.parametrize(("measured", "verdict"), [(1.5, HOLDS), (0.5, NOT_REPRODUCED)])
@pytest.mark.parametrize("rows", [None, retrained([1.0] * 9).drop(columns="slope")])
def test_one_training_that_no_retraining_is_beside_says_so(measured, verdict, rows):
    found = verdict_on(measured, retrained=rows, of=ALONE)
    assert (found.trainings, found.verdict, found.as_expected) == (None, verdict, verdict == HOLDS)
    assert found.note.startswith("One training only: no row has its value.")
    assert verdict_on(measured, of=ALONE, one_because="so").note.startswith("One training only: so")


@pytest.mark.parametrize(
    ("claim", "expected"),
    [
        (STATEMENT, [True, False, None, None]),
        (AT_MOST, [False, False, None, None]),
        (STATEMENT | {"value": "partly"}, [None, None, True, None]),
        (STATEMENT | {"value": "later"}, [False, None, True, None]),
        (STATEMENT | {"value": "later", "needs_accuracy": 0.0}, [False, None, True, True]),
        (STATEMENT | {"value": "nowhere"}, [None] * 4),
        (CLAIM | {"value": "slope"}, [None] * 4),
    ],
    ids=[
        "every key frequency",
        "at most",
        "not of every frequency",
        "measured later",
        "any accuracy",
        "no column",
        "number",
    ],
)
def test_a_network_passes_fails_or_cannot_be_judged(claim, expected):
    assert [None if pd.isna(one) else bool(one) for one in passing(claim, ROWS)] == expected


def test_the_share_is_over_all_populations_and_there_is_none_where_no_row_tells():
    later = form_of(MANY | {"value": "later"})
    here = ROWS.assign(trained=["kept", "here", "here", "here"])
    both = asdict(later.share_over([ROWS, here]))
    assert both == asdict(share([False, True, False, True])) | {"here": 1, "without": 2, "not_measured": 0}, (
        "of those that can be judged"
    )
    assert later.share_over([]) is None and form_of(MANY | {"value": "nowhere"}).share_over([ROWS]) is None


def over(rows, value=2.0, claim=MANY, **changes):
    """The verdict over the rows of some populations."""
    claim = claim | changes
    return judge(claim, {"network": NETWORK, "values": {"slope": value}}, "laptop", seeds=rows)


def rows_with(holding, of):
    return pd.DataFrame({"accuracy": 1.0, "slope": [2.0] * holding + [0.0] * (of - holding), "trained": "kept"})


@pytest.mark.parametrize(
    ("of", "holding", "verdict"),
    [
        ("most", 30, HOLDS),
        ("most", 10, NOT_REPRODUCED),
        ("most", 20, NOT_JUDGED),
        ("nearly_all", 40, HOLDS),
        ("nearly_all", 30, NOT_REPRODUCED),
        ("nearly_all", 37, NOT_JUDGED),
    ],
)
def test_a_statement_about_networks_is_judged_by_the_interval_of_its_share(of, holding, verdict):
    found = over({"seeds": rows_with(holding, 40)}, of=of, judged_on=["seeds"])
    assert (found.verdict, found.seeds.holds, found.seeds.of, found.networks) == (verdict, holding, 40, 40)
    words = of.replace("_", " ")
    limit = {"most": 0.5, "nearly_all": 0.9}[of]
    assert found.criterion == f"at least 1, for {words} networks: a share above {limit} by its interval"


@pytest.mark.parametrize(("holding", "verdict"), [(38, HOLDS), (36, HOLDS), (30, NOT_REPRODUCED)])
def test_many_networks_of_one_population_do_not_outvote_a_small_one_that_contradicts(holding, verdict):
    found = over({"large": rows_with(1000, 1000), "small": rows_with(holding, 40)})
    assert found.verdict == verdict and "below it in no population" in found.criterion
    assert found.note == ("By population the share is too low: 30 of 40 in small." if holding == 30 else "")


def test_the_network_shown_does_not_decide_a_statement_about_many_and_may_be_missing():
    found = over({"seeds": rows_with(40, 40)}, value=0.0)
    assert found.verdict == HOLDS and found.here is False
    told = "in 40 of 40 seeds (0 trained here, 40 kept; 95 %: 0.91–1.00)"
    assert where_it_holds(row_of(found, MANY)) == f"does not hold here; {told}"
    found = judge(MANY, {"network": NETWORK, "values": {}}, "laptop", seeds={"seeds": rows_with(40, 40)})
    assert found.verdict == HOLDS and found.here is None and where_it_holds(row_of(found, MANY)) == told


def test_a_network_shown_without_the_number_is_none_of_its_trainings():
    rows = retrained([2.0] * 8)
    found = verdict_on(None, retrained=rows, seeds={"seeds": rows_with(40, 40)}, of=MANY)
    assert (found.verdict, found.trainings.holds, found.trainings.of, found.trainings.here) == (HOLDS, 8, 8, 0)


def test_other_seeds_are_told_of_the_network_shown_and_do_not_decide():
    for holding, words in ((40, ""), (36, ""), (30, ", not for nearly all"), (0, ", not for most")):
        found = over({"seeds": rows_with(holding, 40)}, claim=ALONE)
        verdict = f"holds for the network shown{words}" if words else HOLDS
        assert (found.verdict, found.seeds.holds, found.as_expected) == (verdict, holding, True)
        assert found.note.startswith("One training only"), "other seeds are no retrainings"
    ours = over({"seeds": rows_with(0, 40)}, claim=ALONE, kind="beyond")
    assert ours.verdict == OURS_HOLDS, "a claim of ours says which networks it is about"


def test_networks_without_the_number_are_no_part_of_the_share_and_are_counted():
    rows = pd.concat([ROWS] * 20)
    none = over({"seeds": rows.assign(later=np.nan)}, claim=MANY | {"value": "later"})
    assert (none.verdict, none.seeds, none.note) == (NOT_JUDGED, None, "no row of another seed has this number")
    found = over({"seeds": rows}, claim=MANY | {"value": "later"})
    assert (found.seeds.of, found.seeds.without) == (40, 20), "those short of the accuracy are not counted"
    assert (found.verdict, found.note) == (NOT_JUDGED, "20 of 60 networks have no such number")
    assert where_it_holds(row_of(found, MANY)).endswith("; 20 more without such a number)")
    told = over({"seeds": rows}, claim=MANY | {"value": "later", "few_have_it": "Few do."})
    assert (told.verdict, told.seeds.holds, told.seeds.of) == (NOT_REPRODUCED, 20, 40)


def test_an_infinite_number_is_one_that_fails_a_limit():
    rows = rows_with(40, 40)
    rows.loc[0, "slope"] = -np.inf
    rows.loc[1, "slope"] = np.nan
    found = over({"seeds": rows})
    assert (found.seeds.holds, found.seeds.of, found.seeds.without) == (38, 39, 1)
    lists = rows.assign(slope=[[value] for value in rows.slope])
    assert over({"seeds": lists}).seeds == found.seeds


def test_rows_in_which_nobody_measured_a_number_are_told_and_do_not_count_as_networks_without_it():
    measured = rows_with(40, 40)
    kept = stacked([measured, measured.drop(columns="slope").assign(seed=1)])
    found = over({"seeds": kept})
    assert (found.verdict, found.seeds.of, found.seeds.without, found.seeds.not_measured) == (HOLDS, 40, 0, 40)
    assert where_it_holds(row_of(found, MANY)).endswith("; not measured in 40 more)")
    cannot = over({"seeds": kept.assign(slope=kept.slope.where(kept.index != 0))})
    assert (cannot.seeds.of, cannot.seeds.without, cannot.seeds.not_measured) == (39, 1, 40)
    no_number = kept.drop(columns=NOT_MEASURED)
    assert over({"seeds": no_number}).note == "40 of 80 networks have no such number"


def test_without_rows_a_statement_about_networks_is_not_judged():
    for rows in ({}, {"seeds": rows_with(4, 4).drop(columns="slope")}):
        found = over(rows)
        assert (found.verdict, found.note) == (NOT_JUDGED, "no row of another seed has this number")


def test_a_network_that_was_chosen_is_no_judge():
    found = over({"seeds": rows_with(40, 40)}, claim=ALONE, chosen=True)
    assert found.verdict == NOT_JUDGED and "chosen" in found.note


RARE = STATEMENT | {"id": "rare", "value": "rare"}


def test_the_map_has_a_column_for_each_claim_that_half_of_the_networks_or_many_can_be_judged_on(monkeypatch):
    monkeypatch.setattr("paper.ledger.judge.networks.MANY", 1)
    assert "rare" in claims_by_network([STATEMENT, RARE], ROWS), "one network is many here"
    monkeypatch.undo()
    found = claims_by_network([STATEMENT, AT_MOST, STATEMENT | {"id": "none", "value": "nowhere"}, RARE], ROWS)
    assert list(found) == ["angle", "small_slope"] and criterion(AT_MOST) == "small slope ≤ 1"


def test_networks_are_shown_that_most_claims_can_be_judged_on():
    holds = pd.DataFrame({"one": [True, pd.NA, False], "other": [pd.NA, pd.NA, True]}, dtype="boolean")
    assert mostly_judged(holds).tolist() == [True, False, True]


def test_exceptions_name_the_worst_key_frequency_its_rank_and_its_neurons():
    rows = ROWS.rename(columns={"slope": "phase_line_slope", "later": "identity_evens_out"})
    slope, evens_out = ([STATEMENT | {"value": value}] for value in ("phase_line_slope", "identity_evens_out"))
    found = exceptions(slope, rows, claims_by_network(slope, rows)).replace({pd.NA: None})
    assert found.seed.tolist() == [8], "one without key frequencies breaks nothing"
    assert found.loc[0, ["value", "key frequencies", "worst at k", "rank of C_k", "neurons there"]].tolist() == [
        *(0.5, 2, 4, 1, 12)
    ]
    assert exceptions(evens_out, rows, claims_by_network(evens_out, rows))["worst at k"].isna().all()
