"""Limits that were announced before networks were trained are those of the claims."""

import pytest
from support import ROOT

from paper.ledger.read.entries import read_ledger
from paper.yaml_files import read_yaml

ANNOUNCED = {  # by claim: the file and the key of its limit
    "sines_enter_neurons_over_the_grid": ("launchers/grid", "least_right"),
    "sines_replace_neurons_over_the_grid": ("launchers/grid", "least_right"),
    "frequencies_are_few_over_the_grid": ("launchers/grid", "least_share"),
    "violated_symmetry_tells_generalisation": ("early_signals/predictions", "least_right"),
    "half_of_an_even_modulus_is_learned": ("shared_factors/predictions", "least_share"),
    "networks_answer_fixed_points": ("symmetric_sets/predictions", "least_right"),
    "breaking_the_symmetry_changes_nothing": ("symmetric_sets/predictions", "most_apart"),
}


@pytest.mark.parametrize("claim", ANNOUNCED)
def test_a_claim_has_the_limit_that_was_announced(claim):
    file, key = ANNOUNCED[claim]
    by_id = {entry["id"]: entry for entry in read_ledger()["claims"]}
    assert float(by_id[claim]["threshold"]) == read_yaml(ROOT / f"data/{file}.yaml")[key]
