"""What Coq said of networks, as tables."""

import numpy as np

from modadd.certificates.checked import datasets_table, networks_table, share_accepted, theorems_table, weights_table


def entry(**changes):
    found = {"modulus": 7, "neurons": 4, "parameters": 99, "accepted": True, "runs": True, "margin": 2.0}
    found |= {"allowance": 0.5, "rounding": 0.1, "operations": {"tried": 100, "walked": 40}, "checksum": "a"}
    return found | changes


def test_a_network_that_is_not_accepted_is_not_accepted_as_it_runs():
    table = networks_table({"one": entry(), "other": entry(accepted=False)}).set_index("network")
    assert table["accepted as it runs"].tolist() == [True, False]
    assert table["walked over tried"].tolist() == [0.4, 0.4]
    assert networks_table({}).empty


def test_only_networks_that_are_right_count():
    networks = [entry(), entry(margin=-1.0, accepted=False, checksum="b"), entry(accepted=False, checksum="c")]
    table = datasets_table({"all": networks, "none": []}).set_index("dataset")
    assert table.loc["all", ["networks", "right", "accepted"]].tolist() == [3, 2, 1]
    assert np.isnan(table.loc["none", "smallest margin"])
    found = share_accepted({"all": networks, "again": networks[:1]})
    assert (found.holds, found.of) == (1, 2)


def test_published_weights_have_the_numbers_of_their_theorem():
    assert weights_table({"theirs": entry()}).loc[0, ["network", "n", "ball"]].tolist() == ["theirs", 7, 0.5]


def test_axioms_are_named_without_their_files():
    theorem = {"name": "adds", "statement": "Theorem adds.", "lines": 3, "axioms": ["Reals.Classical.sig"]}
    table = theorems_table([theorem, theorem | {"axioms": []}], {"adds": "It adds."})
    assert table.axioms.tolist() == ["sig", "none"]
