"""Criteria of networks with another activation, on rows that are made up."""

import numpy as np
import pandas as pd
import pytest

from modadd.core.statistics import share
from modadd.populations.other_activations import Limits, criteria, fewest, shares_by_activation, worst_numbers
from modadd.quadrature.torus import LAWFUL

LIMITS = Limits(accuracy=0.99, error=0.1, explained=0.9)


def row(**changes):
    """A network that meets every criterion, as nearly as it may."""
    own = {"activation": "abs", "accuracy": 0.99, "r2_integrals": 0.9, "rms_one_phase": [0.5, 0.2]}
    return own | {"rms_two_phases": [0.01, LAWFUL], "integral_error": [0.1, 0.02], "coherence": [0.8, 0.9]} | changes


def test_the_worst_key_frequency_speaks_for_a_network():
    nothing = row(rms_two_phases=[], rms_one_phase=[], integral_error=[], coherence=[])
    found = worst_numbers(pd.DataFrame([row(), nothing], index=[4, 2]))
    assert found.loc[4].to_dict() == pytest.approx(
        {"rms_two_phases": LAWFUL, "rms_one_phase": 0.5, "integral_error": 0.1, "coherence": 0.8}
    )
    assert found.loc[2].isna().all()


def test_a_criterion_is_met_at_its_limit_and_missed_beyond():
    beyond = {"accuracy": 0.989, "rms_two_phases": [LAWFUL + 1e-9, 0.0], "integral_error": [0.0, 0.11]}
    rows = pd.DataFrame([row(), *(row(**{name: value}) for name, value in beyond.items()), row(r2_integrals=0.89)])
    expected = 1 - np.eye(5, 4, k=-1)
    np.testing.assert_array_equal(criteria(rows, LIMITS)[["learned", "phase_law", "integrates", "explained"]], expected)


def test_a_network_without_key_frequencies_obeys_no_law():
    found = criteria(pd.DataFrame([row(rms_two_phases=[], integral_error=[], rms_one_phase=[], coherence=[])]), LIMITS)
    assert found.iloc[0].tolist() == [True, False, False, True]


def test_each_activation_has_its_own_share():
    activation = pd.Series(["abs", "square", "square", "gelu"])
    met = pd.DataFrame({"phase_law": [True, True, False, True], "integrates": [False, False, False, True]})
    found = shares_by_activation(met, activation, ["square", "abs"])
    assert {name: (one.holds, one.of) for name, one in found["phase_law"].items()} == {"square": (1, 2), "abs": (1, 1)}
    assert [one.holds for one in found["integrates"].values()] == [0, 0]


def test_the_fewest_are_a_share_and_not_a_number():
    shares = {"abs": share([True] * 3 + [False]), "square": share([True] * 6 + [False] * 4)}
    assert fewest(shares) is shares["square"], "6 of 10 are fewer than 3 of 4"
    equal = {"abs": share([True, False] * 5), "square": share([True, False])}
    assert fewest(equal) is equal["square"]
    assert fewest({}).of == 0
