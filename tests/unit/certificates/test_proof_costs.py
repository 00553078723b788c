"""The rungs on one network: which are dominated, and how tight they are."""

from dataclasses import replace

import numpy as np
import pytest
from simple_networks import random_network
from support import perfect_network

from modadd.certificates.explained import explain
from modadd.certificates.ladder import RUNGS
from modadd.certificates.proof_costs import dominated, ladder_table, noise_budget, proof_costs, proves
from modadd.core.separable import margins


def test_a_rung_is_dominated_by_a_cheaper_one_that_proves_as_much_of_the_same():
    network = perfect_network(7, (1, 2, 3), m=8)
    own = RUNGS["k and 2k: factors"](network)
    cheaper = replace(own, operations=own.operations - 1)
    assert proves("k and 2k: factors") == "k and 2k"
    assert proves("flips") == "the network"
    assert dominated({"k: factors": own, "k: direct sums": cheaper}) == {"k: factors": True, "k: direct sums": False}
    assert not any(dominated({"k: factors": own, "flips": cheaper}).values()), "they prove it of other networks"
    worse = replace(cheaper, margin=cheaper.margin - 1)
    assert not any(dominated({"k: factors": own, "k: direct sums": worse}).values())


def test_brute_force_is_tight_and_costs_what_brute_force_costs():
    network = perfect_network(7, (1, 2, 3), m=8)
    certificates = {rung: RUNGS[rung](network) for rung in ("k and 2k: factors", "brute force")}
    table = proof_costs(certificates, margins(network.logits())).set_index("rung")
    assert table.tightness["brute force"] == pytest.approx(1)
    assert table["of brute force"]["brute force"] == 1
    assert table.tightness["k and 2k: factors"] <= 1
    assert table.proves.tolist() == ["k and 2k", "the network"]


def test_on_the_ladder_brute_force_costs_nothing_of_the_margin():
    network = perfect_network(7, (1, 2, 3), m=8)
    true = margins(network.logits())
    ladder = {rung: RUNGS[rung](network) for rung in ("k and 2k: factors", "brute force")}
    table = ladder_table(ladder, true, parameters=10).set_index("rung")
    brute = table.loc["brute force"]
    assert (brute["of brute force"], brute["certified share"], brute["per parameter"]) == (1, 1, brute.operations / 10)
    assert brute["smallest certified margin"] == pytest.approx(true.min())
    assert brute["median cost of the proof"] == pytest.approx(0, abs=1e-9)
    assert table.loc["k and 2k: factors", "median cost of the proof"] >= brute["median cost of the proof"]


def test_what_noise_takes_off_is_the_margin_explained_less_the_certified_one():
    network = random_network(7, 9)
    families = {"k": explain(network, 1), "everything": explain(network, 3)}
    budget = noise_budget(families).set_index("explained")
    assert budget.index.tolist() == ["k", "everything"]
    assert (budget.loc["k", ["noise of A and B", "noise of W"]] > 0).all()
    assert np.allclose(budget.loc["everything", ["noise of A and B", "noise of W"]].astype(float), 0, atol=1e-6)
    assert budget.loc["everything", "certified"] == pytest.approx(budget.loc["everything", "margin"])


def test_tightness_is_of_the_inputs_that_are_answered_right():
    network = perfect_network(7, (1, 2, 3), m=8)
    certificates, true = {"brute force": RUNGS["brute force"](network)}, margins(network.logits())
    true[0, 0] = -1
    assert proof_costs(certificates, true).tightness[0] == pytest.approx(1)
    assert np.isnan(proof_costs(certificates, np.full_like(true, -1)).tightness[0])
