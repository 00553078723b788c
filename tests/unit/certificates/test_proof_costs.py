"""The rungs on one network: which are dominated, and how tight they are."""

from dataclasses import replace

import pytest
from support import perfect_network

from modadd.certificates.ladder import RUNGS
from modadd.certificates.proof_costs import dominated, proof_costs, proves
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
