"""What Coq said of networks, as tables."""

import numpy as np

from modadd.certificates.checked import (
    answers,
    datasets_table,
    networks_table,
    read_exactly,
    share_accepted,
    theorems_table,
    weights_table,
)


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


def test_a_proof_counts_for_a_network_of_exactly_its_bits():
    titles = {"q/seed0": "Q", "m/seed0": "M", "c/seed0": "C", "c/seed1": "C, too"}
    proofs = {"q/seed0": [entry(checksum="a"), entry(checksum="x")], "m/seed0": [entry(checksum="b")], "c/seed0": []}
    checksums = {"q/seed0": "a", "m/seed0": "c", "c/seed0": "a"}
    assert list(read_exactly(titles, proofs, checksums)) == ["Q"]
    assert list(read_exactly(titles, proofs, {"q/seed0": "x"})) == [], "the first entry is the mainline's"


def test_mainlines_are_a_share_of_all_that_are_named():
    mainlines = {"Q": entry(), "M": entry(runs=False, operations={"tried": 100, "walked": 90})}
    found = answers(mainlines, 4, {"all": [entry(), entry(accepted=False, checksum="b")]}, {}, asked_here=True)
    assert (found["mainlines_accepted"], found["mainlines_accepted_as_they_run"]) == (0.5, 0.25)
    assert found["walked_over_tried"] == 0.9, "the largest ratio"
    assert (found["networks_accepted"].holds, found["networks_accepted"].of) == (1, 2)


def test_kept_proofs_count_if_they_are_of_every_mainline():
    kept = answers({"Q": entry(), "M": entry(accepted=False)}, 2, {"all": [entry()]}, {}, asked_here=False)
    assert (kept["mainlines_accepted"], kept["walked_over_tried"], kept["networks_accepted"]) == (0.5, 0.4, None)
    fewer = answers({"Q": entry()}, 2, {"all": [entry()]}, {}, asked_here=False)
    assert {value for name, value in fewer.items()} == {None}
    none = answers({}, 2, {}, {}, asked_here=True)
    assert (none["mainlines_accepted"], none["walked_over_tried"]) == (0, None), "Coq refused them all"


def test_published_weights_are_accepted_refused_or_not_given():
    found = answers({}, 3, {}, {"kissane": entry(accepted=False)}, asked_here=False)
    assert (found["kissane_accepted"], found["zhong_model_a_accepted"]) == (0, None)
    assert answers({}, 3, {}, {"zhong_model_a": entry()}, asked_here=False)["zhong_model_a_accepted"] == 1
