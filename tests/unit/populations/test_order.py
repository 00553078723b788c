"""In which order things come about: which runs keep an order, and what is recorded of them."""

import numpy as np
import pandas as pd

from modadd.populations.order import (
    NAMES,
    ORDERS,
    Order,
    shares_in_order,
    sharpening,
    updates_enough,
    values_of_orders,
    when_each,
)

EVENTS = pd.DataFrame(
    {"memorised": [10, 20, 50], "generalised": [100, 20, np.nan], "frequencies": [500, 400, 300]}
    | {"mechanism": [100, 30, 40], "phase_law": [150, 20, 30], "greatest_norm": [90, 500, 200]}
)


def test_before_is_strict_by_is_not_and_a_run_that_never_gets_there_keeps_no_order():
    assert Order("memorised", "generalised").kept(EVENTS).tolist() == [True, False, False]
    assert Order("mechanism", "generalised", by=True).kept(EVENTS).tolist() == [True, False, False]
    assert Order("phase_law", "generalised", by=True, times=2).kept(EVENTS).tolist() == [True, True, False]


def test_shares_count_all_runs():
    shares = shares_in_order(EVENTS)
    assert set(shares) == set(ORDERS)
    assert (shares["phase_law_by_generalised"].holds, shares["phase_law_by_generalised"].of) == (1, 3)


def test_in_a_median_a_run_that_never_gets_there_comes_last():
    medians = when_each(EVENTS).set_index("what has come about")["median updates"]
    assert (medians["memorised"], medians["generalised"]) == (20, 100)
    assert np.isnan(when_each(EVENTS[1:])["median updates"][NAMES.index("generalised")])


def test_of_one_run_there_is_no_interval():
    table = when_each(EVENTS).set_index("what has come about")
    assert table.index.tolist() == NAMES
    assert table.loc["generalised", "runs that reach it"] == 2
    assert table.loc["generalised", "their mean, low"] < 45 < table.loc["generalised", "their mean, high"]
    assert when_each(EVENTS[:1])[["their mean, low", "their mean, high"]].isna().all(axis=None)


def snapshots(accuracy):
    return pd.DataFrame(
        {"seed": 0, "updates": [1, 10, 100], "accuracy": accuracy, "quadrature_error": [1.0, 0.5, 0.1]}
        | {"held_out_loss": [9.0, 0.1, 0.1], "mismatch": [1.8, 1.8, 0.0], "modulus": 7}
    )


def test_an_error_sharpens_from_the_moment_when_every_answer_is_right():
    assert sharpening(snapshots([0.1, 1, 1])) == 5
    assert np.isnan(sharpening(snapshots([0.1, 0.2, 0.3])))


def test_enough_updates_are_those_after_which_it_holds_for_good():
    table = updates_enough(snapshots([0.1, 1, 1]))
    assert table["from update, the last run"].tolist() == [10, 10, 100]
    assert table["runs in which it holds at the end"].tolist() == [1, 1, 1]


def test_every_order_has_its_runs():
    held = {name: found.holds for name, found in shares_in_order(EVENTS).items()}
    assert held == {
        "memorised_before_generalised": 1,
        "norm_before_frequencies": 2,
        "mechanism_by_generalised": 1,
        "phase_law_by_generalised": 1,
        "phase_law_by_twice_generalised": 2,
        "generalised_before_frequencies": 2,
    }


def test_what_is_recorded_of_a_run_that_sharpens_and_has_nothing_left():
    same = {"restricted_loss": 0.1, "train_loss": 0.1, "weight_norm": 1.0, "has_final_frequencies": True}
    run = snapshots([0.1, 1, 1]).assign(excluded_loss=[9.0, 9.0, np.log(7)], **same)
    values = values_of_orders({"m": run}, {})
    assert (values["m_sharpens"].holds, values["m_nothing_left"].holds, values["m_runs"]) == (1, 1, 1)
    blunt = run.assign(quadrature_error=run.quadrature_error.iloc[-1], excluded_loss=0.0)
    values = values_of_orders({"m": blunt}, {})
    assert (values["m_sharpens"].holds, values["m_nothing_left"].holds) == (0, 0)
